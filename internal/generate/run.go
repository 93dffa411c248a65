package generate

import (
	"slices"
	"sync"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/spec"
)

// run makes one value. Runs are reused.
type run struct {
	g       *Generator
	fake    *formats.Faker
	fill    *filling
	top     int     // how many objects are around what fill describes, itself included
	count   int     // values made so far
	path    []*node // the arrays and objects around the place, outermost first
	checked bool    // every place is checked as soon as it is made
	lean    bool    // only what is required
	unsure  bool    // some part may not conform: the whole is to be checked
	stuck   *node   // the last place where nothing could be made
}

var runs = sync.Pool{New: func() any { return &run{fake: formats.NewFaker()} }}

const (
	fullDepth = 6      // beyond it, optional arrays and objects are left out
	fullCount = 1000   // likewise once a value has so many parts
	maxCount  = 10_000 // a value of more parts is given up
	tries     = 6      // for one place, before another branch is taken
)

func (r *run) begin(g *Generator, attempt int, fill *filling) {
	r.g, r.fill, r.top = g, fill, 1
	r.count, r.path = 0, r.path[:0]
	r.checked = attempt > 0
	r.lean = attempt > maxAttempts/2
	r.stuck, r.unsure = nil, fill != nil
}

func (r *run) release() {
	r.g, r.fill, r.stuck = nil, nil, nil
	clear(r.path[:cap(r.path)])
	runs.Put(r)
}

// place is where a value stands.
type place struct {
	key    Key // of the value
	object Key // of the object around it: neighbours that belong together share it
	hint   *hint
	prefer string // the value that discriminates, "" for none
	have   any    // what the request sent here
	given  bool   // whether it did
	small  bool   // the smallest value will do
	turn   int    // how often the value was refused: another branch is taken each time
}

// make gives a value of the node.
func (r *run) make(n *node, at place) (any, bool) {
	if r.count++; r.count > maxCount {
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
		if v, ok := r.once(n, at); ok && n.valid(v) {
			return v, true
		}
		if r.count > maxCount {
			break
		}
	}
	r.stuck = n
	return nil, false
}

// valid checks a value by the schemas that the node names.
func (n *node) valid(v any) bool {
	for _, l := range n.lits {
		if l.op == holds && !spec.Conforms(l.k, v) || l.op == fails && spec.Conforms(l.k, v) {
			return false
		}
	}
	return true
}

func (r *run) once(n *node, at place) (any, bool) {
	s := r.g.see(n)
	if s.choice != nil {
		return r.choose(s, at)
	}
	sh := s.shape
	if sh.reason != "" {
		r.stuck = n
		return nil, false
	}
	r.unsure = r.unsure || sh.unsure
	if at.given && r.fill.keeps(sh, at.have) {
		return at.have, true
	}
	if sh.listed {
		return sh.pickValue(at), true
	}
	if len(sh.samples) > 0 && !r.sentInParts(sh, at) {
		return sh.samples[at.key.intN(len(sh.samples))], true
	}
	switch sh.kinds {
	case null:
		return nil, true
	case boolean:
		return sh.pickBoolean(at.key), true
	case text:
		v, ok := r.text(sh, at)
		return r.settle(n, v, ok)
	case array:
		return r.array(n, sh, at)
	case object:
		return r.object(n, sh, at)
	default:
		v, ok := r.number(sh, at)
		return r.settle(n, v, ok)
	}
}

// sentInParts reports whether an array or object was sent, which is kept part by
// part: the document's example does not stand in for it.
func (r *run) sentInParts(sh *shape, at place) bool {
	if !at.given || kindOf(at.have)&sh.kinds&(array|object) == 0 {
		return false
	}
	object, ok := at.have.(map[string]any)
	return !ok || len(object) > 0 || len(r.path) > 0
}

func (r *run) settle(n *node, v any, ok bool) (any, bool) {
	if !ok {
		r.stuck = n
		return nil, false
	}
	return v, true
}

// choose takes a branch: the key says where the search begins, or the
// branches' order does.
func (r *run) choose(s *state, at place) (any, bool) {
	branches := s.choice.branches
	start := -1
	switch {
	case at.small && at.turn == 0 && !at.given:
		return r.smallest(branches, at)
	case at.given:
		start = r.fill.branch(r.g, branches, at.have)
	}
	if start < 0 {
		start = 0
		if !s.choice.ordered && len(branches) > 1 {
			start = at.key.intN(r.wanted(branches))
		}
	}
	for i := range branches {
		b := branches[(start+at.turn+i)%len(branches)]
		if r.g.costOf(b) >= never-1 {
			continue
		}
		if v, ok := r.make(b, at); ok {
			return v, true
		}
	}
	return nil, false
}

// wanted gives how many of the branches are more than null, which stands last.
func (r *run) wanted(branches []*node) int {
	last := r.g.see(branches[len(branches)-1])
	if last.shape.kinds == null {
		return len(branches) - 1
	}
	return len(branches)
}

// smallest takes the branch that nests least, null before all others where
// they would nest.
func (r *run) smallest(branches []*node, at place) (any, bool) {
	best := slices.MinFunc(branches, func(a, b *node) int { return r.g.costOf(a) - r.g.costOf(b) })
	if least := r.g.costOf(best); least < never-1 {
		if v, ok := r.make(best, at); ok {
			return v, true
		}
	}
	for _, b := range branches {
		if b != best && r.g.costOf(b) < never-1 {
			if v, ok := r.make(b, at); ok {
				return v, true
			}
		}
	}
	return nil, false
}

// small reports whether the parts of n, which is about to be entered, are to
// be as small as can be: the value nests deep, or in itself, or grows large.
func (r *run) small(n *node) bool {
	if r.lean || len(r.path) >= fullDepth || r.count > fullCount {
		return true
	}
	return slices.Contains(r.path, n)
}

func (sh *shape) pickValue(at place) any {
	if at.prefer != "" && contains(sh.values, at.prefer) {
		return at.prefer
	}
	n := len(sh.values)
	if n > 1 && sh.values[n-1] == nil {
		n--
	}
	return sh.values[at.key.intN(n)]
}

func (sh *shape) pickBoolean(key Key) bool {
	b := key.intN(2) == 1
	if contains(sh.excluded, b) {
		return !b
	}
	return b
}

func (r *run) number(sh *shape, at place) (any, bool) {
	var w *window
	if at.hint != nil {
		w = at.hint.window(r.fake, at)
	}
	n, ok := sh.pickNumber(at.key, w)
	return n, ok
}
