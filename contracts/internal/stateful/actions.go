package stateful

import (
	"github.com/coldframe/coldframe/internal/resource"
)

// actions does each action that shows its item, and reads the item then.
func actions(t *tester) {
	for _, b := range t.resource.Bindings {
		if b.Role != resource.Action || !b.Reads || b.Response == nil || b.Operation.Method == "GET" || t.Builder(b.Operation) == nil {
			continue
		}
		i := t.create(nil, request{title: "create an item"})
		if i == nil {
			return
		}
		x := t.send(b, request{scope: i.Scope, key: i.Key, title: "act on it"})
		shown, ok := t.value(x)
		if !ok {
			continue
		}
		read := t.read(i, "read it after the action")
		value, ok := t.value(read)
		if !ok {
			continue
		}
		was, _ := shown.(map[string]any)
		is, _ := value.(map[string]any)
		for _, name := range sortedNames(was) {
			if now, has := is[name]; has && len(differ(was[name], now, nil, "")) > 0 {
				t.report("updated", "body."+name, "the action shows "+text(was[name])+", and a read then "+text(now), i.made, x, read)
			}
		}
	}
}
