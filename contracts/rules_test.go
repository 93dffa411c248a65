package contracts

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/testbench/notes"
	"github.com/coldframe/coldframe/report"
)

// TestRules tests a faulty backend with rules and waivers: what they have does not fail the run, nothing else changes.
func TestRules(t *testing.T) {
	fault := func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case r.Method == "DELETE" && strings.HasPrefix(r.URL.Path, "/notes/"):
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.Method == "GET" && r.URL.Path == "/notes":
			http.Error(w, "out of order", http.StatusInternalServerError)
		default:
			return false
		}
		return true
	}
	const reason = "known since March"
	all := []string{"DELETE /notes/{id}: server-error warning", "GET /notes: server-error error"}
	for name, c := range map[string]struct {
		Rules
		found, waived, stale []string
	}{
		"none":  {found: all},
		"skip":  {Rules: Rules{Operations: []OperationRule{{Operation: "listNotes", Skip: true, Reason: reason}}}, found: all[:1]},
		"check": {Rules: Rules{Operations: []OperationRule{{Operation: "GET /notes", Checks: []string{"!server-error"}, Reason: reason}}}, found: all[:1]},
		"only":  {Rules: Rules{Operations: []OperationRule{{Operation: "GET /notes", Checks: []string{"headers"}, Reason: reason}}}, found: all[:1]},
		"severity": {Rules: Rules{Operations: []OperationRule{{Operation: "/notes*", Severity: map[string]string{"": "error", "server-error": "warning"}, Reason: reason}}},
			found: []string{all[0], "GET /notes: server-error warning"}},
		"status":  {Rules: Rules{Operations: []OperationRule{{Operation: "DELETE", Statuses: []int{503}, Reason: reason}}}, found: all[1:]},
		"run out": {Rules: Rules{Operations: []OperationRule{{Operation: "DELETE", Statuses: []int{503}, Reason: "for a week", Until: time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC), Origin: "coldframe.yaml:3:5"}}}, found: all, stale: []string{"coldframe.yaml:3:5: the rule of DELETE ran out after 2020-01-01: for a week"}},
		"waiver":  {Rules: Rules{Waivers: []Waiver{{Check: "server-error", Operation: "GET /notes", Kind: "5*", Reason: reason}}}, found: all[:1], waived: all[1:]},
		"of no use": {Rules: Rules{Waivers: []Waiver{{Check: "server-error", Operation: "GET /notes", Kind: "502", Reason: reason}}}, found: all,
			stale: []string{`the waiver of "GET /notes": the waiver of server-error in GET /notes, "502" had no finding; remove it if that is so in every run`}},
	} {
		t.Run(name, func(t *testing.T) {
			b := notes.New(t, fault)
			o := small(b)
			o.Select.Checks, o.Rules = []string{"server-error"}, c.Rules
			r := mustRun(t, t.Context(), o)
			if got := named(r.Findings); !same(got, c.found) {
				t.Errorf("found %q", got)
			}
			if got := named(r.Waived); !same(got, c.waived) || len(got) > 0 && r.Waived[0].Reason != reason {
				t.Errorf("waived %q", got)
			}
			if !same(r.Stale, c.stale) {
				t.Errorf("stale %q", r.Stale)
			}
			if name == "skip" && slices.Contains(b.Requests(), "GET /notes") {
				t.Error("asked what is skipped")
			}
		})
	}
}

func named(all []report.Finding) (names []string) {
	for _, f := range all {
		names = append(names, f.Operation+": "+f.Check+" "+f.Severity.String())
	}
	return names
}

// same reports whether two lists have the same texts, in any order.
func same(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// TestWaiverOfOneKind waives one of several ways in which a request violates one constraint: the others still count.
func TestWaiverOfOneKind(t *testing.T) {
	accepts := func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != "POST" {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		w.Write([]byte(`{"id": "1", "text": "a"}`))
		return true
	}
	o := small(notes.New(t, accepts))
	o.Select.Checks = []string{"invalid-accepted"}
	o.Rules.Waivers = []Waiver{
		{Check: "invalid-accepted", Operation: "createNote", Place: "body.text", Kind: "null", Reason: "old clients"},
		{Check: "invalid-accepted", Operation: "createNote", Kind: "trailing-data", Reason: "a lenient reader"},
	}
	r := mustRun(t, t.Context(), o)
	of := func(all []report.Finding, about, kind string) bool {
		return slices.ContainsFunc(all, func(f report.Finding) bool { return f.About == about && f.Kind == kind && f.Severity == exchange.Error })
	}
	if !of(r.Waived, "body.text", "null") || of(r.Findings, "body.text", "null") || !of(r.Findings, "body.text", "array") {
		t.Errorf("null: waived %q, found %q", named(r.Waived), named(r.Findings))
	}
	if slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Kind == "trailing-data" }) || len(r.Waived) < 2 {
		t.Errorf("%d waived", len(r.Waived))
	}
}

// TestRuleTimeout returns one slow operation more time than the others.
func TestRuleTimeout(t *testing.T) {
	slow := func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == "GET" && r.URL.Path == "/notes" {
			time.Sleep(300 * time.Millisecond)
		}
		return false
	}
	for limit, want := range map[time.Duration]int{0: 1, 5 * time.Second: 0} {
		o := small(notes.New(t, slow))
		o.Limits.Timeout, o.Select.Checks, o.Select.Phases, o.Select.Operations = 100*time.Millisecond, []string{"answer"}, []string{"examples"}, []string{"GET /notes"}
		if limit > 0 {
			o.Rules.Operations = []OperationRule{{Operation: "listNotes", Timeout: limit, Reason: "a report"}}
		}
		if r := mustRun(t, t.Context(), o); len(r.Findings)+len(r.Skipped) > 0 != (want > 0) {
			t.Errorf("%v: %d findings, %v", limit, len(r.Findings), r.Skipped)
		}
	}
}

func TestRulesThatAreWrong(t *testing.T) {
	o := small(notes.New(t, nil))
	o.Rules.Waivers = []Waiver{{Check: "body", Operation: "POST /note"}}
	_, err := Run(t.Context(), o)
	var wrong *RuleError
	if !errors.As(err, &wrong) || len(wrong.Problems) != 2 || !strings.Contains(err.Error(), `did you mean "POST /notes"?`) {
		t.Error(err)
	}
}
