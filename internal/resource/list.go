package resource

import (
	"slices"

	"github.com/coldframe/coldframe/internal/naming"
)

// Listing is how an operation shows a collection.
type Listing struct {
	Items  Shape         // where the items stand; Many is set
	Fields []Field       // what the body says of the page, in the document's order
	Header []HeaderField // what header fields say of it
	Params []Param       // what chooses, sorts and cuts, in the document's order
}

// asList finds the items in a list's body. names are those that the resource
// goes by. The score is from 0 to 1.
func asList(body view, names []string) (*Listing, float64) {
	if !body.ok() {
		return nil, 0
	}
	if body.kind() == Array {
		if e := body.element(); isItem(e) {
			return &Listing{Items: Shape{Many: true, Value: e.plain().k}}, 1
		}
		return nil, 0
	}
	l, score := arrayIn(body, names, 0)
	if l != nil {
		fields(body, nil, 0, &l.Fields)
		counts(body, l)
		if len(l.Items.Path) > 1 {
			inner := body.at(l.Items.Path[:len(l.Items.Path)-1])
			fields(inner, l.Items.Path[:len(l.Items.Path)-1], 0, &l.Fields)
		}
	}
	return l, score
}

// counts adds what says how many items there are by their name: plantsCount,
// total_plants.
func counts(body view, l *Listing) {
	if len(l.Items.Path) != 1 {
		return
	}
	items := naming.Fold(l.Items.Path[0])
	for _, m := range body.members() {
		kind := m.view.kind()
		if kind != Integer && kind != Number || pageRole(m.name, m.view) != NoField {
			continue
		}
		switch m.folded {
		case items + "count", items + "total", "total" + items, "count" + items, "num" + items, "numberof" + items, "totalnumberof" + items:
			l.Fields = append(l.Fields, Field{Path: []string{m.name}, Role: Total, Kind: kind})
		}
	}
}

// isItem reports whether an array's elements can be items.
func isItem(e view) bool { return e.kind() == Object || e.kind() == Any && e.ok() && e.k.Bool == nil }

func arrayIn(body view, names []string, depth int) (*Listing, float64) {
	const deepest = 3
	members := body.members()
	others, paging := 0, 0
	arrays := 0
	for _, m := range members {
		kind := m.view.kind()
		switch {
		case pageRole(m.name, m.view) != NoField:
			paging++
		case kind == Object && pageObjects[m.folded]:
			paging++
		case kind == Array && isItem(m.view.element()):
			arrays++
		case meta[m.folded]:
		default:
			others++
		}
	}
	var best *Listing
	score := 0.0
	for _, m := range members {
		kind, folded := m.view.kind(), m.folded
		if depth < deepest && kind == Object && (envelopes[folded] || folded == "page" || folded == "meta" || slices.Contains(names, naming.SingularName(m.name))) {
			if inner, s := arrayIn(m.view, names, depth+1); inner != nil && s*0.98 > score && others <= 2 {
				inner.Items.Path = append([]string{m.name}, inner.Items.Path...)
				best, score = inner, s*0.98
			}
			continue
		}
		if kind != Array {
			continue
		}
		e := m.view.element()
		if !isItem(e) {
			continue
		}
		s := 0.3
		switch {
		case slices.Contains(names, naming.SingularName(m.name)):
			s = 0.85
		case envelopes[folded]:
			s = 0.8
		case slices.ContainsFunc(names, func(name string) bool { return naming.SingularName(e.name()) == name }):
			s = 0.7
		}
		if arrays == 1 {
			s += 0.1
		}
		switch {
		case others == 0:
			s += 0.2
		case others > 2:
			s -= 0.1 * float64(min(others, 5))
		}
		if paging > 0 {
			s += 0.1
		}
		if hasOwnKey(members) && paging == 0 {
			s -= 0.4
		}
		if s = min(s, 1); s > score {
			best, score = &Listing{Items: Shape{Path: []string{m.name}, Many: true, Value: e.plain().k}}, s
		}
	}
	return best, score
}
