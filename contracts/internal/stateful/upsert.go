package stateful

import (
	"fmt"

	"github.com/coldframe/coldframe/internal/resource"
)

// upsert puts an item where there was none, and puts it there again.
func upsert(t *tester) {
	b := t.binding(resource.Upsert)
	if b == nil || b.KeyIn != resource.InPath || len(b.Lookup) > 0 {
		return
	}
	scope := t.scope(b, "")
	if scope == nil {
		return
	}
	x := t.send(b, request{scope: scope, title: "put an item where there is none"})
	if x == nil || x.Response == nil {
		return
	}
	creates := documents(b.Operation, 201)
	if !x.Succeeded() {
		if creates && gone(x) {
			t.report("upsert", "new", fmt.Sprintf("a PUT of a new item is answered %d, though the document has 201", x.Status()), x)
		}
		return
	}
	again := t.again(x, "put it there again")
	if again == nil || !again.Succeeded() || x.Status() != 201 {
		return
	}
	if again.Status() == 201 && documents(b.Operation, 200, 204) {
		t.report("upsert", "again", "the second PUT of an item is answered 201 like the first", x, again)
	}
	i := t.shown(b, x, scope)
	w := t.walk(scope, nil, "list what was put twice")
	if i == nil || w == nil || !w.whole {
		return
	}
	keys, ok := w.keys(t)
	if !ok {
		return
	}
	n := 0
	for _, key := range keys {
		if key == i.Key {
			n++
		}
	}
	if n > 1 {
		t.report("upsert", "once", fmt.Sprintf("an item that was put twice is %d times in the list", n), x, again, w.last())
	}
}
