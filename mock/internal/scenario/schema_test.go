package scenario

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
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

// fileKeys are the keys of a file, by where the schema has them.
var fileKeys = map[string][]string{
	"": {"active", "description", "initial", "name", "rules"},
	"/$defs/rule": {
		"after", "bandwidth", "chance", "cycle", "delay", "description", "every", "fault", "for", "limit", "on", "respond",
		"state", "then", "times", "violates", "when",
	},
	"/$defs/answer":                                     {"body", "example", "headers", "patch", "status"},
	"/$defs/rule/properties/limit":                      {"per", "requests"},
	"/$defs/rule/properties/delay":                      {"lognormal", "max", "uniform"},
	"/$defs/rule/properties/delay/properties/lognormal": {"median", "sigma"},
}

var faults = []string{string(httpserver.Reset), string(httpserver.Truncate), string(httpserver.Malformed), string(httpserver.Hang)}

// documentedKeys are the keys of files, rules and answers, and the faults.
func documentedKeys() []string {
	keys := slices.Concat(fileKeys[""], fileKeys["/$defs/rule"], fileKeys["/$defs/answer"])
	return append(keys, faults...)
}

// The schema has these keys, and the compiler reads them.
func TestSchemaKeys(t *testing.T) {
	var source []byte
	for _, name := range []string{"compile.go", "answer.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source = append(source, text...)
	}
	tree := compiledSchema().text.At(schemaPointer)
	for pointer, want := range fileKeys {
		if got := slices.Sorted(slices.Values(names(tree.At(pointer).Get("properties")))); !slices.Equal(got, want) {
			t.Errorf("%s: the schema has %v, want %v", pointer, got, want)
		}
		for _, key := range want {
			if !bytes.Contains(source, []byte(`Get("`+key+`")`)) {
				t.Errorf("%s: nothing reads %s", pointer, key)
			}
		}
	}
	if got := texts(tree.At("/$defs/rule/properties/fault/enum")); !slices.Equal(got, faults) {
		t.Errorf("faults: the schema has %v, the server %v", got, faults)
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
		if err := s.Validate((&report{file: name}).read(text).Value()); err != nil {
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
		if s.Validate((&report{file: f.Name}).read(f.Data).Value()) == nil {
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
