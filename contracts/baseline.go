package contracts

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/coldframe/coldframe/internal/spec"
)

// Baseline is the findings of an earlier report. Those are known: they do not
// fail a run.
type Baseline struct {
	Findings []struct {
		Fingerprint  string   `json:"fingerprint"`
		Check        string   `json:"check"`
		Operation    string   `json:"operation"`
		Operations   []string `json:"operations"`
		Message      string   `json:"message"`
		Phase        string   `json:"phase"`
		Consequences []struct {
			Fingerprint string `json:"fingerprint"`
		} `json:"consequences"`
	} `json:"findings"`
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

// compare marks the findings that are known, and gives those that this run has
// looked for and not seen again. A finding on several operations is known by
// itself, or by a finding on each of them.
func (b *Baseline) compare(r *run, report *Report, found gathered) (healed []string) {
	if b == nil {
		return nil
	}
	again := map[string]bool{}
	for _, members := range found.of {
		for _, prints := range members {
			for _, print := range prints {
				again[print] = true
			}
		}
	}
	known := map[string]bool{}
	for _, f := range b.Findings {
		known[f.Fingerprint] = true
		for _, follow := range f.Consequences {
			known[follow.Fingerprint] = true
		}
		operations := f.Operations
		if len(operations) == 0 {
			operations = []string{f.Operation}
		}
		if !again[f.Fingerprint] && !slices.ContainsFunc(operations, func(o string) bool { return !r.lookedFor(report, o, f.Check, f.Phase) }) {
			healed = append(healed, fmt.Sprintf("%s: %s: %s", f.Operation, f.Check, f.Message))
		}
	}
	for i := range report.Findings {
		f := &report.Findings[i]
		f.Known = !slices.ContainsFunc(found.of[f.Fingerprint], func(prints []string) bool {
			return !slices.ContainsFunc(prints, func(print string) bool { return known[print] })
		})
	}
	return healed
}

// lookedFor reports whether a run would have seen a finding: it came to its end,
// and with it the operation, unless the document has that no more, the check and
// the phase. One that is not known may be any.
func (r *run) lookedFor(report *Report, operation, check, phase string) bool {
	if _, judges := r.judge.Has(check); !judges || report.Ended != "" {
		return false
	}
	if phase == "" && r.phases != nil && len(r.phases) < len(phases) ||
		phase != "" && !slices.ContainsFunc(report.Phases, func(p PhaseReport) bool { return p.ID == phase }) {
		return false
	}
	for _, o := range report.Operations {
		if o.Name == operation {
			return o.Cases > 0
		}
	}
	return !slices.ContainsFunc(r.contract.Operations, func(o *spec.Operation) bool { return nameOf(o) == operation })
}
