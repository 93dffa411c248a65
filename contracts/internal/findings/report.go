// Package findings collects what a run of the contract tester finds, groups it by cause, and makes the report: a value
// of package report.
package findings

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/rules"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/report"
)

// Finish completes the report of a run, of which it is known where, when and how it ran.
func (c *Collector) Finish(r *report.Report, known BaselineUse) *report.Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endPhase()
	r.Flaky = c.takeFlaky()
	g := c.group()
	r.Ended = c.Hide(r.Ended)
	r.Title, r.Version, r.Document = c.Contract.Title, c.Contract.Version, c.Contract.File
	r.Took, r.Operations, r.Phases, r.Findings = c.Clock().Sub(r.Began), c.operations, c.phases, g.findings
	r.Coverage = c.exercised.report()
	r.Findings, r.Waived = g.splitWaived()
	r.Checks = checkTable()
	for _, found := range [][]report.Finding{r.Findings, r.Flaky, r.Waived} {
		for i := range found {
			found[i].Said = said(&found[i])
		}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Excerpt = c.Contract.Excerpt(f.Place)
		for _, name := range f.Operations {
			if o := c.operation(name); o != nil {
				o.Findings++
			}
		}
		for j := range r.Phases {
			if r.Phases[j].ID == f.Phase {
				r.Phases[j].Findings++
			}
		}
	}
	for i, o := range c.Operations {
		c.operations[i].Checks = c.checksOf(o, known.Uses)
		c.operations[i].Unseen = c.unseen(o, c.operations[i])
	}
	for s, n := range c.skipped {
		s.Cases, s.Reason = n, c.Hide(s.Reason)
		r.Skipped = append(r.Skipped, s)
	}
	slices.SortFunc(r.Skipped, func(a, b report.Skipped) int {
		return cmp.Or(cmp.Compare(a.Phase, b.Phase), cmp.Compare(c.index[a.Operation], c.index[b.Operation]),
			cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Operation, b.Operation))
	})
	if known.Baseline != nil {
		known.Contract, known.Rules, known.Hide = c.Contract, c.Rules, c.Hide
		known.Mark(r)
	}
	r.Stale = c.Rules.Stale(func(check string, o *spec.Operation) bool {
		tested := c.operation(OperationName(o))
		return r.Ended == "" && known.RanAll && known.Uses(check) && tested != nil && tested.Cases > 0
	})
	return r
}

// checksOf returns the checks that were in use for an operation; checks that compare answers only if it had such tests.
func (c *Collector) checksOf(o *spec.Operation, uses func(check string) bool) []string {
	r := c.operation(OperationName(o))
	var ids []string
	for _, check := range checks.All() {
		if r.Cases > 0 && uses(check.ID) && c.Rules.Uses(check.ID, o) && (!check.Stateful() || c.sequences[r.Name]) {
			ids = append(ids, check.ID)
		}
	}
	return ids
}

// unseen returns the refusals that an operation documents by their own statuses and never answered with, if the phases
// ran that try to provoke them. Clients do not provoke 408 and 429.
func (c *Collector) unseen(o *spec.Operation, r *report.Operation) (statuses []int) {
	for _, phase := range []string{coveragePhase, statefulPhase} {
		if !slices.ContainsFunc(c.phases, func(p report.Phase) bool { return p.ID == phase }) || r.Cases == 0 {
			return nil
		}
	}
	for _, response := range o.Responses {
		status, count := response.Code()
		if count == 1 && status/100 == 4 && r.Statuses[status] == 0 && status != 408 && status != 429 {
			statuses = append(statuses, status)
		}
	}
	return statuses
}

// said returns what the backend said of its error or refusal; "" for nothing, and for findings on other things.
func said(f *report.Finding) string {
	check, _ := checks.Find(f.Check)
	if len(f.Sent) == 0 || check == nil || check.Rank > checks.RankStatus {
		return ""
	}
	return checks.Said(f.Sent[len(f.Sent)-1].Response)
}

// checkTable returns the table of checks as reports have it.
func checkTable() []report.Check {
	var all []report.Check
	for _, c := range checks.All() {
		all = append(all, c.Described())
	}
	return all
}

// splitWaived separates the findings that a waiver lists from the others.
func (g *grouping) splitWaived() (found, waived []report.Finding) {
	for _, f := range g.findings {
		waiver := g.waivers[f.Fingerprint]
		if waiver == 0 {
			found = append(found, f)
			continue
		}
		f.Reason = g.Rules.Why(waiver)
		waived = append(waived, f)
	}
	return found, waived
}

// BaselineUse says how a report is compared with a baseline. Collector.Finish sets the last fields.
type BaselineUse struct {
	Baseline *report.Baseline        // nil: with none
	Uses     func(check string) bool // reports whether a check was in use
	RanAll   bool                    // no phase was excluded

	Contract *spec.Contract
	Rules    *rules.Set
	Hide     func(text string) string
}

// Mark marks the faults and findings of a report that are known, and names the baseline's findings that the
// run looked for and of which it saw no fault.
func (use *BaselineUse) Mark(r *report.Report) {
	known, seen := map[string]bool{}, map[string]bool{}
	for _, f := range use.Baseline.Findings {
		for _, follows := range f.Consequences {
			f.Faults = slices.Concat(f.Faults, follows.Faults)
		}
		for _, mark := range marksOf(&f) {
			known[mark] = true
		}
	}
	see := func(check string, faults []report.Fault) (isKnown bool) {
		isKnown = len(faults) > 0
		for i := range faults {
			f := &faults[i]
			mark := markOf(check, f.Operation, f.About)
			f.Known = known[f.Fingerprint] || known[mark]
			seen[f.Fingerprint], seen[mark] = true, true
			isKnown = isKnown && f.Known
		}
		return isKnown
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Known = see(f.Check, f.Faults)
		for j := range f.Consequences {
			see(f.Consequences[j].Check, f.Consequences[j].Faults)
		}
	}
	for _, f := range r.Waived {
		see(f.Check, f.Faults)
	}
	for _, f := range use.Baseline.Findings {
		operations := f.Operations
		if len(operations) == 0 {
			operations = []string{f.Operation}
		}
		missed := func(operation string) bool { return !use.lookedFor(r, &f, operation) }
		isSeen := func(mark string) bool { return seen[mark] }
		if !slices.ContainsFunc(marksOf(&f), isSeen) && !slices.ContainsFunc(operations, missed) {
			r.Resolved = append(r.Resolved, use.Hide(fmt.Sprintf("%s: %s: %s", f.Operation, f.Check, f.Message)))
		}
	}
}

// marksOf returns what identifies the faults of a baseline's finding: their fingerprints, or the check, the operations
// and the places if an earlier version wrote it without them.
func marksOf(f *report.KnownFinding) (marks []string) {
	for _, fault := range f.Faults {
		marks = append(marks, fault.Fingerprint)
	}
	if len(f.Faults) > 0 {
		return marks
	}
	for _, operation := range append(slices.Clip(f.Operations), f.Operation) {
		for _, place := range append(slices.Clip(f.Places), general(f.About)) {
			marks = append(marks, markOf(f.Check, operation, place))
		}
	}
	return marks
}

func markOf(check, operation, place string) string { return check + "\n" + operation + "\n" + place }

// lookedFor reports whether a run would have seen a finding of the baseline: it was complete, with the check,
// the phase, and the operation unless the document has it no more. A finding without a phase may be of any.
func (use *BaselineUse) lookedFor(r *report.Report, f *report.KnownFinding, operation string) bool {
	isPhase := func(p report.Phase) bool { return p.ID == f.Phase }
	isOff := func(o *spec.Operation) bool { return OperationName(o) == operation && !use.Rules.Uses(f.Check, o) }
	if !use.Uses(f.Check) || slices.ContainsFunc(use.Contract.Operations, isOff) || r.Ended != "" ||
		f.Phase == "" && !use.RanAll || f.Phase != "" && !slices.ContainsFunc(r.Phases, isPhase) {
		return false
	}
	tested := slices.IndexFunc(r.Operations, func(o *report.Operation) bool { return o.Name == operation })
	if tested >= 0 {
		return r.Operations[tested].Cases > 0
	}
	return !slices.ContainsFunc(use.Contract.Operations,
		func(o *spec.Operation) bool { return OperationName(o) == operation })
}
