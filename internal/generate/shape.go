package generate

import (
	"iter"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// shape is what all constraints of a place mean together, for each kind of value.
type shape struct {
	schema.Bounds // of the schemas that the value conforms to, references and allOf followed

	reason string             // why no value exists; "" while one may
	failed []*schema.Keywords // that the value must not conform to
	chosen map[choiceID]int
	unsure bool // a generated value may not conform: the whole must be validated

	samples []any // the document's own examples that conform

	number numberShape
	text   textShape

	reserved    map[int][]*schema.Keywords // what single elements must conform to besides
	containsMax []containsMax

	forbidden map[string]bool
	preferred map[string]string // the values of discriminators

	array  arrayPlan
	object objectPlan
}

type containsMax struct {
	schema *schema.Keywords
	n      int
}

// maxLength bounds strings in characters, arrays in elements and objects in
// properties: a schema that asks for more has no value.
const maxLength = 100_000

func newShape() *shape {
	sh := &shape{Bounds: schema.NewBounds()}
	sh.number.of, sh.text.of = &sh.Bounds, &sh.Bounds
	return sh
}

// put makes the map when it gets its first entry: most shapes need none.
func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

// fail notes why no value exists. The first reason counts.
func (sh *shape) fail(reason string) {
	if sh.reason == "" && !sh.Relaxed {
		sh.reason = reason
	}
}

// manyNames is from how many on things are looked up rather than compared one by one.
const manyNames = 32

// merge adds k's own keywords, without those that lead to other schemas of the same place.
func (sh *shape) merge(g *Generator, k *schema.Keywords) {
	sh.Add(k)
	if k.Format != nil {
		sh.number.within(formats.Lookup(k.Format.Name))
	}
	sh.text.merge(g, k)
}

func contains(values []any, v any) bool {
	return slices.ContainsFunc(values, func(other any) bool { return jsonvalue.Equals(other, v) })
}

// settle checks the shape once all constraints are in: values that are listed
// are validated, bounds that cross are found.
func (sh *shape) settle() {
	switch {
	case sh.reason != "":
		return
	case sh.Types == 0:
		sh.fail("its types exclude each other")
		return
	case sh.Listed:
		sh.settleValues()
		return
	case sh.Relaxed:
		sh.uncross()
	}
	contradicted := slices.IndexFunc(sh.Required, func(name string) bool { return sh.forbidden[name] })
	contradiction := ""
	if contradicted >= 0 {
		contradiction = "property " + strconv.Quote(sh.Required[contradicted]) + " is both required and not allowed"
	}
	for _, rule := range []struct {
		kinds  schema.Type
		breaks bool
		reason string
	}{
		{schema.Number, sh.Types&schema.Number != 0 && !sh.number.settle(sh.Types), "no number lies between its bounds"},
		{schema.String, sh.MinLength > min(sh.MaxLength, maxLength), "minLength is above maxLength"},
		{schema.Array, sh.MinItems > min(sh.MaxItems, maxLength), "minItems is above maxItems"},
		{schema.Object, sh.MinProperties > min(sh.MaxProperties, maxLength) || len(sh.Required) > sh.MaxProperties,
			"more properties are needed than maxProperties allows"},
		{schema.Object, contradicted >= 0, contradiction},
		{schema.Boolean, sh.rejects(true) && sh.rejects(false), "neither true nor false is allowed"},
		{schema.Null, sh.rejects(nil), "null is not allowed"},
	} {
		if rule.breaks {
			sh.Limit(schema.AnyType &^ rule.kinds)
		}
		if sh.Types == 0 {
			sh.fail(rule.reason)
		}
	}
}

// uncross drops bounds that no value keeps.
func (sh *shape) uncross() {
	if sh.MinLength > min(sh.MaxLength, maxLength) {
		sh.MinLength = 0
	}
	sh.MinItems = min(sh.MinItems, sh.MaxItems, usualLength)
	sh.MinProperties = min(sh.MinProperties, sh.MaxProperties, usualLength)
	sh.MaxProperties, sh.forbidden = max(sh.MaxProperties, len(sh.Required)), nil
}

func (sh *shape) settleValues() {
	isNull := func(v any) bool { return v == nil }
	besides := *sh // without what is met: comparing each value with all would take time in the square of their number
	besides.Schemas = make([]*schema.Keywords, len(sh.Schemas))
	for i, k := range sh.Schemas {
		own := *k
		own.Enum, own.Const = nil, nil
		if k.UnevaluatedProperties == nil && k.UnevaluatedItems == nil { // which ask what the others evaluated
			own.Ref, own.AllOf = nil, nil
		}
		besides.Schemas[i] = &own
	}
	values := slices.DeleteFunc(slices.Clone(sh.Values), func(v any) bool {
		return schema.TypeOf(v)&sh.Types == 0 || !besides.admits(v)
	})
	if slices.ContainsFunc(values, isNull) {
		values = append(slices.DeleteFunc(values, isNull), nil)
	}
	if len(values) > 0 || !sh.Relaxed {
		sh.Values = values
	}
	if len(sh.Values) == 0 {
		sh.fail("no value of its enum or const conforms to the rest of the schema")
	}
}

func (sh *shape) admits(v any) bool {
	breaks := func(k *schema.Keywords) bool { return !schema.Conforms(k, v) }
	return !sh.rejects(v) && !slices.ContainsFunc(sh.Schemas, breaks)
}

func (sh *shape) rejects(v any) bool {
	return slices.ContainsFunc(sh.failed, func(k *schema.Keywords) bool { return schema.Conforms(k, v) })
}

// kindOrder returns the types, best first, each as the set that one shape generates.
func (sh *shape) kindOrder() []schema.Type {
	var order []schema.Type
	best := []schema.Type{schema.Object, schema.Array, schema.String, schema.Number, schema.Boolean, schema.Null}
	add := func(mask schema.Type) {
		for _, one := range best {
			if ks := one & mask & sh.Types; ks != 0 && !slices.Contains(order, ks) {
				order = append(order, ks)
			}
		}
	}
	if sh.WritesNumbers() {
		add(schema.Number)
	}
	add(sh.Asserted)
	if sh.Types == schema.AnyType {
		add(schema.String)
	}
	add(schema.AnyType &^ schema.Null)
	add(schema.Null)
	return order
}

// isCertain reports whether whatever is generated conforms: no keyword relates a
// value to other parts of it or to schemas that must not hold.
func (sh *shape) isCertain() bool {
	return len(sh.failed) == 0 && !slices.ContainsFunc(sh.Schemas, func(k *schema.Keywords) bool {
		return mayMatchSeveral(sh.Types, k.OneOf) || k.If != nil || k.Contains != nil || k.DynamicRef != nil ||
			k.UnevaluatedItems != nil || k.UnevaluatedProperties != nil || len(k.Extensions) > 0 ||
			k.ContentEncoding != nil || k.ContentMediaType != nil || k.DependentRequired != nil || k.DependentSchemas != nil
	})
}

// mayMatchSeveral reports whether a value of some kinds may match several alternatives. Without it, and without values
// that requests fill being certain too, a creation of 20 kB takes a sixth more time (BenchmarkLargeAnswer).
func mayMatchSeveral(of schema.Type, alternatives []*schema.Keywords) bool {
	matches := func(k *schema.Keywords) bool { return schema.OwnTypes(schema.Resolve(k))&of != 0 }
	first := slices.IndexFunc(alternatives, matches)
	return first >= 0 && slices.ContainsFunc(alternatives[first+1:], matches)
}

func (sh *shape) finish(g *Generator) {
	sh.unsure = sh.unsure || !sh.isCertain()
	switch {
	case sh.Types&schema.Number != 0:
		sh.number.finish(g, sh)
	case sh.Types&schema.String != 0:
		sh.finishText(g)
	case sh.Types&schema.Array != 0:
		sh.finishArray(g)
	case sh.Types&schema.Object != 0:
		sh.finishObject(g)
	}
	if !g.options.Examples || sh.reason != "" {
		return
	}
	for _, k := range sh.Schemas {
		for _, v := range ExamplesOf(g.schema, k) {
			if sh.Types&(schema.Array|schema.Object) != 0 { // one example serves both directions
				v = schema.MaskOf(g.schema.ShapeOf(k), g.hidesMember).Value(v)
			}
			if v == "" && !hasExample(g.schema.Node(k)) {
				continue // a default that says nothing
			}
			if schema.TypeOf(v)&sh.Types != 0 && !contains(sh.samples, v) && sh.admits(v) {
				sh.samples = append(sh.samples, v)
			}
		}
	}
}

// saysNull reports whether null is among the types of a shape, and is the first of its own examples or the default.
func (sh *shape) saysNull(g *Generator) bool {
	if !g.options.Examples || !sh.Types.Has(schema.Null) || sh.reason != "" {
		return false
	}
	for _, k := range sh.Schemas {
		if values := ExamplesOf(g.schema, k); len(values) > 0 {
			return values[0] == nil && sh.admits(nil)
		}
	}
	return false
}

func hasExample(n *tree.Node) bool { return n.Get("example") != nil || n.Get("examples") != nil }

// exampleNodes returns the example and the examples that a schema has itself.
func exampleNodes(raw *tree.Node) []*tree.Node {
	var nodes []*tree.Node
	if n := raw.Get("example"); n != nil {
		nodes = append(nodes, n)
	}
	if n := raw.Get("examples"); n != nil && n.Kind == tree.Array {
		nodes = append(nodes, n.List()...)
	}
	return nodes
}

// WrittenExamples returns the example and the examples that a schema has itself, by their places in the document, and
// without the properties that its direction hides: one example serves both directions.
func WrittenExamples(s *spec.Schema, k *schema.Keywords) iter.Seq2[*tree.Node, any] {
	return func(yield func(*tree.Node, any) bool) {
		types := schema.AllowedTypes(k)
		for _, n := range exampleNodes(s.Node(k)) {
			mask := schema.MaskOf(s.ShapeOf(k), func(m *schema.Member) bool { return hides(s, m) })
			if !yield(n, mask.Value(spec.ExampleValue(n, types))) {
				return
			}
		}
	}
}

// ExamplesOf returns the example, the examples and the default that a schema has itself.
func ExamplesOf(s *spec.Schema, k *schema.Keywords) []any {
	raw := s.Node(k)
	nodes := exampleNodes(raw)
	if n := raw.Get("default"); n != nil {
		nodes = append(nodes, n)
	}
	var values []any
	types := schema.AllowedTypes(k)
	for _, n := range nodes {
		values = append(values, spec.ExampleValue(n, types))
	}
	return values
}

// fits reports whether the shape itself allows a value that nests at most d deep; a choice may need more.
func (sh *shape) fits(g *Generator, d int) bool {
	switch {
	case sh.reason != "":
		return false
	case sh.Listed || sh.Types&^(schema.Array|schema.Object) != 0:
		return true
	case d < 1:
		return false
	}
	isTooDeep := func(part *node) bool { return !g.fits(part, d-1) }
	return !slices.ContainsFunc(sh.parts(g), isTooDeep) && (sh.Types != schema.Object || sh.object.canFill(g, sh, d))
}

// parts returns the places inside the smallest value of the shape.
func (sh *shape) parts(g *Generator) []*node {
	switch {
	case sh.Listed:
		return nil
	case sh.Types == schema.Array:
		return sh.array.smallest()
	case sh.Types == schema.Object:
		return sh.object.smallest(g, sh)
	}
	return nil
}
