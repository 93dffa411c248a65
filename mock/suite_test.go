package mock

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSuite posts each instance of the required tests of the JSON Schema Test Suite (draft 2020-12) to a mock whose
// document has the schema as the schema of a request's body. COLDFRAME_SUITE names a folder with its tests/ and remotes/.
// Formats are asserted here, so the tests that they are not are left out.
func TestSuite(t *testing.T) {
	directory := os.Getenv("COLDFRAME_SUITE")
	if directory == "" {
		t.Skip("COLDFRAME_SUITE names no folder of the JSON Schema Test Suite")
	}
	remotes := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(directory, "remotes"))))
	t.Cleanup(remotes.Close) // after the tests in parallel
	files, err := filepath.Glob(filepath.Join(directory, "tests", "draft2020-12", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no tests: %v", directory, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if name == "format" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var groups []struct {
			Description string
			Schema      json.RawMessage
			Tests       []struct {
				Description string
				Data        json.RawMessage
				Valid       bool
			}
		}
		text = []byte(strings.ReplaceAll(string(text), "http://localhost:1234", remotes.URL))
		if err := json.Unmarshal(text, &groups); err != nil {
			t.Fatal(err)
		}
		for _, group := range groups {
			t.Run(name+"/"+group.Description, func(t *testing.T) {
				t.Parallel()
				s := start(t, Options{Load: LoadOptions{AllowExternalRefs: true}, Text: []byte(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},
					"paths":{"/":{"post":{"requestBody":{"required":true,"content":{"application/json":{"schema":` +
					string(group.Schema) + `}}},"responses":{"204":{"description":"d"},"422":{"description":"d"}}}}}}`)})
				for _, test := range group.Tests {
					answer, err := http.Post(s.URL()+"/", "application/json", strings.NewReader(string(test.Data)))
					if err != nil {
						t.Fatal(err)
					}
					answer.Body.Close()
					if want := map[bool]int{true: 204, false: 422}[test.Valid]; answer.StatusCode != want {
						t.Errorf("%s: status %d, want %d", test.Description, answer.StatusCode, want)
					}
				}
			})
		}
	}
}
