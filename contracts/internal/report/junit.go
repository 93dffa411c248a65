package report

import (
	"cmp"
	_ "embed"
	"encoding/xml"
	"fmt"
	"io"

	"slices"
	"strings"
	"text/template"

	"github.com/coldframe/coldframe/contracts/internal/findings"
)

// The form is that of Ant's JUnit task, as CI systems read it: at most one failure a case, and elements in
// the order of its schema. The time of one operation is not known, as operations are tested side by side.
//
//go:embed junit.xml.tmpl
var junitText string

var junitTemplate = template.Must(template.New("junit").Funcs(template.FuncMap{
	"xml": func(text string) string {
		var b strings.Builder
		xml.EscapeText(&b, []byte(line(text)))
		return b.String()
	},
	"cdata": strings.NewReplacer("]]>", "]]]]><![CDATA[>").Replace,
}).Parse(junitText))

type junitReport struct {
	*model
	Timestamp       string // ISO 8601, UTC, without a zone
	Tests, Failures int
	Suites          []junitSuite
}

// junitSuite is one operation.
type junitSuite struct {
	operation
	File     string
	Failures int
	Cases    []junitCase
}

// junitCase is a phase in which nothing was found, or a check that found something
// in a phase. Known findings and warnings are in cases that pass.
type junitCase struct {
	Phase, Check, Message string
	Errors, Others        []string
}

// Name tells the phase and what found something in it.
func (c *junitCase) Name() string {
	if c.Check == "" {
		return c.Phase
	}
	return c.Phase + ": " + c.Check
}

func writeJUnit(w io.Writer, m *model) error {
	r := junitReport{model: m, Timestamp: m.Began.UTC().Format("2006-01-02T15:04:05")}
	for _, o := range withOrphans(m) {
		s := junitSuite{operation: o, File: m.relative(line(o.Place.File)), Cases: junitCases(m, &o)}
		for _, c := range s.Cases {
			s.Failures += min(len(c.Errors), 1)
		}
		r.Tests, r.Failures = r.Tests+len(s.Cases), r.Failures+s.Failures
		r.Suites = append(r.Suites, s)
	}
	if m.Ended != "" { // what did not run must not look as if it had passed
		r.Tests++
	}
	return junitTemplate.Execute(w, r)
}

// withOrphans gives the operations, and those besides that have findings.
func withOrphans(m *model) []operation {
	all := slices.Clone(m.Operations)
	for _, f := range m.Findings {
		if !slices.ContainsFunc(all, func(o operation) bool { return f.of(&o) }) {
			orphan := findings.OperationReport{Name: f.Operation, Place: f.Place, Findings: 1}
			all = append(all, newOperation(&orphan, nil))
		}
	}
	return all
}

func junitCases(m *model, o *operation) []junitCase {
	if o.Verdict == skipped {
		return []junitCase{{Phase: "all"}}
	}
	var phases []string // that ran, and those in which something was found
	for _, p := range m.Phases {
		phases = append(phases, p.ID)
	}
	var cases []junitCase
	for _, f := range slices.Concat(m.Findings, m.Waived) {
		if !f.of(o) {
			continue
		}
		if !slices.Contains(phases, f.Phase) {
			phases = append(phases, f.Phase)
		}
		at := slices.IndexFunc(cases, func(c junitCase) bool { return c.Phase == f.Phase && c.Check == f.Check })
		if at < 0 {
			at = len(cases)
			cases = append(cases, junitCase{Phase: f.Phase, Check: f.Check})
		}
		c := &cases[at]
		if f.Outcome != "error" {
			c.Others = append(c.Others, f.Outcome+": "+f.Reason+strings.Repeat("\n", min(1, len(f.Reason)))+explained(f))
			continue
		}
		c.Message = cmp.Or(c.Message, f.Message)
		c.Errors = append(c.Errors, explained(f))
	}
	for _, phase := range phases {
		if !slices.ContainsFunc(cases, func(c junitCase) bool { return c.Phase == phase }) {
			cases = append(cases, junitCase{Phase: phase})
		}
	}
	slices.SortFunc(cases, func(a, b junitCase) int {
		return cmp.Or(slices.Index(phases, a.Phase)-slices.Index(phases, b.Phase), cmp.Compare(a.Check, b.Check))
	})
	return cases
}

func explained(f *finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", f.Message)
	if f.Location != "" {
		fmt.Fprintf(&b, "document: %s  %s\n", f.Location, f.Excerpt)
	}
	for _, s := range f.Steps {
		fmt.Fprintf(&b, "sent: %s\nanswer: %s\n", cut(s.Curl, maxCommand, "…"), s.Answer)
		if body := s.Body(4 * maxBodyText); body != "" {
			fmt.Fprintf(&b, "        %s\n", body)
		}
	}
	fmt.Fprintf(&b, "seen: %s\n", f.Seen)
	if len(f.Also) > 0 {
		fmt.Fprintf(&b, "shown in: %s\nalso in: %s\n", f.Operation, someOf(f.Also, maxDetailed))
	}
	for _, text := range f.Consequences(maxDetailed) {
		fmt.Fprintf(&b, "leads to: %s\n", text)
	}
	return b.String()
}
