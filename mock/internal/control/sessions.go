package control

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock/client"
	"github.com/coldframe/coldframe/mock/internal/state"
)

func (h *Handler) listSessions(*call) (any, error) {
	list := []client.Session{}
	for _, s := range h.Sessions.List() {
		labels := append([]string{}, s.Snapshots()...)
		list = append(list, client.Session{Name: s.Name, Snapshots: labels, Items: s.State.View().Total()})
	}
	return map[string]any{"sessions": list}, nil
}

func (h *Handler) getMemory(*call) (any, error) {
	used, limit, lost := h.Sessions.Usage()
	m := client.Memory{Used: used, Limit: limit, Dropped: map[string]int{}, Sessions: h.Sessions.Dropped()}
	for _, l := range lost {
		m.Dropped[l.Name] = l.Dropped
	}
	return m, nil
}

func (h *Handler) deleteSnapshot(c *call) (any, error) {
	name, label := c.path("name"), c.path("label")
	s := h.Sessions.Lookup(name)
	switch {
	case s == nil:
		return nil, noSession(name)
	case !s.Forget(label):
		return nil, noSnapshot(name, label)
	}
	return nil, nil
}

func noSnapshot(session, label string) *Failure {
	detail := fmt.Sprintf("session %q has no snapshot %q", session, exchange.Shorten(label, 200))
	return &Failure{Status: 404, Detail: detail}
}

func (h *Handler) changeSession(c *call, with struct{ Label, To string }) (any, error) {
	name, action, label := c.path("name"), c.path("action"), cmp.Or(with.Label, state.Default)
	s := h.Sessions.Lookup(name)
	switch {
	case action == "fork":
		if _, err := h.Sessions.Fork(name, cmp.Or(with.To, state.Default)); errors.Is(err, state.ErrSession) {
			return nil, &Failure{Status: 409, Detail: err.Error()}
		} else if err != nil {
			return nil, &Failure{Status: 400, Detail: err.Error()}
		}
	case s == nil && (action == "reset" || action == "rewind") && state.CheckName(name) == nil:
		// it will have the initial items
	case s == nil:
		return nil, noSession(name)
	case action == "reset":
		h.Sessions.Reset(name)
	case action == "rewind":
		s.Value().Scenarios.View(h.Served().Scenarios).State.Reset()
	case action == "snapshot":
		if err := s.Snapshot(label); err != nil {
			return nil, &Failure{Status: 409, Detail: err.Error()}
		}
	case !s.Restore(label):
		return nil, noSnapshot(name, label)
	}
	return nil, nil
}

func (h *Handler) deleteSession(c *call) (any, error) {
	s := h.Sessions.Lookup(c.path("name"))
	if s == nil {
		return nil, noSession(c.path("name"))
	}
	h.Sessions.Delete(s.Name)
	h.Served().Coverage.Forget(func(name string) bool { return name == s.Name })
	return nil, nil
}

func noSession(name string) *Failure {
	return &Failure{Status: 404, Detail: "there is no session " + strconv.Quote(exchange.Shorten(name, 200))}
}

// exportSession streams a session's file.
func (h *Handler) exportSession(c *call) (any, error) {
	s := h.Sessions.Lookup(c.path("name"))
	if s == nil {
		return nil, noSession(c.path("name"))
	}
	a := written("application/json", nil)
	a.Header.Set("Content-Disposition", `attachment; filename="session.json"`)
	if c.request.Method != http.MethodHead {
		// Hidden characters are not escaped: an item that is read again has the same bytes.
		a.Stream = func(write func([]byte) error) { h.ExportSession(s, write) }
	}
	return a, nil
}

func (h *Handler) importSession(c *call) (any, error) {
	findings, err := h.ImportSession(c.path("name"), c.request.Body)
	if err != nil {
		return nil, err
	}
	return map[string]any{"findings": append([]exchange.Finding{}, findings...)}, nil
}

// getState lists the items of the session that the request chooses, by the path under which they were created, oldest
// first. For a session that does not exist yet it lists the initial items.
func (h *Handler) getState(c *call) (any, error) {
	view, err := h.viewOf(c)
	if err != nil {
		return nil, err
	}
	a := written("application/json", nil)
	if c.request.Method != http.MethodHead {
		a.Stream = func(write func([]byte) error) {
			writeState(view, h.BodyOf, func(text []byte) error { return write(visible.Bytes(text)) })
		}
	}
	return a, nil
}

// statePiece is the size of the pieces in which a state is sent; an item is never split.
const statePiece = 32 << 10

// writeState writes the items of a View, as bodyOf returns them, without building the whole text in memory.
func writeState(view *state.View, bodyOf func(*state.Item) []byte, write func([]byte) error) {
	var collections []string
	known := map[string]bool{}
	for item := range view.All() {
		if !known[item.Collection] {
			known[item.Collection] = true
			collections = append(collections, item.Collection)
		}
	}
	text := fmt.Appendf(nil, `{"items":%d,"collections":{`, view.Total())
	for i, name := range collections {
		if i > 0 {
			text = append(text, ',')
		}
		between := "["
		text = append(jsontext.AppendString(text, name), ':')
		for item := range view.Items(name, 0) {
			text = append(text, between...)
			between = ","
			body := bodyOf(item)
			if len(text)+len(body) < statePiece {
				text = append(text, body...)
				continue
			}
			if write(text) != nil || write(body) != nil { // without copying items, which may have megabytes
				return
			}
			text = text[:0]
		}
		text = append(text, ']')
	}
	write(append(text, "}}"...))
}

func (h *Handler) replaceState(c *call) (any, error) {
	findings, err := h.SeedState(h.SessionOf(c.request.Header), slices.Clone(c.request.Body))
	if err != nil {
		return nil, err
	}
	return map[string]any{"findings": append([]exchange.Finding{}, findings...)}, nil
}

func (h *Handler) clearState(c *call) (any, error) {
	s, _, err := h.Sessions.Get(h.SessionOf(c.request.Header))
	if err != nil {
		return nil, &Failure{Status: 400, Detail: err.Error()}
	}
	s.State.ClearAll()
	return nil, nil
}

var coverageTypes = map[string]string{
	"application/json": "json",
	"text/plain":       "text",
	"text/x-lcov":      "lcov",
}

func (h *Handler) getCoverage(c *call) (any, error) {
	report, err := h.coverage(c.session(), c.query("consumer"))
	if err != nil {
		return nil, err
	}
	if only, ok := c.Query["points"].(string); ok {
		for i := range report.Operations {
			if o := &report.Operations[i]; o.Operation != only {
				o.Points = []coverage.Point{}
			}
		}
	}
	switch cmp.Or(c.query("format"), acceptedFormat(strings.Join(c.request.Header.Values("Accept"), ","))) {
	case "text":
		return written("text/plain; charset=utf-8", []byte(report.Text())), nil
	case "lcov":
		return written("text/x-lcov; charset=utf-8", []byte(report.LCOV())), nil
	}
	return report, nil
}

// coverage returns the report on one session, nil for all sessions, or on one consumer of a proxy.
func (h *Handler) coverage(session *string, consumer string) (*coverage.Report, error) {
	used := h.Served().Coverage
	if consumer != "" {
		if report := used.Session(consumer); report != nil {
			return report, nil
		}
		return nil, &Failure{Status: 404, Detail: fmt.Sprintf("no request of a consumer %q was forwarded", consumer)}
	}
	if session == nil {
		return used.Report(), nil
	}
	name := cmp.Or(*session, state.Default)
	if report := used.Session(name); report != nil {
		return report, nil
	}
	if h.Sessions.Lookup(name) == nil {
		detail := fmt.Sprintf("there is no session %q; it is made when a request to the mock names it", name)
		return nil, &Failure{Status: 404, Detail: detail}
	}
	return used.Empty(name), nil
}

// acceptedFormat returns the first format in Accept, JSON by default.
func acceptedFormat(accept string) string {
	for mediaType := range strings.SplitSeq(accept, ",") {
		mediaType, _, _ = strings.Cut(mediaType, ";")
		if format, ok := coverageTypes[strings.ToLower(strings.TrimSpace(mediaType))]; ok {
			return format
		}
	}
	return "json"
}

func (h *Handler) listWebhooks(*call) (any, error) {
	names := []string{}
	for _, w := range h.Served().Contract.Webhooks {
		names = append(names, w.Name)
	}
	return map[string]any{"webhooks": names}, nil
}

func (h *Handler) sendWebhook(c *call) (any, error) {
	order, _ := c.Body().(map[string]any)
	url, _ := order["url"].(string)
	method, _ := order["method"].(string)
	var body *any
	if given, ok := order["body"]; ok {
		body = &given
	}
	result, err := h.SendWebhook(c.path("name"), strings.ToUpper(method), url, body)
	if failure, ok := err.(*Failure); ok {
		for i := range failure.Findings {
			failure.Findings[i].Pointer = "/body" + failure.Findings[i].Pointer // its place in the order
		}
	}
	return result, err
}
