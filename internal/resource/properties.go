package resource

import (
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
)

// member is a property of a view.
type member struct {
	name   string
	folded string
	view   view
}

// members gives the properties, through references and compositions, in the
// document's order. Where two parts list a name, the first counts.
func (v view) members() []member {
	if v.k == nil {
		return nil
	}
	all, ok := v.known.members[v.k]
	if ok {
		return all
	}
	v.collect(map[string]bool{}, map[*spec.Keywords]bool{}, &all)
	v.known.members[v.k] = all
	return all
}

func (v view) collect(names map[string]bool, seen map[*spec.Keywords]bool, to *[]member) {
	if v.k == nil || seen[v.k] || len(seen) > 500 {
		return
	}
	seen[v.k] = true
	if len(v.k.Properties) > 0 {
		for _, name := range v.order() {
			if !names[name] {
				names[name] = true
				*to = append(*to, member{name, naming.Fold(name), v.of(v.k.Properties[name])})
			}
		}
	}
	v.of(v.k.Ref).collect(names, seen, to)
	for _, parts := range [][]*spec.Keywords{v.k.AllOf, v.k.AnyOf, v.k.OneOf} {
		for _, part := range parts {
			v.of(part).collect(names, seen, to)
		}
	}
}

// order gives the names of the properties in the document's order.
func (v view) order() []string {
	n := v.schema.Node(v.k)
	for range maxSchemaDepth {
		if n == nil || n.Get("$ref").Str() == "" || n.Get("properties") != nil {
			break
		}
		n = v.schema.Resolve(n)
	}
	var names []string
	if listed := n.Get("properties"); listed != nil {
		for _, m := range listed.Members {
			if v.k.Properties[m.Name] != nil {
				names = append(names, m.Name)
			}
		}
	}
	if len(names) == len(v.k.Properties) {
		return names
	}
	for _, name := range slices.Sorted(maps.Keys(v.k.Properties)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// member gives a property by its name.
func (v view) member(name string) view {
	for _, m := range v.members() {
		if m.name == name {
			return m.view
		}
	}
	return view{}
}

// at follows property names.
func (v view) at(path []string) view {
	for _, name := range path {
		v = v.member(name)
	}
	return v
}

// required gives the names that every object must have.
func (v view) required() map[string]bool {
	names := map[string]bool{}
	v.collectRequired(names, 0)
	return names
}

func (v view) collectRequired(into map[string]bool, depth int) {
	if v.k == nil || depth > maxSchemaDepth {
		return
	}
	for _, name := range v.k.Required {
		into[name] = true
	}
	v.of(v.k.Ref).collectRequired(into, depth+1)
	for _, part := range v.k.AllOf {
		v.of(part).collectRequired(into, depth+1)
	}
}

// alike says how much two objects have in common: 1 for the same component,
// else the share of names that both list.
func alike(a, b view) float64 {
	if !a.ok() || !b.ok() {
		return 0
	}
	if a.plain().k == b.plain().k {
		return 1
	}
	if name := a.name(); name != "" && name == b.name() {
		return 1
	}
	ours, theirs := a.members(), b.members()
	if len(ours) == 0 || len(theirs) == 0 {
		return 0
	}
	common := shared(ours, theirs)
	return float64(common) / float64(len(ours)+len(theirs)-common)
}

// within says what share of a's properties b has too.
func within(a, b view) float64 {
	ours := a.members()
	if len(ours) == 0 {
		return 0
	}
	return float64(shared(ours, b.members())) / float64(len(ours))
}

func shared(a, b []member) int {
	names := make(map[string]bool, len(b))
	for _, m := range b {
		names[m.folded] = true
	}
	common := 0
	for _, m := range a {
		if names[m.folded] {
			common++
		}
	}
	return common
}
