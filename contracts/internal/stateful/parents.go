package stateful

import (
	"maps"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
)

// parents creates an item below one parent and looks for it below another, and
// below an unknown one.
func parents(t *tester) {
	b := t.operation(resource.Create)
	if b == nil || len(b.Scope) == 0 {
		return
	}
	one, other := t.parentScope(b, " one"), t.parentScope(b, " other")
	if one == nil || other == nil || maps.Equal(one, other) {
		return
	}
	i := t.create(one, request{title: "create an item below one parent"})
	if i == nil {
		return
	}
	lookBelow(t, i, other)
	unknown, last := maps.Clone(one), b.Scope[len(b.Scope)-1]
	key := unknownKey(b, last.Name, one[last.Name])
	if key == "" {
		return
	}
	unknown[last.Name] = key
	above := maps.Clone(one)
	delete(above, last.Name)
	if t.hasEveryKey(last.Parent, above, key) {
		return
	}
	if documents(b.Operation, 404, 410) {
		x := t.send(b, request{scope: unknown, title: "create an item below an unknown parent", mayFail: true})
		if x.Succeeded() {
			t.report("parents", "missing", exchanges{x}, "a creation below an unknown parent is answered with %d", x.Status())
		}
	}
	if list := t.operation(resource.List); list != nil && len(list.Scope) > 0 && documents(list.Operation, 404, 410) {
		x := t.send(list, request{scope: unknown, title: "the list of an unknown parent", mayFail: true})
		if x.Succeeded() {
			t.report("parents", "missing list", exchanges{x}, "the list of an unknown parent is answered with %d", x.Status())
		}
	}
}

// lookBelow looks for an item below another parent.
func lookBelow(t *tester, i *item, scope map[string]string) {
	if list := t.walk(scope, nil, "the list below another parent"); list != nil && len(list.by.Scope) > 0 && t.isListed(i, list) {
		t.report("parents", "list", exchanges{i.created, list.last()}, "an item of one parent is listed below another")
	}
	read := t.operation(resource.Read)
	if read == nil || len(read.Scope) == 0 || read.KeyIn != resource.InPath {
		return
	}
	x := t.send(read, request{scope: scope, key: i.Key, title: "read it below another parent", mayFail: true})
	unknown := unknownKey(read, read.Variable, i.Key)
	if x.Succeeded() && unknown != "" && !t.hasEveryKey(t.resource, scope, unknown) {
		t.report("parents", "read", exchanges{i.created, x}, "an item of one parent is answered with %d below another", x.Status())
	}
}

// isListed reports whether a list shows an item. Its key alone does not tell: keys
// may repeat below each parent. What changes by itself, and the list's reference to
// the parent, are not compared.
func (t *tester) isListed(i *item, list *listing) bool {
	return t.key() != nil && slices.ContainsFunc(list.items, func(listed any) bool {
		if itempool.Text(valueAt(listed, t.key())) != i.Key {
			return false
		}
		for name, value := range object(i.Value) {
			is, has := object(listed)[name]
			if !has || name == t.resource.Updated || name == t.resource.Version || isComposite(value) ||
				slices.ContainsFunc(t.resource.Bindings, func(b *resource.Binding) bool { return namesParent(b, []string{name}) }) {
				continue
			}
			if differs(value, is, nil) {
				return false
			}
		}
		return len(t.compare(i.by, i.sent, listed, list.by)) == 0
	})
}

func isComposite(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}
