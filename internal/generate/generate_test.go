package generate_test

import (
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// compile makes a schema of its text.
func compile(t testing.TB, text string) *spec.Schema {
	t.Helper()
	value, err := jsontext.Decode(text)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("schema.json", value); err != nil {
		t.Fatal(err)
	}
	k, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return &spec.Schema{Keywords: k, Direction: spec.InResponse}
}

func bytes(v any) string { return string(jsontext.Append(nil, v)) }

const plant = `{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"tag":{"type":"string"},"id":{"type":"integer"}}}`

func TestPlant(t *testing.T) {
	g := generate.New(compile(t, plant), generate.Options{})
	for i := range 5 {
		v, err := g.Value(generate.NewKey(uint64(i), "POST /plants"))
		if err != nil {
			t.Fatal(err)
		}
		t.Log(bytes(v))
	}
}

func BenchmarkPlant(b *testing.B) {
	g := generate.New(compile(b, plant), generate.Options{})
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := g.Value(generate.NewKey(uint64(i))); err != nil {
			b.Fatal(err)
		}
	}
}
