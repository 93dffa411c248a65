package contracts

import (
	"encoding/json"
	"fmt"
	"os"
)

// Baseline is the findings of an earlier report. Those are known: they do not
// fail a run.
type Baseline struct {
	Findings []struct {
		Fingerprint string `json:"fingerprint"`
		Check       string `json:"check"`
		Operation   string `json:"operation"`
		Message     string `json:"message"`
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

// compare marks the findings that are known, and gives what was not seen again.
func (b *Baseline) compare(findings []Finding) (healed []string) {
	if b == nil {
		return nil
	}
	seen := map[string]bool{}
	for i := range findings {
		seen[findings[i].Fingerprint] = true
	}
	known := map[string]bool{}
	for _, f := range b.Findings {
		known[f.Fingerprint] = true
		if !seen[f.Fingerprint] {
			healed = append(healed, fmt.Sprintf("%s: %s: %s", f.Operation, f.Check, f.Message))
		}
	}
	for i := range findings {
		findings[i].Known = known[findings[i].Fingerprint]
	}
	return healed
}
