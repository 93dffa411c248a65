package spec

import (
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
