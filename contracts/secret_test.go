package contracts_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/contracts"
)

// TestSecretsThatABackendRepeats checks that findings show no credential, also where
// the answer does.
func TestSecretsThatABackendRepeats(t *testing.T) {
	const token = "a-token-that-nobody-may-see"
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Seen", r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprintf(w, `{"error": 418, "message": %q}`, "no: "+r.Header.Get("Authorization"))
	}))
	defer backend.Close()
	report, err := contracts.Run(t.Context(), contracts.Options{Document: "../openapi.yaml", URL: backend.URL, Token: token, Phases: []string{"security"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Findings) == 0 {
		t.Fatal("nothing found")
	}
	for _, f := range report.Findings {
		for _, s := range f.Sent {
			text, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			if all := string(text) + string(s.Request.Body) + string(s.Response.Body); strings.Contains(all, token) {
				t.Errorf("shown: %s %s", text, s.Response.Body)
			}
		}
	}
}
