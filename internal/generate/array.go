package generate

import (
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/values"
)

// arrayPlan is a shape's elements, worked out.
type arrayPlan struct {
	ready bool
	first []*node       // of the elements at the start that differ from the others
	rest  *node         // of all others; nil if there can be none
	value *values.Value // what the document or a setting says of these; nil for nothing
	hint  *hint         // by the value; nil if it says nothing of that
	min   int
	max   int
	usual int
}

// usualLength is how many elements an array gets if the schema leaves it open, deeper ones get fewer.
const usualLength = 3

func (sh *shape) element(i int) []constraint {
	var all []constraint
	for _, k := range sh.Schemas {
		if item := schema.Item(k, i); item != nil {
			all = append(all, constraint{op: conforms, schema: item})
		}
	}
	if len(all)+len(sh.reserved[i]) == 0 {
		all = conforming(sh.Item(i)) // of unevaluatedItems
	}
	all = append(all, conforming(sh.reserved[i])...)
	for _, limit := range sh.containsMax {
		if !slices.Contains(sh.reserved[i], limit.schema) {
			all = append(all, constraint{op: fails, schema: limit.schema})
		}
	}
	return all
}

// finishArray works out the elements of a shape that is nothing but an array.
func (sh *shape) finishArray(g *Generator) {
	p := &sh.array
	p.min, p.max = sh.MinItems, min(sh.MaxItems, maxLength)
	special := sh.firstFree()
	for i := range min(special, p.max) {
		n := g.child(sh.element(i))
		if n == nil {
			p.max = min(p.max, i)
			break
		}
		p.first = append(p.first, n)
	}
	if p.max > len(p.first) {
		all := sh.element(special)
		p.rest, p.value = g.child(all), g.said(sh.Schemas, values.Elements, all)
		if p.value != nil {
			p.hint = g.hintOf(p.value, nil)
		}
		if p.rest == nil {
			p.max = len(p.first)
		}
	}
	if p.min > p.max && !g.relaxed {
		sh.fail("minItems asks for more elements than are allowed")
		return
	}
	p.usual = min(max(p.min, len(p.first), usualLength), p.max)
	p.ready = true
}

// firstFree returns the first position after the prefixItems and the positions reserved for contains.
func (sh *shape) firstFree() int {
	first := sh.Prefix()
	for i := range sh.reserved {
		first = max(first, i+1)
	}
	return first
}

func (p *arrayPlan) at(i int) *node {
	if i < len(p.first) {
		return p.first[i]
	}
	return p.rest
}

func (p *arrayPlan) smallest() []*node {
	if !p.ready {
		return nil
	}
	return append(slices.Clip(p.first), p.rest)[:min(p.min, len(p.first)+1)]
}

// array generates an array of distinct elements if there are enough.
func (r *run) array(n *node, sh *shape, at valueContext) (any, bool) {
	p := &sh.array
	sent, filling := at.have.([]any)
	length := p.usual
	switch {
	case filling && at.given:
		length = min(max(len(sent), p.min), p.max)
	case at.small:
		length = p.min
	case len(r.path) > 4:
		length = min(length, max(p.min, len(p.first), 1))
	}
	list := make([]any, 0, length)
	for i := range length {
		r.steps -= i / 64 // each is compared with those before it
		inner := valueContext{key: at.key.Child(strconv.Itoa(i)), hint: at.hint, small: at.small, town: at.home(),
			list: at.key, nth: i + 1}
		inner.object = inner.key
		if i >= len(p.first) && p.value != nil {
			if inner.value = p.value; p.hint != nil {
				inner.hint = p.hint
			}
		}
		if filling && at.given && i < len(sent) {
			inner.have, inner.given = sent[i], true
		}
		v, ok := r.element(sh, list, p.at(i), inner)
		if !ok {
			if len(list) < p.min && !r.g.relaxed {
				r.stuck = n
				return nil, false
			}
			break
		}
		isComparable := schema.TypeOf(v).Has(schema.String | schema.Object)
		if isComparable && !inner.given && i >= max(p.min, len(p.first), 1) && contains(list, v) {
			break // rather fewer than the same again
		}
		list = append(list, v)
	}
	return list, true
}

// element generates an element that differs from the elements before it: always if they must be unique, otherwise if
// one of a few keys yields one.
func (r *run) element(sh *shape, list []any, n *node, at valueContext) (any, bool) {
	if !r.isPossible(n) {
		return nil, false
	}
	attempts := 4
	if sh.Unique {
		attempts = 60
		if m := r.g.see(n); m.choice == nil && m.shape.Listed {
			values := m.shape.Values
			start := at.key.intN(len(values))
			for i := range values {
				if v := values[(start+i)%len(values)]; !contains(list, v) {
					return v, true
				}
			}
			return nil, false
		}
	}
	key := at.key
	var v any
	for try := range attempts {
		if try > 0 {
			at.key = key.at(try)
			at.object = at.key
			if sh.Unique && try > 4 {
				at.turn = try
			}
		}
		if try > 1 && r.count > maxCount/2 {
			break
		}
		var ok bool
		if v, ok = r.generate(n, at); !ok {
			return nil, false
		}
		if at.given && !sh.Unique || !contains(list, v) && !sameItem(list, v) {
			return v, true
		}
		at.given = false
		_, at.fresh = varied(v, at.key) // then the next is like the document's example
		if other, ok := r.vary(n, list, v, at); ok {
			return other, true
		}
	}
	v = r.withOwnIdentifier(list, n, v, key)
	return v, !sh.Unique || !contains(list, v)
}

// withOwnIdentifier returns an element with an identifier that no other of the list has, if that can be.
func (r *run) withOwnIdentifier(list []any, n *node, v any, key Key) any {
	object, isObject := v.(map[string]any)
	if !isObject || !RepeatsIdentifier(list, v) {
		return v
	}
	if other := variedMembers(object, list, key); r.admits(n, other) {
		return other
	}
	return v
}

// sameItem reports whether an object has an identity that an element of the list has already.
func sameItem(list []any, v any) bool {
	object, _ := v.(map[string]any)
	for name, value := range object {
		if value != nil && isIdentity(naming.Fold(name)) && isRepeated(list, name, value) {
			return true
		}
	}
	return false
}
