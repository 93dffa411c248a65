package scenario

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/coldframe/coldframe/internal/jsontext"
)

func compiledSchema(t *testing.T) (*jsonschema.Schema, map[string]any) {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("scenario.schema.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("scenario.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s, document.(map[string]any)
}

// The schema for editors and the parser know the same keys.
func TestSchemaKeys(t *testing.T) {
	_, document := compiledSchema(t)
	rule := document["$defs"].(map[string]any)["rule"].(map[string]any)
	respond := document["$defs"].(map[string]any)["respond"].(map[string]any)
	for _, c := range []struct {
		what   string
		schema map[string]any
		keys   []string
	}{{"scenario", document, fileKeys}, {"rule", rule, ruleKeys}, {"respond", respond, respondKeys}} {
		got := slices.Sorted(maps.Keys(c.schema["properties"].(map[string]any)))
		if want := slices.Sorted(slices.Values(c.keys)); !slices.Equal(got, want) {
			t.Errorf("%s: the schema has %v, the parser %v", c.what, got, want)
		}
	}
	var names []string
	for _, v := range rule["properties"].(map[string]any)["fault"].(map[string]any)["enum"].([]any) {
		names = append(names, v.(string))
	}
	if !slices.Equal(names, faults) {
		t.Errorf("faults: the schema has %v, the parser %v", names, faults)
	}
}

// What the parser takes without an error, the schema accepts: the examples and
// the scenarios of the cases.
func TestSchemaAccepts(t *testing.T) {
	s, _ := compiledSchema(t)
	files := map[string][]byte{}
	examples, err := filepath.Glob("../../../examples/*/scenarios/*.yaml")
	if err != nil || len(examples) < 4 {
		t.Fatal("examples are missing", examples, err)
	}
	for _, name := range examples {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = text
	}
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	c := plantStore(t)
	for _, name := range cases {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if filepath.Ext(f.Name) != ".yaml" || f.Name == "openapi.yaml" {
				continue
			}
			if parsed, _ := Parse(c, f.Name, f.Data); parsed != nil {
				files[name+"/"+f.Name] = f.Data
			}
		}
	}
	for name, text := range files {
		p := &parser{file: name, text: string(text)}
		if err := s.Validate(p.read().value()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What the schema refuses, the parser refuses too.
func TestSchemaRefuses(t *testing.T) {
	s, _ := compiledSchema(t)
	c := plantStore(t)
	archive, err := txtar.ParseFile("testdata/schema/refused.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		p := &parser{file: f.Name, text: string(f.Data)}
		if s.Validate(p.read().value()) == nil {
			t.Errorf("%s: the schema accepts it", f.Name)
		}
		if parsed, _ := Parse(c, f.Name, f.Data); parsed != nil {
			t.Errorf("%s: the parser accepts it", f.Name)
		}
	}
	if _, err := jsontext.Decode(string(Schema())); err != nil {
		t.Error(err)
	}
}
