package scenario

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// library compiles the schema as editors do.
func library(t *testing.T) *jsonschema.Schema {
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
	return s
}

// jsonKeys gives the keys that a struct decodes.
func jsonKeys(value any) []string {
	var keys []string
	for field := range reflect.TypeOf(value).Fields() {
		if key, ok := field.Tag.Lookup("json"); ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// documentedKeys are those of files, rules and answers, and the faults.
func documentedKeys() []string {
	keys := slices.Concat(jsonKeys(fileFormat{}), jsonKeys(fileRule{}), jsonKeys(fileAnswer{}))
	return append(keys, string(Reset), string(Truncate), string(Malformed), string(Hang))
}

// The schema and the structs have the same keys.
func TestSchemaKeys(t *testing.T) {
	tree := compiledSchema().text.At(schemaPointer)
	for pointer, value := range map[string]any{
		"":                             fileFormat{},
		"/$defs/rule":                  fileRule{},
		"/$defs/answer":                fileAnswer{},
		"/$defs/rule/properties/limit": fileLimit{},
		"/$defs/rule/properties/delay": fileDelay{},
		"/$defs/rule/properties/delay/properties/lognormal": fileLognormal{},
	} {
		got := slices.Sorted(slices.Values(names(tree.At(pointer).Get("properties"))))
		if want := jsonKeys(value); len(got) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: the schema has %v, the struct %v", pointer, got, want)
		}
	}
	faults := texts(tree.At("/$defs/rule/properties/fault/enum"))
	if want := []string{string(Reset), string(Truncate), string(Malformed), string(Hang)}; !slices.Equal(faults, want) {
		t.Errorf("faults: the schema has %v, the package %v", faults, want)
	}
}

// What the parser takes without an error, the schema accepts: the examples and
// the scenarios of the cases.
func TestSchemaAccepts(t *testing.T) {
	s := library(t)
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
		if err := s.Validate(newReport(name, text).read(text).Value()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What the schema refuses, the parser refuses too.
func TestSchemaRefuses(t *testing.T) {
	s := library(t)
	c := plantStore(t)
	archive, err := txtar.ParseFile("testdata/schema/refused.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if s.Validate(newReport(f.Name, f.Data).read(f.Data).Value()) == nil {
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
