package cases

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// jsonTypes is a set of JSON types, of which numbers are two.
type jsonTypes uint8

const (
	isNull jsonTypes = 1 << iota
	isBoolean
	isInteger
	isFraction
	isText
	isArray
	isObject
	isAny = isNull | isBoolean | isInteger | isFraction | isText | isArray | isObject
)

var typesByName = map[string]jsonTypes{
	"null": isNull, "boolean": isBoolean, "integer": isInteger, "number": isInteger | isFraction,
	"string": isText, "array": isArray, "object": isObject,
}

func typeOf(value any) jsonTypes {
	switch v := value.(type) {
	case nil:
		return isNull
	case bool:
		return isBoolean
	case json.Number:
		if r, ok := new(big.Rat).SetString(boundedNumber(v)); ok && !r.IsInt() {
			return isFraction
		}
		return isInteger
	case string:
		return isText
	case []any:
		return isArray
	}
	return isObject
}

// boundedNumber keeps numbers of huge exponents from being written out.
func boundedNumber(n json.Number) string {
	if _, exponent, ok := strings.Cut(strings.ToLower(string(n)), "e"); ok && len(exponent) > 4 {
		return "0"
	}
	return string(n)
}

// constraints is what all schemas of one place say together.
type constraints struct {
	schemas   []*spec.Keywords // those that hold, through references, allOf and the branches that the value takes
	jsonTypes jsonTypes

	low, high         *big.Rat // nil for none
	openLow, openHigh bool     // the bound itself is excluded
	steps             []*big.Rat

	minLength, maxLength int // -1 for none
	patterns             []spec.Regexp
	format               string

	values []any // of enum or const; nil for any

	minItems, maxItems int // -1 for none
	unique             bool
	prefix             int // elements with schemas of their own

	required      []string
	minProperties int // -1 for none
	maxProperties int
	names         []*spec.Keywords
	dependents    map[string][]string
	choices       []choice
	nots          []*spec.Keywords
	untyped       bool // no schema says of what type the value is
}

// choice is an anyOf or a oneOf.
type choice struct {
	owner    *spec.Keywords
	one      bool
	branches []*spec.Keywords
}

// constraintsOf merges what schemas say of a place where value stands.
func constraintsOf(schemas []*spec.Keywords, value any) *constraints {
	f := &constraints{
		jsonTypes: isAny, untyped: true,
		minLength: -1, maxLength: -1, minItems: -1, maxItems: -1, minProperties: -1, maxProperties: -1,
	}
	for _, root := range schemas {
		for k := range schema.Matching(root, value) {
			if k.Bool == nil && !slices.Contains(f.schemas, k) {
				f.schemas = append(f.schemas, k)
				f.merge(k)
			}
		}
	}
	if f.jsonTypes == isAny && f.untyped {
		f.jsonTypes = typeOf(value)
		if f.jsonTypes == isInteger {
			f.jsonTypes |= isFraction
		}
	}
	return f
}

func (f *constraints) merge(k *spec.Keywords) {
	if k.Types != nil && !k.Types.IsEmpty() {
		var allowed jsonTypes
		for _, name := range k.Types.ToStrings() {
			allowed |= typesByName[name]
		}
		f.jsonTypes &= allowed
		f.untyped = false
	}
	for i, branches := range [...][]*spec.Keywords{k.AnyOf, k.OneOf} {
		if len(branches) > 0 {
			f.choices = append(f.choices, choice{k, i == 1, branches})
		}
	}
	f.mergeNumber(k)
	f.minLength, f.maxLength = atLeast(f.minLength, k.MinLength), atMost(f.maxLength, k.MaxLength)
	f.minItems, f.maxItems = atLeast(f.minItems, k.MinItems), atMost(f.maxItems, k.MaxItems)
	f.minProperties, f.maxProperties = atLeast(f.minProperties, k.MinProperties), atMost(f.maxProperties, k.MaxProperties)
	if k.Pattern != nil {
		f.patterns = append(f.patterns, k.Pattern)
	}
	if k.Format != nil && f.format == "" {
		f.format = k.Format.Name
	}
	switch {
	case k.Const != nil:
		f.values = []any{*k.Const}
	case k.Enum != nil && f.values == nil:
		f.values = k.Enum.Values
	}
	f.unique = f.unique || k.UniqueItems
	f.prefix = max(f.prefix, len(k.PrefixItems))
	for _, name := range k.Required {
		if !slices.Contains(f.required, name) {
			f.required = append(f.required, name)
		}
	}
	if k.PropertyNames != nil {
		f.names = append(f.names, k.PropertyNames)
	}
	for name, needs := range k.DependentRequired {
		if f.dependents == nil {
			f.dependents = map[string][]string{}
		}
		f.dependents[name] = append(f.dependents[name], needs...)
	}
	if k.Not != nil {
		f.nots = append(f.nots, k.Not)
	}
}

func (f *constraints) mergeNumber(k *spec.Keywords) {
	low := func(bound *big.Rat, open bool) {
		if bound != nil && (f.low == nil || bound.Cmp(f.low) > 0 || open && bound.Cmp(f.low) == 0) {
			f.low, f.openLow = bound, open
		}
	}
	high := func(bound *big.Rat, open bool) {
		if bound != nil && (f.high == nil || bound.Cmp(f.high) < 0 || open && bound.Cmp(f.high) == 0) {
			f.high, f.openHigh = bound, open
		}
	}
	low(k.Minimum, false)
	low(k.ExclusiveMinimum, true)
	high(k.Maximum, false)
	high(k.ExclusiveMaximum, true)
	if k.MultipleOf != nil {
		f.steps = append(f.steps, k.MultipleOf)
	}
}

func atLeast(known int, said *int) int {
	if said == nil {
		return known
	}
	return max(known, *said)
}

func atMost(known int, said *int) int {
	if said == nil || known >= 0 && known < *said {
		return known
	}
	return *said
}

// property gives the schemas of a property.
func (f *constraints) property(name string) []*spec.Keywords {
	var all []*spec.Keywords
	for _, k := range f.schemas {
		declaredNames := false
		if property, ok := k.Properties[name]; ok {
			all, declaredNames = append(all, property), true
		}
		var matching []*spec.Keywords
		for pattern, property := range k.PatternProperties {
			if pattern.MatchString(name) {
				matching = append(matching, property)
			}
		}
		slices.SortFunc(matching, func(a, b *spec.Keywords) int { return strings.Compare(a.Location, b.Location) })
		all, declaredNames = append(all, matching...), declaredNames || len(matching) > 0
		if rest, ok := k.AdditionalProperties.(*spec.Keywords); ok && !declaredNames {
			all = append(all, rest)
		}
		if k.UnevaluatedProperties != nil && !declaredNames {
			all = append(all, k.UnevaluatedProperties)
		}
	}
	return all
}

// item gives the schemas of an element.
func (f *constraints) item(i int) []*spec.Keywords {
	var all []*spec.Keywords
	for _, k := range f.schemas {
		switch {
		case i < len(k.PrefixItems):
			all = append(all, k.PrefixItems[i])
		case k.Items2020 != nil:
			all = append(all, k.Items2020)
		case k.UnevaluatedItems != nil:
			all = append(all, k.UnevaluatedItems)
		}
	}
	return all
}

// declaredNames gives the names of all properties that the schemas name, in no order.
func (f *constraints) declaredNames() map[string]bool {
	names := map[string]bool{}
	for _, k := range f.schemas {
		for name := range k.Properties {
			names[name] = true
		}
	}
	return names
}

// isMap reports whether an object has no names but those that requests choose.
func (f *constraints) isMap() bool {
	open := false
	for _, k := range f.schemas {
		if len(k.Properties) > 0 || len(k.PatternProperties) > 0 || k.PropertyNames != nil {
			return false
		}
		a, ok := k.AdditionalProperties.(*spec.Keywords)
		open = open || ok && a.Bool == nil
	}
	return open
}

// closed reports whether some property names are not allowed.
func (f *constraints) closed() bool {
	for _, k := range f.schemas {
		if forbids(k.AdditionalProperties) || k.UnevaluatedProperties != nil && forbids(k.UnevaluatedProperties) {
			return true
		}
	}
	return false
}

func forbids(additional any) bool {
	switch a := additional.(type) {
	case bool:
		return !a
	case *spec.Keywords:
		return a.Bool != nil && !*a.Bool
	}
	return false
}
