package generate

import (
	"slices"

	"github.com/coldframe/coldframe/internal/schema"
)

// Fill generates a value that keeps what have says, if a property of the same name is there and takes the value.
// Optional properties named in unsent, which the request could have had but had not, are left out, and so are those
// that nested objects were sent without. The rest is generated. If the value has none of the names but one of its
// objects has, as in {"data": …}, that object is filled. The error is as Value's.
func (g *Generator) Fill(key Key, have map[string]any, unsent ...string) (any, error) {
	steps := 2 * maxSteps
	try := func(have map[string]any) (any, bool) { // with half of what is left
		half := steps / 2
		v, left, err := g.value(key, &sent{have, unsent}, half)
		steps -= half - left
		return v, err == nil
	}
	near, ok := try(have)
	if ok {
		return near, nil
	}
	// Something that fits where it stands breaks the whole: keep what does not.
	kept := make(map[string]any, len(have))
	for _, name := range sorted(have) {
		kept[name] = have[name]
		if _, ok := try(kept); !ok {
			delete(kept, name)
		}
	}
	if v, ok := try(kept); ok {
		return v, nil
	}
	v, _, err := g.value(key, nil, maxSteps)
	if err != nil && near != nil {
		v = near
	}
	return g.orNearest(v, err, key, &sent{have, unsent})
}

// sent is what a request had, and which optional properties it had not.
type sent struct {
	have   map[string]any
	unsent []string
}

// properties returns the names of all properties that the schemas of a node speak of, sorted.
func (r *run) properties(n *node, depth int) []string {
	if n == nil || depth > 8 || r.steps <= 0 {
		return nil
	}
	m := r.g.see(n)
	r.steps -= m.steps
	var names []string
	for _, k := range m.shape.Schemas {
		names = append(names, sorted(k.Properties)...)
	}
	if m.choice != nil {
		for _, b := range m.choice.branches[:min(len(m.choice.branches), 32)] {
			names = append(names, r.properties(b, depth+1)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (r *run) keepExtra(sh *shape, object, sent map[string]any) {
	for _, name := range sorted(sent) {
		if _, ok := object[name]; ok || len(object) >= sh.MaxProperties || sh.forbidden[name] || !sh.named(name) {
			continue
		}
		if constraints, ok := sh.property(name); ok && r.admitted(constraints, sent[name]) {
			object[name] = sent[name]
		}
	}
}

// takes is shape.admits.
func (r *run) takes(sh *shape, v any) bool {
	refuses := func(k *schema.Keywords) bool { return !schema.Within(k, v, &r.steps) }
	return !sh.rejects(v) && !slices.ContainsFunc(sh.Schemas, refuses)
}

// branch returns the branch that agrees best with what was sent: one that takes
// it unchanged, else one that refuses none of the fixed values by which branches
// differ, else the one that knows and takes most; -1 if none does. Among equals the first is returned.
func (r *run) branch(branches []*node, have any) int {
	if equals := r.bestBranches(branches, have); len(equals) > 0 {
		return equals[0]
	}
	return -1
}

// bestBranches returns the branches that agree equally well with what was sent, and better than the others.
func (r *run) bestBranches(branches []*node, have any) []int {
	var best []int
	most := 0
	for i, b := range branches[:min(len(branches), 64)] {
		if r.g.depthOf(b) >= impossible {
			continue
		}
		m := r.g.see(b)
		r.steps -= m.steps
		sh, score := m.shape, 0
		admits := r.takes(sh, have)
		switch {
		case schema.TypeOf(have)&sh.Types != 0:
			score = 1
		case !admits:
			continue
		}
		if object, ok := have.(map[string]any); ok {
			score += r.agrees(b, object)
		}
		if admits {
			score += 100_000
		}
		switch {
		case len(best) == 0 || score > most:
			best, most = []int{i}, score
		case score == most:
			best = append(best, i)
		}
	}
	return best
}

// agrees says how well the branch n of a choice goes with the members that an object was sent with.
func (r *run) agrees(n *node, sent map[string]any) int {
	const (
		refused = 2    // names that another branch must know to be better
		other   = 1000 // a fixed value that is not the branch's
	)
	sh, score := r.g.see(n).shape, 0
	for _, name := range r.properties(n, 6) {
		value, ok := sent[name]
		if !ok {
			continue
		}
		score++
		if schema.TypeOf(value)&(schema.Array|schema.Object) != 0 { // which are filled themselves
			continue
		}
		constraints, _ := sh.property(name)
		for _, c := range constraints {
			if !schema.Within(c.schema, value, &r.steps) {
				score -= refused
				if len(schema.Values(c.schema)) == 1 {
					score -= other
				}
			}
		}
	}
	return score
}
