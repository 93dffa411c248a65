package resource

import (
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
)

// comparisons are the endings of a filter's name, by operator.
var comparisons = []struct {
	name    string
	compare Compare
}{
	{"eq", Equal}, {"in", Equal}, {"ne", NotEqual}, {"neq", NotEqual}, {"gte", AtLeast}, {"lte", AtMost}, {"gt", Greater}, {"lt", Less},
	{"min", AtLeast}, {"max", AtMost}, {"from", AtLeast}, {"to", AtMost}, {"after", Greater}, {"before", Less}, {"since", AtLeast}, {"until", AtMost},
	{"contains", Contains}, {"like", Contains}, {"ilike", Contains},
}

// filters gives what a parameter chooses items by.
func filters(p *spec.Parameter, v view, properties []member) []Param {
	name := p.Name
	if v.kind() == Object && (p.Style == "deepObject" || p.Explode) {
		var all []Param
		for _, m := range v.members() {
			if property, compare := compared(m.name, properties); property != nil {
				all = append(all, Param{Parameter: p, Member: m.name, Role: Filter, Property: []string{property.name}, Schema: property.view.k, Compare: compare})
			}
		}
		return all
	}
	if inner, ok := strings.CutSuffix(name, "]"); ok {
		if outer, inner, ok := strings.Cut(inner, "["); ok {
			if naming.Fold(outer) == "filter" || naming.Fold(outer) == "filters" || naming.Fold(outer) == "where" {
				name = inner
			} else {
				name = outer + "_" + inner
			}
		}
	}
	name = strings.TrimSuffix(name, "]")
	if property, compare := compared(strings.ReplaceAll(name, "][", "_"), properties); property != nil {
		return []Param{{Parameter: p, Role: Filter, Property: []string{property.name}, Schema: property.view.k, Compare: compare}}
	}
	return nil
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
	for _, c := range comparisons {
		for _, rest := range [][]string{trimLast(w, c.name), trimFirst(w, c.name)} {
			if rest == nil {
				continue
			}
			for _, ending := range []string{"", "at"} {
				if property := find(properties, strings.Join(rest, "")+ending); property != nil {
					return property, c.compare
				}
			}
		}
	}
	return nil, Equal
}

func trimLast(w []string, word string) []string {
	if w[len(w)-1] != word {
		return nil
	}
	return w[:len(w)-1]
}

func trimFirst(w []string, word string) []string {
	if w[0] != word {
		return nil
	}
	return w[1:]
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
	for i := range properties {
		m := &properties[i]
		if naming.SingularName(m.name) == naming.SingularName(name) && (m.view.kind() == Array || naming.SingularName(m.name) == folded || m.folded == naming.SingularName(name)) {
			return m
		}
	}
	return nil
}
