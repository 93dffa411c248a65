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
	root  site
	lean  func([]string) bool
	found []*site
	round map[*spec.Keywords]int // schemas around the place
}

// sitesOf gives the sites of a value, outer ones first.
func sitesOf(root site, value any, lean func([]string) bool) []*site {
	w := &walker{root: root, lean: lean, round: map[*spec.Keywords]int{}}
	var all []*spec.Keywords
	if root.schema != nil {
		all = []*spec.Keywords{root.schema.Keywords}
	}
	w.visit(value, all, nil, nil, false, root.optional)
	slices.SortStableFunc(w.found, func(a, b *site) int { return len(a.tokens) - len(b.tokens) })
	return w.found
}

func (w *walker) visit(value any, schemas []*spec.Keywords, tokens []string, around []taken, echo, optional bool) {
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
	f := factsOf(schemas, value)
	s := w.root
	s.tokens, s.facts, s.value = slices.Clone(tokens), f, value
	s.lean, s.echo, s.optional = w.lean(tokens), echo, optional
	s.taken = f.taking(value, s.tokens, around)
	w.found = append(w.found, &s)
	switch v := value.(type) {
	case map[string]any:
		listed, others := f.listed(), 0
		for _, name := range slices.Sorted(maps.Keys(v)) {
			again := false
			if !listed[name] {
				if others++; others > 2 {
					continue
				}
				again = others > 1
			}
			w.visit(v[name], f.property(name), append(tokens, name), s.taken, echo || again, !slices.Contains(f.required, name))
		}
	case []any:
		for i, item := range v {
			again := i > 0 && i >= f.prefix
			if again && i < len(v)-1 {
				continue
			}
			w.visit(item, f.item(i), append(tokens, strconv.Itoa(i)), s.taken, echo || again, false)
		}
	}
}
