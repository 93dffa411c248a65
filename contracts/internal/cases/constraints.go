package cases

import (
	"cmp"
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
	isNumeric = isInteger | isFraction
	isAny     = isNull | isBoolean | isNumeric | isText | isArray | isObject
)

var typesByName = map[string]jsonTypes{
	"null": isNull, "boolean": isBoolean, "integer": isInteger, "number": isNumeric,
	"string": isText, "array": isArray, "object": isObject,
}

func typeOf(value any) jsonTypes {
	switch v := value.(type) {
	case nil:
		return isNull
	case bool:
		return isBoolean
	case json.Number:
		if r := rational(v); r != nil && !r.IsInt() {
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
	choices       []choice
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
			f.jsonTypes = isNumeric
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
	f.mergeLow(k.Minimum, false)
	f.mergeLow(k.ExclusiveMinimum, true)
	f.mergeHigh(k.Maximum, false)
	f.mergeHigh(k.ExclusiveMaximum, true)
	if k.MultipleOf != nil {
		f.steps = append(f.steps, k.MultipleOf)
	}
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
}

func (f *constraints) mergeLow(bound *big.Rat, open bool) {
	if bound != nil && (f.low == nil || bound.Cmp(f.low) > 0 || open && bound.Cmp(f.low) == 0) {
		f.low, f.openLow = bound, open
	}
}

func (f *constraints) mergeHigh(bound *big.Rat, open bool) {
	if bound != nil && (f.high == nil || bound.Cmp(f.high) < 0 || open && bound.Cmp(f.high) == 0) {
		f.high, f.openHigh = bound, open
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

func (f *constraints) property(name string) []*spec.Keywords {
	var all []*spec.Keywords
	for _, k := range f.schemas {
		var declared []*spec.Keywords
		for pattern, property := range k.PatternProperties {
			if pattern.MatchString(name) {
				declared = append(declared, property)
			}
		}
		slices.SortFunc(declared, func(a, b *spec.Keywords) int { return strings.Compare(a.Location, b.Location) })
		if property, ok := k.Properties[name]; ok {
			declared = slices.Insert(declared, 0, property)
		}
		if len(declared) == 0 {
			if rest, ok := k.AdditionalProperties.(*spec.Keywords); ok {
				declared = append(declared, rest)
			}
			if k.UnevaluatedProperties != nil {
				declared = append(declared, k.UnevaluatedProperties)
			}
		}
		all = append(all, declared...)
	}
	return all
}

func (f *constraints) item(i int) []*spec.Keywords {
	var all []*spec.Keywords
	for _, k := range f.schemas {
		if item := cmp.Or(schema.Item(k, i), k.UnevaluatedItems); item != nil {
			all = append(all, item)
		}
	}
	return all
}

// names gives the names of all properties that the schemas name, in no order.
func (f *constraints) names() map[string]bool {
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

func (f *constraints) closed() bool {
	return slices.ContainsFunc(f.schemas, func(k *spec.Keywords) bool {
		additional, _ := k.AdditionalProperties.(*spec.Keywords)
		return k.AdditionalProperties == false || forbidsAll(additional) || forbidsAll(k.UnevaluatedProperties)
	})
}

func forbidsAll(k *spec.Keywords) bool { return k != nil && k.Bool != nil && !*k.Bool }
