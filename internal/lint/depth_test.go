package lint

import (
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/values"
)

// TestDepth finds nothing wrong with schemas that nest 60 deep, and has values of them; those that need themselves
// have none, and the search for one ends.
func TestDepth(t *testing.T) {
	const depth = 60
	nested := func(before, after string) string {
		return strings.Repeat(before, depth) + `{"type":"string"}` + strings.Repeat(after, depth)
	}
	for _, c := range []struct {
		name, schema string
		endless      bool
	}{
		{"objects", nested(`{"type":"object","required":["a"],"properties":{"a":`, `}}`), false},
		{"arrays", nested(`{"type":"array","minItems":1,"items":`, `}`), false},
		{"objects of arrays", nested(`{"type":"object","required":["a"],"properties":{"a":{"type":"array","minItems":1,"items":`, `}}}`), false},
		{"allOf", nested(`{"allOf":[`, `]}`), false},
		{"allOf of objects", nested(`{"allOf":[{"type":"object","required":["a"],"properties":{"a":`, `}}]}`), false},
		{"oneOf", nested(`{"oneOf":[{"type":"integer"},{"type":"object","required":["a"],"properties":{"a":`, `}}]}`), false},
		{"additional properties", nested(`{"type":"object","minProperties":1,"additionalProperties":`, `}`), false},
		{"not", nested(`{"not":{"not":`, `}}`), false},
		{"itself", `{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/components/schemas/S"}}}`, true},
		{"itself in lists", `{"type":"array","minItems":1,"items":{"$ref":"#/components/schemas/S"}}`, true},
		{"itself or nothing", `{"type":"object","properties":{"a":{"$ref":"#/components/schemas/S"}}}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/a":{"post":{"requestBody":{"content":{` +
				`"application/json":{"schema":{"$ref":"#/components/schemas/S"}}}},"responses":{"204":{"description":"d"}}}}},` +
				`"components":{"schemas":{"S":` + c.schema + `}}}`
			contract, err := spec.Load(t.Context(), "openapi.json", spec.Options{Text: []byte(text)})
			if err != nil {
				t.Fatal(err)
			}
			findings := Document(contract, resource.Overrides{}, values.Overrides{})
			if got := len(findings) > 0; got != c.endless {
				t.Errorf("findings: %v", findings)
			}
			schema := contract.Operations[0].Body.Content[0].Schema
			for _, fill := range []string{"all", "required"} {
				value, err := generate.New(schema, generate.Options{Fill: fill}).Value(generate.NewKey(1))
				if broken := schema.Check(value, "body", ""); !c.endless && (err != nil || broken != nil) {
					t.Errorf("fill %s: %v, %v", fill, err, broken)
				}
			}
		})
	}
}
