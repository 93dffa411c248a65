package spec

import (
	"context"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/corpus"
	"github.com/coldframe/coldframe/internal/tree"
)

// TestDirect compares what direct makes of schemas with what the library makes of their translation, links aside.
func TestDirect(t *testing.T) {
	document := "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /:\n    post:\n      requestBody:\n        content:\n"
	for text := range strings.Lines(comparedSchemas + strings.Join(rareSchemas, "\n") + "\n") {
		if !strings.Contains(text, "$ref") && !strings.Contains(text, "$dynamic") {
			document += fmt.Sprintf("          application/s%d+json:\n            schema: %s", len(document), text)
		}
	}
	compareCompilers(t, "t.yaml", Options{Text: []byte(document + "      responses: {}\n")})
}

var rareSchemas = []string{
	`{"title": "t", "description": "d", "readOnly": true, "writeOnly": true, "uniqueItems": true}`,
	`{"properties": {"a/b~c d%ü": {"enum": []}, "": {"enum": [1, 2, "a", null, true, [], {}]}}}`,
	`{"if": true, "then": false, "else": true}`,
	`{"if": false, "then": false, "else": true}`,
	`{"then": false, "else": true, "minContains": 2, "maxContains": 3}`,
	`{"contains": {"const": 1}, "minContains": 2, "maxContains": 3}`,
	`{"prefixItems": [true, {}, {"type": "string"}], "items": false, "unevaluatedItems": false}`,
	`{"prefixItems": [true], "unevaluatedItems": {"type": "integer"}, "minItems": 99999999999999999999}`,
	`{"patternProperties": {"^(?!a)": {}, "b": false}, "unevaluatedProperties": false, "additionalProperties": {}}`,
	`{"dependentRequired": {"a": ["b", "c"]}, "dependentSchemas": {"a": {"required": ["d"]}}}`,
	`{"dependencies": {"a": ["b"], "c": {"minProperties": 2}}}`,
	`{"format": "uuid"}`, `{"format": "iri-reference"}`, `{"format": "of nobody"}`,
	`{"oneOf": [{"not": {}}, true], "propertyNames": {"maxLength": 1e2}}`,
}

func TestDirectCorpus(t *testing.T) {
	for _, d := range corpus.Test(t) {
		t.Run(d.Name, func(t *testing.T) { compareCompilers(t, d.Path, Options{}) })
	}
}

func compareCompilers(t *testing.T, name string, o Options) {
	c, err := Load(context.Background(), name, o)
	if err != nil {
		t.Fatal(err)
	}
	s := schemasOf(c)
	if s == nil || s.dynamic {
		return
	}
	library, compared := s.newCompiler(), 0
	library.UseLoader(s)
	for i := 0; i < len(s.resources); i++ {
		r := s.resources[i]
		if r.foreign != "" {
			continue
		}
		r.links = nil
		r.document = (&translator{schemas: s, resource: r, inlining: map[*tree.Node]bool{}}).schema(r.node, around{})
		for _, to := range r.links {
			if to.compiled == nil {
				to.compiled = new(Keywords)
			}
		}
		want, err := library.Compile(r.url())
		if err != nil {
			t.Fatal(err)
		}
		r.compiled = new(Keywords)
		newDirect(s).resource(r)
		compareSchemas(t, reflect.ValueOf(r.compiled), reflect.ValueOf(want), r.url())
		compared++
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

// schemasOf returns the schemas of a contract, nil if it has none.
func schemasOf(c *Contract) *schemas {
	for _, o := range c.Operations {
		if o.Body != nil && len(o.Body.Content) > 0 && o.Body.Content[0].Schema != nil {
			return o.Body.Content[0].Schema.schemas
		}
		for _, p := range o.Parameters {
			if p.Schema != nil {
				return p.Schema.schemas
			}
		}
	}
	return nil
}

// compareSchemas compares the fields of compiled schemas, but what the library refers to by names.
func compareSchemas(t *testing.T, got, want reflect.Value, at string) {
	g, w := got.Elem(), want.Elem()
	for i := range g.NumField() {
		switch name := g.Type().Field(i).Name; name {
		case "Ref", "up", "resource":
		default:
			compareValues(t, g.Field(i), w.Field(i), at+" "+name)
		}
	}
}

func compareValues(t *testing.T, got, want reflect.Value, at string) {
	t.Helper()
	if got.Kind() != want.Kind() || got.Kind() == reflect.Pointer && got.IsNil() != want.IsNil() {
		t.Errorf("%s: %v, want %v", at, got, want)
		return
	}
	switch {
	case !got.IsValid():
	case got.Kind() == reflect.Interface:
		compareValues(t, got.Elem(), want.Elem(), at)
	case got.Type() == reflect.TypeFor[*Keywords]():
		if !got.IsNil() {
			compareSchemas(t, got, want, at)
		}
	case got.Kind() == reflect.Slice || got.Kind() == reflect.Map:
		if got.IsNil() != want.IsNil() || got.Len() != want.Len() {
			t.Errorf("%s: %v, want %v", at, got, want)
			return
		}
		if got.Kind() == reflect.Slice {
			for i := range got.Len() {
				compareValues(t, got.Index(i), want.Index(i), at)
			}
			return
		}
		for _, key := range got.MapKeys() {
			if other := want.MapIndex(key); other.IsValid() {
				compareValues(t, got.MapIndex(key), other, at)
			} else {
				t.Errorf("%s: no %v", at, key)
			}
		}
	case got.Kind() == reflect.Func:
		if got.IsNil() != want.IsNil() {
			t.Errorf("%s: differ", at)
		}
	case got.Type() == reflect.TypeFor[*big.Rat]():
		if !got.IsNil() && got.Interface().(*big.Rat).Cmp(want.Interface().(*big.Rat)) != 0 {
			t.Errorf("%s: %v, want %v", at, got, want)
		}
	case got.Kind() == reflect.Pointer:
		if !got.IsNil() {
			compareValues(t, got.Elem(), want.Elem(), at)
		}
	case got.Kind() == reflect.Struct:
		for i := range got.NumField() {
			compareValues(t, got.Field(i), want.Field(i), at)
		}
	case got.Comparable() && !got.Equal(want):
		t.Errorf("%s: %v, want %v", at, got, want)
	}
}
