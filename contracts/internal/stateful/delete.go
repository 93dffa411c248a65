package stateful

import (
	"fmt"
	"maps"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/resource"
)

// removed removes the item, and looks whether it is gone.
func (t *tester) removed(i, younger *item) {
	b := t.binding(resource.Delete)
	if b == nil || b.KeyIn != resource.InPath || len(b.Lookup) > 0 {
		return
	}
	x := t.send(b, request{scope: i.Scope, key: i.Key, title: "remove it"})
	if x == nil || !x.Succeeded() {
		return
	}
	if read := t.look(i, request{title: "read what was removed", absent: true}); read != nil && read.Succeeded() {
		t.report("removed", "read", fmt.Sprintf("what was removed is still answered %d", read.Status()), i.made, x, read)
	}
	t.listed(i, false, "list after the removal", nil, i.made, x)
	if younger != nil && !(younger.Key == i.Key && maps.Equal(younger.Scope, i.Scope)) {
		if read := t.read(younger, "read the other one"); gone(read) {
			t.report("removed", "other", fmt.Sprintf("another item is answered %d since one was removed", read.Status()), younger.made, x, read)
		}
	}
	again := t.again(x, "remove it again")
	if again != nil && again.Succeeded() && documents(b.Operation, 404, 410) {
		t.report("removed-twice", "", fmt.Sprintf("the second removal is answered %d, though the document has an answer for what does not exist", again.Status()), i.made, x, again)
	}
	for _, role := range []resource.Role{resource.Update, resource.Replace} {
		change := t.binding(role)
		if change == nil || change.KeyIn != resource.InPath || !documents(change.Operation, 404, 410) {
			continue
		}
		if after := t.send(change, request{scope: i.Scope, key: i.Key, have: t.fixed(i, change), title: "change what was removed", absent: true}); after != nil && after.Succeeded() {
			t.report("removed", "change", fmt.Sprintf("a change of what was removed is answered %d", after.Status()), i.made, x, after)
		}
	}
}

// taken removes the one item of a singleton, after it was put there.
func (t *tester) taken(i *item) {
	remove := t.binding(resource.Delete)
	if remove == nil {
		return
	}
	var put *checks.Exchange
	for _, role := range []resource.Role{resource.Upsert, resource.Replace, resource.Create} {
		if b := t.binding(role); b != nil && put == nil {
			put = t.send(b, request{scope: i.Scope, title: "put it there"})
		}
	}
	if put == nil || !put.Succeeded() {
		return
	}
	there := t.read(i, "read what was put there")
	x := t.send(remove, request{scope: i.Scope, title: "remove it"})
	if x == nil || !x.Succeeded() || there == nil || !there.Succeeded() {
		return
	}
	read := t.look(i, request{title: "read what was removed", absent: true})
	if b := t.binding(resource.Read); read != nil && read.Succeeded() && documents(b.Operation, 404, 410) {
		t.report("removed", "read", fmt.Sprintf("what was removed is still answered %d", read.Status()), put, x, read)
	}
}
