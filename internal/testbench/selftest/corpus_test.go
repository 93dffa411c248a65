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

// judged are the checks that find nothing in so many cases. What longer runs find
// is in the table of go run ./internal/testbench/selftest.
var judged = []string{
	"server-error", "status-documented", "redirect", "media-type", "accept", "encoding", "body", "write-only", "headers",
	"valid-refused", "invalid-accepted", "credentials-ignored", "credentials-status", "method",
	"created-shown", "created-readable", "read-back", "location", "listed", "update-shown", "updated", "identity", "replaced", "patched",
	"upsert", "json-patch", "idempotent", "idempotency-key", "duplicate", "removed", "removed-twice", "default", "read-only",
	"link", "parents", "missing", "reference", "paging", "filter", "sort", "traces", "condition",
}

// TestCorpus holds the two halves to agree on the requests and answers of real
// documents.
func TestCorpus(t *testing.T) {
	for _, d := range corpus.Test(t) {
		t.Run(d.Name, func(t *testing.T) {
			report, err := against(t.Context(), "open", contracts.Options{
				Document: d.Path, MaxCases: documentCases, MaxTime: documentTime, FuzzCases: 20, Checks: judged,
				Phases: []string{"examples", "coverage", "security", "methods", "stateful", "fuzz"},
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Findings {
				t.Error(describe(f))
			}
		})
	}
}
