package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
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

	Findings   []*finding
	Operations []operation
	Refused    []refused // operations that accepted no request
	Skipped    []string  // a line for each reason
	Resolved   []string
	Flaky      []*finding
	Waived     []*finding
	Stale      []string
}

// finding is one finding. The message tells what it is about.
type finding struct {
	findings.Finding
	Number   int
	Outcome  string   // error, warning, known, waived or flaky
	Also     []string // the other operations in which it was seen
	Location string   // the place in the document
	Meaning  string   // of the check
	Seen     string   // how often, and in which case it is shown
	Steps    []*step
}

type step struct {
	Curl     string // may have several lines
	Answer   string
	Header   []string
	response *exchange.Response
	size     int // of the answer's body
}

func newModel(r *findings.Report, o Options) *model {
	m := &model{
		Report: r, Options: o, Ended: line(r.Ended), Failed: len(r.New()) > 0 || r.Ended+r.Insufficient != "",
		Heading:    strings.TrimSpace(line(cmp.Or(r.Title, r.Document)) + " " + line(r.Version)),
		Untestable: cmp.Or(line(r.Insufficient), untestable(r)), Skipped: skippedLines(r.Skipped),
		Resolved: lineAll(r.Resolved), Stale: lineAll(r.Stale),
	}
	for i := range r.Waived {
		m.Waived = append(m.Waived, newFinding(i+1, &r.Waived[i]))
	}
	for i := range r.Flaky {
		f := newFinding(i+1, &r.Flaky[i])
		f.Outcome = "flaky"
		m.Flaky = append(m.Flaky, f)
	}
	faulty, outcomes := map[string]bool{}, map[string]int{}
	for i := range r.Findings {
		f := newFinding(i+1, &r.Findings[i])
		m.Findings = append(m.Findings, f)
		faulty[f.Operation] = true
		for _, o := range f.Also {
			faulty[o] = true
		}
		outcomes[f.Outcome]++
	}
	m.Errors, m.Warnings, m.Known = outcomes["error"], outcomes["warning"], outcomes["known"]
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
	m.Refused = newRefused(r)
	m.Totals = m.totals(len(faulty))
	return m
}

// checks gives the checks that found something, in the table's order.
func (m *model) checks() []*checks.Check {
	return slices.DeleteFunc(slices.Clone(checks.All()), func(c *checks.Check) bool {
		return !slices.ContainsFunc(m.Findings, func(f *finding) bool { return f.Check == c.ID })
	})
}

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
	if n := len(m.Waived); n > 0 {
		found += ", " + number(n) + " waived"
	}
	parts := []string{found, fmt.Sprintf("%s and %s in %s", plural(m.tested(), "operation"), plural(m.Requests, "request"),
		duration(m.Took))}
	if m.Coverage != nil {
		parts = append(parts, fmt.Sprintf("%.1f %% of the document exercised", m.Coverage.Percent))
	}
	return strings.Join(append(parts, fmt.Sprintf("seed %d", m.Seed)), "; ")
}

func newFinding(n int, f *findings.Finding) *finding {
	out := &finding{Finding: *f, Number: n, Outcome: f.Severity.String(), Location: place(f.Place),
		Seen: plural(f.Count, "time") + "; here in the phase " + line(f.Phase)}
	for _, text := range []*string{&out.Check, &out.Operation, &out.About, &out.Message, &out.Excerpt, &out.Source,
		&out.Kind, &out.Reason, &out.Fingerprint} {
		*text = line(*text)
	}
	if f.Known {
		out.Outcome = "known"
	}
	if f.Reason != "" {
		out.Outcome = "waived"
	}
	if f.About != "" && !strings.Contains(f.Message, f.About) {
		out.Message = out.About + ": " + out.Message
	}
	switch p := f.Place; {
	case p.Pointer == "" || p.File == "":
	case p.Line == 0: // there is no line to go to
		out.Location += "#" + line(p.Pointer)
	case p.Column > maxColumn: // nobody counts that far
		out.Location, out.Excerpt = line(p.File)+"#"+line(p.Pointer), cut(scalar(out.Excerpt), maxExcerpt, "…")
	}
	if f.Title != "" && !strings.Contains(out.Message, line(f.Title)) {
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

// scalar gives the text, number or word that a text of JSON begins with; "" where there is none.
func scalar(text string) string {
	decoder := json.NewDecoder(strings.NewReader(text))
	if token, err := decoder.Token(); err != nil || token == json.Delim('{') || token == json.Delim('[') {
		return ""
	}
	return text[:decoder.InputOffset()]
}

// said gives what the backend said of its error or refusal; "" for nothing, and for findings on other things.
func (f *finding) said() string {
	check, _ := checks.Find(f.Check)
	if len(f.Steps) == 0 || check == nil || check.Rank > checks.RankStatus {
		return ""
	}
	return cut(line(checks.Said(f.Steps[len(f.Steps)-1].response)), maxSaid, "…")
}

// Headline is the message, with what the backend said.
func (f *finding) Headline() string { return strings.TrimSuffix(f.Message+": "+f.said(), ": ") }

// Brief is the shortest that tells the finding from others of its check.
func (f *finding) Brief() string {
	if said := f.said(); said != "" {
		return fmt.Sprintf("%d: %s", f.Steps[len(f.Steps)-1].response.Status, said)
	}
	return f.Message
}

// group is the findings of one outcome.
type group struct {
	Outcome, Title string
	Checks         string // how many findings each has
	Findings       []*finding
}

// Groups gives the findings by outcome, the worst first: as many as the limit, which the titles do not know; 0 is no
// limit.
func (m *model) Groups(limit int) []group {
	var groups []group
	for _, outcome := range []string{"error", "warning", "known"} {
		g := group{Outcome: outcome}
		counts := map[string]int{}
		for _, f := range m.Findings {
			if f.Outcome == outcome {
				counts[f.Check]++
				g.Findings = append(g.Findings, f)
			}
		}
		if len(g.Findings) == 0 {
			continue
		}
		if g.Title = plural(len(g.Findings), outcome); outcome == "known" {
			g.Title = number(len(g.Findings)) + " known"
		}
		byCount := func(a, b string) int { return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b)) }
		var each []string
		for _, check := range slices.SortedFunc(maps.Keys(counts), byCount) {
			each = append(each, number(counts[check])+" "+check)
		}
		g.Checks = strings.Join(each, ", ")
		groups = append(groups, g)
	}
	for i := range groups {
		if g := &groups[i]; limit > 0 {
			left := max(0, limit)
			for _, before := range groups[:i] {
				left -= len(before.Findings)
			}
			g.Findings = g.Findings[:min(len(g.Findings), max(0, left))]
		}
	}
	return groups
}

func (f *finding) of(o *operation) bool {
	return f.Operation == o.Name || slices.Contains(f.Also, o.Name)
}

// WaivedLines gives a line for each finding that a waiver has.
func (m *model) WaivedLines() []string {
	var lines []string
	for _, f := range m.Waived {
		lines = append(lines, fmt.Sprintf("%s in %s: %s (%s): %s", f.Check, f.In(), f.Message, plural(f.Count, "time"),
			f.Reason))
	}
	return lines
}

// FlakyLines gives a line for each flaky finding.
func (m *model) FlakyLines() []string {
	var lines []string
	for _, f := range m.Flaky {
		lines = append(lines, fmt.Sprintf("%s in %s: %s", f.Check, f.Operation, f.Headline()))
	}
	return lines
}

// In names the finding's operations in a few words.
func (f *finding) In() string {
	if n := len(f.Also); n > 0 {
		return fmt.Sprintf("%s (and %s)", f.Operation, plural(n, "more operation"))
	}
	return f.Operation
}

// Short names the finding's operations in fewer words.
func (f *finding) Short() string {
	if n := len(f.Also); n > 0 {
		return fmt.Sprintf("%s +%d", f.Operation, n)
	}
	return f.Operation
}

// Consequences describes what the finding leads to, in at most so many lines and one that counts the rest.
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

func newStep(s *findings.Sent) *step {
	out := &step{Curl: lines(s.Curl), Answer: line(s.Fault), response: s.Response}
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

// Body gives the answer's body in one line of at most so many characters; 0 is no limit.
func (s *step) Body(limit int) string {
	if s.response == nil {
		return ""
	}
	return shown(s.response.Body, s.size, limit, false)
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

// operation is what was done with one operation.
type operation struct {
	*findings.OperationReport
	Name, Tags, Location string
	Verdict, Note        string
	Answers              string   // how often each status came
	IsCovered            bool     // the report has its coverage
	coverage.Summary              // of its coverage
	Missing, Untried     []string // what was not exercised, and constraints that were never tried
}

// The verdicts on an operation.
const (
	passed  = "ok"
	failed  = "FAIL"
	skipped = "skip"
	weak    = "weak" // no plain request was accepted, so that refusals prove little
)

func newOperation(o *findings.OperationReport, c *coverage.OperationReport) operation {
	out := operation{
		OperationReport: o, Name: line(o.Name), Tags: line(strings.Join(o.Tags, ", ")), Location: place(o.Place),
		Verdict: passed, Answers: statuses(o.Statuses),
	}
	switch {
	case o.Skipped != "":
		out.Verdict, out.Note = skipped, line(o.Skipped)
	case o.Findings > 0:
		out.Verdict = failed
	case !o.Accepted && o.Cases > 0:
		out.Verdict, out.Note = weak, refusedReason(o)
	}
	if c != nil {
		out.IsCovered, out.Summary, out.Missing = true, c.Summary, lineAll(missing(c))
		if c.Hits > 0 {
			out.Untried = lineAll(untried(c))
		}
	}
	return out
}

// refusedReason says why an operation's other answers prove little.
func refusedReason(o *findings.OperationReport) string {
	if len(o.Plain) == 0 {
		return "nothing that it was asked was accepted"
	}
	return "its plain requests were not accepted (" + statuses(o.Plain) + "), so its refusals prove little"
}

func statuses(counts map[int]int) string {
	var all []string
	for _, status := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprintf("%s × %s", number(counts[status]), statusName(status)))
	}
	return strings.Join(all, ", ")
}

func statusName(status int) string {
	if status == 0 {
		return "no answer"
	}
	return fmt.Sprint(status)
}

// untestable says how many operations accepted no plain request, and what they
// answered most often instead; "" for none.
func untestable(r *findings.Report) string {
	n, by := 0, map[string]int{}
	for _, o := range r.Operations {
		if o.Skipped != "" || o.Accepted || len(o.Plain) == 0 {
			continue
		}
		n++
		most := slices.MaxFunc(slices.Sorted(maps.Keys(o.Plain)),
			func(a, b int) int { return cmp.Or(o.Plain[a]-o.Plain[b], b-a) })
		by[statusName(most)]++
	}
	if n == 0 {
		return ""
	}
	var answers []string
	for _, name := range slices.SortedFunc(maps.Keys(by),
		func(a, b string) int { return cmp.Or(by[b]-by[a], cmp.Compare(a, b)) }) {
		answers = append(answers, name+": "+number(by[name]))
	}
	their := "their"
	if n == 1 {
		their = "its"
	}
	return fmt.Sprintf("%s could not be tested: none of %s plain requests was accepted (%s)", plural(n, "operation"),
		their, strings.Join(answers, ", "))
}

// missing names what of an operation was not exercised.
func missing(o *coverage.OperationReport) []string {
	all := []string{}
	for _, m := range o.Missing() {
		all = append(all, m.String())
	}
	return all
}

// untried names the constraints of an operation that no request violated. Those
// of one name are told apart by the branches that they are in.
func untried(o *coverage.OperationReport) []string {
	all, named := []string{}, map[string]int{}
	for _, p := range o.Points {
		named[p.Name]++
	}
	for _, p := range o.Untried() {
		if named[p.Name] > 1 {
			if branch := branchOf(p.Place.Pointer); branch != "" {
				p.Name += " in " + branch
			}
		}
		all = append(all, p.Label())
	}
	return all
}

// branchOf names the schema or the branch that a place in the document is in: Ebook, oneOf/2.
func branchOf(pointer string) string {
	tokens := strings.Split(pointer, "/")
	for i := len(tokens) - 2; i > 0; i-- {
		switch tokens[i] {
		case "oneOf", "anyOf", "allOf":
			return tokens[i] + "/" + tokens[i+1]
		case "schemas":
			return tokens[i+1]
		}
	}
	return ""
}
