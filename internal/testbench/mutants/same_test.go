package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coldframe/coldframe/internal/testbench/backends"
	"github.com/coldframe/coldframe/internal/testbench/sample"
	"github.com/coldframe/coldframe/report"
)

// TestSame runs twice against each service with a fault of each kind at once,
// with the usual number of requests on their way: what is found is the same, in
// the same order. The request that shows it is not always the same: what a list
// holds depends on the order in which requests came. COLDFRAME_CASES=all runs five times.
func TestSame(t *testing.T) {
	runs := 2
	if sample.Every(2, 2) == 1 {
		runs = 5
	}
	for i, s := range backends.Services() {
		if (i+1)%sample.Every(3, 3) != 0 {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			var faults []string
			kinds := map[string]bool{}
			for _, f := range backends.Catalogue() {
				if f.Service == s.Name && !kinds[f.Kind] && !strings.Contains(f.Name, "slow") {
					faults, kinds[f.Kind] = append(faults, f.Name), true
				}
			}
			var first []string
			for run := range runs {
				result, err := test(t.Context(), s, 7, nil, faults...)
				if err != nil {
					t.Fatal(err)
				}
				if len(result.Findings) == 0 {
					t.Fatal("nothing is found")
				}
				if run == 0 {
					first = told(result)
				} else if diff := cmp.Diff(first, told(result)); diff != "" {
					t.Errorf("run %d: %s", run, diff)
				}
			}
		})
	}
}

func told(r *report.Report) []string {
	all := []string{r.Ended}
	for _, o := range r.Operations {
		all = append(all, fmt.Sprintf("%s accepted %v findings %d", o.Name, o.Accepted, o.Findings))
	}
	for _, f := range r.Findings {
		all = append(all, fmt.Sprintf("%s %s %s", f.Fingerprint, f.Operation, f.Check))
	}
	for _, l := range r.Skipped {
		all = append(all, fmt.Sprintf("left out: %s %s %d %s", l.Operation, l.Phase, l.Cases, l.Reason))
	}
	return all
}
