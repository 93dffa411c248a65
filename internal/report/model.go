package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/report"
)

// model is a report with what the formats show of it. Its own texts are escaped:
// each is one line of visible characters.
type model struct {
	*report.Report // for programs
	Options

	Heading    string // names the API
	Totals     string // the run in one line
	Untestable string // which phases did not run, and which operations were not tested; "" if none
	Ended      string
	Failed     bool // there are new errors, or the run ended early
	// Errors, Warnings, Notes and Known count findings. Known ones are neither of the others.
	Errors, Warnings, Notes, Known int

	Findings   []*finding
	Operations []operationRow
	Refused    []refused // operations that accepted no request
	Skipped    []string  // a line for each reason
	Resolved   []string
	Flaky      []*finding
	Waived     []*finding
	Stale      []string
}

func newModel(r *report.Report, o Options) *model {
	m := &model{
		Report: r, Options: o, Ended: line(r.Ended), Failed: len(r.New()) > 0 || r.Ended+r.Insufficient != "",
		Heading:    strings.TrimSpace(line(cmp.Or(r.Title, r.Document)) + " " + line(r.Version)),
		Untestable: shortcomings(r), Skipped: skippedLines(r.Skipped),
		Resolved: lineAll(r.Resolved), Stale: lineAll(r.Stale),
	}
	for i := range r.Waived {
		m.Waived = append(m.Waived, newFinding(i+1, &r.Waived[i], r.Checks))
	}
	for i := range r.Flaky {
		f := newFinding(i+1, &r.Flaky[i], r.Checks)
		f.Outcome = "flaky"
		m.Flaky = append(m.Flaky, f)
	}
	faulty, failing, outcomes := map[string]bool{}, map[string]bool{}, map[string]int{}
	for i := range r.Findings {
		f := newFinding(i+1, &r.Findings[i], r.Checks)
		m.Findings = append(m.Findings, f)
		faulty[f.Operation] = true
		for _, o := range f.Also {
			faulty[o] = true
		}
		for _, o := range append([]string{f.Operation}, f.Also...) {
			isNew := func(fault report.Fault) bool { return !fault.Known }
			failing[o] = failing[o] || f.Outcome == "error" && slices.ContainsFunc(f.faultsIn(o), isNew)
		}
		outcomes[f.Outcome]++
	}
	m.Errors, m.Warnings, m.Notes, m.Known = outcomes["error"], outcomes["warning"], outcomes["note"], outcomes["known"]
	exercised := map[string]*coverage.OperationReport{}
	if r.Coverage != nil {
		for i := range r.Coverage.Operations {
			c := &r.Coverage.Operations[i]
			exercised[c.Method+" "+c.Path] = c
		}
	}
	for _, o := range r.Operations {
		m.Operations = append(m.Operations, newOperationRow(o, failing[o.Name], exercised[o.Name]))
	}
	m.Refused = newRefused(r)
	m.Totals = m.totals(len(faulty))
	return m
}

// shortcomings says what a run did not test; "" for nothing.
func shortcomings(r *report.Report) string {
	parts := []string{line(r.Incomplete), cmp.Or(line(r.Insufficient), untestable(r))}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "; ")
}

// checks returns the checks that found something, in the table's order.
func (m *model) checks() []report.Check {
	return slices.DeleteFunc(slices.Clone(m.Report.Checks), func(c report.Check) bool {
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
			of := []string{plural(m.Errors, "error"), plural(m.Warnings, "warning"), plural(m.Notes, "note"),
				number(m.Known) + " known"}
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

// group is the findings of one outcome.
type group struct {
	Outcome, Title string
	Checks         string // how many findings each has
	Findings       []*finding
}

// Groups returns the findings by outcome, the worst first: as many as the limit, which titles ignore; 0 means no
// limit.
func (m *model) Groups(limit int) []group {
	var groups []group
	for _, outcome := range []string{"error", "warning", "note", "known"} {
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

// WaivedLines returns a line for each finding that a waiver has.
func (m *model) WaivedLines() []string {
	var lines []string
	for _, f := range m.Waived {
		lines = append(lines, fmt.Sprintf("%s in %s: %s (%s): %s", f.Check, f.In(), f.Message, plural(f.Count, "time"),
			f.Reason))
	}
	return lines
}

// WeakLines returns a line for each operation with parts that no accepted request had.
func (m *model) WeakLines() []string {
	var lines []string
	for _, o := range m.Operations {
		if len(o.Weak) > 0 {
			lines = append(lines, line(o.Name+": "+strings.Join(o.Weak, ", ")))
		}
	}
	return lines
}

// UnseenLines returns a line for each set of documented refusals that operations never answered with.
func (m *model) UnseenLines() []string {
	var lines []string
	operations := map[string][]string{}
	for _, o := range m.Operations {
		if len(o.Unseen) > 0 {
			statuses := strings.Trim(fmt.Sprint(o.Unseen), "[]")
			operations[statuses] = append(operations[statuses], o.Name)
		}
	}
	for _, statuses := range slices.Sorted(maps.Keys(operations)) {
		lines = append(lines, strings.ReplaceAll(statuses, " ", ", ")+": "+someOf(operations[statuses], maxSkippedLines))
	}
	return lines
}

// FlakyLines returns a line for each flaky finding.
func (m *model) FlakyLines() []string {
	var lines []string
	for _, f := range m.Flaky {
		lines = append(lines, fmt.Sprintf("%s in %s: %s", f.Check, f.Operation, f.Headline()))
	}
	return lines
}

// skippedLines sums up what was skipped, in a line for each reason.
func skippedLines(all []report.Skipped) []string {
	type group struct {
		report.Skipped
		operations map[string]bool
	}
	var groups []group
	for _, s := range all {
		i := slices.IndexFunc(groups, func(g group) bool { return g.Phase == s.Phase && g.Reason == s.Reason })
		if i < 0 {
			i = len(groups)
			groups = append(groups, group{report.Skipped{Phase: s.Phase, Reason: s.Reason}, map[string]bool{}})
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
