package schema

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func compile(t *testing.T, text string) *Keywords {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema:///s", document); err != nil {
		t.Fatal(err)
	}
	k, err := c.Compile("schema:///s")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// node is a schema with references, compositions and a cycle.
const node = `{
	"$ref": "#/$defs/base", "required": ["id"],
	"allOf": [{"properties": {"note": {"allOf": [{"writeOnly": true}]}}}, {"$ref": "#"}],
	"oneOf": [{"required": ["kind"], "properties": {"kind": {"const": "leaf"}}},
		{"required": ["children", "kind"], "properties": {"kind": {"const": "tree"}, "children": {"items": {"$ref": "#"}}}}],
	"$defs": {
		"base": {"type": "object", "properties": {"id": {"$ref": "#/$defs/id"}, "tags": {"$ref": "#/$defs/tags"}}, "required": ["id", "extra"], "additionalProperties": {"type": "string"}},
		"id": {"readOnly": true, "type": "integer"},
		"tags": {"prefixItems": [{"enum": ["a", "b"]}], "items": {"type": "string"}}
	}}`

func TestView(t *testing.T) {
	k := compile(t, node)
	names := func(m map[string]*Keywords) string { return strings.Join(slices.Sorted(maps.Keys(m)), " ") }
	property := func(name string) *Keywords { return Property(k, name) }
	for what, c := range map[string]struct{ got, want any }{
		"properties":         {names(Properties(k)), "children id kind note tags"},
		"common properties":  {names(CommonProperties(k)), "id note tags"},
		"members":            {names(Members(k)), "children extra id kind note tags"},
		"required":           {strings.Join(slices.Sorted(maps.Keys(Required(k))), " "), "extra id kind"},
		"undeclared":         {fmt.Sprint(Types(Undeclared(k))), "[string]"},
		"readOnly":           {ReadOnly(property("id")), true},
		"readOnly of others": {ReadOnly(k), false},
		"writeOnly":          {WriteOnly(property("note")), true},
		"values":             {fmt.Sprint(Values(At(k, []string{"tags", "0"}))), "[a b]"},
		"no values":          {Values(k) == nil, true},
		"first branch":       {fmt.Sprint(Values(property("kind"))), "[leaf]"},
		"items":              {fmt.Sprint(Types(Items(property("tags")))), "[string]"},
		"no items":           {Items(k) == nil, true},
		"resolved":           {fmt.Sprint(Types(Resolve(property("id")))), "[integer]"},
		"not only a $ref":    {Resolve(k) == k, true},
		"pointer":            {fmt.Sprint(Types(At(k, []string{"children", "3", "tags", "7"}))), "[string]"},
		"unknown pointer":    {At(k, []string{"children", "x"}) == nil, true},
		"oneOfs":             {len(OneOfs(k)), 1},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", what, c.got, c.want)
		}
	}
}

// TestScopes counts the schemas that each walk returns. All cycles end.
func TestScopes(t *testing.T) {
	k := compile(t, `{"$dynamicRef": "#d", "allOf": [{"$ref": "#"}], "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
		"if": {"required": ["c"]}, "then": {"minProperties": 1}, "else": {"minProperties": 2},
		"dependentSchemas": {"a": {}, "b": {}}, "$defs": {"d": {"$dynamicAnchor": "d"}}}`)
	conditional := 0
	for _, isConditional := range Applicable(k) {
		if isConditional {
			conditional++
		}
	}
	count := func(walk func(func(*Keywords) bool)) int { return len(slices.Collect(walk)) }
	for what, c := range map[string][2]int{
		"all":         {count(All(k)), 2},
		"possible":    {count(Possible(k)), 4},
		"conditional": {conditional, 6},
		"matching a":  {count(Matching(k, map[string]any{"a": true})), 6},
		"matching c":  {count(Matching(k, map[string]any{"c": true})), 4},
		"matching b, first of many": {count(func(yield func(*Keywords) bool) {
			Matching(k, map[string]any{"b": 1})(func(k *Keywords) bool { yield(k); return false })
		}), 1},
		"nothing": {count(All(nil)), 0},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %d, want %d", what, c[0], c[1])
		}
	}
}

// TestAffordableAllocations counts visits without allocating for each property.
func TestAffordableAllocations(t *testing.T) {
	k := compile(t, `{"properties": {"a": {"minLength": 1}}, "additionalProperties": {"type": "string"}}`)
	value := map[string]any{}
	for i := range 100 {
		value["property "+strconv.Itoa(i)] = "text"
	}
	if n := testing.AllocsPerRun(10, func() { Affordable(k, value, nil) }); n > 10 {
		t.Errorf("%v allocations for %d properties", n, len(value))
	}
}
