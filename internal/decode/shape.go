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

// shapeOf gives the shape of a schema, with those of its parts.
func shapeOf(schema *spec.Schema) *shape {
	if schema == nil || schema.Keywords == nil {
		return anything
	}
	s := &shapes{map[*spec.Keywords]int{}, map[*spec.Keywords]kinds{}, map[string]*shape{}, nil}
	var root parts
	root.add(schema.Keywords, false)
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
	var key strings.Builder
	for _, schemas := range [...][]*spec.Keywords{p.all, p.some} {
		ids := make([]int, len(schemas))
		for i, k := range schemas {
			if _, ok := s.ids[k]; !ok {
				s.ids[k] = len(s.ids)
			}
			ids[i] = s.ids[k]
		}
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			key.WriteString(strconv.Itoa(id))
			key.WriteByte(' ')
		}
		key.WriteByte('|')
	}
	if known := s.known[key.String()]; known != nil {
		return known
	}
	if len(s.known) >= maxShapes {
		return anything
	}
	made := &shape{kinds: kindAny, schemas: p}
	s.known[key.String()] = made
	s.todo = append(s.todo, made)
	return made
}

// fill looks at the schemas of a shape and at all that they are combined of.
func (s *shapes) fill(to *shape) {
	var c combination
	for _, k := range to.schemas.all {
		to.kinds &= s.kindsOf(k)
		c.add(k, false)
	}
	var some kinds
	for _, k := range to.schemas.some {
		some |= s.kindsOf(k)
		c.add(k, true)
	}
	if some != 0 {
		to.kinds &= some
	}
	if to.kinds == kindAny {
		to.kinds = impliedKinds(c.all)
	}
	to.all = c.all
	var items, additional parts
	var prefix []parts
	properties := map[string]*parts{}
	for i, k := range c.all {
		branch := c.branch[i]
		items.add(k.Items2020, branch)
		items.add(k.UnevaluatedItems, branch)
		for len(prefix) < len(k.PrefixItems) {
			prefix = append(prefix, parts{})
		}
		for i, item := range k.PrefixItems {
			prefix[i].add(item, branch)
		}
		for name, property := range k.Properties {
			if properties[name] == nil {
				properties[name] = &parts{}
			}
			properties[name].add(property, branch)
		}
		switch a := k.AdditionalProperties.(type) {
		case *spec.Keywords:
			additional.add(a, branch)
			to.closed = to.closed || a.Bool != nil && !*a.Bool
			to.free = to.free || a.Bool == nil || *a.Bool
		case bool:
			to.closed = to.closed || !a
			to.free = to.free || a
		}
		if rest := k.UnevaluatedProperties; rest != nil {
			additional.add(rest, branch)
			to.closed = to.closed || rest.Bool != nil && !*rest.Bool
			to.free = to.free || rest.Bool == nil
		}
		for _, pattern := range k.PatternProperties {
			additional.add(pattern, true) // each is for some names only
			to.free = true
		}
	}
	to.items, to.additional = s.of(items), s.of(additional)
	for _, p := range prefix {
		to.prefix = append(to.prefix, s.of(p))
	}
	to.properties = make(map[string]*shape, len(properties))
	for name, p := range properties {
		to.properties[name] = s.of(*p)
		to.names = append(to.names, name)
	}
	slices.Sort(to.names)
	if to.closed && to.additional == anything {
		to.free = false
	} else if len(to.properties) == 0 {
		to.free = true
	}
}

// combination collects schemas and every schema that applies to the same value.
type combination struct {
	all    []*spec.Keywords
	branch []bool // of all: one of several that need not hold
	seen   map[*spec.Keywords]bool
}

func (c *combination) add(k *spec.Keywords, branch bool) {
	if k == nil || c.seen[k] {
		return
	}
	if c.seen == nil {
		c.seen = map[*spec.Keywords]bool{}
	}
	c.seen[k] = true
	c.all = append(c.all, k)
	c.branch = append(c.branch, branch)
	c.add(k.Ref, branch)
	if k.DynamicRef != nil {
		c.add(k.DynamicRef.Ref, branch)
	}
	for _, part := range k.AllOf {
		c.add(part, branch)
	}
	for _, parts := range [...][]*spec.Keywords{k.AnyOf, k.OneOf, {k.Then, k.Else}} {
		for _, part := range parts {
			c.add(part, true)
		}
	}
	for _, name := range sortedNames(k.DependentSchemas) {
		c.add(k.DependentSchemas[name], true)
	}
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
		if k.Minimum != nil || k.Maximum != nil || k.ExclusiveMinimum != nil || k.ExclusiveMaximum != nil ||
			k.MultipleOf != nil {
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
