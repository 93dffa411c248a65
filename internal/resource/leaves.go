package resource

import (
	"slices"

	"github.com/coldframe/coldframe/internal/schema"
)

// leaf is a property of a body that is no object.
type leaf struct {
	path         []string
	name, parent string // folded; the parent of one at the top is ""
	view         view
}

type leaves []leaf

// leavesOf returns the properties of a body and of the objects in it, nearest to the top first.
func leavesOf(v view, depth int) leaves { return leavesNamed(v, depth, nil) }

// leavesNamed returns those of leavesOf that have one of some names, nil for all.
func leavesNamed(v view, depth int, only map[string]bool) leaves {
	var all leaves
	level := []leaf{{view: v}}
	for range depth {
		var next []leaf
		for _, at := range level {
			for _, m := range at.view.members() {
				kind := m.view.kind()
				if kind == schema.Array || kind != schema.Object && only != nil && !only[m.folded] {
					continue
				}
				below := leaf{append(slices.Clip(at.path), m.name), m.folded, at.name, m.view}
				if kind == schema.Object {
					next = append(next, below)
				} else {
					all = append(all, below)
				}
			}
		}
		level = next
	}
	return all
}

func (all leaves) find(name string) *leaf {
	return all.firstOf([]string{name}, func(*leaf) bool { return true })
}

func (all leaves) first(names []string) *leaf {
	return all.firstOf(names, func(l *leaf) bool {
		kind := l.view.kind()
		return kind == schema.String || kind == schema.AnyType
	})
}

func (all leaves) below(name, parent string) *leaf {
	return all.firstOf([]string{name}, func(l *leaf) bool { return l.parent == parent })
}

func (all leaves) firstOf(names []string, fits func(*leaf) bool) *leaf {
	for _, name := range names {
		for i := range all {
			if l := &all[i]; l.name == name && fits(l) {
				return l
			}
		}
	}
	return nil
}

// at returns the path of a leaf; it is safe on nil.
func (l *leaf) at() []string {
	if l == nil {
		return nil
	}
	return l.path
}

func (l *leaf) schema() *schema.Keywords {
	if l == nil {
		return nil
	}
	return l.view.k
}
