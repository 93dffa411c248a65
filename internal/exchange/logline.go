package exchange

import (
	"fmt"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/visible"
)

// LogTime is the format of the time at the beginning of a record of the log. A line that begins with two spaces belongs
// to the record before it.
const LogTime = "15:04:05.000"

// LogLine is an exchange in the log. Empty fields are left out.
type LogLine struct {
	Time     time.Time
	Method   string
	Target   string // without credentials
	Status   int
	Took     time.Duration
	Session  string
	Scenario string
	Rule     int // of Scenario
	Mocked   string
	Merged   string
	Replayed string
	Delay    time.Duration
	Fault    string
	Findings []Finding
}

// Text returns the line, and one for each finding.
func (l *LogLine) Text(colours bool) string {
	unit := 100 * time.Microsecond
	if l.Took < time.Millisecond {
		unit = time.Microsecond
	}
	status := fmt.Sprint(l.Status)
	if colours {
		status = fmt.Sprintf("\x1b[%dm%s\x1b[0m", map[int]int{2: 32, 3: 36, 4: 33, 5: 31}[l.Status/100], status)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s %s %s", l.Time.Format(LogTime), visible.Line(l.Method), visible.Line(l.Target), status,
		l.Took.Round(unit))
	if l.Session != "" {
		b.WriteString("  session " + visible.Line(l.Session))
	}
	if l.Scenario != "" {
		fmt.Fprintf(&b, "  scenario %s, rule %d", visible.Line(l.Scenario), l.Rule)
	}
	for _, part := range []struct{ name, text string }{
		{"mocked:", l.Mocked}, {"merged:", l.Merged}, {"replayed:", l.Replayed},
	} {
		if part.text != "" {
			b.WriteString("  " + part.name + " " + visible.Line(part.text))
		}
	}
	if l.Delay > 0 {
		fmt.Fprintf(&b, "  delay %s", l.Delay)
	}
	if l.Fault != "" {
		b.WriteString("  fault " + visible.Line(l.Fault))
	}
	b.WriteByte('\n')
	for _, f := range l.Findings {
		b.WriteString("  " + visible.Line(f.String()))
		if place := f.Document.String(); place != "" && f.In != "" {
			b.WriteString("  (" + visible.Line(place) + ")")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
