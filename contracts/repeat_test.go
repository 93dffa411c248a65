package contracts

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/testbench/notes"
	"github.com/coldframe/coldframe/report"
	"github.com/google/go-cmp/cmp"
)

// TestRepeatable runs twice against a fresh backend: with one worker the reports are the same except for times, with
// several what they say is. How many requests are sent depends on which worker deletes what another is about to read.
func TestRepeatable(t *testing.T) {
	for _, workers := range []int{1, 8} {
		t.Run(strconv.Itoa(workers), func(t *testing.T) {
			var reports [2]string
			for i := range reports {
				o := small(notes.New(t, nil))
				o.Limits.Workers = workers
				result := mustRun(t, t.Context(), o)
				for _, f := range result.Findings {
					t.Errorf("%s: %s: %s\n%s", f.Operation, f.Check, f.Message, f.Sent[0].Curl)
				}
				reports[i] = timeless(t, result, workers == 1)
			}
			if reports[0] != reports[1] {
				t.Error(cmp.Diff(strings.Split(reports[0], "\n"), strings.Split(reports[1], "\n")))
			}
		})
	}
}

// timeless returns a report as text, without what differs from run to run, and without numbers of requests unless they
// are wanted.
func timeless(t *testing.T, r *report.Report, counts bool) string {
	t.Helper()
	r.URL, r.Began, r.Took = "", time.Time{}, 0
	for i := range r.Phases {
		r.Phases[i].Took = 0
	}
	if !counts {
		r.Requests, r.Phases, r.Coverage = 0, nil, nil
		for _, o := range r.Operations {
			o.Cases, o.Statuses, o.Plain = 0, nil, nil
		}
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
