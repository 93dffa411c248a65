package contracts

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/findings"
)

type (
	// Report is what a run found.
	Report = findings.Report
	// Coverage says what of the tested operations was exercised.
	Coverage = findings.Coverage
	// OperationReport is what was done with one operation.
	OperationReport = findings.OperationReport
	// PhaseReport is what one phase did.
	PhaseReport = findings.PhaseReport
	// Skipped is what was not sent, and why.
	Skipped = findings.Skipped
	// Finding is one fault of the backend, however often it was seen.
	Finding = findings.Finding
	// Consequence is what a finding leads to.
	Consequence = findings.Consequence
	// Sent is one request and its answer, with credentials redacted.
	Sent = findings.Sent
)

// report gives what has been found so far. ended says why no more was sought;
// nil where all was.
func (r *run) report(ended error) *Report {
	t := r.tally
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end()
	o := r.options
	report := &Report{
		Title: r.contract.Title, Version: r.contract.Version, Document: r.contract.File, URL: o.URL, Seed: o.Seed,
		Began: r.began, Took: o.Clock().Sub(r.began), Requests: int(r.budget.sent.Load()), Phases: t.phases, Skipped: t.leftOut,
	}
	switch {
	case errors.Is(ended, context.Canceled):
		report.Ended = errStopped.Error()
	case ended != nil:
		report.Ended = ended.Error()
	}
	for _, s := range r.subjects {
		operation := t.operations[s.name]
		operation.Accepted, operation.Skipped = s.plain, s.skipped
		report.Operations = append(report.Operations, operation)
	}
	index := make(map[string]int, len(r.subjects))
	for i, s := range r.subjects {
		index[s.name] = i
	}
	found := t.gather(index)
	report.Findings = found.findings
	for i := range report.Findings {
		f := &report.Findings[i]
		f.Excerpt = r.contract.Excerpt(f.Place)
		for _, name := range f.Operations {
			if o := t.operations[name]; o != nil {
				o.Findings++
			}
		}
		for j := range report.Phases {
			if report.Phases[j].ID == f.Phase {
				report.Phases[j].Findings++
			}
		}
	}
	slices.SortFunc(report.Skipped, func(a, b Skipped) int {
		return cmp.Or(cmp.Compare(a.Phase, b.Phase), cmp.Compare(index[a.Operation], index[b.Operation]), cmp.Compare(a.Reason, b.Reason))
	})
	report.Coverage = t.cover.report()
	report.Resolved = o.Baseline.compare(r, report, found)
	return report
}
