package main

import (
	"testing"
	"time"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

// What each document of the corpus may take.
const (
	documentCases = 500
	documentTime  = 2500 * time.Millisecond
)

// TestCorpus checks that the two halves agree on the requests and answers of real
// documents. What longer runs find is in the table of go run
// ./internal/testbench/selftest.
func TestCorpus(t *testing.T) {
	for _, d := range corpus.Test(t) {
		t.Run(d.Name, func(t *testing.T) {
			report, err := against(t.Context(), "generate", contracts.Options{
				Document: d.Path, Limits: contracts.Limits{MaxCases: documentCases, MaxTime: documentTime, FuzzCases: 20},
				Select: contracts.Selection{Checks: []string{"!answer"}, // which the short time may break off
					Phases: []string{"examples", "coverage", "security", "methods", "stateful", "fuzz"}},
			})
			if err != nil {
				t.Fatal(err)
			}
			var failures []string
			for _, f := range faults(report) {
				failures = append(failures, describe(f))
			}
			corpus.CheckKnown(t, "testdata/known.txt", d.Name, failures)
		})
	}
}
