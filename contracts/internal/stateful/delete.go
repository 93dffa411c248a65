package stateful

import (
	"maps"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/resource"
)

// deleteItem deletes an item, and checks that it no longer exists and that
// another item does.
func deleteItem(t *tester, i, other *item) {
	b := t.keyedOperation(resource.Delete)
	if b == nil {
		return
	}
	x := t.send(b, request{scope: i.Scope, key: i.Key, title: "delete it"})
	if !x.Succeeded() {
		return
	}
	if read := t.readAs(i, request{title: "read the deleted item", mayFail: true}); read.Succeeded() {
		t.report("removed", "read", i.after(x, read), "the deleted item is still answered with %d", read.Status())
	}
	if list := t.listWith(i, "list after the deletion"); list != nil && !t.keysRepeat(list.by) {
		if keys, ok := list.keys(); ok && slices.Contains(keys, i.Key) {
			t.report("removed", "list", i.after(x, list.last()), "the deleted item is still in the list")
		}
	}
	if other != nil && !(other.Key == i.Key && maps.Equal(other.Scope, i.Scope)) {
		if read := t.read(other, "read the other item"); notFound(read) {
			t.report("removed", "other", exchanges{other.created, x, read},
				"another item is answered with %d after one was deleted", read.Status())
		}
	}
	again := t.resend(x, "delete it again")
	if again.Succeeded() && documents(b.Operation, 404, 410) {
		t.report("removed-twice", "", i.after(x, again),
			"the second deletion is answered with %d, though the document has a response for an unknown item", again.Status())
	}
	for _, role := range []resource.Role{resource.Update, resource.Replace} {
		change := t.keyedOperation(role)
		if change == nil || !documents(change.Operation, 404, 410) {
			continue
		}
		changed := t.send(change, request{
			scope: i.Scope, key: i.Key, have: t.identity(i), title: "change the deleted item", mayFail: true,
		})
		if changed.Succeeded() {
			t.report("removed", "change", i.after(x, changed), "a change of the deleted item is answered with %d", changed.Status())
		}
	}
}

// deleteSingleton deletes the one item of a singleton, after it was put there.
func deleteSingleton(t *tester, i *item) {
	b := t.operation(resource.Delete)
	if b == nil {
		return
	}
	var put *checks.Exchange
	for _, role := range []resource.Role{resource.Upsert, resource.Replace, resource.Create} {
		if b := t.operation(role); b != nil && put == nil {
			put = t.send(b, request{scope: i.Scope, title: "put it there"})
		}
	}
	if !put.Succeeded() {
		return
	}
	first := t.read(i, "read the item that was put there")
	x := t.send(b, request{scope: i.Scope, title: "delete it"})
	if !x.Succeeded() || !first.Succeeded() {
		return
	}
	read := t.readAs(i, request{title: "read the deleted item", mayFail: true})
	if read.Succeeded() && documents(read.Case.Operation, 404, 410) {
		t.report("removed", "read", exchanges{put, x, read}, "the deleted item is still answered with %d", read.Status())
	}
}
