package generate

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// expander works out what a set of literals means.
type expander struct {
	g       *Generator
	n       *node
	sh      *shape
	held    map[*spec.Keywords]bool
	failed  map[*spec.Keywords]bool
	pending []pending
}

func (g *Generator) expand(n *node) *state {
	e := &expander{
		g: g, n: n, sh: newShape(),
		held: map[*spec.Keywords]bool{}, failed: map[*spec.Keywords]bool{},
	}
	for _, l := range n.lits {
		if l.op == chose {
			put(&e.sh.chosen, choiceID{l.k, l.name}, l.n)
		}
	}
	for _, l := range n.lits {
		e.apply(l)
	}
	sh := e.sh
	first := e.propagate()
	sh.settle(g, e)
	if first == nil && sh.kinds == object && sh.reason == "" && !sh.listed {
		first = e.odd()
	}
	s := &state{shape: sh}
	switch {
	case sh.reason != "" || sh.listed:
	case first != nil:
		s.choice = e.choose(first)
	case sh.kinds.count() > 1:
		s.choice = e.chooseKind()
	default:
		sh.finish(g)
	}
	return s
}

func (e *expander) applyAll(lits []lit) {
	for _, l := range lits {
		e.apply(l)
	}
}

func (e *expander) apply(l lit) {
	sh := e.sh
	switch l.op {
	case holds:
		e.hold(l.k)
	case fails:
		e.fail(l.k)
	case excludes:
		e.exclude(l.k, l.n>>16, l.n&0xffff)
	case isKind:
		sh.kinds &= kinds(l.n)
	case notListed:
		sh.exclude(l.k)
	case breaksMin, breaksMax, breaksXMin, breaksXMax, breaksMul:
		sh.kinds &= numbers
		sh.number.breakKeyword(l)
	case breaksFmt, breaksPat:
		sh.kinds &= text
		sh.text.breakKeyword(l)
	case minText:
		sh.kinds &= text
		sh.text.min = max(sh.text.min, l.n)
	case maxText:
		sh.kinds &= text
		sh.text.max = min(sh.text.max, l.n)
	case minItems:
		sh.kinds &= array
		sh.minItems = max(sh.minItems, l.n)
	case maxItems:
		sh.kinds &= array
		sh.maxItems = min(sh.maxItems, l.n)
	case repeats:
		sh.kinds &= array
		sh.minItems = max(sh.minItems, 2)
		sh.repeats = true
	case itemHolds, itemFails:
		sh.kinds &= array
		sh.minItems = max(sh.minItems, l.n+1)
		put(&sh.items, l.n, append(sh.items[l.n], lit{op: holds + op(l.op-itemHolds), k: l.k}))
	case allItemsFail:
		sh.everyItem = append(sh.everyItem, lit{op: fails, k: l.k})
	case minProps:
		sh.kinds &= object
		sh.minProps = max(sh.minProps, l.n)
	case maxProps:
		sh.kinds &= object
		sh.maxProps = min(sh.maxProps, l.n)
	case needs:
		sh.kinds &= object
		sh.need(l.name)
	case lacks:
		put(&sh.forbidden, l.name, true)
	case propHolds, propFails:
		put(&sh.properties, l.name, append(sh.properties[l.name], lit{op: holds + op(l.op-propHolds), k: l.k}))
	case extraFails, matchFails, nameFails, strayFails:
		sh.kinds &= object
		sh.odd = append(sh.odd, l)
	case prefers:
		if name, value := e.g.discriminator(l.k, l.n); name != "" {
			put(&sh.preferred, name, value)
		}
	}
}

// hold merges k into the shape (JSON Schema 2020-12 core and validation).
func (e *expander) hold(k *spec.Keywords) {
	if e.held[k] {
		return
	}
	e.held[k] = true
	sh := e.sh
	if e.failed[k] {
		sh.impossible("it asks for a schema and its opposite")
		return
	}
	if k.Bool != nil {
		if !*k.Bool {
			sh.impossible("the schema is false")
		}
		return
	}
	sh.flat = append(sh.flat, k)
	sh.merge(e.g, k)
	if k.Ref != nil {
		e.g.refer(k)
		e.hold(k.Ref)
		if k.DraftVersion < 2019 { // nothing beside $ref counts
			return
		}
	}
	if k.DynamicRef != nil {
		e.hold(e.g.dynamic(k.DynamicRef))
	}
	if k.RecursiveRef != nil {
		e.hold(k.RecursiveRef)
	}
	for _, sub := range k.AllOf {
		e.hold(sub)
	}
	if k.Not != nil {
		e.fail(k.Not)
	}
	if len(k.OneOf) > 0 {
		e.decide(pending{
			id: choiceID{k, "oneOf"}, branches: len(k.OneOf), order: e.promising(k.OneOf),
			lits: func(n int) []lit {
				lits := []lit{{op: holds, k: k.OneOf[n]}, {op: prefers, k: k, n: n}}
				for i, other := range k.OneOf {
					if i != n && !e.g.disjoint(k.OneOf[n], other) {
						lits = append(lits, lit{op: excludes, k: k, n: n<<16 | i})
					}
				}
				return lits
			},
		})
	}
	if len(k.AnyOf) > 0 {
		e.decide(pending{
			id: choiceID{k, "anyOf"}, branches: len(k.AnyOf), order: e.promising(k.AnyOf),
			lits: func(n int) []lit { return []lit{{op: holds, k: k.AnyOf[n]}, {op: prefers, k: k, n: n}} },
		})
	}
	if k.If != nil && (k.Then != nil || k.Else != nil) {
		e.decide(pending{
			id: choiceID{k, "if"}, branches: 2,
			lits: func(n int) []lit {
				if n == 0 {
					return holdAll([]lit{{op: holds, k: k.If}}, k.Then)
				}
				return holdAll([]lit{{op: fails, k: k.If}}, k.Else)
			},
		})
	}
	for _, name := range sorted(k.DependentSchemas) {
		sub := k.DependentSchemas[name]
		e.dependent(k, name, lit{op: holds, k: sub})
	}
	for _, name := range sorted(k.DependentRequired) {
		var lits []lit
		for _, required := range k.DependentRequired[name] {
			lits = append(lits, lit{op: needs, name: required})
		}
		e.dependent(k, name, lits...)
	}
	for _, name := range sorted(k.Dependencies) {
		switch dep := k.Dependencies[name].(type) {
		case []string:
			var lits []lit
			for _, required := range dep {
				lits = append(lits, lit{op: needs, name: required})
			}
			e.dependent(k, name, lits...)
		case *spec.Keywords:
			e.dependent(k, name, lit{op: holds, k: dep})
		}
	}
	if k.Contains != nil {
		e.contain(k)
	}
}

func holdAll(lits []lit, ks ...*spec.Keywords) []lit {
	for _, k := range ks {
		if k != nil {
			lits = append(lits, lit{op: holds, k: k})
		}
	}
	return lits
}

// dependent chooses between a property with what depends on it, and its
// absence.
func (e *expander) dependent(k *spec.Keywords, name string, lits ...lit) {
	if e.sh.kinds&object == 0 {
		return
	}
	p := pending{id: choiceID{k, "depends " + name}, branches: 3, ordered: true}
	if e.g.options.Fill == "required" {
		p.order = []int{1, 0, 2}
	}
	p.lits = func(n int) []lit {
		switch n {
		case 0:
			return append([]lit{{op: needs, name: name}}, lits...)
		case 1:
			return []lit{{op: isKind, n: int(object)}, {op: lacks, name: name}}
		}
		return []lit{{op: isKind, n: int(anyKind &^ object)}}
	}
	if !slices.Contains(p.order, 0) && !e.declared(name) {
		p.order = []int{1, 0, 2}
	}
	e.decide(p)
}

// declared reports whether a schema of the place lists the property.
func (e *expander) declared(name string) bool {
	for _, k := range e.sh.flat {
		if _, ok := k.Properties[name]; ok {
			return true
		}
		if slices.Contains(k.Required, name) {
			return true
		}
	}
	return false
}

// contain gives each element that contains asks for a position.
func (e *expander) contain(k *spec.Keywords) {
	least := 1
	if k.MinContains != nil {
		least = *k.MinContains
	}
	if e.sh.kinds&array == 0 {
		return
	}
	if k.MaxContains != nil {
		e.sh.atMost = append(e.sh.atMost, limit{k.Contains, *k.MaxContains})
	}
	if least == 0 || least > maxLength {
		return
	}
	prefix := 0
	for _, other := range e.sh.flat {
		prefix = max(prefix, len(other.PrefixItems))
	}
	// Branch n begins at the element n, the last is to be no array. The elements
	// after the prefix that nobody has asked for yet come first.
	const spare = 16
	last := prefix + spare
	free := prefix
	for i := range e.sh.items {
		free = max(free, i+1)
	}
	order := []int{min(free, last-1)}
	for n := last - spare; n >= 0; n-- {
		order = append(order, n)
	}
	e.decide(pending{
		id: choiceID{k, "contains"}, branches: last + 1, ordered: true, order: append(order, last),
		lits: func(n int) []lit {
			if n == last {
				return []lit{{op: isKind, n: int(anyKind &^ array)}}
			}
			var lits []lit
			for i := range least {
				lits = append(lits, lit{op: itemHolds, k: k.Contains, n: n + i})
			}
			return lits
		},
	})
}

func sorted[V any](m map[string]V) []string {
	if len(m) == 0 {
		return nil
	}
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// sortedPatterns gives the patterns of patternProperties in a fixed order.
func sortedPatterns(m map[spec.Regexp]*spec.Keywords) []spec.Regexp {
	patterns := make([]spec.Regexp, 0, len(m))
	for re := range m {
		patterns = append(patterns, re)
	}
	slices.SortFunc(patterns, func(a, b spec.Regexp) int { return strings.Compare(a.String(), b.String()) })
	return patterns
}
