package contracts

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/testbench/notes"
	"github.com/coldframe/coldframe/report"
	"github.com/google/go-cmp/cmp"
)

// TestRepeatable runs twice against a fresh backend: the reports are the
// same except for times, however many requests are sent at once.
func TestRepeatable(t *testing.T) {
	var reports [2]string
	for i := range reports {
		o := small(notes.New(t, nil))
		o.Limits.Workers = 8
		result := mustRun(t, t.Context(), o)
		for _, f := range result.Findings {
			t.Errorf("%s: %s: %s\n%s", f.Operation, f.Check, f.Message, f.Sent[0].Curl)
		}
		reports[i] = timeless(t, result)
	}
	if reports[0] != reports[1] {
		t.Error(cmp.Diff(strings.Split(reports[0], "\n"), strings.Split(reports[1], "\n")))
	}
}

// timeless returns a report as text, without what differs from run to run.
func timeless(t *testing.T, r *report.Report) string {
	t.Helper()
	r.URL, r.Began, r.Took = "", time.Time{}, 0
	for i := range r.Phases {
		r.Phases[i].Took = 0
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
