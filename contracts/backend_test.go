package contracts

import (
	"context"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/testbench/notes"
	"github.com/coldframe/coldframe/report"
)

// small returns options of a short run.
func small(b *notes.Backend) Options {
	return Options{Document: "notes.yaml", Text: []byte(notes.Document), URL: b.URL, Credentials: Credentials{Token: "good"}, Limits: Limits{MaxCases: 400, FuzzCases: 20, Workers: 4, Timeout: 30 * time.Second, Settle: -1}}
}

func mustRun(t testing.TB, ctx context.Context, o Options) *report.Report {
	t.Helper()
	result, err := Run(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}
