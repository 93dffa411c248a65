package spec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// TestRecursiveAlternatives sends values that would be visited 2^100 times.
func TestRecursiveAlternatives(t *testing.T) {
	for name, schema := range map[string]string{
		"anyOf": `{anyOf: [{type: object, properties: {c: {$ref: '#/components/schemas/N'}}, required: [x]}, {type: object, properties: {c: {$ref: '#/components/schemas/N'}}, required: [y]}]}`,
		"oneOf": `{oneOf: [{type: array, items: {$ref: '#/components/schemas/N'}}, {type: array, items: {$ref: '#/components/schemas/N'}, minItems: 1}, {type: 'null'}]}`,
		"allOf": `{allOf: [{properties: {c: {$ref: '#/components/schemas/N'}}}, {properties: {c: {$ref: '#/components/schemas/N'}}}], unevaluatedProperties: false}`,
	} {
		t.Run(name, func(t *testing.T) {
			document := "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /:\n    post:\n      requestBody:\n        content:\n          application/json:\n            schema: {$ref: '#/components/schemas/N'}\n      responses: {'204': {description: d}}\ncomponents:\n  schemas:\n    N: " + schema + "\n"
			c, err := Load(t.Context(), "t.yaml", Options{Text: []byte(document)})
			if err != nil {
				t.Fatal(err)
			}
			open, closed := `{"c":`, `}`
			if name == "oneOf" {
				open, closed = "[", "]"
			}
			value, err := jsontext.Decode(strings.Repeat(open, 100) + "1" + strings.Repeat(closed, 100))
			if err != nil {
				t.Fatal(err)
			}
			findings := c.Operations[0].Body.Content[0].Schema.Check(value, "body", "")
			if len(findings) == 0 {
				t.Error("accepted")
			}
			if Conforms(c.Operations[0].Body.Content[0].Schema.Keywords, value) {
				t.Error("conforms")
			}
		})
	}
}

// TestBoundCopies has 300 schemas that bind an anchor for each of the others: 300 × 300 copies and more.
func TestBoundCopies(t *testing.T) {
	var paths, schemas strings.Builder
	const n = 300
	for i := range n {
		fmt.Fprintf(&paths, "  /p%d: {get: {responses: {'200': {description: d, content: {application/json: "+
			"{schema: {$ref: '#/components/schemas/S%[1]d'}}}}}}}\n", i)
		fmt.Fprintf(&schemas, "    S%d: {$id: 'https://example.com/%[1]d', $dynamicAnchor: x, type: object, properties: "+
			"{own: {const: %[1]d}, next: {$ref: '%[2]d'}, first: {$dynamicRef: '#x'}}}\n", i, (i+1)%n)
	}
	c, err := Load(t.Context(), "t.yaml", Options{Text: []byte(
		"openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n" + paths.String() + "components:\n  schemas:\n" + schemas.String())})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, n - 1} {
		s := c.Operations[i].Responses[0].Content[0].Schema
		if len(s.schemas.bound) > maxBound {
			t.Fatalf("%d copies", len(s.schemas.bound))
		}
		for first, conforms := range map[int]bool{i: true, (i + 2) % n: false} {
			value, err := jsontext.Decode(fmt.Sprintf(`{"next": {"next": {"first": {"own": %d}}}}`, first))
			if err != nil {
				t.Fatal(err)
			}
			if Conforms(s.Keywords, value) != conforms {
				t.Errorf("schema %d takes own %d: %t", i, first, !conforms)
			}
		}
	}
}
