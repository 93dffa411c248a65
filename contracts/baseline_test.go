package contracts

import (
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/notes"
	"github.com/coldframe/coldframe/report"
)

// TestBaseline tests a faulty backend twice: with the first report as baseline
// its findings are known, and those that are fixed are reported as resolved.
func TestBaseline(t *testing.T) {
	broken := func(w http.ResponseWriter, r *http.Request) bool {
		bad := r.Method == "POST" && r.URL.Path == "/notes"
		if bad {
			w.WriteHeader(http.StatusInternalServerError)
		}
		return bad
	}
	o := small(notes.New(t, broken))
	o.Select.Checks = []string{"server-error"}
	first := mustRun(t, t.Context(), o)
	if len(first.Findings) != 1 || first.Findings[0].Known || len(first.New()) != 1 || len(first.Findings[0].Fingerprint) != 12 {
		t.Fatalf("%d, %d new, %+v", len(first.Findings), len(first.New()), first.Findings)
	}
	file := filepath.Join(t.TempDir(), "baseline.json")
	text := `{"findings": [
		{"faults": [{"fingerprint": "` + first.Findings[0].Faults[0].Fingerprint + `"}], "check": "server-error", "operation": "POST /notes", "message": "answered 500"},
		{"fingerprint": "0123456789ab", "check": "server-error", "operation": "GET /notes", "message": "answered 501"},
		{"fingerprint": "0123456789ac", "check": "server-error", "operation": "GET /gone", "message": "answered 501"},
		{"fingerprint": "0123456789ad", "check": "server-error", "operation": "GET /notes", "phase": "other", "message": "not looked for"},
		{"fingerprint": "0123456789ae", "check": "body", "operation": "GET /notes", "message": "not looked for"}]}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	if o.Baseline, err = LoadBaseline(file); err != nil {
		t.Fatal(err)
	}
	second := mustRun(t, t.Context(), o)
	if len(second.Findings) != 1 || !second.Findings[0].Known || len(second.New()) != 0 {
		t.Errorf("%+v", second.Findings)
	}
	if resolved := strings.Join(second.Resolved, "\n"); resolved != "GET /notes: server-error: answered 501\nGET /gone: server-error: answered 501" {
		t.Error(resolved)
	}
	o.Select.Operations = []string{"!GET"}
	if part := mustRun(t, t.Context(), o); len(part.Resolved) != 1 || part.Resolved[0] != "GET /gone: server-error: answered 501" {
		t.Errorf("%q", part.Resolved)
	}
}

func TestBaselineFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "baseline.json")
	for text, want := range map[string]string{"[": "is no JSON report", "[]": "is no JSON report", `{"findings": 7}`: "is no JSON report", `{}`: "", `{"findings": []}`: ""} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := LoadBaseline(file)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := LoadBaseline("none.json"); err == nil {
		t.Error("no error")
	}
}

// baselineOf returns the baseline that a report with some findings is.
func baselineOf(findings ...report.Finding) *report.Baseline {
	b := &report.Baseline{}
	for _, f := range findings {
		b.Findings = append(b.Findings, report.KnownFinding{Check: f.Check, Operation: f.Operation, Operations: f.Operations,
			Faults: f.Faults, Message: f.Message, Phase: f.Phase, Consequences: f.Consequences})
	}
	return b
}

// TestBaselineByPlace tests a backend that takes values of wrong types in more places than it did when the baseline was
// written. All are one finding, which is new because of the other places.
func TestBaselineByPlace(t *testing.T) {
	document := `
openapi: 3.1.0
info: {title: Trees, version: "1"}
paths:
  /oaks: {post: {requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Tree"}}}}, responses: {"200": {description: planted}, "400": {description: not possible}}}}
  /firs: {post: {requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Tree"}}}}, responses: {"200": {description: planted}, "400": {description: not possible}}}}
components: {schemas: {Tree: {type: object, required: [name, age], properties: {name: {type: string}, age: {type: integer}}}}}`
	lenient := "" // the places at which the backend takes values of any type
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var tree map[string]any
		err := json.NewDecoder(r.Body).Decode(&tree)
		_, isText := tree["name"].(string)
		age, isNumber := tree["age"].(float64)
		isNumber = isNumber && age == math.Trunc(age)
		isText = isText || strings.Contains(lenient, r.URL.Path+" name") && tree["name"] != nil
		isNumber = isNumber || strings.Contains(lenient, r.URL.Path+" age") && tree["age"] != nil
		if err != nil || !isText || !isNumber {
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	t.Cleanup(server.Close)
	run := func(places string, baseline *report.Baseline) *report.Report {
		lenient = places
		return mustRun(t, t.Context(), Options{Document: "trees.yaml", Text: []byte(document), URL: server.URL, Baseline: baseline,
			Select: Selection{Phases: []string{"coverage"}, Checks: []string{"invalid-accepted"}}})
	}
	first := run("/oaks name", nil)
	if len(first.New()) != 1 {
		t.Fatalf("%+v", first.Findings)
	}
	older := baselineOf(first.Findings...) // of a version that did not write faults
	older.Findings[0].Faults, older.Findings[0].About = nil, first.Findings[0].About
	for name, baseline := range map[string]*report.Baseline{"this version": baselineOf(first.Findings...), "an earlier version": older} {
		for places, want := range map[string][]string{
			"/oaks name":             nil,
			"/oaks name, /firs name": {"POST /firs body.name"},
			"/oaks name, /oaks age":  {"POST /oaks body.age"},
			"/firs name, /firs age":  {"POST /firs body.age", "POST /firs body.name"},
		} {
			var found []string
			for _, f := range run(places, baseline).New() {
				for _, fault := range f.Faults {
					if !fault.Known {
						found = append(found, fault.Operation+" "+fault.About)
					}
				}
			}
			if !slices.Equal(found, want) {
				t.Errorf("%s, %s: new are %q, want %q", name, places, found, want)
			}
		}
	}
	if gone := run("/firs name", baselineOf(first.Findings...)); len(gone.Resolved) != 1 || len(gone.New()) != 1 {
		t.Errorf("resolved %q, new %+v", gone.Resolved, gone.New())
	}
}
