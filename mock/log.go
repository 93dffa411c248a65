package mock

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// logger writes one line for each request and one for each of its findings, as text for people or as JSON lines.
// docs/control.md documents both formats.
type logger struct {
	mu      sync.Mutex // guards to
	to      io.Writer
	json    *slog.Logger // nil for text
	off     bool
	colours bool
	clock   func() time.Time
}

func newLogger(o *Options) *logger {
	to := visible.Writer{To: o.Log.To, Colours: o.Log.Colour, Private: true}
	l := &logger{to: to, off: o.Log.Format == "off", colours: o.Log.Colour, clock: o.Clock}
	if o.Log.Format == "json" {
		l.json = slog.New(slog.NewJSONHandler(to, nil))
	}
	return l
}

// note logs an event that is not about one request. All lines but the first begin with two spaces.
func (l *logger) note(format string, args ...any) {
	if l.off {
		return
	}
	text := fmt.Sprintf(format, args...)
	if l.json != nil {
		l.json.Info(text)
		return
	}
	l.write(l.clock().Format(exchange.LogTime) + " " + text + "\n")
}

func (l *logger) write(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	io.WriteString(l.to, text)
}

// exchange logs a request that has been answered, without its credentials.
func (l *logger) exchange(x *exchanged, began time.Time) {
	if l.off {
		return
	}
	now := l.clock()
	took := now.Sub(began)
	r := x.ask.Request
	target := r.Path
	if r.Query != "" {
		target += "?" + x.contract.secrets.RedactQuery(r.Query)
	}
	target = x.credentials().Hide(target)
	if l.json != nil {
		l.exchangeJSON(x, target, took)
		return
	}
	line := exchange.LogLine{
		Time: now, Method: r.Method, Target: target, Status: x.answer.Status, Took: took,
		Mocked: x.ask.Mocked, Merged: x.merged, Replayed: x.replayed, Delay: x.delay, Fault: string(x.fault),
		Findings: x.findings,
	}
	if x.session.Name != state.Default {
		line.Session = x.session.Name
	}
	if x.rule != nil {
		line.Scenario, line.Rule = x.rule.Scenario, x.rule.Number
	}
	var b strings.Builder
	b.WriteString(line.Text(l.colours))
	for _, n := range x.operation.unlogged(x.notes) {
		b.WriteString("  not simulated: " + visible.Line(n.String()))
		if n.Setting != "" {
			b.WriteString("  (coldframe.yaml: " + visible.Line(n.Setting) + ")")
		}
		b.WriteByte('\n')
	}
	l.write(b.String())
}

func (l *logger) exchangeJSON(x *exchanged, target string, took time.Duration) {
	attributes := []any{
		slog.String("method", x.ask.Request.Method),
		slog.String("target", target),
		slog.Int("status", x.answer.Status),
		slog.Float64("milliseconds", float64(took.Microseconds())/1000),
	}
	if x.session.Name != state.Default {
		attributes = append(attributes, slog.String("session", x.session.Name))
	}
	if x.operation != nil {
		attributes = append(attributes, slog.String("operation", x.operation.ID))
	}
	if x.rule != nil {
		attributes = append(attributes, slog.String("scenario", x.rule.Scenario), slog.Int("rule", x.rule.Number))
	}
	if x.ask.Mocked != "" {
		attributes = append(attributes, slog.String("mocked", x.ask.Mocked))
	}
	if x.merged != "" {
		attributes = append(attributes, slog.String("merged", x.merged))
	}
	if x.replayed != "" {
		attributes = append(attributes, slog.String("replayed", x.replayed))
	}
	if len(x.findings) > 0 {
		attributes = append(attributes, slog.Any("findings", x.findings))
	}
	if notes := x.operation.unlogged(x.notes); len(notes) > 0 {
		attributes = append(attributes, slog.Any("notes", notes))
	}
	l.json.Info("exchange", attributes...)
}
