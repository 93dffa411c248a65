package generate

import (
	"slices"
	"sync"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/values"
)

// run generates one value. Runs are reused.
type run struct {
	g        *Generator
	fake     *formats.Faker
	fill     *sent
	whole    Key     // of the whole value
	top      int     // how many objects are around what fill describes, itself included
	count    int     // values generated so far
	steps    int     // that are left: schemas to apply to values
	repairs  int     // values validated by repair so far
	path     []*node // the arrays and objects around the place, outermost first
	checked  bool    // every place is validated as soon as it is generated
	required bool    // optional properties are left out
	minimal  bool    // so are optional elements
	unsure   bool    // some part may not conform: the whole must be validated
	stuck    *node   // the last place without a value
	attempt  int     // at the whole value
	members  members // that a relation is being applied to
}

var runs = sync.Pool{New: func() any { return &run{fake: formats.NewFaker()} }}

const (
	freeText     = 4      // bytes of a string that cost no step
	fullDepth    = 6      // beyond it, optional arrays and objects are left out
	fullCount    = 1000   // likewise once a value has so many parts
	maxCount     = 10_000 // a value of more parts is given up
	relaxedDepth = 3      // of a nearest value that requires itself
	tries        = 6      // for one place, before another branch is taken
)

func (r *run) begin(g *Generator, attempt int, fill *sent) {
	r.g, r.fill, r.top, r.attempt = g, fill, 1, attempt
	r.fake.Origin, r.fake.Locale = g.origin, g.locale
	r.count, r.repairs, r.path = 0, 0, r.path[:0]
	r.checked = attempt > 0
	r.minimal = attempt > maxAttempts/2
	r.required = r.minimal || g.options.Fill == "required" && attempt < maxAttempts/6
	r.stuck, r.unsure = nil, false
}

// start returns the context of the whole value.
func (r *run) start(key Key) valueContext {
	hint, value := r.g.rootSaid()
	r.whole = key
	at := valueContext{key: key, object: key, hint: hint, value: value}
	if r.fill != nil {
		at.have, at.given = r.fill.have, true
	}
	return at
}

func (r *run) release() {
	r.g, r.fill, r.stuck = nil, nil, nil
	clear(r.path[:cap(r.path)])
	runs.Put(r)
}

// valueContext is what decides a value besides its constraints: keys, suggestions, and what the request sent.
type valueContext struct {
	key    Key // of the value
	object Key // of the object around it: properties that belong together share it
	town   Key // of the object whose town this is in; 0: object
	hint   *hint
	value  *values.Value // what the document or a setting says of it; nil for nothing
	prefer string        // the value that discriminates, "" if none
	have   any           // what the request sent here
	given  bool          // whether it did
	small  bool          // the smallest value will do
	fresh  bool          // not the document's example, which belongs to another item
	turn   int           // how often the value was refused: another branch is taken each time
	list   Key           // of the list that it is an element of
	nth    int           // its position there, from 1; 0 for no element
}

// window returns the numbers that the name at a place suggests, nil if none.
func (r *run) window(at valueContext) *fields.Window {
	if at.hint == nil || at.hint.Numbers == nil {
		return nil
	}
	suggested := at.hint.Numbers(r.fake, at.context())
	return &suggested
}

func (at valueContext) context() fields.Context {
	return fields.Context{Key: uint64(at.key), Object: uint64(at.object), Town: uint64(at.town)}
}

// home returns the town for the values inside a place: the place's own, 0, or the town of the object around it.
func (at valueContext) home() Key {
	switch {
	case at.hint == nil || !at.hint.Local:
		return 0
	case at.town != 0:
		return at.town
	}
	return at.object
}

// around returns what is around the object that is being generated, nil if nothing is known.
func (r *run) around() *fields.Thing {
	inside := false
	for _, n := range slices.Backward(r.path) {
		sh := r.g.see(n).shape
		if sh.Types != schema.Object {
			continue
		}
		if about := sh.object.about; inside && about != nil && about.IsKnown() {
			return about
		}
		inside = true
	}
	return nil
}

// generate generates a value of the node: any that is likely to conform; if every
// place is checked, one that does.
func (r *run) generate(n *node, at valueContext) (any, bool) {
	if r.count++; r.count > maxCount || r.steps <= 0 || !r.isPossible(n) {
		return nil, false
	}
	if !r.checked {
		return r.once(n, at)
	}
	key := at.key
	for try := range tries {
		if try > 0 {
			at.key = key.at(try)
		}
		v, ok := r.once(n, at)
		if ok && r.admits(n, v) {
			return v, true
		}
		if ok && try > 0 && r.repairs < maxRepairs && r.g.see(n).choice == nil {
			if v, ok := r.repair(n, v, at); ok {
				return v, true
			}
		}
		if r.count > maxCount || r.steps <= 0 {
			break
		}
	}
	r.stuck = n
	return nil, false
}

// isPossible reports whether a place has a value. What requires itself without end has one to a depth in the nearest.
func (r *run) isPossible(n *node) bool {
	return r.g.depthOf(n) < impossible || r.g.relaxed && n != nil && len(r.path) < relaxedDepth
}

func (r *run) admits(n *node, v any) bool { return r.admitted(n.constraints, v) }

func (r *run) admitted(constraints []constraint, v any) bool {
	return !slices.ContainsFunc(constraints, func(c constraint) bool {
		return (c.op == conforms || c.op == fails) && schema.Within(c.schema, v, &r.steps) != (c.op == conforms)
	})
}

func (r *run) once(n *node, at valueContext) (any, bool) {
	m := r.g.see(n)
	r.steps -= m.steps
	if v, ok := r.said(n, at); ok {
		return v, true
	}
	if m.null && !at.given && at.value == nil {
		return nil, true
	}
	if m.choice != nil {
		return r.choose(m.choice, at)
	}
	sh := m.shape
	if sh.reason != "" {
		r.stuck = n
		return nil, false
	}
	r.unsure = r.unsure || sh.unsure
	switch {
	case at.given && schema.TypeOf(at.have)&sh.Types&^(schema.Array|schema.Object) != 0 && sh.admits(at.have):
		return at.have, true // arrays and objects are kept part by part
	case sh.Listed:
		return r.pickListed(sh, at), true
	case len(sh.samples) > 0 && !r.isSentInParts(sh, at):
		if v, ok := sh.sample(at); ok {
			return r.withSaid(sh, v, at), true
		}
	}
	var v any
	ok := true
	switch sh.Types {
	case schema.Null:
	case schema.Boolean:
		b := r.flag(at)
		v = b != sh.rejects(b)
	case schema.String:
		v, ok = r.text(sh, at)
		if s, _ := v.(string); len(s) > freeText {
			r.steps -= len(s) / freeText
		}
	case schema.Array, schema.Object:
		at.small = at.small || r.small(n)
		generate := r.object
		if sh.Types == schema.Array {
			generate = r.array
		}
		r.path = append(r.path, n)
		v, ok = generate(n, sh, at)
		r.path = r.path[:len(r.path)-1]
		return v, ok
	default:
		v, ok = sh.pickNumber(at.key, r.window(at))
	}
	if !ok {
		r.stuck = n
	}
	return v, ok
}

// isSentInParts reports whether the request sent an array or object, which is
// kept part by part: the document's example does not replace it.
func (r *run) isSentInParts(sh *shape, at valueContext) bool {
	if !at.given || schema.TypeOf(at.have)&sh.Types&(schema.Array|schema.Object) == 0 {
		return false
	}
	members, ok := at.have.(map[string]any)
	return !ok || len(members) > 0 || len(r.path) > 0
}

// flag returns a boolean: what hardly ever is so is false most of the time.
func (r *run) flag(at valueContext) bool {
	const seldom = 8 // one of so many
	switch {
	case at.hint == nil || at.hint.Flag == 0:
		return at.key.intN(2) == 1
	case at.hint.Flag > 0:
		return at.key.intN(seldom) > 0
	}
	return at.key.intN(seldom) == 0
}

// choose takes a branch. The search begins at the branch that the key says, at
// the first, at the one that agrees with what was sent, or at the most shallow.
func (r *run) choose(c *choice, at valueContext) (any, bool) {
	branches, start := c.branches, -1
	usual := branches // those that are taken first
	if c.spare {
		usual = branches[:len(branches)-1]
	}
	switch {
	case at.small && at.turn == 0 && !at.given:
		first := slices.MinFunc(usual, func(a, b *node) int { return r.g.depthOf(a) - r.g.depthOf(b) })
		others := slices.DeleteFunc(slices.Clone(branches), func(b *node) bool { return b == first })
		branches, start = append([]*node{first}, others...), 0
	case at.given:
		if start = c.named(at.have); start >= 0 {
			break
		}
		if equals := r.bestBranches(usual, at.have); c.by != nil && len(equals) > 1 {
			start = equals[at.key.intN(len(equals))] // items are of all subtypes
		} else if len(equals) > 0 {
			start = equals[0]
		}
	}
	if start < 0 {
		start = 0
		if n := len(usual); !c.ordered && n > 1 {
			if r.g.see(usual[n-1]).shape.Types == schema.Null { // stands last, and is taken if nothing else is possible
				n--
			}
			if start = at.key.intN(n); c.by != nil && at.nth > 0 { // a list has all subtypes
				start = (at.list.intN(n) + at.nth - 1) % n
			}
		}
	}
	for i := range branches {
		b := branches[(start+at.turn+i)%len(branches)]
		if v, ok := r.generate(b, at); ok {
			return v, true
		}
	}
	return nil, false
}

// small reports whether the parts of n, which is about to be entered, are to be
// as small as can be: the value nests deep, or in itself, or grows large.
func (r *run) small(n *node) bool {
	return r.minimal || len(r.path) >= fullDepth || r.count > fullCount || slices.Contains(r.path, n)
}

func (r *run) pickListed(sh *shape, at valueContext) any {
	if at.prefer != "" && contains(sh.Values, at.prefer) {
		return at.prefer
	}
	if at.hint != nil && at.hint.Listed {
		for _, write := range at.hint.Texts {
			if v := write(r.fake, at.context(), ""); contains(sh.Values, v) {
				return v
			}
		}
	}
	n := len(sh.Values)
	if n > 1 && sh.Values[n-1] == nil {
		n--
	}
	return sh.Values[at.key.intN(n)]
}
