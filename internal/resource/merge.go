package resource

import (
	"slices"
	"strconv"
	"strings"
)

// merge joins the families that show the same things under several paths:
// /owners/{owner}/plants and /plants/{id}.
func (in *inference) merge() {
	for _, f := range in.order {
		if f.singleton || !f.value.ok() {
			continue
		}
		var best *family
		score := 0.0
		for _, g := range in.order {
			if g == f || g.final() == f || g.into != nil || g.singleton || g.item == nil || !in.joins(f, g) {
				continue
			}
			if s := max(alike(f.value, g.value), alike(f.listed, g.value), alike(f.listed, g.listed)); s >= 0.6 && s > score {
				best, score = g, s
			}
		}
		f.into = best
	}
	for i, f := range in.order { // what an override gives one name is one resource
		for _, g := range in.order[:i] {
			if f.declared != "" && f.declared == g.declared && f.final() != g.final() {
				f.final().into = g.final()
			}
		}
	}
}

// joins reports whether f can be another path to g's items, by their names and
// variables.
func (in *inference) joins(f, g *family) bool {
	if f.declared != "" || g.declared != "" {
		return false
	}
	theirs := g.names[0]
	if f.names[0] != theirs {
		if f.names[len(f.names)-1] != theirs || f.item != nil || f.value.name() == "" || f.value.name() != g.value.name() {
			return false
		}
	}
	before := f.collection.variables()
	above := g.collection.variables()
	if f.item == nil && len(f.collection.ops) == 1 && f.collection.has("GET") != nil && len(before) == 0 {
		return f.value.name() != "" && f.value.name() == g.value.name() || len(above) == 0 // a list of all, whatever their parents
	}
	for _, v := range above {
		if !slices.Contains(before, v) {
			return false
		}
	}
	if f.item == nil {
		return true
	}
	if len(before) <= len(above) || f.value.name() == "" || f.value.name() != g.value.name() {
		return false
	}
	for _, v := range before {
		if !slices.Contains(above, v) && parentProperty(v, nil, g.value) == nil {
			return false
		}
	}
	return true
}

// variables are those on the way to a node.
func (n *node) variables() []string {
	if n.parent == nil {
		return nil
	}
	return append(n.parent.variables(), n.last.variables...)
}

// makeResources gives each family its resource and the resources their names.
func (in *inference) makeResources(p *Plan) {
	var finals []*family
	for _, f := range in.order {
		if f.into == nil {
			f.resource = &Resource{Singleton: f.singleton}
			if f.value.ok() {
				f.resource.Item, f.resource.Value = f.document, f.value.plain().k
			}
			for _, m := range f.value.members() {
				f.resource.Properties = append(f.resource.Properties, Property{
					Name: m.name, Kind: m.view.kind(), Format: m.view.format(), ReadOnly: m.view.readOnly(), Schema: m.view.k})
			}
			f.resource.Created, f.resource.Updated, f.resource.Version = timestamps(f.value)
			finals = append(finals, f)
			p.Resources = append(p.Resources, f.resource)
		}
	}
	for _, f := range in.order {
		f.resource = f.final().resource
	}
	for _, f := range in.order {
		if parent := in.above(f.collection); parent != nil && parent != f.resource && f.resource.Parent == nil {
			f.resource.Parent = parent
		}
	}
	for _, r := range p.Resources { // a cycle of parents has no top
		seen := map[*Resource]bool{}
		for at := r; at != nil; at = at.Parent {
			if seen[at] {
				r.Parent = nil
				break
			}
			seen[at] = true
		}
	}
	name(finals)
}

// above gives the resource below whose items a path stands.
func (in *inference) above(n *node) *Resource {
	for n = n.parent; n != nil; n = n.parent {
		if f := in.families[n]; f != nil && f.resource != nil && n.last.variable() && f.item == n {
			return f.resource
		}
	}
	return nil
}

// name gives every family's resource the shortest name of its own.
func name(families []*family) {
	full := make([][]string, len(families))
	for i, f := range families {
		full[i] = f.collection.literals()
		if len(full[i]) == 0 {
			full[i] = []string{"root"}
			if f.name != "" {
				full[i] = []string{f.name}
			}
		}
		if f.declared != "" {
			full[i] = []string{f.declared}
		}
	}
	short := func(i, length int) string { return strings.Join(full[i][max(0, len(full[i])-length):], "/") }
	count := map[string]int{} // of families by each of their names
	for i := range families {
		for length := 1; length <= len(full[i]); length++ {
			count[short(i, length)]++
		}
	}
	taken := map[string]bool{}
	for i, f := range families {
		length := 1
		for length < len(full[i]) && count[short(i, length)] > 1 {
			length++
		}
		f.resource.Name = short(i, length)
		for number := 2; taken[f.resource.Name]; number++ {
			f.resource.Name = short(i, length) + "-" + strconv.Itoa(number)
		}
		taken[f.resource.Name] = true
	}
}
