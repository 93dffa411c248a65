package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/findings"
)

// The form is that of Ant's JUnit task, as CI systems read it: at most one failure
// a case, and elements in the order of its schema.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Time     string       `xml:"time,attr"` // seconds
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Timestamp  string          `xml:"timestamp,attr"` // ISO 8601, UTC, without a zone
		Hostname   string          `xml:"hostname,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Skipped *junitSkipped `xml:"skipped"`
		Error   *junitFailure `xml:"error"`
		Failure *junitFailure `xml:"failure"`
		Out     *junitText    `xml:"system-out"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		junitText
	}
	junitText struct {
		Text string `xml:",cdata"`
	}
)

// noTime stands for the time of one operation, which is not known: operations are
// tested side by side.
const noTime = "0"

func writeJUnit(w io.Writer, m *model) error {
	all := junitSuites{Name: m.Heading, Time: fmt.Sprintf("%.3f", m.Took.Seconds())}
	suite := func(name string) junitSuite {
		return junitSuite{Name: name, Time: noTime, Timestamp: m.Began.UTC().Format("2006-01-02T15:04:05"), Hostname: "localhost"}
	}
	for _, o := range withOrphans(m) {
		s := suite(o.Name)
		s.Properties = []junitProperty{
			{"document", line(m.Document)}, {"url", line(m.URL)}, {"seed", fmt.Sprint(m.Seed)}, {"cases", fmt.Sprint(o.Cases)}, {"statuses", o.Answers},
		}
		s.Cases = junitCases(m, &o)
		s.Tests = len(s.Cases)
		for _, c := range s.Cases {
			if c.Failure != nil {
				s.Failures++
			}
			if c.Skipped != nil {
				s.Skipped++
			}
		}
		all.Tests, all.Failures = all.Tests+s.Tests, all.Failures+s.Failures
		all.Suites = append(all.Suites, s)
	}
	if m.Ended != "" { // what did not run must not look as if it had passed
		s := suite("run")
		s.Tests, s.Errors = 1, 1
		s.Cases = []junitCase{{Class: "run", Name: "reaches its end", Time: noTime, Error: &junitFailure{m.Ended, "ended", junitText{m.Ended}}}}
		all.Tests, all.Errors, all.Suites = all.Tests+1, 1, append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// withOrphans gives the operations, and those besides that have findings.
func withOrphans(m *model) []operation {
	all := slices.Clone(m.Operations)
	for i := range m.Findings {
		f := &m.Findings[i]
		if !slices.ContainsFunc(all, func(o operation) bool { return f.Of(o.OperationReport.Name) }) {
			all = append(all, newOperation(&findings.OperationReport{Name: f.Finding.Operation, Place: f.Place, Findings: 1}, nil))
		}
	}
	return all
}

// junitCases gives a case for each phase in which nothing was found, and one for
// each check that found something in a phase. Known findings and warnings are in
// cases that pass.
func junitCases(m *model, o *operation) []junitCase {
	newCase := func(name string) junitCase {
		return junitCase{Class: o.Name, Name: line(name), Time: noTime, File: m.relative(line(o.Place.File)), Line: o.Place.Line}
	}
	if o.Verdict == skipped {
		c := newCase("all")
		c.Skipped = &junitSkipped{o.Note}
		return []junitCase{c}
	}
	var phases []string // that ran, and those in which something was found
	for _, p := range m.Report.Phases {
		phases = append(phases, p.ID)
	}
	found := map[string]map[string][]*finding{} // by phase and check
	for i := range m.Findings {
		f := &m.Findings[i]
		if !f.Of(o.OperationReport.Name) {
			continue
		}
		if !slices.Contains(phases, f.Phase) {
			phases = append(phases, f.Phase)
		}
		if found[f.Phase] == nil {
			found[f.Phase] = map[string][]*finding{}
		}
		found[f.Phase][f.Check] = append(found[f.Phase][f.Check], f)
	}
	var cases []junitCase
	for _, phase := range phases {
		if len(found[phase]) == 0 {
			cases = append(cases, newCase(phase))
		}
		for _, check := range slices.Sorted(maps.Keys(found[phase])) {
			c := newCase(phase + ": " + check)
			c.fill(found[phase][check])
			cases = append(cases, c)
		}
	}
	return cases
}

// fill puts the findings of one check into its case.
func (c *junitCase) fill(all []*finding) {
	var errors, others []string
	message := ""
	for _, f := range all {
		if f.Outcome != "error" {
			others = append(others, f.Outcome+": "+explained(f))
			continue
		}
		if len(errors) == 0 {
			message = f.Message
		}
		errors = append(errors, explained(f))
	}
	if len(errors) > 1 {
		message += fmt.Sprintf(" (and %d more)", len(errors)-1)
	}
	if len(errors) > 0 {
		c.Failure = &junitFailure{message, all[0].Check, junitText{"\n" + strings.Join(errors, "\n")}}
	}
	if len(others) > 0 {
		c.Out = &junitText{"\n" + strings.Join(others, "\n")}
	}
}

// explained is a whole finding as plain text.
func explained(f *finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", f.Message)
	if f.Location != "" {
		fmt.Fprintf(&b, "document: %s  %s\n", f.Location, f.Excerpt)
	}
	for i := range f.Steps {
		s := &f.Steps[i]
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
