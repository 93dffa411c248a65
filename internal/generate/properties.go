package generate

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/schema"
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
	if len(p.named) == 0 && sh.isMap() {
		p.usual = mapEntries
	}
	missing := sh.minProps - len(p.named)
	if p.usual == 0 && sh.minProps <= len(sh.required) {
		return
	}
	want := max(spareNames, missing+2)
	taken := map[string]bool{}
	for _, e := range p.named {
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
		if e, ok := sh.plan(g, name); ok && e.node != nil {
			p.extra = append(p.extra, e)
		}
	}
	if len(p.extra) < missing {
		sh.fail("minProperties asks for more properties than are allowed")
	}
}

// isMap reports whether the object's purpose is to have properties of any
// name.
func (sh *shape) isMap() bool {
	for _, k := range sh.schemas {
		if _, ok := k.AdditionalProperties.(*schema.Keywords); ok || len(k.PatternProperties) > 0 {
			return true
		}
	}
	return false
}

// nameSource gives names one after the other: those that patterns of
// patternProperties match, those that propertyNames make, plain ones.
func (sh *shape) nameSource(g *Generator) func(i int) (string, bool) {
	var makers []func(Key) (string, bool)
	f := formats.NewFaker()
	if len(sh.names) > 0 {
		constraints := []constraint{{op: ofKinds, n: int(text)}}
		for _, k := range sh.names {
			constraints = append(constraints, constraint{op: conforms, schema: k})
		}
		if n := g.child(constraints); n != nil {
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
	for _, k := range sh.schemas {
		for _, re := range sortedPatterns(k.PatternProperties) {
			if k.PatternProperties[re].Bool != nil && !*k.PatternProperties[re].Bool {
				continue
			}
			if a := newAutomaton([]string{re.String()}, nil, 0, never); a != nil {
				makers = append(makers, func(key Key) (string, bool) {
					s := a.write(f.Seed(uint64(key)))
					return s, re.MatchString(s)
				})
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
	sh := g.seeLocked(n).shape
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
		s := g.seeLocked(n)
		switch {
		case s.shape.reason != "":
			return "", false
		case s.choice != nil:
			n = s.choice.branches[key.intN(len(s.choice.branches))]
			continue
		case s.shape.listed:
			name, ok := s.shape.pickListed(place{key: key}).(string)
			return name, ok
		case s.shape.kinds != text:
			return "", false
		}
		r := run{g: g, fake: formats.NewFaker()}
		v, ok := r.text(s.shape, place{key: key, object: key})
		name, _ := v.(string)
		return name, ok
	}
	return "", false
}

// property gives what the schemas of the shape say of a property; false where
// it is not allowed.
func (sh *shape) property(name string) ([]constraint, bool) {
	var all []constraint
	var unevaluated []*schema.Keywords
	evaluated := false
	for _, k := range sh.schemas {
		named := false
		if property, ok := k.Properties[name]; ok {
			named = true
			all = append(all, constraint{op: conforms, schema: property})
		}
		for _, re := range sortedPatterns(k.PatternProperties) {
			if re.MatchString(name) {
				named = true
				all = append(all, constraint{op: conforms, schema: k.PatternProperties[re]})
			}
		}
		evaluated = evaluated || named || k.AdditionalProperties != nil
		if k.UnevaluatedProperties != nil {
			unevaluated = append(unevaluated, k.UnevaluatedProperties)
		}
		if named {
			continue
		}
		switch additional := k.AdditionalProperties.(type) {
		case bool:
			if !additional {
				return nil, false
			}
		case *schema.Keywords:
			all = append(all, constraint{op: conforms, schema: additional})
		}
	}
	if !evaluated {
		for _, k := range unevaluated {
			all = append(all, constraint{op: conforms, schema: k})
		}
	}
	return all, true
}
