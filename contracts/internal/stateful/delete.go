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
	b := must(t, t.keyedOperation(resource.Delete))
	x := t.mustSend(b, request{item: i, title: "delete it"})
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
		r := request{item: i, title: "change the deleted item", mayFail: true}
		t.expectRefusal(t.keyedOperation(role), r, "removed", "change", i.after(x),
			"a change of the deleted item is answered with %d")
	}
}

// expectRefusal sends a request about an unknown item, where the operation documents
// a response for that, and reports a success. The message has the status.
func (t *tester) expectRefusal(b *resource.Binding, r request, check, about string, before exchanges, message string) {
	if b == nil || !documents(b.Operation, 404, 410) {
		return
	}
	if x := t.send(b, r); x.Succeeded() {
		t.report(check, about, append(before, x), message, x.Status())
	}
}

// deleteSingleton deletes the one item of a singleton, after it was put there.
func deleteSingleton(t *tester, i *item) {
	b := must(t, t.operation(resource.Delete))
	var put *checks.Exchange
	for _, role := range []resource.Role{resource.Upsert, resource.Replace, resource.Create} {
		if b := t.operation(role); b != nil && put == nil {
			put = t.send(b, request{scope: i.Scope, title: "put it there"})
		}
	}
	t.require(put.Succeeded())
	first := t.read(i, "read the item that was put there")
	x := t.mustSend(b, request{scope: i.Scope, title: "delete it"})
	t.require(first.Succeeded())
	read := t.readAs(i, request{title: "read the deleted item", mayFail: true})
	if read.Succeeded() && documents(read.Case.Operation, 404, 410) {
		t.report("removed", "read", exchanges{put, x, read}, "the deleted item is still answered with %d", read.Status())
	}
}
