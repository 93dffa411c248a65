package stateful

import (
	"fmt"

	"github.com/coldframe/coldframe/internal/resource"
)

// upsert puts an item where there was none, and puts it there again.
func upsert(s *story) {
	b := s.binding(resource.Upsert)
	if b == nil || b.KeyIn != resource.InPath || len(b.Lookup) > 0 {
		return
	}
	scope := s.scope(b, "")
	if scope == nil {
		return
	}
	x := s.send(b, request{scope: scope, title: "put an item where there is none"})
	if x == nil || x.Response == nil {
		return
	}
	creates := documents(b.Operation, 201)
	if !x.Succeeded() {
		if creates && gone(x) {
			s.accuse("upsert", "new", fmt.Sprintf("a PUT of a new item is answered %d, though the document has 201", x.Status()), x)
		}
		return
	}
	again := s.again(x, "put it there again")
	if again == nil || !again.Succeeded() || x.Status() != 201 {
		return
	}
	if again.Status() == 201 && documents(b.Operation, 200, 204) {
		s.accuse("upsert", "again", "the second PUT of an item is answered 201 like the first", x, again)
	}
	i := s.shown(b, x, scope)
	w := s.walk(scope, nil, "list what was put twice")
	if i == nil || w == nil || !w.whole {
		return
	}
	keys, ok := w.keys(s)
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
		s.accuse("upsert", "once", fmt.Sprintf("an item that was put twice is %d times in the list", n), x, again, w.last())
	}
}
