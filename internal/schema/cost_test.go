package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/coldframe/coldframe/internal/schema"
)

// endless is a pattern whose matches never come to an end by themselves.
type endless struct{ matches *int }

func (endless) String() string            { return "(?!x)(a+)+\\1b" }
func (e endless) MatchString(string) bool { matches, _ := e.Match(""); return matches }
func (e endless) Match(string) (matches, gaveUp bool) {
	*e.matches++
	return false, true
}
func (e endless) Try(text string) (matches, gaveUp bool) { return e.Match(text) }

// TestAllowance counts matches: the first that gives up ends checking, wherever the pattern stands.
func TestAllowance(t *testing.T) {
	names := map[string]any{}
	var texts []any
	for i := range 2000 {
		text := fmt.Sprint(strings.Repeat("a", 40), i)
		names[text], texts = 1, append(texts, text)
	}
	for text, value := range map[string]any{
		`{"items": {"pattern": "e"}}`:                                texts,
		`{"items": {"pattern": "e"}, "uniqueItems": true}`:           texts,
		`{"items": {"anyOf": [{"pattern": "e"}, {"const": 1}]}}`:     texts,
		`{"patternProperties": {"e": {}}}`:                           names,
		`{"propertyNames": {"pattern": "e"}}`:                        names,
		`{"unevaluatedItems": {"pattern": "e"}}`:                     texts,
		`{"contains": {"pattern": "e"}, "minContains": 2}`:           texts,
		`{"dependentSchemas": {"a": {}}, "items": {"pattern": "e"}}`: texts,
	} {
		matches := 0
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		c.UseRegexpEngine(func(string) (jsonschema.Regexp, error) { return endless{&matches}, nil })
		if err := c.AddResource("urn:test", document); err != nil {
			t.Fatal(err)
		}
		k := c.MustCompile("urn:test")
		matches = 0
		if schema.Conforms(k, value) {
			t.Errorf("%s: accepted", text)
		}
		if matches != 1 {
			t.Errorf("%s: %d matches, want 1", text, matches)
		}
	}
}

// TestProducts has values that are cheap, and schemas too, but not each of the one against each of the other.
func TestProducts(t *testing.T) {
	enum, patterns, names := make([]any, 20_000), map[string]any{}, map[string]any{}
	for i := range enum {
		enum[i], names[fmt.Sprint("n", i)] = fmt.Sprint(i), "x"
		if i < 200 {
			patterns[fmt.Sprintf("x%dy*", i)] = map[string]any{}
		}
	}
	texts := slices.Repeat([]any{"19999"}, 100_000)
	for name, c := range map[string]struct{ schema, value any }{
		"enum":     {map[string]any{"items": map[string]any{"enum": enum}}, texts},
		"patterns": {map[string]any{"patternProperties": patterns}, names},
		"length":   {map[string]any{"items": map[string]any{"pattern": "^a*$"}}, slices.Repeat([]any{strings.Repeat("a", 1<<20)}, 100)},
	} {
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource("urn:test", c.schema); err != nil {
			t.Fatal(err)
		}
		k := compiler.MustCompile("urn:test")
		var a schema.Allowance
		if _, decided := schema.FastValidate(k, c.value, &a); decided || schema.Affordable(k, c.value, &a) {
			t.Errorf("%s: affordable", name)
		}
	}
}
