package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
)

// model is a report with what the formats show of it. Its own texts are escaped:
// each is one line of visible characters.
type model struct {
	*findings.Report // as it was found, for programs
	Options

	Heading    string // names the API
	Totals     string // the run in one line
	Untestable string // how many operations accepted no plain request; "" for none
	Ended      string
	Failed     bool // there are new errors, or the run ended early
	// Errors, Warnings and Known count findings. Known ones are neither of the others.
	Errors, Warnings, Known int

	Findings   []finding
	Operations []operation
	Skipped    []string // a line for each reason
	Resolved   []string
}

// finding is one finding. The message tells what it is about.
type finding struct {
	findings.Finding
	Number   int
	Outcome  string   // error, warning or known
	Also     []string // the other operations in which it was seen
	Location string   // the place in the document
	Meaning  string   // of the check
	Seen     string   // how often, and in which case it is shown
	Steps    []step
}

// step is one request of a finding, and its answer.
type step struct {
	Curl     string // may have several lines
	Answer   string
	Header   []string
	response *exchange.Response
	size     int // of the answer's body
}

func newModel(r *findings.Report, o Options) *model {
	m := &model{
		Report: r, Options: o, Ended: line(r.Ended), Failed: len(r.New()) > 0 || r.Ended != "",
		Heading:    strings.TrimSpace(line(cmp.Or(r.Title, r.Document)) + " " + line(r.Version)),
		Untestable: untestable(r), Skipped: skippedLines(r.Skipped), Resolved: lineAll(r.Resolved),
	}
	faulty := map[string]bool{}
	for i := range r.Findings {
		f := newFinding(i+1, &r.Findings[i])
		m.Findings = append(m.Findings, f)
		faulty[f.Operation] = true
		for _, o := range f.Also {
			faulty[o] = true
		}
		switch f.Outcome {
		case "known":
			m.Known++
		case "warning":
			m.Warnings++
		default:
			m.Errors++
		}
	}
	exercised := map[string]*coverage.OperationReport{}
	if r.Coverage != nil {
		for i := range r.Coverage.Operations {
			c := &r.Coverage.Operations[i]
			exercised[c.Method+" "+c.Path] = c
		}
	}
	for _, o := range r.Operations {
		m.Operations = append(m.Operations, newOperation(o, exercised[o.Name]))
	}
	m.Totals = m.totals(len(faulty))
	return m
}

// checks gives the checks that found something, in the table's order.
func (m *model) checks() []*checks.Check {
	return slices.DeleteFunc(slices.Clone(checks.All()), func(c *checks.Check) bool {
		return !slices.ContainsFunc(m.Findings, func(f finding) bool { return f.Check == c.ID })
	})
}

// tested counts the operations that were not skipped.
func (m *model) tested() int {
	n := 0
	for _, o := range m.Operations {
		if o.Verdict != skipped {
			n++
		}
	}
	return n
}

func (m *model) totals(faulty int) string {
	found := "Nothing found"
	if n := len(m.Findings); n > 0 {
		found = plural(n, "finding")
		if m.Errors < n {
			of := []string{plural(m.Errors, "error"), plural(m.Warnings, "warning"), number(m.Known) + " known"}
			of = slices.DeleteFunc(of, func(count string) bool { return strings.HasPrefix(count, "0 ") })
			found += " (" + strings.Join(of, ", ") + ")"
		}
		found += " in " + plural(faulty, "operation")
	}
	parts := []string{found, fmt.Sprintf("%s and %s in %s", plural(m.tested(), "operation"), plural(m.Requests, "request"),
		duration(m.Took))}
	if m.Coverage != nil {
		parts = append(parts, fmt.Sprintf("%.1f %% of the document exercised", m.Coverage.Percent))
	}
	return strings.Join(append(parts, fmt.Sprintf("seed %d", m.Seed)), "; ")
}

func newFinding(n int, f *findings.Finding) finding {
	out := finding{Finding: *f, Number: n, Outcome: "error", Location: place(f.Place),
		Seen: plural(f.Count, "time") + "; here in the phase " + line(f.Phase)}
	for _, text := range []*string{&out.Check, &out.Operation, &out.About, &out.Message, &out.Excerpt, &out.Source,
		&out.Fingerprint} {
		*text = line(*text)
	}
	switch {
	case f.Known:
		out.Outcome = "known"
	case f.Severity == exchange.Warning:
		out.Outcome = "warning"
	}
	if f.About != "" && !strings.Contains(f.Message, f.About) {
		out.Message = out.About + ": " + out.Message
	}
	if p := f.Place; p.Line == 0 && p.Pointer != "" && p.File != "" { // there is no line to go to
		out.Location += "#" + line(p.Pointer)
	}
	if f.Title != "" {
		out.Seen += ": " + line(f.Title)
	}
	if check, _ := checks.Find(f.Check); check != nil {
		out.Meaning = check.Meaning
	}
	for _, o := range f.Operations {
		if o != f.Operation {
			out.Also = append(out.Also, line(o))
		}
	}
	for i := range f.Sent {
		out.Steps = append(out.Steps, newStep(&f.Sent[i]))
	}
	return out
}

// of reports whether the finding was seen in an operation.
func (f *finding) of(o *operation) bool {
	return f.Operation == o.Name || slices.Contains(f.Also, o.Name)
}

// In names the finding's operations in a few words.
func (f *finding) In() string {
	if n := len(f.Also); n > 0 {
		return fmt.Sprintf("%s (and %s)", f.Operation, plural(n, "more operation"))
	}
	return f.Operation
}

// Consequences describes what the finding leads to, in at most so many lines and
// one that counts the rest.
func (f *finding) Consequences(limit int) []string {
	var all []string
	for _, c := range f.Finding.Consequences {
		in := someOf(lineAll(c.Operations), maxNamed)
		all = append(all, fmt.Sprintf("%s in %s: %s (%s)", line(c.Check), in, line(c.Message), plural(c.Count, "time")))
	}
	if len(all) > limit+1 {
		all = append(all[:limit], "and "+number(len(all)-limit)+" more")
	}
	return all
}

func newStep(s *findings.Sent) step {
	out := step{Curl: lines(s.Curl), Answer: line(s.Fault), response: s.Response}
	if s.Response == nil {
		return out
	}
	out.size = max(s.ResponseSize, len(s.Response.Body))
	out.Answer = fmt.Sprint(s.Response.Status)
	if contentType, ok := s.Response.Header.Get("Content-Type"); ok {
		out.Answer += " " + line(contentType)
	}
	if s.Fault != "" {
		out.Answer += " (" + line(s.Fault) + ")"
	}
	for _, f := range s.Response.Header {
		out.Header = append(out.Header, line(f.Name)+": "+line(f.Value))
	}
	return out
}

// Body gives the answer's body in one line of at most so many characters; 0 is
// no limit.
func (s *step) Body(limit int) string {
	if s.response == nil {
		return ""
	}
	return compact(s.response.Body, s.size, limit)
}

// skippedLines sums up what was skipped, in a line for each reason.
func skippedLines(all []findings.Skipped) []string {
	type group struct {
		findings.Skipped
		operations map[string]bool
	}
	var groups []group
	for _, s := range all {
		i := slices.IndexFunc(groups, func(g group) bool { return g.Phase == s.Phase && g.Reason == s.Reason })
		if i < 0 {
			i = len(groups)
			groups = append(groups, group{findings.Skipped{Phase: s.Phase, Reason: s.Reason}, map[string]bool{}})
		}
		groups[i].Cases += s.Cases
		if s.Operation != "" {
			groups[i].Operation = s.Operation
			groups[i].operations[s.Operation] = true
		}
	}
	var lines []string
	for _, g := range groups {
		text := line(g.Phase)
		if g.Cases > 0 {
			text += ": " + plural(g.Cases, "case")
		}
		switch n := len(g.operations); {
		case n == 1:
			text += " of " + line(g.Operation)
		case n > 1:
			text += " of " + plural(n, "operation")
		}
		lines = append(lines, strings.TrimPrefix(text+": "+line(g.Reason), ": "))
	}
	return lines
}
