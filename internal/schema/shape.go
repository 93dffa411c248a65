package schema

import (
	"encoding/binary"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// Shape merges all schemas that apply to one place: the types of its values, and the shapes of their parts. It
// includes schemas that apply only to some values: branches of anyOf and oneOf, then and else, dependentSchemas, and
// schemas that extend a parent with a discriminator. A recursive schema has a recursive shape.
//
// Shapes and their parts are built at first use. They are safe for concurrent use.
type Shape struct {
	set  *Shapes
	from places

	walkOnce sync.Once
	schemas  []*Keywords // see Schemas
	certain  int         // the number of schemas at the front that apply to every value
	choices  []Choice
	types    Type
	likely   Type

	fillOnce   sync.Once
	members    map[string]*Member
	names      []string
	prefix     []places
	items      places
	additional places
	closed     bool
	open       bool

	orderOnce sync.Once
	ordered   []*Member

	boundsOnce sync.Once
	bounds     *Bounds

	item, other, first atomic.Pointer[Shape] // shapes of items, of additional, and of prefix[0], once they were used
}

// places are the schemas of one value: it conforms to all of all, and to at least one of some. some come from schemas
// that apply only to some of the surrounding values.
type places struct{ all, some []*Keywords }

func (p *places) add(k *Keywords, conditional bool) {
	switch {
	case k == nil || k.Bool != nil:
	case conditional:
		p.some = append(p.some, k)
	default:
		p.all = append(p.all, k)
	}
}

// Member is a property that a shape lists.
type Member struct {
	Name string
	// Schema is the first schema that lists the property.
	Schema *Keywords
	// Required is set if every object must have it.
	Required bool
	// Conditional is set if only schemas list it that apply to some values.
	Conditional bool

	set   *Shapes
	from  places
	shape atomic.Pointer[Shape]
}

// Choice is a set of alternatives. A value conforms to one or more of them.
type Choice struct {
	Owner    *Keywords // the schema with the alternatives, or the parent that they extend
	One      bool      // set for a oneOf: to exactly one
	Branches []*Keywords
	By       *Discriminator // nil if nothing distinguishes them
}

// Discriminator is a property whose value selects an alternative (OpenAPI 3.1 section 4.8.25).
type Discriminator struct {
	Property string
	// Branches are the alternatives: the owner's oneOf or anyOf, or the schemas that extend it.
	Branches []*Keywords
	// Values are the discriminator values of each branch, the preferred one first; nil for a branch without a name.
	Values [][]string
	// Extended is set if the branches extend their owner by allOf, and the owner does not list them.
	Extended bool
	// Own are the values of the owner itself, if Extended is set.
	Own []string
	// Closed is set if another value names no schema, and the property itself lists no values.
	Closed bool
	// Implicit is set if the values are the names of schemas, as no mapping says otherwise.
	Implicit bool
}

// Value returns the preferred value of a branch, "" if it has none.
func (d *Discriminator) Value(branch int) string {
	if d == nil || branch >= len(d.Values) || len(d.Values[branch]) == 0 {
		return ""
	}
	return d.Values[branch][0]
}

// Branch returns the index of the branch for a value of the property, -1 if it is unknown.
func (d *Discriminator) Branch(value string) int {
	return slices.IndexFunc(d.Values, func(values []string) bool { return slices.Contains(values, value) })
}

// Document provides facts about schemas that Keywords do not keep. The zero value provides none.
type Document struct {
	// Order returns the names of the properties that a schema itself lists, in the document's order.
	Order func(k *Keywords) []string
	// Discriminator returns the discriminator of a schema's own oneOf or anyOf, or of the schemas that extend it; nil
	// if none.
	Discriminator func(k *Keywords) *Discriminator
}

// Shapes builds the shapes of the schemas of one document, each once: the same schemas have the same shape. It is
// safe for concurrent use.
type Shapes struct {
	document Document
	single   sync.Map // shapes of a single schema, by schema

	mu    sync.Mutex // guards the fields below; not held while a shape is walked or filled
	ids   map[*Keywords]int
	known map[string]*Shape

	typesMu sync.Mutex
	types   map[*Keywords]Type
}

// maxShapes limits the shapes of one document that combine several schemas; further ones are Anything.
const maxShapes = 200_000

// NewShapes returns the shapes of a document's schemas.
func NewShapes(d Document) *Shapes {
	return &Shapes{document: d, ids: map[*Keywords]int{}, known: map[string]*Shape{}, types: map[*Keywords]Type{}}
}

// Anything is the shape of an empty schema.
var Anything = NewShapes(Document{}).make(places{})

func (s *Shapes) make(p places) *Shape { return &Shape{set: s, from: p} }

// Of returns the shape of a schema, Anything for nil.
func (s *Shapes) Of(k *Keywords) *Shape {
	if k == nil || k.Bool != nil {
		return Anything
	}
	if known, ok := s.single.Load(k); ok {
		return known.(*Shape)
	}
	target := Resolve(k) // a reference alone has the shape of its target, so that a cycle leads back to it
	known, _ := s.single.LoadOrStore(target, s.make(places{all: []*Keywords{target}}))
	s.single.Store(k, known)
	return known.(*Shape)
}

func (s *Shapes) of(p places) *Shape {
	switch {
	case len(p.all)+len(p.some) == 0:
		return Anything
	case len(p.all) == 1 && len(p.some) == 0:
		return s.Of(p.all[0])
	case len(p.all) == 0 && len(p.some) == 1: // a single alternative applies to all values
		return s.Of(p.some[0])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var key []byte
	for _, schemas := range [...][]*Keywords{p.all, p.some} {
		ids := make([]int, len(schemas))
		for i, k := range schemas {
			if _, ok := s.ids[k]; !ok {
				s.ids[k] = len(s.ids) + 1
			}
			ids[i] = s.ids[k]
		}
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			key = binary.AppendUvarint(key, uint64(id))
		}
		key = append(key, 0)
	}
	if known := s.known[string(key)]; known != nil {
		return known
	}
	if len(s.known) >= maxShapes {
		return Anything
	}
	made := s.make(p)
	s.known[string(key)] = made
	return made
}

// isAlone reports whether a schema applies no other schema to the same value.
func isAlone(k *Keywords) bool {
	return k.Ref == nil && k.DynamicRef == nil && k.AllOf == nil && k.AnyOf == nil && k.OneOf == nil && k.Then == nil &&
		k.Else == nil && k.DependentSchemas == nil
}

// walk collects the schemas that apply.
func (s *Shape) walk() {
	roots := slices.Concat(s.from.all, s.from.some)
	seen := map[*Keywords]bool{}
	conditional := map[*Keywords]bool{}
	var some []*Keywords
	add := func(k *Keywords, isConditional bool) {
		for part, conditionally := range Applicable(k) {
			if seen[part] {
				continue
			}
			seen[part] = true
			if isConditional || conditionally {
				conditional[part] = true
				some = append(some, part)
			} else {
				s.schemas = append(s.schemas, part)
			}
		}
	}
	if len(roots) == 1 && len(s.from.all) == 1 && isAlone(roots[0]) {
		seen[roots[0]] = true
		s.schemas = roots
	} else {
		for i, k := range roots {
			add(k, i >= len(s.from.all))
		}
	}
	s.certain = len(s.schemas)
	s.schemas = append(slices.Clip(s.schemas), some...)
	some = nil
	for _, k := range s.schemas {
		s.choose(k, seen, add)
	}
	s.schemas = append(slices.Clip(s.schemas), some...)
	s.types = AnyType
	for _, k := range s.from.all {
		s.types &= s.set.typesOf(k)
	}
	left := noneType
	for _, k := range s.from.some {
		left |= s.set.typesOf(k)
	}
	if left != noneType {
		s.types &= left
	}
	if s.likely = s.types; s.likely == AnyType {
		s.likely = likelyTypes(s.schemas)
	}
}

// choose collects the choices in a schema, and adds the schemas that extend it, unless it was reached through one of
// them.
func (s *Shape) choose(k *Keywords, seen map[*Keywords]bool, add func(*Keywords, bool)) {
	by := s.set.discriminator(k)
	for i, branches := range [...][]*Keywords{k.AnyOf, k.OneOf} {
		if len(branches) == 0 {
			continue
		}
		choice := Choice{Owner: k, One: i == 1, Branches: branches}
		if by != nil && !by.Extended && len(by.Branches) == len(branches) && by.Branches[0] == branches[0] {
			choice.By = by
		}
		s.choices = append(s.choices, choice)
	}
	if by == nil || !by.Extended || slices.ContainsFunc(by.Branches, func(b *Keywords) bool { return b != k && seen[b] }) {
		return
	}
	s.choices = append(s.choices, Choice{Owner: k, Branches: by.Branches, By: by})
	for _, b := range by.Branches {
		add(b, true)
	}
}

func (s *Shapes) discriminator(k *Keywords) *Discriminator {
	if s.document.Discriminator == nil {
		return nil
	}
	return s.document.Discriminator(k)
}

// typesOf returns the types that a schema allows: for allOf and references the types that all allow, for anyOf and
// oneOf the types that any allows. A recursive occurrence adds no restriction.
func (s *Shapes) typesOf(k *Keywords) Type {
	s.typesMu.Lock()
	defer s.typesMu.Unlock()
	return s.leftTypes(k)
}

func (s *Shapes) leftTypes(k *Keywords) Type {
	if k == nil {
		return AnyType
	}
	if k.Bool != nil {
		if *k.Bool {
			return AnyType
		}
		return noneType
	}
	if left, ok := s.types[k]; ok {
		return left
	}
	left := OwnTypes(k) & listedTypes(k)
	if isAlone(k) {
		return left
	}
	s.types[k] = AnyType
	left &= s.leftTypes(k.Ref)
	if k.DynamicRef != nil {
		left &= s.leftTypes(k.DynamicRef.Ref)
	}
	for _, part := range k.AllOf {
		left &= s.leftTypes(part)
	}
	for _, branches := range [...][]*Keywords{k.AnyOf, k.OneOf} {
		some := noneType
		for _, branch := range branches {
			some |= s.leftTypes(branch)
		}
		if len(branches) > 0 {
			left &= some
		}
	}
	s.types[k] = left
	return left
}

// likelyTypes guesses the types of a value without a "type" from the keywords that are used; AnyType if there is no
// hint.
func likelyTypes(schemas []*Keywords) Type {
	found := noneType
	for _, k := range schemas {
		if k.Types != nil { // a branch of several, which implies nothing for the others
			return AnyType
		}
		if found |= AssertedTypes(k); k.Format != nil {
			found |= String
		}
	}
	if found == noneType {
		return AnyType
	}
	return found
}

func (s *Shape) walked() *Shape {
	s.walkOnce.Do(s.walk)
	return s
}

// All returns the place's own schemas that every value conforms to, without schemas that these apply to the same
// value.
func (s *Shape) All() []*Keywords { return s.from.all }

// Some returns the place's own schemas of which a value conforms to at least one, because a surrounding schema has
// alternatives. Nil if none.
func (s *Shape) Some() []*Keywords { return s.from.some }

// Schemas returns every schema that may apply to a value: first the ones that apply to all values, nearest first.
func (s *Shape) Schemas() []*Keywords { return s.walked().schemas }

// Certain returns the schemas that apply to all values, the nearest first.
func (s *Shape) Certain() []*Keywords { return s.walked().schemas[:s.certain] }

// Choices returns the alternatives that are open, the nearest first.
func (s *Shape) Choices() []Choice { return s.walked().choices }

// Types returns the types that a value may have.
func (s *Shape) Types() Type { return s.walked().types }

// LikelyTypes returns Types. If no schema names a type, it returns the types that the keywords suggest.
func (s *Shape) LikelyTypes() Type { return s.walked().likely }

// Bounds returns the combined bounds of the Certain schemas. Do not change it.
func (s *Shape) Bounds() *Bounds {
	s.boundsOnce.Do(func() {
		b := NewBounds()
		for _, k := range s.Certain() {
			b.Add(k)
		}
		s.bounds = &b
	})
	return s.bounds
}

func (s *Shape) filled() *Shape {
	s.walked()
	s.fillOnce.Do(s.fill)
	return s
}

// fill merges the keywords for the parts of a value.
func (s *Shape) fill() {
	for i, k := range s.schemas {
		conditional := i >= s.certain
		s.items.add(k.Items2020, conditional)
		s.items.add(k.UnevaluatedItems, conditional)
		for i, item := range k.PrefixItems {
			if i == len(s.prefix) {
				s.prefix = append(s.prefix, places{})
			}
			s.prefix[i].add(item, conditional)
		}
		for name, property := range k.Properties {
			m := s.members[name]
			if m == nil {
				if s.members == nil {
					s.members = make(map[string]*Member, len(k.Properties))
				}
				m = &Member{Name: name, Schema: property, Conditional: conditional, set: s.set}
				s.members[name] = m
			}
			m.from.add(property, conditional)
		}
		switch a := k.AdditionalProperties.(type) {
		case *Keywords:
			s.addOthers(a, conditional)
			s.open = s.open || a.Bool != nil && *a.Bool
		case bool:
			s.closed = s.closed || !a
			s.open = s.open || a
		}
		s.addOthers(k.UnevaluatedProperties, conditional)
		for _, pattern := range SortedPatterns(k) {
			s.additional.add(k.PatternProperties[pattern], true) // each applies only to some names
			s.open = true
		}
	}
	for _, k := range s.schemas[:s.certain] {
		for _, name := range k.Required {
			if m := s.members[name]; m != nil {
				m.Required = true
			}
		}
	}
	s.names = slices.Sorted(maps.Keys(s.members))
	if s.closed && len(s.additional.all)+len(s.additional.some) == 0 {
		s.open = false
	} else if len(s.members) == 0 {
		s.open = true
	}
}

// addOthers adds a schema for unlisted properties.
func (s *Shape) addOthers(k *Keywords, conditional bool) {
	if k == nil {
		return
	}
	s.additional.add(k, conditional)
	s.closed = s.closed || k.Bool != nil && !*k.Bool
	s.open = s.open || k.Bool == nil
}

// Names returns the names of the properties that the schemas list, sorted.
func (s *Shape) Names() []string { return s.filled().names }

// Member returns a listed property, nil if none.
func (s *Shape) Member(name string) *Member { return s.filled().members[name] }

// Members returns the properties that the schemas list, in the document's order, the nearest schema's properties first.
func (s *Shape) Members() []*Member {
	s.filled().orderOnce.Do(func() {
		s.ordered = make([]*Member, 0, len(s.members))
		taken := make(map[string]bool, len(s.members))
		add := func(names []string) {
			for _, name := range names {
				if m := s.members[name]; m != nil && !taken[name] {
					taken[name] = true
					s.ordered = append(s.ordered, m)
				}
			}
		}
		if s.set.document.Order != nil {
			for _, k := range s.schemas {
				if len(k.Properties) > 0 {
					add(s.set.document.Order(k))
				}
			}
		}
		add(s.names)
	})
	return s.ordered
}

// IsOpen reports whether a schema asks for unlisted properties rather than just not forbidding them.
func (s *Shape) IsOpen() bool { return s.filled().open }

// Items returns the shape of an array's elements after the ones of prefixItems.
func (s *Shape) Items() *Shape { return s.filled().part(&s.item, s.items) }

// Item returns the shape of an array's element at an index.
func (s *Shape) Item(index int) *Shape {
	switch s.filled(); {
	case index >= len(s.prefix):
		return s.Items()
	case index == 0:
		return s.part(&s.first, s.prefix[0])
	}
	return s.set.of(s.prefix[index])
}

// Additional returns the shape of unlisted properties.
func (s *Shape) Additional() *Shape { return s.filled().part(&s.other, s.additional) }

// Property returns the shape of a property, Additional if it is not listed.
func (s *Shape) Property(name string) *Shape {
	if m := s.Member(name); m != nil {
		return m.Shape()
	}
	return s.Additional()
}

func (s *Shape) part(made *atomic.Pointer[Shape], of places) *Shape {
	if known := made.Load(); known != nil {
		return known
	}
	made.Store(s.set.of(of))
	return made.Load()
}

// Shape returns the shape of the property's values.
func (m *Member) Shape() *Shape {
	if known := m.shape.Load(); known != nil {
		return known
	}
	m.shape.Store(m.set.of(m.from))
	return m.shape.Load()
}

// ReadOnly reports whether only the server may set values: a schema that always applies says so, or all schemas that
// apply to some objects do.
func (m *Member) ReadOnly() bool { return m.isMarked(ReadOnly) }

// WriteOnly reports whether values never appear in a response, with the same rule as ReadOnly.
func (m *Member) WriteOnly() bool { return m.isMarked(WriteOnly) }

func (m *Member) isMarked(marks func(*Keywords) bool) bool {
	if slices.ContainsFunc(m.from.all, marks) {
		return true
	}
	isNot := func(k *Keywords) bool { return !marks(k) }
	return len(m.from.all) == 0 && len(m.from.some) > 0 && !slices.ContainsFunc(m.from.some, isNot)
}

// Nullable reports whether null is among the types of the property.
func (m *Member) Nullable() bool { return m.Shape().Types().Has(Null) }
