package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/findings"
)

// The form is that of Ant's JUnit task, as CI systems read it: no more than one
// failure a case. Element order is that of its schema.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"` // seconds
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
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

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
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

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	junitText
}

type junitText struct {
	Text string `xml:",cdata"`
}

// The time of one operation is not known, as they are tested side by side.
const noTime = "0"

func writeJUnit(w io.Writer, r *findings.Report, o Options) error {
	all := junitSuites{Name: heading(r), Time: fmt.Sprintf("%.3f", r.Took.Seconds())}
	for _, op := range judged(r) {
		s := junitSuite{Name: line(op.Name), Time: noTime, Timestamp: r.Began.UTC().Format("2006-01-02T15:04:05"), Hostname: "localhost"}
		s.Properties = []junitProperty{
			{"document", line(r.Document)}, {"url", line(r.URL)}, {"seed", fmt.Sprint(r.Seed)}, {"cases", fmt.Sprint(op.Cases)},
			{"statuses", statuses(op.Statuses)},
		}
		s.Cases = junitCases(r, op, o)
		for _, c := range s.Cases {
			s.Tests++
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
	if r.Ended != "" { // what did not run must not look as if it had passed
		all.Tests, all.Errors = all.Tests+1, 1
		all.Suites = append(all.Suites, ended(r))
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

// judged gives the operations of a report, and those besides that it has findings
// on.
func judged(r *findings.Report) []*findings.OperationReport {
	all := slices.Clone(r.Operations)
	for i := range r.Findings {
		f := &r.Findings[i]
		if !slices.ContainsFunc(all, func(o *findings.OperationReport) bool { return f.Of(o.Name) }) {
			all = append(all, &findings.OperationReport{Name: f.Operation, Place: f.Place, Findings: 1})
		}
	}
	return all
}

// junitCases gives a case for each phase in which nothing was found, and one for
// each check that found something in a phase. What the baseline knows, and
// warnings, are told of in cases that pass.
func junitCases(r *findings.Report, op *findings.OperationReport, o Options) []junitCase {
	made := func(name string) junitCase {
		return junitCase{Class: line(op.Name), Name: name, Time: noTime, File: o.relative(line(op.Place.File)), Line: op.Place.Line}
	}
	if op.Skipped != "" {
		c := made("all")
		c.Skipped = &junitSkipped{line(op.Skipped)}
		return []junitCase{c}
	}
	var cases []junitCase
	for _, phase := range phasesOf(r, op.Name) {
		var ids []string
		by := map[string][]*findings.Finding{}
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Of(op.Name) && f.Phase == phase {
				if by[f.Check] == nil {
					ids = append(ids, f.Check)
				}
				by[f.Check] = append(by[f.Check], f)
			}
		}
		if len(ids) == 0 {
			cases = append(cases, made(line(phase)))
		}
		slices.Sort(ids)
		for _, id := range ids {
			c := made(line(phase + ": " + id))
			c.fill(by[id])
			cases = append(cases, c)
		}
	}
	return cases
}

// phasesOf gives the phases that ran, and those in which something was found.
func phasesOf(r *findings.Report, operation string) []string {
	var all []string
	for _, p := range r.Phases {
		all = append(all, p.ID)
	}
	for _, f := range r.Findings {
		if f.Of(operation) && !slices.Contains(all, f.Phase) {
			all = append(all, f.Phase)
		}
	}
	return all
}

// fill puts the findings of one check into its case.
func (c *junitCase) fill(findings []*findings.Finding) {
	var failed, told []string
	first := ""
	for _, f := range findings {
		if what := outcome(f); what != "error" {
			told = append(told, what+": "+explained(f))
			continue
		}
		if len(failed) == 0 {
			first = message(f)
		}
		failed = append(failed, explained(f))
	}
	if len(failed) > 1 {
		first += fmt.Sprintf(" (and %d more)", len(failed)-1)
	}
	if len(failed) > 0 {
		c.Failure = &junitFailure{first, line(findings[0].Check), junitText{"\n" + strings.Join(failed, "\n")}}
	}
	if len(told) > 0 {
		c.Out = &junitText{"\n" + strings.Join(told, "\n")}
	}
}

// explained is a finding as plain text, whole.
func explained(f *findings.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", message(f))
	if where := place(f.Place) + pointer(f.Place); where != "" {
		fmt.Fprintf(&b, "document: %s  %s\n", where, line(f.Excerpt))
	}
	for i := range f.Sent {
		s := &f.Sent[i]
		fmt.Fprintf(&b, "sent: %s\n", cut(lines(s.Curl), mostCommand, "…"))
		fmt.Fprintf(&b, "came: %s\n", answer(s))
		if s.Response != nil {
			if shown := body(s.Response.Body, max(s.ResponseSize, len(s.Response.Body)), 4*mostShownText); shown != "" {
				fmt.Fprintf(&b, "      %s\n", shown)
			}
		}
	}
	fmt.Fprintf(&b, "seen: %s\n", seen(f))
	if also := others(f); len(also) > 0 {
		fmt.Fprintf(&b, "shown in: %s\nalso in: %s\n", line(f.Operation), someOf(also, mostDetailed))
	}
	for _, text := range follows(f, mostDetailed) {
		fmt.Fprintf(&b, "follows: %s\n", text)
	}
	return b.String()
}

// ended is a suite that says that the run was cut short.
func ended(r *findings.Report) junitSuite {
	return junitSuite{
		Name: "run", Tests: 1, Errors: 1, Time: noTime, Timestamp: r.Began.UTC().Format("2006-01-02T15:04:05"), Hostname: "localhost",
		Cases: []junitCase{{Class: "run", Name: "reaches its end", Time: noTime, Error: &junitFailure{line(r.Ended), "ended", junitText{line(r.Ended)}}}},
	}
}
