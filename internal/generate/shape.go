package generate

import (
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// shape is what all constraints of a place mean together, for each kind of value.
type shape struct {
	kinds   kinds
	typed   kinds              // the kinds that keywords speak of
	reason  string             // why there is no value; "" while there may be one
	schemas []*schema.Keywords // that the value must conform to, references and allOf followed
	failed  []*schema.Keywords // that the value must not conform to
	chosen  map[choiceID]int
	relaxed bool // as Generator.relaxed: the shape always has a value
	unsure  bool // a generated value may not conform: the whole is to be validated

	listed  bool  // by const or enum: no values but these
	values  []any // that conform, null last
	samples []any // the document's own examples that conform

	number numberShape
	text   textShape

	minItems, maxItems int
	unique             bool
	reserved           map[int][]*schema.Keywords // what single elements must conform to besides
	containsMax        []containsMax

	minProps, maxProps int
	required           []string // sorted
	forbidden          map[string]bool
	preferred          map[string]string  // the values of discriminators
	names              []*schema.Keywords // propertyNames

	array  arrayPlan
	object objectPlan
	index  propertyIndex
}

type containsMax struct {
	schema *schema.Keywords
	n      int
}

// maxLength bounds strings in characters, arrays in elements and objects in
// properties: a schema that asks for more has no value.
const maxLength = 100_000

func newShape() *shape {
	return &shape{kinds: anyKind, maxItems: never, maxProps: never, text: textShape{max: never}}
}

// put makes the map when it gets its first entry: most shapes need none.
func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

// fail says that there is no value. The first reason counts.
func (sh *shape) fail(reason string) {
	if sh.reason == "" && !sh.relaxed {
		sh.reason = reason
	}
}

func (sh *shape) limit(ks kinds) {
	if ks &= sh.kinds; ks != 0 || !sh.relaxed {
		sh.kinds = ks
	}
}

func (sh *shape) require(names ...string) {
	if len(names) > manyNames {
		sh.required = append(sh.required, names...)
		slices.Sort(sh.required)
		sh.required = slices.Compact(sh.required)
		return
	}
	for _, name := range names {
		if i, ok := slices.BinarySearch(sh.required, name); !ok {
			sh.required = slices.Insert(sh.required, i, name)
		}
	}
}

// manyNames is from how many on things are looked up rather than compared one by one.
const manyNames = 32

func (sh *shape) requires(name string) bool {
	_, ok := slices.BinarySearch(sh.required, name)
	return ok
}

// merge adds k's own keywords, without those that lead to other schemas of the same place.
func (sh *shape) merge(g *Generator, k *schema.Keywords) {
	sh.limit(typesOf(k))
	if k.Const != nil {
		sh.list([]any{*k.Const})
	}
	if k.Enum != nil {
		sh.list(k.Enum.Values)
	}
	if sh.number.merge(k) {
		sh.typed |= numbers
	}
	if sh.text.merge(g, k) {
		sh.typed |= text
	}
	raise(&sh.minItems, k.MinItems)
	lower(&sh.maxItems, k.MaxItems)
	sh.unique = sh.unique || k.UniqueItems
	if schema.AssertsArray(k) {
		sh.typed |= array
	}
	raise(&sh.minProps, k.MinProperties)
	lower(&sh.maxProps, k.MaxProperties)
	sh.require(k.Required...)
	if k.PropertyNames != nil {
		sh.names = append(sh.names, k.PropertyNames)
	}
	if schema.AssertsObject(k) {
		sh.typed |= object
	}
}

func raise(least, bound *int) {
	if bound != nil {
		*least = max(*least, *bound)
	}
}

func lower(most, bound *int) {
	if bound != nil {
		*most = min(*most, *bound)
	}
}

func (sh *shape) list(values []any) {
	if sh.listed {
		known := jsonvalue.NewSet(values)
		values = slices.DeleteFunc(slices.Clone(sh.values), func(v any) bool { return !known.Has(v) })
	}
	if len(values) > 0 || !sh.relaxed {
		sh.listed, sh.values = true, values
	}
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
	case sh.kinds == 0:
		sh.fail("its types exclude each other")
		return
	case sh.listed:
		sh.settleValues()
		return
	case sh.relaxed:
		sh.uncross()
	}
	contradicted := slices.IndexFunc(sh.required, func(name string) bool { return sh.forbidden[name] })
	contradiction := ""
	if contradicted >= 0 {
		contradiction = "property " + strconv.Quote(sh.required[contradicted]) + " is both required and not allowed"
	}
	for _, rule := range []struct {
		kinds  kinds
		breaks bool
		reason string
	}{
		{numbers, sh.kinds&numbers != 0 && !sh.number.settle(sh.kinds), "no number lies between its bounds"},
		{text, sh.text.min > min(sh.text.max, maxLength), "minLength is above maxLength"},
		{array, sh.minItems > min(sh.maxItems, maxLength), "minItems is above maxItems"},
		{object, sh.minProps > min(sh.maxProps, maxLength) || len(sh.required) > sh.maxProps,
			"more properties are needed than maxProperties allows"},
		{object, contradicted >= 0, contradiction},
		{boolean, sh.rejects(true) && sh.rejects(false), "neither true nor false is allowed"},
		{null, sh.rejects(nil), "null is not allowed"},
	} {
		if rule.breaks {
			sh.limit(anyKind &^ rule.kinds)
		}
		if sh.kinds == 0 {
			sh.fail(rule.reason)
		}
	}
}

// uncross drops bounds that no value keeps.
func (sh *shape) uncross() {
	if sh.text.min > min(sh.text.max, maxLength) {
		sh.text.min = 0
	}
	sh.minItems = min(sh.minItems, sh.maxItems, usualLength)
	sh.minProps = min(sh.minProps, sh.maxProps, usualLength)
	sh.maxProps, sh.forbidden = max(sh.maxProps, len(sh.required)), nil
}

func (sh *shape) settleValues() {
	isNull := func(v any) bool { return v == nil }
	besides := *sh // without what is met: comparing each value with all would take time in the square of their number
	besides.schemas = make([]*schema.Keywords, len(sh.schemas))
	for i, k := range sh.schemas {
		own := *k
		own.Enum, own.Const = nil, nil
		if k.UnevaluatedProperties == nil && k.UnevaluatedItems == nil { // which ask what the others evaluated
			own.Ref, own.AllOf = nil, nil
		}
		besides.schemas[i] = &own
	}
	values := slices.DeleteFunc(slices.Clone(sh.values), func(v any) bool {
		return kindOf(v)&sh.kinds == 0 || !besides.admits(v)
	})
	if slices.ContainsFunc(values, isNull) {
		values = append(slices.DeleteFunc(values, isNull), nil)
	}
	if len(values) > 0 || !sh.relaxed {
		sh.values = values
	}
	if len(sh.values) == 0 {
		sh.fail("no value of its enum or const conforms to the rest of the schema")
	}
}

func (sh *shape) admits(v any) bool {
	breaks := func(k *schema.Keywords) bool { return !schema.Conforms(k, v) }
	return !sh.rejects(v) && !slices.ContainsFunc(sh.schemas, breaks)
}

func (sh *shape) rejects(v any) bool {
	return slices.ContainsFunc(sh.failed, func(k *schema.Keywords) bool { return schema.Conforms(k, v) })
}

// kindOrder returns the kinds, best first, each as the set that one shape generates.
func (sh *shape) kindOrder() []kinds {
	var order []kinds
	add := func(mask kinds) {
		for _, one := range []kinds{object, array, text, numbers, boolean, null} {
			if ks := one & mask & sh.kinds; ks != 0 && !slices.Contains(order, ks) {
				order = append(order, ks)
			}
		}
	}
	add(sh.typed)
	if sh.kinds == anyKind {
		add(text)
	}
	add(anyKind &^ null)
	add(null)
	return order
}

// isCertain reports whether whatever is generated conforms: no keyword relates a
// value to other parts of it or to schemas that must not hold.
func (sh *shape) isCertain() bool {
	return len(sh.failed) == 0 && !slices.ContainsFunc(sh.schemas, func(k *schema.Keywords) bool {
		return mayMatchSeveral(sh.kinds, k.OneOf) || k.If != nil || k.Contains != nil || k.DynamicRef != nil ||
			k.UnevaluatedItems != nil || k.UnevaluatedProperties != nil || len(k.Extensions) > 0 ||
			k.ContentEncoding != nil || k.ContentMediaType != nil || k.DependentRequired != nil || k.DependentSchemas != nil
	})
}

// mayMatchSeveral reports whether a value of some kinds may match several alternatives. Without it, and without values
// that requests fill being certain too, a creation of 20 kB takes a sixth more time (BenchmarkLargeAnswer).
func mayMatchSeveral(of kinds, alternatives []*schema.Keywords) bool {
	matches := func(k *schema.Keywords) bool { return typesOf(schema.Resolve(k))&of != 0 }
	first := slices.IndexFunc(alternatives, matches)
	return first >= 0 && slices.ContainsFunc(alternatives[first+1:], matches)
}

func (sh *shape) finish(g *Generator) {
	sh.unsure = sh.unsure || !sh.isCertain()
	switch {
	case sh.kinds&numbers != 0:
		sh.number.finish(g, sh)
	case sh.kinds&text != 0:
		sh.finishText(g)
	case sh.kinds&array != 0:
		sh.finishArray(g)
	case sh.kinds&object != 0:
		sh.finishObject(g)
	}
	if !g.options.Examples || sh.reason != "" {
		return
	}
	for _, k := range sh.schemas {
		for _, v := range ExamplesOf(g.schema, k) {
			if sh.kinds&(array|object) != 0 { // one example serves both directions
				v = schema.MaskOf(g.schema.ShapeOf(k), g.hidesMember).Value(v)
			}
			if v == "" && !hasExample(g.schema.Node(k)) {
				continue // a default that says nothing
			}
			if kindOf(v)&sh.kinds != 0 && !contains(sh.samples, v) && sh.admits(v) {
				sh.samples = append(sh.samples, v)
			}
		}
	}
}

func hasExample(n *tree.Node) bool { return n.Get("example") != nil || n.Get("examples") != nil }

// ExamplesOf returns the example, the examples and the default that a schema has itself.
func ExamplesOf(s *spec.Schema, k *schema.Keywords) []any {
	raw := s.Node(k)
	nodes := []*tree.Node{raw.Get("example")}
	if n := raw.Get("examples"); n != nil && n.Kind == tree.Array {
		nodes = append(nodes, n.List()...)
	}
	var values []any
	for _, n := range append(nodes, raw.Get("default")) {
		if n != nil {
			values = append(values, n.Value())
		}
	}
	return values
}

// fits reports whether a value of the shape nests d deep at most, as far as the
// shape itself says; a choice may ask for more.
func (sh *shape) fits(g *Generator, d int) bool {
	switch {
	case sh.reason != "":
		return false
	case sh.listed || sh.kinds&^(array|object) != 0:
		return true
	case d < 1:
		return false
	}
	isTooDeep := func(part *node) bool { return !g.fits(part, d-1) }
	return !slices.ContainsFunc(sh.parts(g), isTooDeep) && (sh.kinds != object || sh.object.canFill(g, sh, d))
}

// parts returns the places inside the smallest value of the shape.
func (sh *shape) parts(g *Generator) []*node {
	switch {
	case sh.listed:
		return nil
	case sh.kinds == array:
		return sh.array.smallest()
	case sh.kinds == object:
		return sh.object.smallest(g, sh)
	}
	return nil
}
