package generate

import (
	"math/big"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// choiceID names a choice: one keyword of one schema, or its negation.
type choiceID struct {
	k    *spec.Keywords
	name string
}

// expander works out what a set of literals means.
type expander struct {
	g       *Generator
	n       *node
	sh      *shape
	held    map[*spec.Keywords]bool
	failed  map[*spec.Keywords]bool
	pending []pending
}

// pending is a choice that the literals have not made yet.
type pending struct {
	id       choiceID
	branches int
	ordered  bool
	lits     func(branch int) []lit
	order    []int   // the branches worth trying, best first; nil for all
	ways     [][]lit // of a negation: what each branch asks for
	done     bool
}

func (g *Generator) expand(n *node) *state {
	e := &expander{
		g: g, n: n, sh: newShape(),
		held: map[*spec.Keywords]bool{}, failed: map[*spec.Keywords]bool{},
	}
	for _, l := range n.lits {
		if l.op == chose {
			e.sh.chosen[choiceID{l.k, l.name}] = l.n
		}
	}
	for _, l := range n.lits {
		e.apply(l)
	}
	sh := e.sh
	first := e.propagate()
	sh.settle(g, e)
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

// propagate makes the choices that leave no choice, and gives the one to make
// next: that with the fewest branches.
func (e *expander) propagate() *pending {
	for again := true; again && e.sh.reason == "" && !e.sh.listed; {
		again = false
		for i := 0; i < len(e.pending); i++ {
			p := &e.pending[i]
			if p.done || slices.ContainsFunc(p.ways, e.sh.implies) {
				p.done = true
				continue
			}
			p.order = slices.DeleteFunc(slices.Clone(p.order), func(n int) bool {
				return slices.ContainsFunc(p.lits(n), e.contradicts)
			})
			switch len(p.order) {
			case 0:
				e.sh.impossible("its demands exclude each other")
				return nil
			case 1:
				p.done, again = true, true
				e.sh.chosen[p.id] = p.order[0]
				e.applyAll(p.lits(p.order[0])) // may append to pending
			}
		}
	}
	var first *pending
	for i := range e.pending {
		if p := &e.pending[i]; !p.done && (first == nil || len(p.order) < len(first.order)) {
			first = p
		}
	}
	return first
}

// contradicts reports whether it is plain that no value of the shape does what
// l asks for.
func (e *expander) contradicts(l lit) bool {
	sh := e.sh
	switch l.op {
	case holds:
		return e.failed[l.k] || e.failed[bare(l.k)] || kindsOf(l.k, 8)&sh.kinds == 0
	case fails:
		return e.held[l.k] || e.held[bare(l.k)]
	case isKind:
		return sh.kinds&kinds(l.n) == 0
	case lacks:
		_, needed := slices.BinarySearch(sh.needed, l.name)
		return needed
	case needs:
		if sh.forbidden[l.name] {
			return true
		}
		_, ok := sh.property(l.name)
		return !ok
	case propHolds, propFails:
		opposite := holds
		if l.op == propHolds {
			opposite = fails
		}
		lits, _ := sh.property(l.name)
		return slices.ContainsFunc(lits, func(other lit) bool { return other.op == opposite && bare(other.k) == bare(l.k) })
	case minText:
		return l.n > sh.text.max
	case maxText:
		return l.n < sh.text.min
	case minItems:
		return l.n > sh.maxItems
	case maxItems:
		return l.n < sh.minItems
	case minProps:
		return l.n > sh.maxProps
	case maxProps:
		return l.n < sh.minProps || l.n < len(sh.needed)
	}
	return false
}

// implies reports whether every value of the shape does what a way asks for.
// What is known of a shape only grows, so it stays true.
func (sh *shape) implies(way []lit) bool {
	for _, l := range way {
		switch l.op {
		case isKind:
			if sh.kinds&^kinds(l.n) != 0 {
				return false
			}
		case lacks:
			if !sh.forbidden[l.name] {
				return false
			}
		case needs:
			if _, ok := slices.BinarySearch(sh.needed, l.name); !ok {
				return false
			}
		case propFails:
			if !slices.Contains(sh.properties[l.name], lit{op: fails, k: l.k}) {
				return false
			}
		default:
			return false
		}
	}
	return len(way) > 0
}

func (e *expander) choose(p *pending) *choice {
	c := &choice{ordered: p.ordered}
	for _, i := range p.order {
		lits := append(slices.Clip(slices.Clone(e.n.lits)), lit{op: chose, k: p.id.k, name: p.id.name, n: i})
		c.branches = append(c.branches, e.g.node(lits))
	}
	return c
}

// chooseKind splits a shape that several kinds of values could fill, the one
// that its keywords speak of first and null last.
func (e *expander) chooseKind() *choice {
	c := &choice{ordered: true}
	for _, kind := range e.sh.kindOrder() {
		lits := append(slices.Clip(slices.Clone(e.n.lits)), lit{op: isKind, n: int(kind)})
		c.branches = append(c.branches, e.g.node(lits))
	}
	return c
}

// decide adds a choice, or applies the branch that is taken.
func (e *expander) decide(p pending) {
	if n, ok := e.sh.chosen[p.id]; ok {
		e.applyAll(p.lits(n))
		return
	}
	if p.branches == 1 {
		e.sh.chosen[p.id] = 0
		e.applyAll(p.lits(0))
		return
	}
	if p.order == nil {
		for i := range p.branches {
			p.order = append(p.order, i)
		}
	}
	e.pending = append(e.pending, p)
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
		sh.items[l.n] = append(sh.items[l.n], lit{op: holds + op(l.op-itemHolds), k: l.k})
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
		sh.forbidden[l.name] = true
	case propHolds, propFails:
		sh.properties[l.name] = append(sh.properties[l.name], lit{op: holds + op(l.op-propHolds), k: l.k})
	case extraFails, matchFails, nameFails, strayFails:
		sh.kinds &= object
		sh.odd = append(sh.odd, l)
	case prefers:
		if name, value := e.g.discriminator(l.k, l.n); name != "" {
			sh.preferred[name] = value
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

// promising orders branches: those of a kind that the place cannot have are
// left out, those that only take null come last. nil is all of them.
func (e *expander) promising(branches []*spec.Keywords) []int {
	var order, last []int
	for i, b := range branches {
		mask := kindsOf(b, 8)
		switch {
		case e.sh.kinds&mask == 0:
		case mask == null:
			last = append(last, i)
		default:
			order = append(order, i)
		}
	}
	if len(order)+len(last) == 0 {
		return []int{0}
	}
	return append(order, last...)
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

// disjoint remembers what the function of the same name finds.
func (g *Generator) disjoint(a, b *spec.Keywords) bool {
	pair := [2]*spec.Keywords{a, b}
	known, ok := g.apart[pair]
	if !ok {
		known = disjoint(a, b, 3)
		g.apart[pair] = known
	}
	return known
}

// disjoint reports whether it is plain that no value is valid by both a and b.
// It looks depth properties deep.
func disjoint(a, b *spec.Keywords, depth int) bool {
	if depth < 0 {
		return false
	}
	as, bs := merged(a), merged(b)
	if kindsAll(as)&kindsAll(bs) == 0 {
		return true
	}
	if values, ok := listed(as); ok {
		return !anyValid(values, bs)
	}
	if values, ok := listed(bs); ok {
		return !anyValid(values, as)
	}
	if kindsAll(as)&kindsAll(bs) == object {
		return refuses(as, bs, depth) || refuses(bs, as, depth)
	}
	if (kindsAll(as)&kindsAll(bs))&^numbers == 0 {
		return apart(as, bs) || apart(bs, as)
	}
	return false
}

// refuses reports whether an object valid by as cannot be valid by bs: a
// property that as require is one that bs refuse.
func refuses(as, bs []*spec.Keywords, depth int) bool {
	for _, a := range as {
		for _, name := range a.Required {
			for _, b := range bs {
				value, ok := b.Properties[name]
				if !ok {
					if b.AdditionalProperties == false && !matchesAny(b.PatternProperties, name) {
						return true
					}
					continue
				}
				for _, other := range as {
					if mine, ok := other.Properties[name]; ok && disjoint(mine, value, depth-1) {
						return true
					}
				}
				if value.Bool != nil && !*value.Bool {
					return true
				}
			}
		}
	}
	return false
}

// apart reports whether the numbers of as end before those of bs begin.
func apart(as, bs []*spec.Keywords) bool {
	for _, a := range as {
		for _, b := range bs {
			for _, hi := range []*big.Rat{a.Maximum, a.ExclusiveMaximum} {
				for _, lo := range []*big.Rat{b.Minimum, b.ExclusiveMinimum} {
					if hi != nil && lo != nil {
						c := hi.Cmp(lo)
						if c < 0 || c == 0 && (hi == a.ExclusiveMaximum || lo == b.ExclusiveMinimum) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

func matchesAny(patterns map[spec.Regexp]*spec.Keywords, name string) bool {
	for re := range patterns {
		if re.MatchString(name) {
			return true
		}
	}
	return false
}

// merged gives k with all schemas that hold where it holds.
func merged(k *spec.Keywords) []*spec.Keywords {
	list := []*spec.Keywords{}
	var add func(*spec.Keywords)
	add = func(k *spec.Keywords) {
		if k == nil || slices.Contains(list, k) || len(list) > 64 {
			return
		}
		list = append(list, k)
		add(k.Ref)
		for _, sub := range k.AllOf {
			add(sub)
		}
	}
	add(k)
	return list
}

func listed(ks []*spec.Keywords) ([]any, bool) {
	for _, k := range ks {
		if k.Const != nil {
			return []any{*k.Const}, true
		}
		if k.Enum != nil {
			return k.Enum.Values, true
		}
	}
	return nil, false
}

func anyValid(values []any, ks []*spec.Keywords) bool {
	for _, v := range values {
		valid := true
		for _, k := range ks {
			// A reference leads to another of ks: its own keywords are enough.
			if k.Validate(v) != nil {
				valid = false
				break
			}
		}
		if valid {
			return true
		}
	}
	return false
}
