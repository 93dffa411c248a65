// Package schema is a view of compiled schemas: their properties, items, branches and values through references and
// compositions, and whether a value conforms to them.
package schema

import (
	"iter"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Keywords is a compiled (sub)schema: its keywords in JSON Schema 2020-12 with references resolved to pointers,
// including cycles. Schemas of all document versions are translated to it.
type Keywords = jsonschema.Schema

// Regexp is a compiled pattern; String returns its text in the document.
type Regexp = jsonschema.Regexp

// All returns the schemas that every value of k must conform to: k, its reference, and the parts of allOf. The
// nearest come first, each once.
func All(k *Keywords) iter.Seq[*Keywords] { return walk(k, certain, nil) }

// Possible returns All plus the branches of anyOf and oneOf.
func Possible(k *Keywords) iter.Seq[*Keywords] { return walk(k, possible, nil) }

// Applicable returns every schema that may apply to a value of k: Possible, $dynamicRef, then, else and
// dependentSchemas. The second value is true for schemas that apply only to some values.
func Applicable(k *Keywords) iter.Seq2[*Keywords, bool] {
	return func(yield func(*Keywords, bool) bool) {
		w := walker{scope: conditional, yield: yield}
		w.visit(k, false)
	}
}

// Matching returns the schemas that apply to a value: All, $dynamicRef, the branches of anyOf and oneOf that it
// conforms to, then or else as its if decides, and dependentSchemas of its properties.
func Matching(k *Keywords, value any) iter.Seq[*Keywords] { return walk(k, matching, value) }

func walk(k *Keywords, s scope, value any) iter.Seq[*Keywords] {
	return func(yield func(*Keywords) bool) {
		w := walker{scope: s, value: value, yield: func(k *Keywords, _ bool) bool { return yield(k) }}
		w.visit(k, false)
	}
}

type scope uint8

const (
	certain scope = iota
	possible
	conditional
	matching
)

// walker visits schemas that apply to the same value.
type walker struct {
	scope scope
	value any // for the scope matching
	yield func(k *Keywords, conditional bool) bool
	seen  map[*Keywords]bool // guards against cycles; nil until a reference is followed
}

// visit returns false if the iteration has ended.
func (w *walker) visit(k *Keywords, isConditional bool) bool {
	if k == nil || w.seen[k] {
		return true
	}
	if w.seen != nil {
		w.seen[k] = true
	}
	if !w.yield(k, isConditional) {
		return false
	}
	if k.Ref == nil && k.AllOf == nil && w.scope == certain {
		return true
	}
	if w.seen == nil {
		w.seen = map[*Keywords]bool{k: true}
	}
	if !w.visit(k.Ref, isConditional) {
		return false
	}
	if k.DynamicRef != nil && w.scope >= conditional && !w.visit(k.DynamicRef.Ref, isConditional) {
		return false
	}
	for _, part := range k.AllOf {
		if !w.visit(part, isConditional) {
			return false
		}
	}
	return w.scope == certain || w.branches(k)
}

// branches visits schemas that apply only to some values.
func (w *walker) branches(k *Keywords) bool {
	for _, branches := range [...][]*Keywords{k.AnyOf, k.OneOf} {
		for _, branch := range branches {
			if (w.scope != matching || Conforms(branch, w.value)) && !w.visit(branch, true) {
				return false
			}
		}
	}
	switch w.scope {
	case conditional:
		if !w.visit(k.Then, true) || !w.visit(k.Else, true) {
			return false
		}
	case matching:
		next := k.Else
		if k.If != nil && Conforms(k.If, w.value) {
			next = k.Then
		}
		if k.If != nil && !w.visit(next, true) {
			return false
		}
	default:
		return true
	}
	if len(k.DependentSchemas) == 0 {
		return true
	}
	object, _ := w.value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(k.DependentSchemas)) {
		if _, ok := object[name]; (ok || w.scope != matching) && !w.visit(k.DependentSchemas[name], true) {
			return false
		}
	}
	return true
}

// Resolve follows references of schemas without other assertions.
func Resolve(k *Keywords) *Keywords {
	seen := map[*Keywords]bool{}
	for k != nil && !seen[k] {
		seen[k] = true
		switch {
		case k.Ref != nil && len(k.AllOf) == 0 && onlyRefers(k):
			k = k.Ref
		case k.Ref == nil && len(k.AllOf) == 1 && onlyRefers(k):
			k = k.AllOf[0]
		default:
			return k
		}
	}
	return k
}

// onlyRefers reports whether k has neither assertions beside $ref and allOf nor annotations that this package reads.
func onlyRefers(k *Keywords) bool {
	return !k.ReadOnly && !k.WriteOnly &&
		k.Types == nil && k.Enum == nil && k.Const == nil && k.Format == nil && len(k.Extensions) == 0 &&
		len(k.Examples) == 0 && k.Default == nil &&
		!hasBranches(k) && !AssertsObject(k) && !AssertsArray(k) && !assertsScalar(k)
}

func hasBranches(k *Keywords) bool {
	return k.Bool != nil || k.DynamicRef != nil || k.RecursiveRef != nil || k.Not != nil || k.If != nil ||
		len(k.AnyOf) > 0 || len(k.OneOf) > 0
}

// AssertsObject reports whether k itself has a keyword for objects.
func AssertsObject(k *Keywords) bool {
	return k.MaxProperties != nil || k.MinProperties != nil || len(k.Required) > 0 || k.PropertyNames != nil ||
		len(k.Properties) > 0 || len(k.PatternProperties) > 0 || k.AdditionalProperties != nil ||
		len(k.Dependencies) > 0 || len(k.DependentRequired) > 0 || len(k.DependentSchemas) > 0 ||
		k.UnevaluatedProperties != nil
}

// AssertsArray reports whether k itself has a keyword for arrays.
func AssertsArray(k *Keywords) bool {
	return k.MinItems != nil || k.MaxItems != nil || k.UniqueItems || k.Contains != nil || k.Items != nil ||
		len(k.PrefixItems) > 0 || k.Items2020 != nil || k.UnevaluatedItems != nil
}

func assertsScalar(k *Keywords) bool {
	return k.MinLength != nil || k.MaxLength != nil || k.Pattern != nil || k.ContentEncoding != nil ||
		k.ContentMediaType != nil ||
		k.Maximum != nil || k.Minimum != nil || k.ExclusiveMaximum != nil || k.ExclusiveMinimum != nil || k.MultipleOf != nil
}

// Types returns the names in the own "type" of a schema, nil if it has none.
func Types(k *Keywords) []string {
	if k == nil || k.Types == nil {
		return nil
	}
	return k.Types.ToStrings()
}

// AllowedTypes returns the first Types among All, nil if none.
func AllowedTypes(k *Keywords) []string {
	for part := range All(k) {
		if part.Types != nil {
			return part.Types.ToStrings()
		}
	}
	return nil
}

// IsNull reports whether null is the only type of a schema.
func IsNull(k *Keywords) bool { return k != nil && k.Types != nil && *k.Types == nullBit }

// Values returns the values that a schema lists as const or enum, through
// references and allOf; nil if it lists none.
func Values(k *Keywords) []any {
	for part := range All(k) {
		switch {
		case part.Const != nil:
			return []any{*part.Const}
		case part.Enum != nil:
			return part.Enum.Values
		}
	}
	return nil
}

// ReadOnly reports whether only the server may set values: by the schema itself or through references and allOf.
func ReadOnly(k *Keywords) bool {
	return hasPart(k, func(part *Keywords) bool { return part.ReadOnly })
}

// WriteOnly reports whether values are never in a response: by the schema
// itself or through references and allOf.
func WriteOnly(k *Keywords) bool {
	return hasPart(k, func(part *Keywords) bool { return part.WriteOnly })
}

func hasPart(k *Keywords, is func(*Keywords) bool) bool {
	for part := range All(k) {
		if is(part) {
			return true
		}
	}
	return false
}

// OneOfs returns the branches of each oneOf, through references and allOf.
func OneOfs(k *Keywords) [][]*Keywords {
	var all [][]*Keywords
	for part := range All(k) {
		if len(part.OneOf) > 0 {
			all = append(all, part.OneOf)
		}
	}
	return all
}

// Subschemas appends the schemas directly inside k, without references.
func Subschemas(k *Keywords, to []*Keywords) []*Keywords {
	for _, one := range single(k) {
		if *one != nil {
			to = append(to, *one)
		}
	}
	if additional, ok := k.AdditionalProperties.(*Keywords); ok {
		to = append(to, additional)
	}
	for _, list := range lists(k) {
		to = append(to, *list...)
	}
	to = slices.AppendSeq(to, maps.Values(k.Properties))
	to = slices.AppendSeq(to, maps.Values(k.DependentSchemas))
	return slices.AppendSeq(to, maps.Values(k.PatternProperties))
}

// Replace replaces the Subschemas of k. Its lists and maps become new ones.
func Replace(k *Keywords, with func(*Keywords) *Keywords) {
	for _, one := range single(k) {
		if *one != nil {
			*one = with(*one)
		}
	}
	if additional, ok := k.AdditionalProperties.(*Keywords); ok {
		k.AdditionalProperties = with(additional)
	}
	for _, list := range lists(k) {
		*list = slices.Clone(*list)
		for i, part := range *list {
			(*list)[i] = with(part)
		}
	}
	k.Properties = replaced(k.Properties, with)
	k.DependentSchemas = replaced(k.DependentSchemas, with)
	k.PatternProperties = replaced(k.PatternProperties, with)
}

func replaced[K comparable](m map[K]*Keywords, with func(*Keywords) *Keywords) map[K]*Keywords {
	m = maps.Clone(m)
	for key, k := range m {
		m[key] = with(k)
	}
	return m
}

func single(k *Keywords) [9]**Keywords {
	return [...]**Keywords{&k.Not, &k.If, &k.Then, &k.Else, &k.PropertyNames, &k.UnevaluatedProperties, &k.Contains,
		&k.Items2020, &k.UnevaluatedItems}
}

func lists(k *Keywords) [4]*[]*Keywords {
	return [...]*[]*Keywords{&k.AllOf, &k.AnyOf, &k.OneOf, &k.PrefixItems}
}
