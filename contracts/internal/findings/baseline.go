package findings

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
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

// mark marks the findings of a report that are known. One of several operations
// is known by itself, or by a finding on each of them.
func (b *Baseline) mark(r *Report, g grouped) {
	known := map[string]bool{}
	for _, f := range b.Findings {
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
}

// resolved names the findings of the baseline that a run looked for and did not
// see.
func (b *Baseline) resolved(r *Report, g grouped, lookedFor func(check, operation, phase string) bool) []string {
	seen := map[string]bool{}
	for _, members := range g.fingerprints {
		for _, print := range slices.Concat(members...) {
			seen[print] = true
		}
	}
	var all []string
	for _, f := range b.Findings {
		operations := f.Operations
		if len(operations) == 0 {
			operations = []string{f.Operation}
		}
		missed := func(operation string) bool { return !lookedFor(f.Check, operation, f.Phase) }
		if !seen[f.Fingerprint] && !slices.ContainsFunc(operations, missed) {
			all = append(all, fmt.Sprintf("%s: %s: %s", f.Operation, f.Check, f.Message))
		}
	}
	return all
}
