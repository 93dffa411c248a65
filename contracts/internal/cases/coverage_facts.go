package cases

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// kinds is a set of JSON types, of which numbers are two.
type kinds uint8

const (
	isNull kinds = 1 << iota
	isBoolean
	isInteger
	isFraction
	isText
	isArray
	isObject
	isAny = isNull | isBoolean | isInteger | isFraction | isText | isArray | isObject
)

var kindsByName = map[string]kinds{
	"null": isNull, "boolean": isBoolean, "integer": isInteger, "number": isInteger | isFraction,
	"string": isText, "array": isArray, "object": isObject,
}

func kindOf(value any) kinds {
	switch v := value.(type) {
	case nil:
		return isNull
	case bool:
		return isBoolean
	case json.Number:
		if r, ok := new(big.Rat).SetString(plainNumber(v)); ok && !r.IsInt() {
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

// plainNumber keeps numbers of huge exponents from being written out.
func plainNumber(n json.Number) string {
	if _, exponent, ok := strings.Cut(strings.ToLower(string(n)), "e"); ok && len(exponent) > 4 {
		return "0"
	}
	return string(n)
}

// facts is what all schemas of one place say together.
type facts struct {
	schemas []*spec.Keywords // those that hold, through references, allOf and the branches that the value takes
	kinds   kinds

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
	openKinds     bool // no schema says of what type the value is
}

// choice is an anyOf or a oneOf.
type choice struct {
	owner    *spec.Keywords
	one      bool
	branches []*spec.Keywords
}

// factsOf merges what schemas say of a place where value stands.
func factsOf(schemas []*spec.Keywords, value any) *facts {
	f := &facts{kinds: isAny, openKinds: true, minLength: -1, maxLength: -1, minItems: -1, maxItems: -1, minProperties: -1, maxProperties: -1}
	for _, k := range schemas {
		f.collect(k, value)
	}
	for _, k := range f.schemas {
		f.merge(k)
	}
	if f.kinds == isAny && f.openKinds {
		f.kinds = kindOf(value)
		if f.kinds == isInteger {
			f.kinds |= isFraction
		}
	}
	return f
}

// collect adds a schema and those that it puts on the same value.
func (f *facts) collect(k *spec.Keywords, value any) {
	if k == nil || k.Bool != nil || slices.Contains(f.schemas, k) {
		return
	}
	f.schemas = append(f.schemas, k)
	f.collect(k.Ref, value)
	if k.DynamicRef != nil {
		f.collect(k.DynamicRef.Ref, value)
	}
	for _, part := range k.AllOf {
		f.collect(part, value)
	}
	for i, branches := range [...][]*spec.Keywords{k.AnyOf, k.OneOf} {
		if len(branches) == 0 {
			continue
		}
		f.choices = append(f.choices, choice{k, i == 1, branches})
		for _, branch := range branches {
			if spec.Conforms(branch, value) {
				f.collect(branch, value)
			}
		}
	}
	if k.If != nil {
		if spec.Conforms(k.If, value) {
			f.collect(k.Then, value)
		} else {
			f.collect(k.Else, value)
		}
	}
	if object, ok := value.(map[string]any); ok {
		for _, name := range slices.Sorted(maps.Keys(k.DependentSchemas)) {
			if _, ok := object[name]; ok {
				f.collect(k.DependentSchemas[name], value)
			}
		}
	}
}

func (f *facts) merge(k *spec.Keywords) {
	if k.Types != nil && !k.Types.IsEmpty() {
		var allowed kinds
		for _, name := range k.Types.ToStrings() {
			allowed |= kindsByName[name]
		}
		f.kinds &= allowed
		f.openKinds = false
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

func (f *facts) mergeNumber(k *spec.Keywords) {
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
func (f *facts) property(name string) []*spec.Keywords {
	var all []*spec.Keywords
	for _, k := range f.schemas {
		listed := false
		if property, ok := k.Properties[name]; ok {
			all, listed = append(all, property), true
		}
		var matching []*spec.Keywords
		for pattern, property := range k.PatternProperties {
			if pattern.MatchString(name) {
				matching = append(matching, property)
			}
		}
		slices.SortFunc(matching, func(a, b *spec.Keywords) int { return strings.Compare(a.Location, b.Location) })
		all, listed = append(all, matching...), listed || len(matching) > 0
		if rest, ok := k.AdditionalProperties.(*spec.Keywords); ok && !listed {
			all = append(all, rest)
		}
		if k.UnevaluatedProperties != nil && !listed {
			all = append(all, k.UnevaluatedProperties)
		}
	}
	return all
}

// item gives the schemas of an element.
func (f *facts) item(i int) []*spec.Keywords {
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

// listed gives the names of all properties that the schemas name, in no order.
func (f *facts) listed() map[string]bool {
	names := map[string]bool{}
	for _, k := range f.schemas {
		for name := range k.Properties {
			names[name] = true
		}
	}
	return names
}

// table reports whether an object has no names but those that requests choose.
func (f *facts) table() bool {
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
func (f *facts) closed() bool {
	for _, k := range f.schemas {
		if shut(k.AdditionalProperties) || k.UnevaluatedProperties != nil && shut(k.UnevaluatedProperties) {
			return true
		}
	}
	return false
}

func shut(additional any) bool {
	switch a := additional.(type) {
	case bool:
		return !a
	case *spec.Keywords:
		return a.Bool != nil && !*a.Bool
	}
	return false
}
