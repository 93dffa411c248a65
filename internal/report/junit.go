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

// junitCase is a check of an operation. New errors fail it. One that has only flaky or waived findings is skipped;
// warnings and known findings are in its output.
type junitCase struct {
	Name, Message, Skip string
	Errors, Others      []string
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
		{Name: "tests enough", Message: line(m.Insufficient)}} { // what did not run must not look as if it had passed
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

// junitCases returns a case for each check that was in use, and for each that found something besides.
func junitCases(m *model, o *operationRow) []junitCase {
	if o.Verdict == skipped {
		return []junitCase{{Name: "all", Skip: o.Note}}
	}
	var cases []junitCase
	for _, id := range o.Checks {
		cases = append(cases, junitCase{Name: id})
	}
	for _, f := range slices.Concat(m.Findings, m.Waived, m.Flaky) {
		if !f.of(o) {
			continue
		}
		at := slices.IndexFunc(cases, func(c junitCase) bool { return c.Name == f.Check })
		if at < 0 {
			at = len(cases)
			cases = append(cases, junitCase{Name: f.Check})
		}
		c := &cases[at]
		if f.Outcome == "error" {
			c.Message, c.Errors = cmp.Or(c.Message, f.Headline()), append(c.Errors, explained(f))
			continue
		}
		c.Others = append(c.Others, f.Outcome+": "+f.Reason+strings.Repeat("\n", min(1, len(f.Reason)))+explained(f))
	}
	for i := range cases {
		cases[i].Skip = skipOf(m, o, &cases[i])
	}
	return cases
}

// skipOf says why a case counts as skipped: it has flaky or waived findings and no others; "" for one that counts.
func skipOf(m *model, o *operationRow, c *junitCase) string {
	isOf := func(f *finding) bool { return f.of(o) && f.Check == c.Name }
	if slices.ContainsFunc(m.Findings, isOf) {
		return ""
	}
	var why []string
	for _, f := range slices.Concat(m.Waived, m.Flaky) {
		if isOf(f) {
			reason := cmp.Or(f.Reason, "it did not come again when the same was sent alone")
			why = append(why, f.Outcome+": "+reason+": "+f.Headline())
		}
	}
	return strings.Join(why, "; ")
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
	if len(f.Also) > 0 {
		fmt.Fprintf(&b, "shown in: %s\nalso in: %s\n", f.Operation, someOf(f.Also, maxDetailed))
	}
	for _, text := range f.Consequences(maxDetailed) {
		fmt.Fprintf(&b, "leads to: %s\n", text)
	}
	return b.String()
}
