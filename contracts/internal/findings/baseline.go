package findings

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/coldframe/coldframe/internal/spec"
)

// Baseline is the findings of an earlier report. They are known: they do not fail
// a run.
type Baseline struct {
	Findings []KnownFinding `json:"findings"`
}

// KnownFinding is what identifies a finding of an earlier report.
type KnownFinding struct {
	Fingerprint  string        `json:"fingerprint"`
	Check        string        `json:"check"`
	Operation    string        `json:"operation"`
	Operations   []string      `json:"operations"`
	Message      string        `json:"message"`
	Phase        string        `json:"phase"`
	Consequences []Consequence `json:"consequences"`
}

// LoadBaseline reads a JSON report.
func LoadBaseline(file string) (*Baseline, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	b := &Baseline{}
	if err := json.Unmarshal(text, b); err != nil {
		return nil, fmt.Errorf("%s is no JSON report: %w", file, err)
	}
	return b, nil
}

// BaselineUse says how a report is compared with a baseline.
type BaselineUse struct {
	Baseline *Baseline               // nil: with none
	Uses     func(check string) bool // reports whether a check was in use
	RanAll   bool                    // no phase was excluded
}

// compareBaseline marks the findings of a report that are known, and names those of the
// baseline that the run looked for and did not see. One of several operations is known
// by itself, or by a finding on each of them.
func (c *Collector) compareBaseline(r *Report, g *grouping, use BaselineUse) {
	known, seen := map[string]bool{}, map[string]bool{}
	for _, f := range use.Baseline.Findings {
		known[f.Fingerprint] = true
		for _, c := range f.Consequences {
			known[c.Fingerprint] = true
		}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Known = !slices.ContainsFunc(g.fingerprints[f.Fingerprint], func(prints []string) bool {
			return !slices.ContainsFunc(prints, func(print string) bool { return known[print] })
		})
	}
	for _, members := range g.fingerprints {
		for _, print := range slices.Concat(members...) {
			seen[print] = true
		}
	}
	for _, f := range use.Baseline.Findings {
		operations := f.Operations
		if len(operations) == 0 {
			operations = []string{f.Operation}
		}
		missed := func(operation string) bool { return !c.lookedFor(r, &f, operation, use) }
		if !seen[f.Fingerprint] && !slices.ContainsFunc(operations, missed) {
			r.Resolved = append(r.Resolved, fmt.Sprintf("%s: %s: %s", f.Operation, f.Check, f.Message))
		}
	}
}

// lookedFor reports whether a run would have seen a finding of the baseline: it
// was complete, with the check, the phase, and the operation unless the document
// has it no more. A finding without a phase may be of any.
func (c *Collector) lookedFor(r *Report, f *KnownFinding, operation string, use BaselineUse) bool {
	isPhase := func(p PhaseReport) bool { return p.ID == f.Phase }
	if !use.Uses(f.Check) || r.Ended != "" || f.Phase == "" && !use.RanAll ||
		f.Phase != "" && !slices.ContainsFunc(r.Phases, isPhase) {
		return false
	}
	if o := c.operation(operation); o != nil {
		return o.Cases > 0
	}
	return !slices.ContainsFunc(c.Contract.Operations,
		func(o *spec.Operation) bool { return OperationName(o) == operation })
}
