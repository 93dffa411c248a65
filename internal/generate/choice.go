package generate

import (
	"slices"

	"github.com/coldframe/coldframe/internal/spec"
)

// choiceID names a choice: one keyword of one schema, or its negation.
type choiceID struct {
	k    *spec.Keywords
	name string
}

// pending is a choice that the literals have not made yet.
type pending struct {
	id       choiceID
	branches int
	ordered  bool
	lits     func(branch int) []lit
	order    []int   // the branches worth trying, best first; nil for all
	ways     [][]lit // of a negation: what each branch asks for
	explicit bool    // the branches depend on what else is known: nodes name them in full
	done     bool
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
				put(&e.sh.chosen, p.id, p.order[0])
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
		return e.failed[l.k] || e.failed[bare(l.k)] || kindsOf(l.k)&sh.kinds == 0
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
		if p.explicit {
			lits = append(lits, p.lits(i)...)
		}
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
		put(&e.sh.chosen, p.id, 0)
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

// promising orders branches: those of a kind that the place cannot have are
// left out, those that only take null come last. nil is all of them.
func (e *expander) promising(branches []*spec.Keywords) []int {
	var order, last []int
	for i, b := range branches {
		mask := kindsOf(b)
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
