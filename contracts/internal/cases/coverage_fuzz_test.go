package cases

import (
	"context"
	"fmt"
	"testing"

	"github.com/coldframe/coldframe/internal/spec"
)

// FuzzCoverage checks that the cases of any schema are what they claim.
func FuzzCoverage(f *testing.F) {
	for _, schema := range []string{
		`{}`, `true`, `{"type": "string", "minLength": 2, "pattern": "^a"}`, `{"type": ["integer", "null"], "multipleOf": 0.5, "minimum": 1e3}`,
		`{"type": "object", "required": ["a"], "properties": {"a": {"enum": [1, "x", null]}}, "additionalProperties": false}`,
		`{"type": "array", "items": {"$ref": "#/components/schemas/S"}, "maxItems": 2, "uniqueItems": true}`,
		`{"oneOf": [{"type": "string"}, {"type": "object", "properties": {"s": {"$ref": "#/components/schemas/S"}}}]}`,
		`{"not": {"type": "string"}, "anyOf": [{"minimum": 3}, {"maxLength": 2}], "if": {"type": "number"}, "then": {"maximum": 9}}`,
		`{"patternProperties": {"^x": {"type": "boolean"}}, "propertyNames": {"maxLength": 3}, "minProperties": 1}`,
	} {
		f.Add(schema)
	}
	f.Fuzz(func(t *testing.T, schema string) {
		document := fmt.Sprintf(`{"openapi": "3.1.0", "info": {"title": "t", "version": "1"},
			"paths": {"/s": {"post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S"}}}}, "responses": {"200": {"description": "ok"}}}}},
			"components": {"schemas": {"S": %s}}}`, schema)
		contract, err := spec.Load(context.Background(), "openapi.json", spec.Options{Text: []byte(document)})
		if err != nil || len(contract.Operations) == 0 {
			return
		}
		m := New(contract.Operations[0], 1)
		left := 300
		for c := range m.Coverage(t.Context(), nil, 0) {
			_, findings := m.validator.Request(c.Request, nil)
			if c.Expected == Accepted && len(findings) > 0 || c.Expected == Refused && len(findings) == 0 {
				t.Fatalf("%s: %s: %v", c.Expected, c.Title, findings)
			}
			if left--; left == 0 {
				return
			}
		}
	})
}
