package cases

import (
	"maps"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/spec"
)

// What is looked at of one value.
const (
	maxSites  = 1000
	maxRounds = 2  // through a schema that leads back to itself
	maxDepth  = 24 // of places within each other
)

// walker finds the sites of a value.
type walker struct {
	root    site
	minimal func([]string) bool
	found   []*site
	round   map[*spec.Keywords]int // schemas around the place
}

// sitesOf gives the sites of a value, outer ones first.
func sitesOf(root site, value any, minimal func([]string) bool) []*site {
	w := &walker{root: root, minimal: minimal, round: map[*spec.Keywords]int{}}
	var all []*spec.Keywords
	if root.schema != nil {
		all = []*spec.Keywords{root.schema.Keywords}
	}
	w.visit(value, all, nil, nil, false, root.optional)
	slices.SortStableFunc(w.found, func(a, b *site) int { return len(a.tokens) - len(b.tokens) })
	return w.found
}

func (w *walker) visit(value any, schemas []*spec.Keywords, tokens []string, around []branchTaken, repeated,
	optional bool) {
	if len(w.found) >= maxSites || len(tokens) > maxDepth {
		return
	}
	for _, k := range schemas {
		if w.round[k] >= maxRounds {
			return
		}
	}
	for _, k := range schemas {
		w.round[k]++
		defer func() { w.round[k]-- }()
	}
	f := constraintsOf(schemas, value)
	s := w.root
	s.tokens, s.constraints, s.value = slices.Clone(tokens), f, value
	s.minimal, s.repeated, s.optional = w.minimal(tokens), repeated, optional
	s.branchTaken = f.branchesTaken(value, s.tokens, around)
	w.found = append(w.found, &s)
	switch v := value.(type) {
	case map[string]any:
		declaredNames, others := f.declaredNames(), 0
		for _, name := range slices.Sorted(maps.Keys(v)) {
			again := false
			if !declaredNames[name] {
				if others++; others > 2 {
					continue
				}
				again = others > 1
			}
			w.visit(v[name], f.property(name), append(tokens, name), s.branchTaken, repeated || again,
				!slices.Contains(f.required, name))
		}
	case []any:
		for i, item := range v {
			again := i > 0 && i >= f.prefix
			if again && i < len(v)-1 {
				continue
			}
			w.visit(item, f.item(i), append(tokens, strconv.Itoa(i)), s.branchTaken, repeated || again, false)
		}
	}
}
