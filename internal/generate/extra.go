package generate

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/spec"
)

// spareNames is how many names of additional properties are worked out ahead;
// a value takes a few of them.
const spareNames = 8

// plainNames are what additional properties are called where nothing is said
// of their names.
var plainNames = []string{
	"alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima",
}

// finishExtra works out properties that no schema names.
func (sh *shape) finishExtra(g *Generator) {
	p := &sh.object
	if len(p.edges) == 0 && sh.isMap() {
		p.usual = mapEntries
	}
	missing := sh.minProps - len(p.edges)
	if p.usual == 0 && sh.minProps <= len(sh.needed) {
		return
	}
	want := max(spareNames, missing+2)
	taken := map[string]bool{}
	for _, e := range p.edges {
		taken[e.name] = true
	}
	names := sh.nameSource(g)
	for i := 0; i < want*8+64 && len(p.extra) < want; i++ {
		name, ok := names(i)
		if !ok {
			break
		}
		if taken[name] {
			continue
		}
		taken[name] = true
		if e, ok := sh.edge(g, name); ok && e.node != nil {
			p.extra = append(p.extra, e)
		}
	}
	if len(p.extra) < missing {
		sh.impossible("minProperties asks for more properties than are allowed")
	}
}

// isMap reports whether the object's purpose is to have properties of any
// name.
func (sh *shape) isMap() bool {
	for _, k := range sh.flat {
		if _, ok := k.AdditionalProperties.(*spec.Keywords); ok || len(k.PatternProperties) > 0 {
			return true
		}
	}
	return false
}

// nameSource gives names one after the other: those that patterns of
// patternProperties match, those that propertyNames make, plain ones.
func (sh *shape) nameSource(g *Generator) func(i int) (string, bool) {
	var makers []func(Key) (string, bool)
	if len(sh.names) > 0 {
		lits := []lit{{op: isKind, n: int(text)}}
		for _, k := range sh.names {
			lits = append(lits, lit{op: holds, k: k})
		}
		if n := g.child(lits); n != nil {
			if listed := g.nameList(n); listed != nil {
				return func(i int) (string, bool) {
					if i < len(listed) {
						return listed[i], true
					}
					return "", false
				}
			}
			makers = append(makers, func(key Key) (string, bool) { return g.name(n, key) })
		}
	}
	for _, k := range sh.flat {
		for _, re := range sortedPatterns(k.PatternProperties) {
			if k.PatternProperties[re].Bool != nil && !*k.PatternProperties[re].Bool {
				continue
			}
			if p := parsePattern(re.String()); p != nil {
				if sampler := newSampler(p, 0, never); sampler != nil {
					makers = append(makers, func(key Key) (string, bool) {
						s := sampler.make(key)
						return s, re.MatchString(s)
					})
				}
			}
		}
	}
	if len(sh.names) == 0 {
		makers = append(makers, nil)
	}
	plain := 0
	return func(i int) (string, bool) {
		if len(makers) == 0 {
			return "", false
		}
		if make := makers[i%len(makers)]; make != nil {
			for try := range 16 {
				if s, ok := make(Key(11).at(i).at(try)); ok {
					return s, true
				}
			}
			return "", true // taken at once, never again
		}
		plain++
		if plain <= len(plainNames) {
			return plainNames[plain-1], true
		}
		return "property" + strconv.Itoa(plain), true
	}
}

// nameList gives the names that a node lists, nil where it lists none.
func (g *Generator) nameList(n *node) []string {
	sh := g.expanded(n).shape
	if !sh.listed {
		return nil
	}
	names := []string{}
	for _, v := range sh.values {
		if s, ok := v.(string); ok {
			names = append(names, s)
		}
	}
	return names
}

// name makes a string of a node while the lock is held.
func (g *Generator) name(n *node, key Key) (string, bool) {
	for range 8 {
		s := g.expanded(n)
		switch {
		case s.shape.reason != "":
			return "", false
		case s.choice != nil:
			n = s.choice.branches[key.below(len(s.choice.branches))]
			continue
		case s.shape.listed:
			name, ok := s.shape.pickValue(place{key: key}).(string)
			return name, ok
		case s.shape.kinds != text:
			return "", false
		}
		r := run{g: g, fake: newFaker()}
		v, ok := r.text(s.shape, place{key: key, object: key})
		name, _ := v.(string)
		return name, ok
	}
	return "", false
}

// settleOdd turns "some property breaks k's rule for it" into a property that
// does.
func (sh *shape) settleOdd(g *Generator, odd lit) {
	k := odd.k
	switch odd.op {
	case extraFails:
		for _, name := range sh.candidates() {
			if _, ok := k.Properties[name]; ok || matchesAny(k.PatternProperties, name) || sh.forbidden[name] {
				continue
			}
			if sub, ok := k.AdditionalProperties.(*spec.Keywords); ok {
				put(&sh.properties, name, append(sh.properties[name], lit{op: fails, k: sub}))
			}
			if _, ok := sh.edge(g, name); ok {
				sh.need(name)
				return
			}
			delete(sh.properties, name)
		}
	case strayFails:
		for _, name := range sh.candidates() {
			if sh.forbidden[name] || mentions(k, name, map[*spec.Keywords]bool{}) {
				continue
			}
			put(&sh.properties, name, append(sh.properties[name], lit{op: fails, k: k.UnevaluatedProperties}))
			if _, ok := sh.edge(g, name); ok {
				sh.need(name)
				return
			}
			delete(sh.properties, name)
		}
	case matchFails:
		for _, re := range sortedPatterns(k.PatternProperties) {
			p := parsePattern(re.String())
			if p == nil {
				continue
			}
			name, ok := p.sample(Key(3), 0, never)
			if !ok || !re.MatchString(name) || sh.forbidden[name] {
				continue
			}
			put(&sh.properties, name, append(sh.properties[name], lit{op: fails, k: k.PatternProperties[re]}))
			if _, ok := sh.edge(g, name); ok {
				sh.need(name)
				return
			}
			delete(sh.properties, name)
		}
	case nameFails:
		if n := g.child([]lit{{op: isKind, n: int(text)}, {op: fails, k: k.PropertyNames}}); n != nil {
			for i := range 32 {
				name, ok := g.name(n, Key(5).at(i))
				if !ok || k.PropertyNames.Validate(name) == nil || sh.forbidden[name] {
					continue
				}
				if _, ok := sh.edge(g, name); ok {
					sh.need(name)
					return
				}
			}
		}
	}
	sh.impossible("a schema that must not hold cannot be broken")
}

// candidates gives names to add to an object: those that its schemas name
// first.
func (sh *shape) candidates() []string {
	var names []string
	for _, k := range sh.flat {
		names = append(names, sorted(k.Properties)...)
	}
	return append(names, plainNames...)
}

// mentions reports whether a schema that k applies to the same value may
// evaluate the property. seen are those that were asked already.
func mentions(k *spec.Keywords, name string, seen map[*spec.Keywords]bool) bool {
	if k == nil || seen[k] {
		return false
	}
	seen[k] = true
	if _, ok := k.Properties[name]; ok || k.AdditionalProperties != nil || matchesAny(k.PatternProperties, name) {
		return true
	}
	for _, list := range [][]*spec.Keywords{k.AllOf, k.AnyOf, k.OneOf, {k.Ref, k.If, k.Then, k.Else}} {
		for _, sub := range list {
			if mentions(sub, name, seen) {
				return true
			}
		}
	}
	for _, sub := range k.DependentSchemas {
		if mentions(sub, name, seen) {
			return true
		}
	}
	return false
}
