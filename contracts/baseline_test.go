package contracts

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/notes"
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
		{"fingerprint": "` + first.Findings[0].Fingerprint + `", "check": "server-error", "operation": "POST /notes", "message": "answered 500"},
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
