package resource

import (
	"slices"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
)

// createdElsewhere reports whether a list without variables that nothing else is done to shows items that another path
// without variables creates and reads, of one component: GET /favourites beside POST /plants and GET /plants/{id}.
func (in *inference) createdElsewhere(f *pathFacts) bool {
	name := f.get.answer.of(f.list.Items.Value).name()
	if name == "" || !f.only("GET") || len(f.variables()) > 0 || f.item != nil {
		return false
	}
	return slices.ContainsFunc(in.operations, func(o *operation) bool {
		item := o.at.item()
		creates := o.Method == "POST" && o.at != f.node && len(o.variables()) == 0 && o.answer.name() == name
		return creates && item != nil && item.method("GET") != nil && item.method("GET").answer.name() == name
	})
}

// listedFrom returns the candidate whose items a list at a path that keeps nothing shows; nil if there is none, or more
// than one. Its items have one component, and its path has no variables.
func (in *inference) listedFrom(o *operation) (found *candidate) {
	if o.Method != "GET" || len(o.variables()) > 0 || o.at.item() != nil {
		return nil
	}
	for _, c := range in.order {
		if c.mergedInto != nil || c.singleton || c.item == nil || len(c.variables) > 0 {
			continue
		}
		l, score := findList(o.answer, c.names)
		name := c.value.name()
		if l == nil || score < 0.5 || name == "" || c.collection.method("POST") == nil ||
			o.answer.of(l.Items.Value).name() != name {
			continue
		}
		if found != nil {
			return nil
		}
		found = c
	}
	return found
}

// flagOf returns the flag that the path of a list names, which its items have: favourite for GET /favourites; "" for
// none.
func flagOf(o *operation, item view) string {
	own := naming.SingularName(o.at.last.text)
	for _, m := range item.members() {
		if m.view.kind() == schema.Boolean && m.folded == own {
			return m.name
		}
	}
	return ""
}
