package decode

import (
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// shape is what decoding needs to know of a schema: which types a value may
// have, and the same of its parts. A schema that refers to itself has a shape
// that does.
type shape struct {
	kinds      kinds
	schemas    []*spec.Keywords // all must hold
	all        []*spec.Keywords // those, and what they are combined of
	items      *shape           // of elements after prefix; never nil
	prefix     []*shape
	properties map[string]*shape
	names      []string // of properties, sorted
	additional *shape   // of properties without a name of their own; never nil
	closed     bool     // no others than properties are allowed
	free       bool     // others than properties are asked for, not just not forbidden
}

// anything is the shape of a schema that says nothing.
var anything = func() *shape {
	s := &shape{kinds: kindAny}
	s.items, s.additional = s, s
	return s
}()

// maxShapes bounds the shapes of one schema; parts beyond it are anything.
const maxShapes = 20_000

// shapes makes each shape once: the same set of schemas has the same shape.
type shapes struct {
	ids   map[*spec.Keywords]int
	kinds map[*spec.Keywords]kinds
	known map[string]*shape
	todo  []*shape
}

// shapeOf gives the shape of a schema, with those of its parts.
func shapeOf(schema *spec.Schema) *shape {
	if schema == nil || schema.Keywords == nil {
		return anything
	}
	s := &shapes{map[*spec.Keywords]int{}, map[*spec.Keywords]kinds{}, map[string]*shape{}, nil}
	first := s.of([]*spec.Keywords{schema.Keywords})
	for len(s.todo) > 0 {
		next := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		s.fill(next)
	}
	return first
}

func (s *shapes) of(schemas []*spec.Keywords) *shape {
	schemas = slices.DeleteFunc(schemas, func(k *spec.Keywords) bool { return k == nil || k.Bool != nil })
	if len(schemas) == 0 {
		return anything
	}
	ids := make([]int, len(schemas))
	for i, k := range schemas {
		if _, ok := s.ids[k]; !ok {
			s.ids[k] = len(s.ids)
		}
		ids[i] = s.ids[k]
	}
	slices.Sort(ids)
	var key strings.Builder
	for _, id := range slices.Compact(ids) {
		key.WriteString(strconv.Itoa(id))
		key.WriteByte(' ')
	}
	if known := s.known[key.String()]; known != nil {
		return known
	}
	if len(s.known) >= maxShapes {
		return anything
	}
	made := &shape{kinds: kindAny, schemas: schemas}
	s.known[key.String()] = made
	s.todo = append(s.todo, made)
	return made
}

// fill looks at the schemas of a shape and at all that they are combined of.
func (s *shapes) fill(to *shape) {
	var all []*spec.Keywords
	seen := map[*spec.Keywords]bool{}
	for _, k := range to.schemas {
		to.kinds &= s.kindsOf(k)
		all = combined(k, seen, all)
	}
	if to.kinds == kindAny {
		to.kinds = impliedKinds(all)
	}
	to.all = all
	var items, additional []*spec.Keywords
	prefix := map[int][]*spec.Keywords{}
	properties := map[string][]*spec.Keywords{}
	for _, k := range all {
		items = append(items, k.Items2020)
		for i, item := range k.PrefixItems {
			prefix[i] = append(prefix[i], item)
		}
		for name, property := range k.Properties {
			properties[name] = append(properties[name], property)
		}
		switch a := k.AdditionalProperties.(type) {
		case *spec.Keywords:
			if a.Bool == nil {
				additional = append(additional, a)
			}
			to.closed = to.closed || a.Bool != nil && !*a.Bool
			to.free = to.free || a.Bool == nil || *a.Bool
		case bool:
			to.closed = to.closed || !a
			to.free = to.free || a
		}
		for _, pattern := range k.PatternProperties {
			additional = append(additional, pattern)
			to.free = true
		}
	}
	to.items, to.additional = s.of(items), s.of(additional)
	for i := range len(prefix) {
		to.prefix = append(to.prefix, s.of(prefix[i]))
	}
	to.properties = make(map[string]*shape, len(properties))
	for name, schemas := range properties {
		to.properties[name] = s.of(schemas)
		to.names = append(to.names, name)
	}
	slices.Sort(to.names)
	if to.closed && len(additional) == 0 {
		to.free = false
	} else if len(to.properties) == 0 {
		to.free = true
	}
}

// combined collects a schema and every schema that applies to the same value.
func combined(k *spec.Keywords, seen map[*spec.Keywords]bool, all []*spec.Keywords) []*spec.Keywords {
	if k == nil || seen[k] {
		return all
	}
	seen[k] = true
	all = append(all, k)
	for _, part := range [...]*spec.Keywords{k.Ref, k.Then, k.Else} {
		all = combined(part, seen, all)
	}
	if k.DynamicRef != nil {
		all = combined(k.DynamicRef.Ref, seen, all)
	}
	for _, parts := range [...][]*spec.Keywords{k.AllOf, k.AnyOf, k.OneOf} {
		for _, part := range parts {
			all = combined(part, seen, all)
		}
	}
	for _, name := range sortedNames(k.DependentSchemas) {
		all = combined(k.DependentSchemas[name], seen, all)
	}
	return all
}

func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// kindsOf gives the types that a schema leaves: of allOf and references those
// that all allow, of anyOf and oneOf those that any does. A schema that is met
// again within itself restricts nothing more.
func (s *shapes) kindsOf(k *spec.Keywords) kinds {
	if k == nil {
		return kindAny
	}
	if left, ok := s.kinds[k]; ok {
		return left
	}
	s.kinds[k] = kindAny
	left := kindAny
	if k.Types != nil {
		left = 0
		for _, name := range k.Types.ToStrings() {
			left |= kindOf(name)
		}
	}
	if k.Const != nil {
		left &= kindOfValue(*k.Const)
	}
	if k.Enum != nil {
		var listed kinds
		for _, value := range k.Enum.Values {
			listed |= kindOfValue(value)
		}
		left &= listed
	}
	left &= s.kindsOf(k.Ref)
	if k.DynamicRef != nil {
		left &= s.kindsOf(k.DynamicRef.Ref)
	}
	for _, part := range k.AllOf {
		left &= s.kindsOf(part)
	}
	for _, parts := range [...][]*spec.Keywords{k.AnyOf, k.OneOf} {
		if len(parts) == 0 {
			continue
		}
		var some kinds
		for _, part := range parts {
			some |= s.kindsOf(part)
		}
		left &= some
	}
	s.kinds[k] = left
	return left
}

// impliedKinds guesses the types of a schema that names none by the keywords
// it uses; kindAny where nothing tells.
func impliedKinds(all []*spec.Keywords) kinds {
	var implied kinds
	for _, k := range all {
		if k.Types != nil { // one branch of several: nothing is implied for the others
			return kindAny
		}
		if k.Properties != nil || k.AdditionalProperties != nil || k.PatternProperties != nil ||
			k.Required != nil || k.MinProperties != nil || k.MaxProperties != nil {
			implied |= kindObject
		}
		if k.Items2020 != nil || k.PrefixItems != nil || k.MinItems != nil || k.MaxItems != nil {
			implied |= kindArray
		}
		if k.Minimum != nil || k.Maximum != nil || k.ExclusiveMinimum != nil || k.ExclusiveMaximum != nil || k.MultipleOf != nil {
			implied |= kindNumber
		}
		if k.MinLength != nil || k.MaxLength != nil || k.Pattern != nil || k.Format != nil {
			implied |= kindString
		}
	}
	if implied == 0 {
		return kindAny
	}
	return implied
}

// item gives the shape of an array's element.
func (s *shape) item(i int) *shape {
	if i < len(s.prefix) {
		return s.prefix[i]
	}
	return s.items
}

// property gives the shape of an object's property.
func (s *shape) property(name string) *shape {
	if p := s.properties[name]; p != nil {
		return p
	}
	return s.additional
}
