package spec

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// suiteGroup is one schema of the JSON Schema Test Suite with its instances.
type suiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// TestSuite runs the JSON Schema Test Suite, each schema as the schema of a
// request body. COLDFRAME_SUITE names a folder with its tests/ and remotes/.
func TestSuite(t *testing.T) {
	directory := os.Getenv("COLDFRAME_SUITE")
	if directory == "" {
		t.Skip("COLDFRAME_SUITE names no folder of the JSON Schema Test Suite")
	}
	remotes := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(directory, "remotes"))))
	defer remotes.Close()
	for _, draft := range []struct{ folder, openapi string }{{"draft2020-12", "3.1.0"}, {"draft4", "3.0.3"}} {
		files, err := filepath.Glob(filepath.Join(directory, "tests", draft.folder, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no tests of %s: %v", directory, draft.folder, err)
		}
		right, all, otherwise := 0, 0, 0
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var groups []suiteGroup
			if err := json.Unmarshal([]byte(strings.ReplaceAll(string(text), "http://localhost:1234", remotes.URL)), &groups); err != nil {
				t.Fatal(err)
			}
			name := draft.folder + "/" + strings.TrimSuffix(filepath.Base(file), ".json")
			t.Run(name, func(t *testing.T) {
				for _, group := range groups {
					r, a := runGroup(t, draft.openapi, name, group)
					if differs(name) {
						otherwise += a
						continue
					}
					right, all = right+r, all+a
				}
			})
		}
		t.Logf("%s: %d of %d right, and %d of formats, which are asserted here", draft.folder, right, all, otherwise)
	}
}

// differs reports the groups whose verdict our reading of OpenAPI changes:
// formats are asserted.
func differs(name string) bool { return name == "draft2020-12/format" }

func runGroup(t *testing.T, openapi, name string, group suiteGroup) (right, all int) {
	document := `{"openapi":"` + openapi + `","info":{"title":"t","version":"1"},"paths":{"/":{"post":{"requestBody":{"content":{"application/json":{"schema":` +
		string(group.Schema) + `}}},"responses":{"204":{"description":"d"}}}}}}`
	contract, err := Load(t.Context(), "suite.json", Options{Text: []byte(document), AllowExternal: true})
	if err != nil {
		t.Errorf("%s: %v", group.Description, err)
		return 0, len(group.Tests)
	}
	var schema *Schema
	if o := contract.Operations[0]; o.Body != nil {
		schema = o.Body.Content[0].Schema
	}
	for _, test := range group.Tests {
		value, wrong := jsontext.Decode(string(test.Data))
		if wrong != nil {
			t.Fatal(wrong)
		}
		all++
		var findings []exchange.Finding
		if schema != nil {
			findings = schema.Check(value, exchange.InBody, "")
		}
		if (len(findings) == 0) == test.Valid {
			right++
		} else if !differs(name) {
			t.Errorf("%s: %s: want valid %t, findings %v; on the document %v", group.Description, test.Description, test.Valid, findings, contract.Findings)
		}
	}
	return right, all
}
