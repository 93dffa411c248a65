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

	"github.com/coldframe/coldframe/report"
)

// The format is the one of Ant's JUnit task, as CI systems read it: at most one failure a case, and elements in
// the order of its schema. The time of one operation is not known, as operations are tested side by side.
//
//go:embed junit.xml.tmpl
var junitText string

func junitTemplate() *template.Template {
	return template.Must(template.New("junit").Funcs(template.FuncMap{
		"xml": func(text string) string {
			var b strings.Builder
			xml.EscapeText(&b, []byte(line(text)))
			return b.String()
		},
		"cdata": strings.NewReplacer("]]>", "]]]]><![CDATA[>").Replace,
	}).Parse(junitText))
}

type junitReport struct {
	*model
	Timestamp       string // ISO 8601, UTC, without a zone
	Tests, Failures int
	Skips, Errors   int
	Suites          []junitSuite
	Run             []junitCase // what went wrong with the run as a whole
}

// junitSuite is one operation.
type junitSuite struct {
	operationRow
	File            string
	Failures, Skips int
	Cases           []junitCase
}

// junitCase is a check of an operation, at one place if it found something there. New errors fail it. One that has only
// flaky or waived findings is skipped; warnings and known findings are in its output.
type junitCase struct {
	Name, Check, Message, Skip string
	Errors, Others             []string

	isCounted bool     // it has warnings, notes or known findings
	why       []string // it is skipped, unless it counts
}

func writeJUnit(w io.Writer, m *model) error {
	r := junitReport{model: m, Timestamp: m.Began.UTC().Format("2006-01-02T15:04:05")}
	for _, o := range withOrphans(m) {
		s := junitSuite{operationRow: o, File: m.relative(line(o.Place.File)), Cases: junitCases(m, &o)}
		for _, c := range s.Cases {
			s.Failures += min(len(c.Errors), 1)
			s.Skips += min(len(c.Skip), 1)
		}
		r.Tests, r.Failures, r.Skips = r.Tests+len(s.Cases), r.Failures+s.Failures, r.Skips+s.Skips
		r.Suites = append(r.Suites, s)
	}
	for _, c := range []junitCase{{Name: "reaches its end", Message: m.Ended},
		{Name: "runs all phases", Message: line(m.Incomplete)}, {Name: "tests enough", Message: line(m.Insufficient)}} {
		if c.Message != "" {
			r.Run, r.Tests, r.Errors = append(r.Run, c), r.Tests+1, r.Errors+1
		}
	}
	return junitTemplate().Execute(w, r)
}

// withOrphans returns the operations, and those besides that have findings.
func withOrphans(m *model) []operationRow {
	all := slices.Clone(m.Operations)
	for _, f := range m.Findings {
		if !slices.ContainsFunc(all, func(o operationRow) bool { return f.of(&o) }) {
			orphan := report.Operation{Name: f.Operation, Place: f.Place, Findings: 1}
			all = append(all, newOperationRow(&orphan, false, nil))
		}
	}
	return all
}

// junitCases returns the cases of an operation: one for each place at which a check found something, and one for each
// check that was in use and found nothing.
func junitCases(m *model, o *operationRow) []junitCase {
	if o.Verdict == skipped {
		return []junitCase{{Name: "all", Check: "all", Skip: o.Note}}
	}
	var cases []junitCase
	for _, id := range o.Checks {
		cases = append(cases, junitCase{Name: id, Check: id})
	}
	for _, f := range slices.Concat(m.Findings, m.Waived, m.Flaky) {
		if !f.of(o) {
			continue
		}
		for _, fault := range f.faultsIn(o.Name) {
			c, text, outcome := caseOf(&cases, f.Check, line(fault.About)), explained(f), f.Outcome
			if fault.Known {
				outcome = "known"
			}
			if outcome == "error" {
				c.Message, c.Errors = cmp.Or(c.Message, f.Headline()), append(c.Errors, text)
				continue
			}
			c.Others = append(c.Others, outcome+": "+f.Reason+strings.Repeat("\n", min(1, len(f.Reason)))+text)
			c.isCounted = c.isCounted || f.Outcome != "waived" && f.Outcome != "flaky"
			c.why = append(c.why, f.Outcome+": "+cmp.Or(f.Reason, "it did not come again when the same was sent alone")+": "+
				f.Headline())
		}
	}
	for i := range cases {
		if c := &cases[i]; !c.isCounted && len(c.Errors) == 0 {
			c.Skip = strings.Join(c.why, "; ")
		}
	}
	return cases
}

// faultsIn returns the faults of a finding in an operation: one without a place if the report does not have them.
func (f *finding) faultsIn(operation string) (all []report.Fault) {
	for _, fault := range f.Faults {
		if line(fault.Operation) == operation {
			all = append(all, fault)
		}
	}
	if all == nil {
		all = []report.Fault{{Known: f.Known}}
	}
	return all
}

// caseOf returns the case of a check at a place, which takes the check's place in the list.
func caseOf(cases *[]junitCase, check, place string) *junitCase {
	name, last := strings.TrimSpace(check+" "+place), -1
	for i := range *cases {
		switch c := &(*cases)[i]; {
		case c.Check == check && (c.Name == name || c.Name == check && len(c.Errors)+len(c.Others) == 0):
			c.Name = name
			return c
		case c.Check == check:
			last = i
		}
	}
	if last < 0 {
		last = len(*cases) - 1
	}
	*cases = slices.Insert(*cases, last+1, junitCase{Name: name, Check: check})
	return &(*cases)[last+1]
}

func explained(f *finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", f.Message)
	if f.Location != "" {
		fmt.Fprintf(&b, "document: %s  %s\n", f.Location, f.Excerpt)
	}
	for _, s := range f.Steps {
		fmt.Fprintf(&b, "sent: %s\nanswer: %s\n", middleOut(s.Curl, maxLongCommand), s.Answer)
		if body := s.Body(4 * maxBodyText); body != "" {
			fmt.Fprintf(&b, "        %s\n", body)
		}
	}
	fmt.Fprintf(&b, "seen: %s\n", f.Seen)
	if len(f.Places) > 0 {
		fmt.Fprintf(&b, "places: %s\n", someOf(lineAll(f.Places), maxDetailed))
	}
	if in := f.NewIn(); len(in) > 0 {
		fmt.Fprintf(&b, "new in: %s\n", someOf(in, maxDetailed))
	}
	if len(f.Also) > 0 {
		fmt.Fprintf(&b, "shown in: %s\nalso in: %s\n", f.Operation, someOf(f.Also, maxDetailed))
	}
	for _, text := range f.Consequences(maxDetailed) {
		fmt.Fprintf(&b, "leads to: %s\n", text)
	}
	return b.String()
}
