package contracts

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/notes"
)

// TestSetupSent looks at what a backend is asked: items of the setup are read and never deleted, except if the setup
// names one for that very operation.
func TestSetupSent(t *testing.T) {
	for text, want := range map[string]bool{
		"path: {id: 1000000000}\noperations:\n  readNote: {path: {id: a b}}\n":            false,
		"operations: {readNote: {path: {id: a b}}, deleteNote: {path: {id: 1000000000}}}": true,
	} {
		file := filepath.Join(t.TempDir(), "setup.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		b := notes.New(t, nil)
		o := small(b)
		o.SetupFile, o.Select.Operations = file, []string{"/notes/{id}"}
		mustRun(t, t.Context(), o)
		asked := b.Requests()
		if slices.Contains(asked, "DELETE /notes/1000000000") != want || !slices.Contains(asked, "GET /notes/a b") {
			t.Errorf("%s\n%s", text, strings.Join(asked, "\n"))
		}
	}
}

// TestSetupCreates has creations that succeed with the setup's values only, one of them of a list: the items that other
// operations concern are created so.
func TestSetupCreates(t *testing.T) {
	const document = `
openapi: 3.1.0
info: {title: Zones, version: "1"}
paths:
  /plans:
    get: {responses: {"200": {description: all, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Plan"}}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Plan"}}}}
      responses: {"201": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Plan"}}}}, "400": {description: no}}
  /plans/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    delete: {responses: {"204": {description: gone}, "404": {description: none}}}
  /marks:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: array, minItems: 1, items: {$ref: "#/components/schemas/Plan"}}}}}
      responses: {"204": {description: kept}, "400": {description: no}}
components:
  schemas:
    Plan: {type: object, required: [zone], properties: {id: {type: string, readOnly: true}, zone: {type: string}}}
`
	accepted := map[string]bool{}
	var mu sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		var list []map[string]any
		json.Unmarshal(append(append([]byte("["), bytes.Trim(body, "[]")...), ']'), &list)
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method == "GET":
			io.WriteString(w, "[]")
		case r.Method == "DELETE" && strings.Contains(r.URL.Path, "/p"):
			accepted["DELETE"] = accepted["DELETE"] || r.URL.Path == "/plans/p1"
			w.WriteHeader(204)
		case r.Method != "POST":
			w.WriteHeader(404)
		case len(list) == 0 || slices.ContainsFunc(list, func(m map[string]any) bool { return m["zone"] != "north" }):
			w.WriteHeader(400)
		case r.URL.Path == "/marks":
			accepted["marks"] = true
			w.WriteHeader(204)
		default:
			w.WriteHeader(201)
			io.WriteString(w, `{"id":"p1","zone":"north"}`)
		}
	}))
	defer s.Close()
	file := filepath.Join(t.TempDir(), "setup.yaml")
	if err := os.WriteFile(file, []byte("body: {zone: north}"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustRun(t, t.Context(), Options{Document: "zones.yaml", Text: []byte(document), URL: s.URL, SetupFile: file, Limits: Limits{FuzzCases: 5, Settle: -1}})
	mu.Lock()
	defer mu.Unlock()
	if !accepted["DELETE"] || !accepted["marks"] {
		t.Errorf("accepted: %v", accepted)
	}
}
