package resource

import (
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
)

// comparisons are the words at the end or the start of a filter's name, by operator.
var comparisons = []struct {
	name    string
	compare Compare
}{
	{"eq", Equal}, {"in", Equal}, {"ne", NotEqual}, {"neq", NotEqual}, {"gte", AtLeast}, {"lte", AtMost}, {"gt", Greater}, {"lt", Less},
	{"min", AtLeast}, {"max", AtMost}, {"from", AtLeast}, {"to", AtMost}, {"after", Greater}, {"before", Less}, {"since", AtLeast}, {"until", AtMost},
	{"contains", Contains}, {"like", Contains}, {"ilike", Contains},
}

func filters(p *spec.Parameter, v view, properties []member) []Param {
	filter := func(name, within string) []Param {
		property, compare := compared(name, properties)
		if property == nil {
			return nil
		}
		return []Param{{Parameter: p, Member: within, Role: Filter, Compare: compare,
			Property: []string{property.name}, Schema: property.view.k}}
	}
	if v.kind() == Object && (p.Style == "deepObject" || p.Explode) {
		var all []Param
		for _, m := range v.members() {
			all = append(all, filter(m.name, m.name)...)
		}
		return all
	}
	name := strings.TrimSuffix(p.Name, "]")
	if outer, inner, ok := strings.Cut(name, "["); ok && name != p.Name { // filter[name], created[gte]
		switch naming.Fold(outer) {
		case "filter", "filters", "where":
			name = inner
		default:
			name = outer + "_" + inner
		}
	}
	return filter(strings.ReplaceAll(strings.TrimSuffix(name, "]"), "][", "_"), "")
}

// compared gives the property that a name of a filter is about, nil for none, and
// how it is compared: minAge, created_after.
func compared(name string, properties []member) (*member, Compare) {
	if property := find(properties, name); property != nil {
		return property, Equal
	}
	w := naming.Words(name)
	if len(w) < 2 {
		return nil, Equal
	}
	first, last := w[0], w[len(w)-1]
	for _, c := range comparisons {
		var rests [][]string
		if last == c.name {
			rests = append(rests, w[:len(w)-1])
		}
		if first == c.name {
			rests = append(rests, w[1:])
		}
		for _, rest := range rests {
			for _, ending := range []string{"", "at"} {
				if property := find(properties, strings.Join(rest, "")+ending); property != nil {
					return property, c.compare
				}
			}
		}
	}
	return nil, Equal
}

// find gives the property of that name, whatever its case and separators; an
// array also under its singular.
func find(properties []member, name string) *member {
	folded := naming.Fold(name)
	if folded == "" {
		return nil
	}
	for i := range properties {
		if m := &properties[i]; m.folded == folded {
			return m
		}
	}
	one := naming.SingularName(name)
	for i := range properties {
		m := &properties[i]
		single := naming.SingularName(m.name)
		if single == one && (m.view.kind() == Array || single == folded || m.folded == one) {
			return m
		}
	}
	return nil
}
