package generate

import (
	"slices"

	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// shape is what all literals of a place say together, for each kind of value.
type shape struct {
	kinds  kinds
	typed  kinds            // the kinds that keywords speak of
	reason string           // why nothing can be made; "" while something can
	flat   []*spec.Keywords // every schema that holds, references and allOf followed
	failed []*spec.Keywords // every schema that must not hold
	chosen map[choiceID]int
	unsure bool // a value of the shape may not conform, for all that was done

	listed   bool  // by const or enum: values are all there is
	values   []any // that conform, null last
	excluded []any // by the negation of const and enum
	samples  []any // the document's own examples that conform

	number numberShape
	text   textShape

	minItems, maxItems int
	unique, repeats    bool
	items              map[int][]lit // what single elements must do besides
	everyItem          []lit
	atMost             []limit

	minProps, maxProps int
	needed             []string // sorted
	forbidden          map[string]bool
	properties         map[string][]lit // what single properties must do besides
	odd                []lit            // extraFails, matchFails, nameFails
	preferred          map[string]string
	names              []*spec.Keywords // propertyNames

	array  arrayPlan
	object objectPlan
}

// limit is how many elements at most may be valid by k.
type limit struct {
	k *spec.Keywords
	n int
}

// maxLength bounds strings in characters and arrays in elements, properties
// likewise: a schema that asks for more has no value.
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

func (sh *shape) impossible(reason string) {
	if sh.reason == "" {
		sh.reason = reason
	}
}

func (sh *shape) need(name string) {
	if i, ok := slices.BinarySearch(sh.needed, name); !ok {
		sh.needed = slices.Insert(sh.needed, i, name)
	}
}

func (sh *shape) exclude(k *spec.Keywords) {
	if k.Const != nil {
		sh.excluded = append(sh.excluded, *k.Const)
		return
	}
	if k.Enum != nil {
		sh.excluded = append(sh.excluded, k.Enum.Values...)
	}
}

// merge adds k's own keywords, without those that lead to other schemas of the
// same place.
func (sh *shape) merge(g *Generator, k *spec.Keywords) {
	if k.Types != nil && !k.Types.IsEmpty() {
		sh.kinds &= kindsOfTypes(k.Types.ToStrings())
	}
	if k.Const != nil {
		sh.list([]any{*k.Const})
	}
	if k.Enum != nil {
		sh.list(k.Enum.Values)
	}
	if k.DraftVersion < 2019 && k.Ref != nil {
		return
	}
	if sh.number.merge(k) {
		sh.typed |= numbers
	}
	if sh.text.merge(g, k) {
		sh.typed |= text
	}
	if k.MinItems != nil {
		sh.minItems = max(sh.minItems, *k.MinItems)
	}
	if k.MaxItems != nil {
		sh.maxItems = min(sh.maxItems, *k.MaxItems)
	}
	sh.unique = sh.unique || k.UniqueItems
	if k.MinItems != nil || k.MaxItems != nil || k.UniqueItems || k.Items2020 != nil || k.Items != nil ||
		len(k.PrefixItems) > 0 || k.Contains != nil || k.UnevaluatedItems != nil {
		sh.typed |= array
	}
	if k.MinProperties != nil {
		sh.minProps = max(sh.minProps, *k.MinProperties)
	}
	if k.MaxProperties != nil {
		sh.maxProps = min(sh.maxProps, *k.MaxProperties)
	}
	for _, name := range k.Required {
		sh.need(name)
	}
	if k.PropertyNames != nil {
		sh.names = append(sh.names, k.PropertyNames)
	}
	if len(k.Properties) > 0 || len(k.Required) > 0 || len(k.PatternProperties) > 0 || k.AdditionalProperties != nil ||
		k.MinProperties != nil || k.MaxProperties != nil || k.PropertyNames != nil || len(k.DependentSchemas) > 0 ||
		k.UnevaluatedProperties != nil {
		sh.typed |= object
	}
}

// list keeps the values that const or enum leave.
func (sh *shape) list(values []any) {
	if !sh.listed {
		sh.listed, sh.values = true, values
		return
	}
	kept := make([]any, 0, len(sh.values))
	for _, v := range sh.values {
		if contains(values, v) {
			kept = append(kept, v)
		}
	}
	sh.values = kept
}

// settle checks the shape once all literals are in: values that are listed are
// tried, bounds that cross are found.
func (sh *shape) settle(g *Generator, e *expander) {
	switch {
	case sh.reason != "":
		return
	case sh.kinds == 0:
		sh.impossible("its types exclude each other")
		return
	case sh.listed:
		sh.settleValues(g)
		return
	}
	if sh.kinds&numbers != 0 && !sh.number.settle(sh.kinds) {
		sh.without(numbers, "no number lies between its bounds")
	}
	if sh.text.min > min(sh.text.max, maxLength) {
		sh.without(text, "minLength is above maxLength")
	}
	if sh.minItems > min(sh.maxItems, maxLength) {
		sh.without(array, "minItems is above maxItems")
	}
	if sh.minProps > min(sh.maxProps, maxLength) || len(sh.needed) > sh.maxProps {
		sh.without(object, "more properties are needed than maxProperties allows")
	}
	for _, name := range sh.needed {
		if sh.forbidden[name] {
			sh.without(object, "property \""+name+"\" is both required and not allowed")
			break
		}
	}
	if boolean&sh.kinds != 0 && contains(sh.excluded, true) && contains(sh.excluded, false) {
		sh.without(boolean, "neither true nor false is allowed")
	}
	if null&sh.kinds != 0 && contains(sh.excluded, nil) {
		sh.without(null, "null is not allowed")
	}
}

func (sh *shape) without(ks kinds, reason string) {
	sh.kinds &^= ks
	if sh.kinds == 0 {
		sh.impossible(reason)
	}
}

func (sh *shape) settleValues(g *Generator) {
	var nulls []any
	values := sh.values
	sh.values = nil
	for _, v := range values {
		switch {
		case kindOf(v)&sh.kinds == 0 || contains(sh.excluded, v) || !sh.admits(v):
		case v == nil:
			nulls = append(nulls, v)
		default:
			sh.values = append(sh.values, v)
		}
	}
	if sh.values = append(sh.values, nulls...); len(sh.values) == 0 {
		sh.impossible("no value of its enum or const conforms to the rest of the schema")
	}
}

// admits reports whether the value conforms to every schema of the place.
func (sh *shape) admits(v any) bool {
	for _, k := range sh.flat {
		if k.Validate(v) != nil {
			return false
		}
	}
	for _, k := range sh.failed {
		if k.Validate(v) == nil {
			return false
		}
	}
	return true
}

// kindOrder gives the kinds, best first, each as the set that one shape makes.
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

// certain reports whether whatever is made conforms: nothing is said that a
// value's other places, or schemas that must not hold, have a part in.
func (sh *shape) certain() bool {
	if len(sh.failed) > 0 || len(sh.odd) > 0 || len(sh.atMost) > 0 || len(sh.items) > 0 || len(sh.everyItem) > 0 || sh.repeats {
		return false
	}
	for _, k := range sh.flat {
		if k.Not != nil || len(k.OneOf) > 0 || k.If != nil || k.Contains != nil || k.DynamicRef != nil || k.RecursiveRef != nil ||
			k.UnevaluatedItems != nil || k.UnevaluatedProperties != nil || k.DraftVersion < 2020 || len(k.Extensions) > 0 ||
			k.ContentEncoding != nil || k.ContentMediaType != nil ||
			k.DependentRequired != nil || k.DependentSchemas != nil || k.Dependencies != nil {
			return false
		}
	}
	return true
}

// finish prepares a shape that no choice is left for.
func (sh *shape) finish(g *Generator) {
	sh.unsure = !sh.certain()
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
	if g.options.Examples && sh.reason == "" {
		sh.finishSamples(g)
	}
}

// finishSamples keeps the document's examples that conform.
func (sh *shape) finishSamples(g *Generator) {
	for _, k := range sh.flat {
		raw := g.schema.Node(k)
		var candidates []any
		if n := raw.Get("example"); n != nil {
			candidates = append(candidates, n.Value())
		}
		if n := raw.Get("examples"); n != nil && n.Kind == tree.Array {
			for _, example := range n.Items {
				candidates = append(candidates, example.Value())
			}
		}
		if n := raw.Get("default"); n != nil {
			candidates = append(candidates, n.Value())
		}
		for _, v := range candidates {
			if kindOf(v)&sh.kinds != 0 && !contains(sh.samples, v) && sh.admits(v) {
				sh.samples = append(sh.samples, v)
			}
		}
	}
}

// fits reports whether a value of the shape nests d deep at most, as far as the
// shape itself says; a choice may ask for more.
func (sh *shape) fits(g *Generator, d int) bool {
	if sh.reason != "" {
		return false
	}
	if sh.listed || sh.kinds&^(array|object) != 0 {
		return true
	}
	if d < 1 {
		return false
	}
	if sh.kinds != array && sh.kinds != object {
		return true
	}
	for _, part := range sh.parts(g, sh) {
		if !g.within(part, d-1) {
			return false
		}
	}
	return sh.kinds != object || sh.object.enough(g, sh, d)
}

// parts gives the places inside the smallest value of the shape.
func (sh *shape) parts(g *Generator, _ *shape) []*node {
	switch {
	case sh.listed:
		return nil
	case sh.kinds == array:
		return sh.array.least(g, sh)
	case sh.kinds == object:
		return sh.object.least(g, sh)
	}
	return nil
}
