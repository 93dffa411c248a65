package stateful

import (
	"slices"

	"github.com/coldframe/coldframe/internal/resource"
)

// upsert puts an item where there was none, and puts it there again.
func upsert(t *tester) {
	b := must(t, t.keyedOperation(resource.Upsert))
	scope := t.mustScope(b)
	x := t.send(b, request{scope: scope, title: "put an item where there is none"})
	if !x.Succeeded() {
		if notFound(x) && documents(b.Operation, 201) {
			t.report("upsert", "new", exchanges{x},
				"a PUT of a new item is answered with %d, though the document has 201", x.Status())
		}
		return
	}
	again := t.resend(x, "put it there again")
	t.require(again.Succeeded() && x.Status() == 201)
	if again.Status() == 201 && documents(b.Operation, 200, 204) {
		t.report("upsert", "again", exchanges{x, again}, "the second PUT of an item is answered with 201 like the first")
	}
	i, list := t.createdBy(b, x, scope), must(t, t.list(scope, nil, "list after the second PUT"))
	t.require(i != nil)
	keys, _ := list.keys()
	if n := len(slices.DeleteFunc(keys, func(key string) bool { return key != i.Key })); n > 1 {
		t.report("upsert", "once", exchanges{x, again, list.last()}, "an item that was put twice is in the list %d times", n)
	}
}

// actions does each action whose response shows its item, and reads the item then.
func actions(t *tester) {
	for _, b := range t.resource.Bindings {
		if b.Role != resource.Action || !b.Reads || b.Operation.Method == "GET" || t.Builder(b.Operation) == nil {
			continue
		}
		i := must(t, t.create(request{title: "create an item"}))
		shown := t.shown(t.send(b, request{item: i, title: "act on it"}))
		if shown == nil {
			continue
		}
		read := t.readItem(i, "read it after the action")
		if read == nil {
			continue
		}
		was, is := object(shown.item), object(read.item)
		for _, name := range sortedNames(was) {
			if now, has := is[name]; has && differs(was[name], now, nil) {
				t.report("updated", "body."+name, exchanges{i.created, shown.Exchange, read.Exchange},
					"the action shows %s, and a read then %s", text(was[name]), text(now))
			}
		}
	}
}
