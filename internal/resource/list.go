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

// listed is an array that may hold the items of a list.
type listed struct {
	member
	element    view
	names      []string // that the resource goes by
	arrays     int      // of items in the same object
	paging     int      // properties of the object that say something of the page
	others     int      // properties that say nothing of the answer or the page
	identified bool     // the object looks like an item itself
}

// listRules score an array of objects in a body.
var listRules = rules[*listed]{
	{name: "named like the resource", weight: 0.85, group: "name", source: byName, example: "{plants: […]} of /plants", sees: func(l *listed) string { return when(slices.Contains(l.names, naming.SingularName(l.name)), l.name) }},
	{name: "name of a wrapper", weight: 0.8, group: "name", source: byWrapper, example: "{items: […]}, {data: […]}", sees: func(l *listed) string { return when(wrapperNames[l.folded], l.name) }},
	{name: "schema named like the resource", weight: 0.7, group: "name", source: bySchema, example: "{found: [Plant]} of /plants", sees: func(l *listed) string {
		return when(slices.Contains(l.names, naming.SingularName(l.element.name())), l.name)
	}},
	{name: "array of objects", weight: 0.3, group: "name", source: bySchema, example: "{found: [{…}]}", sees: func(l *listed) string { return l.name }},
	{name: "only array of objects", weight: 0.1, source: byWrapper, example: "{items: […], total: …}", sees: func(l *listed) string { return when(l.arrays == 1, l.name) }},
	{name: "nothing else", weight: 0.2, source: byWrapper, example: "{items: […], total: …}", sees: func(l *listed) string { return when(l.others == 0, l.name) }},
	{name: "many other properties", source: byWrapper, example: "{tags: […], name: …, height: …, color: …}", sees: func(l *listed) string { return when(l.others > 2, l.name) }, more: func(l *listed) float64 { return -0.1 * float64(min(l.others, 5)) }},
	{name: "beside properties of a page", weight: 0.1, source: byName, example: "total, next, limit", sees: func(l *listed) string { return when(l.paging > 0, l.name) }},
	{name: "in an item", weight: -0.4, source: byName, example: "{id: …, tags: […]}", sees: func(l *listed) string { return when(l.identified && l.paging == 0, l.name) }},
}

// findList finds the items in a list's body. names are those that the resource
// goes by. The score is from 0 to 1; the list is nil where it is 0.
func findList(body view, names []string) (*Listing, float64) {
	if body.kind() == Array {
		if e := body.element(); isItem(e) {
			return &Listing{Items: *e.shape(true)}, 1
		}
		return nil, 0
	}
	items, score := listAtDepth(body, names, 0)
	if items == nil {
		return nil, 0
	}
	l := &Listing{Items: *items}
	l.Fields = appendPageFields(nil, body, nil, 0)
	path := items.Path
	if len(path) == 1 {
		l.Fields = appendCounts(l.Fields, body, path[0])
	} else {
		path = path[:len(path)-1]
		l.Fields = appendPageFields(l.Fields, body.at(path), path, 0)
	}
	return l, score
}

func listAtDepth(body view, names []string, depth int) (*Shape, float64) {
	members := body.members()
	facts := listed{names: names, identified: hasIdentity(members)}
	for _, m := range members {
		kind := m.view.kind()
		switch {
		case pageRole(m.name, m.view) != NoField, kind == Object && pageObjectNames[m.folded]:
			facts.paging++
		case kind == Array && isItem(m.view.element()):
			facts.arrays++
		case !metaNames[m.folded]:
			facts.others++
		}
	}
	best, score := (*Shape)(nil), 0.0
	for _, m := range members {
		switch m.view.kind() {
		case Object:
			wrapper := wrapperNames[m.folded] || m.folded == "page" || m.folded == "meta"
			if depth == maxWrappers || facts.others > 2 || !wrapper && !slices.Contains(names, naming.SingularName(m.name)) {
				continue
			}
			if inner, s := listAtDepth(m.view, names, depth+1); inner != nil && s*0.98 > score {
				inner.Path = append([]string{m.name}, inner.Path...)
				best, score = inner, s*0.98
			}
		case Array:
			facts.member, facts.element = m, m.view.element()
			if !isItem(facts.element) {
				continue
			}
			if s := min(listRules.sum("list", &facts, 0, nil), 1); s > score {
				best, score = facts.element.shape(true, m.name), s
				listRules.sum("list", &facts, 0, &best.evidence)
			}
		}
	}
	return best, score
}
