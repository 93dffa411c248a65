package main

import (
	"testing"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

// documentCases is how many requests are sent to the mock of each document.
const documentCases = 350

// TestCorpus checks that the two halves agree on the requests and answers of real
// documents. What longer runs find is in the table of go run
// ./internal/testbench/selftest.
func TestCorpus(t *testing.T) {
	for _, d := range corpus.Test(t) {
		t.Run(d.Name, func(t *testing.T) {
			report, err := against(t.Context(), "generate", contracts.Options{
				Document: d.Path, Limits: contracts.Limits{MaxCases: documentCases, FuzzCases: 20},
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
