package decode

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// shape is what decoding needs to know of a schema: which types a value may have, and the same of its parts.
// A schema that refers to itself has a shape that does.
type shape struct {
	kinds      kinds
	schemas    parts            // that a value must satisfy
	all        []*spec.Keywords // those, and what they are combined of
	items      *shape           // of elements after prefix; never nil
	prefix     []*shape
	properties map[string]*shape
	names      []string // of properties, sorted
	additional *shape   // of properties without a name of their own; never nil
	closed     bool     // no others than properties are allowed
	free       bool     // others than properties are asked for, not just not forbidden
}

// parts are the schemas of one value: all must hold, and one of some. some are
// what branches of anyOf and oneOf say of it.
type parts struct{ all, some []*spec.Keywords }

func (p *parts) add(k *spec.Keywords, branch bool) {
	switch {
	case k == nil || k.Bool != nil:
	case branch:
		p.some = append(p.some, k)
	default:
		p.all = append(p.all, k)
	}
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

func shapeOf(of *spec.Schema) *shape {
	if of == nil || of.Keywords == nil {
		return anything
	}
	s := &shapes{map[*spec.Keywords]int{}, map[*spec.Keywords]kinds{}, map[string]*shape{}, nil}
	var root parts
	root.add(of.Keywords, false)
	first := s.of(root)
	for len(s.todo) > 0 {
		next := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		s.fill(next)
	}
	return first
}

func (s *shapes) of(p parts) *shape {
	if len(p.all)+len(p.some) == 0 {
		return anything
	}
	key := ""
	for _, schemas := range [...][]*spec.Keywords{p.all, p.some} {
		ids := make([]int, len(schemas))
		for i, k := range schemas {
			if _, ok := s.ids[k]; !ok {
				s.ids[k] = len(s.ids)
			}
			ids[i] = s.ids[k]
		}
		slices.Sort(ids)
		key += fmt.Sprint(slices.Compact(ids))
	}
	if known := s.known[key]; known != nil {
		return known
	}
	if len(s.known) >= maxShapes {
		return anything
	}
	made := &shape{kinds: kindAny, schemas: p}
	s.known[key] = made
	s.todo = append(s.todo, made)
	return made
}

// fill looks at the schemas of a shape and at all that apply to the same value.
func (s *shapes) fill(to *shape) {
	var some kinds
	m := members{shape: to, properties: map[string]*parts{}}
	seen := map[*spec.Keywords]bool{}
	add := func(k *spec.Keywords, branch bool) {
		for part, conditional := range schema.Applicable(k) {
			if !seen[part] {
				seen[part] = true
				to.all = append(to.all, part)
				m.add(part, branch || conditional)
			}
		}
	}
	for _, k := range to.schemas.all {
		to.kinds &= s.kindsOf(k)
		add(k, false)
	}
	for _, k := range to.schemas.some {
		some |= s.kindsOf(k)
		add(k, true)
	}
	if some != 0 {
		to.kinds &= some
	}
	if to.kinds == kindAny {
		to.kinds = impliedKinds(to.all)
	}
	to.items, to.additional = s.of(m.items), s.of(m.additional)
	for _, p := range m.prefix {
		to.prefix = append(to.prefix, s.of(p))
	}
	to.names = slices.Sorted(maps.Keys(m.properties))
	to.properties = make(map[string]*shape, len(m.properties))
	for _, name := range to.names {
		to.properties[name] = s.of(*m.properties[name])
	}
	if to.closed && to.additional == anything {
		to.free = false
	} else if len(to.properties) == 0 {
		to.free = true
	}
}

// members collects what the schemas of a shape say of the parts of a value.
type members struct {
	*shape
	items, additional parts
	prefix            []parts
	properties        map[string]*parts
}

// add takes one of the schemas; branch says that it applies to some values only.
func (m *members) add(k *spec.Keywords, branch bool) {
	m.items.add(k.Items2020, branch)
	m.items.add(k.UnevaluatedItems, branch)
	for i, item := range k.PrefixItems {
		if i == len(m.prefix) {
			m.prefix = append(m.prefix, parts{})
		}
		m.prefix[i].add(item, branch)
	}
	for name, property := range k.Properties {
		if m.properties[name] == nil {
			m.properties[name] = &parts{}
		}
		m.properties[name].add(property, branch)
	}
	switch a := k.AdditionalProperties.(type) {
	case *spec.Keywords:
		m.addOthers(a, branch)
		m.free = m.free || a.Bool != nil && *a.Bool
	case bool:
		m.closed = m.closed || !a
		m.free = m.free || a
	}
	m.addOthers(k.UnevaluatedProperties, branch)
	for _, pattern := range k.PatternProperties {
		m.additional.add(pattern, true) // each is for some names only
		m.free = true
	}
}

// addOthers takes a schema of properties without a schema of their own.
func (m *members) addOthers(k *spec.Keywords, branch bool) {
	if k == nil {
		return
	}
	m.additional.add(k, branch)
	m.closed = m.closed || k.Bool != nil && !*k.Bool
	m.free = m.free || k.Bool == nil
}

// kindsOf gives the types that a schema leaves: of allOf and references those that all allow, of anyOf and
// oneOf those that any does. A schema that is met again within itself restricts nothing more.
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
			left |= kindOf[name]
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
	certain := append(slices.Clip(k.AllOf), k.Ref)
	if k.DynamicRef != nil {
		certain = append(certain, k.DynamicRef.Ref)
	}
	for _, part := range certain {
		left &= s.kindsOf(part)
	}
	for _, branches := range [...][]*spec.Keywords{k.AnyOf, k.OneOf} {
		var some kinds
		for _, branch := range branches {
			some |= s.kindsOf(branch)
		}
		if len(branches) > 0 {
			left &= some
		}
	}
	s.kinds[k] = left
	return left
}

// impliedKinds guesses the types of a schema that names none by the keywords
// it uses; kindAny where nothing tells.
func impliedKinds(all []*spec.Keywords) kinds {
	var found kinds
	for _, k := range all {
		if k.Types != nil { // one branch of several: nothing is implied for the others
			return kindAny
		}
		found |= kindsOfKeywords(k)
	}
	return cmp.Or(found, kindAny)
}

// kindsOfKeywords gives the types that the keywords of a schema constrain.
func kindsOfKeywords(k *spec.Keywords) (found kinds) {
	if k.Properties != nil || k.AdditionalProperties != nil || k.PatternProperties != nil || k.Required != nil ||
		k.MinProperties != nil || k.MaxProperties != nil {
		found |= kindObject
	}
	if k.Items2020 != nil || k.PrefixItems != nil || k.MinItems != nil || k.MaxItems != nil {
		found |= kindArray
	}
	if k.Minimum != nil || k.Maximum != nil || k.ExclusiveMinimum != nil || k.ExclusiveMaximum != nil ||
		k.MultipleOf != nil {
		found |= kindNumber
	}
	if k.MinLength != nil || k.MaxLength != nil || k.Pattern != nil || k.Format != nil {
		found |= kindString
	}
	return found
}

func (s *shape) item(i int) *shape {
	if i < len(s.prefix) {
		return s.prefix[i]
	}
	return s.items
}

func (s *shape) property(name string) *shape {
	if p := s.properties[name]; p != nil {
		return p
	}
	return s.additional
}
