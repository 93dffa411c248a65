package impact

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Verdict says what a change does to a suite.
type Verdict string

// The verdicts.
const (
	Breaks     Verdict = "breaks"      // the suite fails twice, and passes in between without the change
	Fails      Verdict = "fails"       // it fails because of an error, which only a test of that error would expect
	Passes     Verdict = "passes"      // the change matters in theory only
	NotApplied Verdict = "not-applied" // no response was changed: the suite took another way, or sent the values itself
	Flaky      Verdict = "flaky"       // it fails sometimes
)

// Report says what changes do to a suite. It is complete and sorted; times and outputs are of the runs.
type Report struct {
	Title      string    `json:"title"`      // of the document
	Version    string    `json:"apiVersion"` // of the document
	Document   string    `json:"document"`   // its file or URL
	Command    []string  `json:"command"`
	Took       float64   `json:"seconds"` // of the plain run
	Requests   int       `json:"requests"`
	Operations []Used    `json:"operations"` // that the suite uses, in the document's order
	Unused     []string  `json:"unused"`     // other operations
	Changes    []*Result `json:"changes"`
	Skipped    []Skipped `json:"skipped"`
	LeftOut    int       `json:"leftOut"` // changes beyond --max-runs
	Flaky      int       `json:"flaky"`   // plain runs that failed after the first one
}

// Used is an operation that a suite uses.
type Used struct {
	Name     string      `json:"operation"`
	Requests int         `json:"requests"`
	Statuses map[int]int `json:"statuses"`
	Unseen   []string    `json:"unseen"` // documented responses that the suite never got
}

// Result is a change with what it does to a suite.
type Result struct {
	*Change
	Verdict Verdict `json:"verdict"`
	Applied int     `json:"applied"` // responses that were changed in the first run
	Took    float64 `json:"seconds"` // of the first run
	Failure string  `json:"failure,omitempty"`
	Output  string  `json:"output,omitempty"` // the end of what the suite printed when it failed
	shown   []string
}

// Breaking returns the number of changes that break the suite.
func (r *Report) Breaking() int { return len(r.with(Breaks)) }

func (r *Report) with(v Verdict) (all []*Result) {
	for _, c := range r.Changes {
		if c.Verdict == v {
			all = append(all, c)
		}
	}
	return all
}

// used reports what a plain run used.
func (r *Report) used(c *contract, t *traffic, took time.Duration) {
	r.Took, r.Operations, r.Unused = took.Seconds(), []Used{}, []string{}
	for _, op := range c.Operations {
		u := t.operations[op]
		if u == nil {
			r.Unused = append(r.Unused, name(op))
			continue
		}
		used := Used{Name: name(op), Requests: u.requests, Statuses: u.statuses, Unseen: []string{}}
		for _, documented := range op.Responses {
			saw := false
			for status := range u.statuses {
				saw = saw || op.Response(status) == documented
			}
			if !saw {
				used.Unseen = append(used.Unseen, documented.Status)
			}
		}
		r.Requests += u.requests
		r.Operations = append(r.Operations, used)
	}
}

// Formats are the formats of reports, beside the text for people.
var Formats = map[string]func(*Report) ([]byte, error){
	"json":     (*Report).json,
	"junit":    (*Report).junit,
	"markdown": (*Report).markdown,
	"text":     func(r *Report) ([]byte, error) { return []byte(r.Text()), nil },
}

func (r *Report) json() ([]byte, error) {
	text, err := json.MarshalIndent(r, "", "  ")
	return append(text, '\n'), err
}

// Text formats the report for people.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s, %s\n", r.Title, r.Version, r.Document)
	took := time.Duration(r.Took * float64(time.Second)).Round(time.Millisecond)
	all := exchange.Count(len(r.Operations)+len(r.Unused), "operation")
	fmt.Fprintf(&b, "%s: passed in %s with %s to %d of %s\n", strings.Join(r.Command, " "), took,
		exchange.Count(r.Requests, "request"), len(r.Operations), all)
	for _, c := range r.with(Breaks) {
		fmt.Fprintf(&b, "\nBREAKS  %s  %s\n  in %s\n", c.Title, c.Place, strings.Join(c.Operations, ", "))
		for _, line := range c.lines() {
			b.WriteString("  | " + line + "\n")
		}
	}
	r.list(&b, "Flaky: the suite fails sometimes, so these changes are not blamed", r.with(Flaky))
	r.listErrors(&b, "Documented errors that the suite has not seen, and fails with", r.with(Fails))
	r.listErrors(&b, "Documented errors that the suite has not seen, and passes with", r.passing(true))
	r.list(&b, "In theory only: the suite passes", r.passing(false))
	r.list(&b, "Not applied: no response of the run could have the change", r.with(NotApplied))
	r.notRun(&b, "\n", "  ")
	b.WriteString("\n" + r.Summary() + "\n")
	return b.String()
}

// passing returns the changes with which the suite passes: errors, or others.
func (r *Report) passing(errors bool) []*Result {
	return slices.DeleteFunc(r.with(Passes), func(c *Result) bool { return (c.Kind == errorKind) != errors })
}

func (r *Report) list(b *strings.Builder, title string, all []*Result) {
	if len(all) > 0 {
		fmt.Fprintf(b, "\n%s:\n", title)
	}
	for _, c := range all {
		fmt.Fprintf(b, "  %s\n", c.Title)
		if c.Verdict != Passes && c.Failure != "" {
			fmt.Fprintf(b, "    %s\n", c.Failure)
		}
	}
}

// listErrors lists the statuses of each operation in a line.
func (r *Report) listErrors(b *strings.Builder, title string, all []*Result) {
	if len(all) > 0 {
		fmt.Fprintf(b, "\n%s:\n", title)
	}
	for _, u := range r.Operations {
		var statuses []int
		for _, c := range all {
			if c.of[u.Name] {
				statuses = append(statuses, c.status)
			}
		}
		if slices.Sort(statuses); len(statuses) > 0 {
			fmt.Fprintf(b, "  %s: %s\n", u.Name, strings.Trim(strings.ReplaceAll(fmt.Sprint(statuses), " ", ", "), "[]"))
		}
	}
}

// notRun lists what was not run, and why.
func (r *Report) notRun(b *strings.Builder, before, indent string) {
	if len(r.Skipped)+len(r.Unused)+r.LeftOut == 0 {
		return
	}
	b.WriteString(before + "Not run:\n")
	if r.LeftOut > 0 {
		fmt.Fprintf(b, "%s%s beyond the limit of runs; raise --max-runs\n", indent, exchange.Count(r.LeftOut, "change"))
	}
	if len(r.Unused) > 0 {
		fmt.Fprintf(b, "%schanges of %s that the suite does not use: %s\n", indent,
			exchange.Count(len(r.Unused), "operation"), some(r.Unused))
	}
	var reasons []string
	titles := map[string][]string{}
	for _, s := range r.Skipped {
		if titles[s.Reason] == nil {
			reasons = append(reasons, s.Reason)
		}
		titles[s.Reason] = append(titles[s.Reason], s.Title)
	}
	for _, reason := range reasons {
		fmt.Fprintf(b, "%s%s: %s\n", indent, reason, some(titles[reason]))
	}
}

// some lists the first names; JSON has all.
func some(names []string) string {
	const most = 20
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// Summary is the report in one line.
func (r *Report) Summary() string {
	text := fmt.Sprintf("%d of %s %s the suite", r.Breaking(), exchange.Count(len(r.Changes), "change"),
		map[bool]string{true: "breaks", false: "break"}[r.Breaking() == 1])
	for _, part := range []struct {
		n    int
		text string
	}{
		{len(r.with(Passes)), "%d in theory only"}, {len(r.with(Fails)), "%d fail as unseen errors"},
		{len(r.with(NotApplied)), "%d could not be applied"}, {len(r.with(Flaky)), "%d flaky"}, {r.LeftOut, "%d not run"},
	} {
		if part.n > 0 {
			text += ", " + fmt.Sprintf(part.text, part.n)
		}
	}
	if r.Flaky > 0 {
		text += fmt.Sprintf("; the suite is flaky: %s failed without a change", exchange.Count(r.Flaky, "run"))
	}
	return text
}

// lines returns what a suite printed about its failure, or why it failed if it printed nothing.
func (c *Result) lines() []string {
	if len(c.shown) == 0 || strings.HasPrefix(c.Failure, ErrTimeout.Error()) {
		return append(slices.Clip(c.shown), c.Failure)
	}
	return c.shown
}

// markdown is a summary for a comment or the page of a CI run.
func (r *Report) markdown() ([]byte, error) {
	var b strings.Builder
	mark := map[bool]string{true: "✅", false: "❌"}[r.Breaking() == 0]
	fmt.Fprintf(&b, "## %s Impact on `%s`\n\n%s\n", mark, code(strings.Join(r.Command, " ")), r.Summary())
	if len(r.Changes) > 0 {
		b.WriteString("\n| verdict | change | document |\n|---|---|---|\n")
	}
	for _, v := range []Verdict{Breaks, Flaky, Fails, Passes, NotApplied} {
		for _, c := range r.with(v) {
			fmt.Fprintf(&b, "| %s | `%s` | `%s` |\n", v, code(c.Title), code(c.Place.String()))
		}
	}
	for _, c := range r.with(Breaks) {
		fmt.Fprintf(&b, "\n`%s`\n\n", code(c.Title))
		for _, line := range c.lines() {
			b.WriteString("    " + line + "\n")
		}
	}
	var notRun strings.Builder
	r.notRun(&notRun, "", "- ")
	if notRun.Len() > 0 {
		b.WriteString("\n" + strings.Replace(notRun.String(), ":\n", ":\n\n", 1))
	}
	return []byte(b.String()), nil
}

// code returns a text for a code span in a table.
func code(text string) string {
	return strings.NewReplacer("`", "'", "|", "¦", "\n", " ", "\r", " ").Replace(text)
}

// junit has a test case for each change, which fails if the change breaks the suite.
func (r *Report) junit() ([]byte, error) {
	type message struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	type testcase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Time    float64  `xml:"time,attr"`
		Failure *message `xml:"failure"`
		Skipped *message `xml:"skipped"`
	}
	type testsuite struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Cases    []testcase `xml:"testcase"`
	}
	suite := testsuite{Name: "impact on " + strings.Join(r.Command, " ")}
	for _, c := range r.Changes {
		one := testcase{Class: "impact." + c.Kind, Name: c.Title, Time: c.Took}
		switch c.Verdict {
		case Breaks:
			one.Failure = &message{cmp.Or(c.Failure, string(c.Verdict)), c.Output}
			suite.Failures++
		case Passes:
		default:
			one.Skipped = &message{Message: string(c.Verdict)}
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, one)
	}
	for _, s := range r.Skipped {
		suite.Cases = append(suite.Cases, testcase{Class: "impact", Name: s.Title, Skipped: &message{Message: s.Reason}})
		suite.Skipped++
	}
	suite.Tests = len(suite.Cases)
	text, err := xml.MarshalIndent(struct {
		XMLName xml.Name `xml:"testsuites"`
		Suite   testsuite
	}{Suite: suite}, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}
