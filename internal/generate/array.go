package generate

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/spec"
)

// arrayPlan is a shape's elements, worked out.
type arrayPlan struct {
	ready bool
	first []*node // of the elements at the start that differ from the others
	rest  *node   // of all others; nil where there can be none
	min   int
	max   int
	usual int
}

// usualLength is how many elements an array gets where the schema leaves it
// open, deeper ones get fewer.
const usualLength = 3

// element gives what the schemas of the shape say of the element i; false
// where there can be none.
func (sh *shape) element(i int) ([]lit, bool) {
	var lits []lit
	for _, k := range sh.flat {
		sub, found := elementOf(k, i)
		if found {
			if sub == nil {
				return nil, false
			}
			lits = append(lits, lit{op: holds, k: sub})
		}
	}
	for _, k := range sh.flat {
		if k.UnevaluatedItems != nil && !sh.evaluatesItem(k, k, i, map[*spec.Keywords]bool{}) {
			lits = append(lits, lit{op: holds, k: k.UnevaluatedItems})
		}
	}
	lits = append(lits, sh.everyItem...)
	lits = append(lits, sh.items[i]...)
	for _, limit := range sh.atMost {
		if !holdsFor(sh.items[i], limit.k) {
			lits = append(lits, lit{op: fails, k: limit.k})
		}
	}
	return lits, true
}

func holdsFor(lits []lit, k *spec.Keywords) bool {
	for _, l := range lits {
		if l.op == holds && l.k == k {
			return true
		}
	}
	return false
}

// elementOf gives k's schema for the element i; nil with true where k allows
// none.
func elementOf(k *spec.Keywords, i int) (*spec.Keywords, bool) {
	if i < len(k.PrefixItems) {
		return k.PrefixItems[i], true
	}
	if k.Items2020 != nil {
		return k.Items2020, true
	}
	switch items := k.Items.(type) { // up to draft 2019-09
	case *spec.Keywords:
		return items, true
	case []*spec.Keywords:
		if i < len(items) {
			return items[i], true
		}
		switch additional := k.AdditionalItems.(type) {
		case bool:
			return nil, !additional
		case *spec.Keywords:
			return additional, true
		}
	}
	return nil, false
}

// evaluatesItem is evaluates for the element i.
func (sh *shape) evaluatesItem(root, k *spec.Keywords, i int, seen map[*spec.Keywords]bool) bool {
	if k == nil || k.Bool != nil || seen[k] {
		return false
	}
	seen[k] = true
	if _, found := elementOf(k, i); found || k != root && k.UnevaluatedItems != nil {
		return true
	}
	if k.Contains != nil && holdsFor(sh.items[i], k.Contains) {
		return true
	}
	for _, sub := range sh.applied(k) {
		if sh.evaluatesItem(root, sub, i, seen) {
			return true
		}
	}
	return false
}

// finishArray works out the elements of a shape that is nothing but an array.
func (sh *shape) finishArray(g *Generator) {
	p := &sh.array
	p.min, p.max = sh.minItems, min(sh.maxItems, maxLength)
	special := 0
	for _, k := range sh.flat {
		special = max(special, len(k.PrefixItems))
		if items, ok := k.Items.([]*spec.Keywords); ok {
			special = max(special, len(items))
		}
	}
	for i := range sh.items {
		special = max(special, i+1)
	}
	for i := range min(special, p.max) {
		var n *node
		if lits, ok := sh.element(i); ok {
			n = g.child(lits)
		}
		if n == nil {
			p.max = min(p.max, i)
			break
		}
		p.first = append(p.first, n)
	}
	if p.max > len(p.first) {
		if lits, ok := sh.element(special); ok {
			p.rest = g.child(lits)
		}
		if p.rest == nil {
			p.max = len(p.first)
		}
	}
	if p.min > p.max {
		sh.impossible("minItems asks for more elements than are allowed")
		return
	}
	p.usual = min(max(p.min, len(p.first), usualLength), p.max)
	p.ready = true
}

// at gives the node of the element i.
func (p *arrayPlan) at(i int) *node {
	if i < len(p.first) {
		return p.first[i]
	}
	return p.rest
}

func (p *arrayPlan) least(_ *Generator, sh *shape) []*node {
	if !p.ready {
		return nil
	}
	var nodes []*node
	for i := range min(p.min, len(p.first)+1) {
		nodes = append(nodes, p.at(i))
	}
	return nodes
}

// array makes an array whose elements differ as far as they can.
func (r *run) array(n *node, sh *shape, at place) (any, bool) {
	p := &sh.array
	small := at.small || r.small(n)
	sent, filling := at.have.([]any)
	length := p.usual
	switch {
	case filling && at.given:
		length = min(max(len(sent), p.min), p.max)
	case small:
		length = p.min
	case len(r.path) >= 4:
		length = min(length, max(p.min, len(p.first), 1))
	}
	r.path = append(r.path, n)
	defer func() { r.path = r.path[:len(r.path)-1] }()

	list := make([]any, 0, length)
	for i := range length {
		inner := place{key: at.key.Child(strconv.Itoa(i)), hint: at.hint, small: small}
		inner.object = inner.key
		if filling && at.given && i < len(sent) {
			inner.have, inner.given = sent[i], true
		}
		v, ok := r.element(sh, list, p.at(i), inner)
		if !ok {
			if len(list) < p.min {
				r.stuck = n
				return nil, false
			}
			break
		}
		list = append(list, v)
	}
	if sh.repeats && len(list) > 1 {
		list[1] = list[0]
	}
	return list, true
}

// element makes one element that differs from those before it: always where
// they must be unique, as far as a few keys reach otherwise.
func (r *run) element(sh *shape, list []any, n *node, at place) (any, bool) {
	if r.g.costOf(n) >= never-1 {
		return nil, false
	}
	attempts := 4
	if sh.unique {
		attempts = 60
		if s := r.g.see(n); s.choice == nil && s.shape.listed {
			return s.shape.unused(list, at)
		}
	}
	key := at.key
	var v any
	for try := range attempts {
		if try > 0 {
			at.key = key.at(try)
			at.object = at.key
			if sh.unique && try > 4 {
				at.turn = try
			}
		}
		if try > 1 && r.count > maxCount/2 {
			break
		}
		var ok bool
		if v, ok = r.make(n, at); !ok {
			return nil, false
		}
		if at.given && !sh.unique || !contains(list, v) && !sameID(list, v) {
			return v, true
		}
		at.given = false
	}
	return v, !sh.unique || !contains(list, v)
}

// unused gives a listed value that the list does not have yet.
func (sh *shape) unused(list []any, at place) (any, bool) {
	start := at.key.intN(len(sh.values))
	for i := range sh.values {
		if v := sh.values[(start+i)%len(sh.values)]; !contains(list, v) {
			return v, true
		}
	}
	return nil, false
}

// sameID reports whether v is an object whose id another of the list has.
func sameID(list []any, v any) bool {
	object, ok := v.(map[string]any)
	if !ok {
		return false
	}
	id, ok := object["id"]
	if !ok || id == nil {
		return false
	}
	for _, other := range list {
		if object, ok := other.(map[string]any); ok && equal(object["id"], id) {
			return true
		}
	}
	return false
}
