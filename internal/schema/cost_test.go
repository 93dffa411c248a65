package schema_test

import (
	"fmt"
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
