package generate

import (
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/spec"
)

// maxOdd is how many names are considered for a property that breaks a rule.
const maxOdd = 6

// odd turns "some property breaks k's rule for such properties" into a choice
// of the property, once all else is known. It gives nil where nothing is left
// to choose.
func (e *expander) odd() *pending {
	for i, l := range e.sh.odd {
		id := choiceID{l.k, "odd " + strconv.Itoa(int(l.op))}
		if _, ok := e.sh.chosen[id]; ok || slices.Contains(e.sh.odd[:i], l) {
			continue
		}
		ways := e.oddWays(l)
		if len(ways) == 0 {
			e.sh.impossible("a schema that must not hold cannot be broken")
			return nil
		}
		p := &pending{id: id, branches: len(ways), ordered: true, explicit: true, lits: func(n int) []lit { return ways[n] }}
		for n := range ways {
			p.order = append(p.order, n)
		}
		return p
	}
	return nil
}

func (e *expander) oddWays(odd lit) [][]lit {
	k, sh := odd.k, e.sh
	var ways [][]lit
	add := func(name string, sub *spec.Keywords) {
		way := []lit{{op: needs, name: name}}
		if sub != nil {
			way = append(way, lit{op: propFails, name: name, k: sub})
		}
		taken := slices.ContainsFunc(ways, func(w []lit) bool { return w[0].name == name })
		if len(ways) < maxOdd && !taken && sh.named(name) && !slices.ContainsFunc(way, e.contradicts) {
			ways = append(ways, way)
		}
	}
	switch odd.op {
	case extraFails:
		sub, _ := k.AdditionalProperties.(*spec.Keywords)
		for _, name := range sh.candidates() {
			if _, ok := k.Properties[name]; !ok && !matchesAny(k.PatternProperties, name) {
				add(name, sub)
			}
		}
	case strayFails:
		for _, name := range sh.candidates() {
			if !mentions(k, name, map[*spec.Keywords]bool{}) {
				add(name, k.UnevaluatedProperties)
			}
		}
	case matchFails:
		for _, re := range sortedPatterns(k.PatternProperties) {
			for _, name := range sh.candidates() {
				if re.MatchString(name) {
					add(name, k.PatternProperties[re])
				}
			}
			if a := newAutomaton([]string{re.String()}, nil, 0, never); a != nil {
				if name := a.make(Key(3)); re.MatchString(name) {
					add(name, k.PatternProperties[re])
				}
			}
		}
	case nameFails:
		for _, name := range sh.candidates() {
			if k.PropertyNames.Validate(name) != nil {
				add(name, nil)
			}
		}
		if n := e.g.child([]lit{{op: isKind, n: int(text)}, {op: fails, k: k.PropertyNames}}); n != nil {
			for i := range 32 {
				if name, ok := e.g.name(n, Key(5).at(i)); ok && k.PropertyNames.Validate(name) != nil {
					add(name, nil)
				}
			}
		}
	}
	return ways
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
