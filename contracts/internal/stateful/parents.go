package stateful

import (
	"fmt"
	"maps"

	"github.com/coldframe/coldframe/internal/resource"
)

// parents makes an item below one parent and looks for it below another, and
// below one that does not exist.
func parents(t *tester) {
	b := t.binding(resource.Create)
	if b == nil || len(b.Scope) == 0 {
		return
	}
	one, other := t.scope(b, " one"), t.scope(b, " other")
	if one == nil || other == nil || maps.Equal(one, other) {
		return
	}
	i := t.create(one, request{title: "create an item below one parent"})
	if i == nil {
		return
	}
	if w := t.walk(other, nil, "the list below another parent"); w != nil && len(w.list.Scope) > 0 {
		if w.meets(t, i) != nil {
			t.report("parents", "list", "an item of one parent is listed below another", i.made, w.last())
		}
	}
	if read := t.binding(resource.Read); read != nil && len(read.Scope) > 0 && read.KeyIn == resource.InPath {
		x := t.send(read, request{scope: other, key: i.Key, title: "read it below another parent", absent: true})
		made, _ := t.absent(read, read.Variable, i.Key)
		if x != nil && x.Succeeded() && made != "" && !t.boundless(t.resource, other, made) {
			t.report("parents", "read", fmt.Sprintf("an item of one parent is answered %d below another", x.Status()), i.made, x)
		}
	}
	missing := maps.Clone(one)
	last := b.Scope[len(b.Scope)-1]
	key, ok := t.absent(b, last.Name, missing[last.Name])
	if !ok {
		return
	}
	missing[last.Name] = key
	above := maps.Clone(one)
	delete(above, last.Name)
	if t.boundless(last.Parent, above, key) {
		return
	}
	if documents(b.Operation, 404, 410) {
		if x := t.send(b, request{scope: missing, title: "create an item below a parent that does not exist", absent: true}); x != nil && x.Succeeded() {
			t.report("parents", "missing", fmt.Sprintf("a creation below a parent that does not exist is answered %d", x.Status()), x)
		}
	}
	if list := t.binding(resource.List); list != nil && len(list.Scope) > 0 && documents(list.Operation, 404, 410) {
		if x := t.send(list, request{scope: missing, title: "the list of a parent that does not exist", absent: true}); x != nil && x.Succeeded() {
			t.report("parents", "missing list", fmt.Sprintf("the list of a parent that does not exist is answered %d", x.Status()), x)
		}
	}
}
