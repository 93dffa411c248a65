package stateful

import (
	"maps"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
)

// home gives texts for the variables before the key in an operation's path, as
// an item stands below them: those of the path by which it was made, and else
// what it refers to by itself. It gives nil where neither says so.
func (t *tester) home(i *item, b *resource.Binding) map[string]string {
	texts := maps.Clone(i.Scope)
	if texts == nil {
		texts = map[string]string{}
	}
	for at, v := range b.Scope {
		if _, ok := texts[v.Name]; ok {
			continue
		}
		if text, ok := t.scopeAt(at, i.Scope); ok {
			texts[v.Name] = text
			continue
		}
		text := t.refers(i, v)
		if text == "" {
			return nil
		}
		texts[v.Name] = text
	}
	return texts
}

// refers gives the key by which an item names what it stands below, "" where it
// does not.
func (t *tester) refers(i *item, v resource.Variable) string {
	for _, value := range []any{i.Value, i.sent} {
		paths := [][]string{v.Property}
		if v.Parent != nil && v.Parent == t.resource.Parent {
			paths = append(paths, t.resource.ParentProperty)
		}
		object, _ := value.(map[string]any)
		for _, name := range sortedNames(object) {
			if v.Parent != nil && t.Plan.Referred(name) == v.Parent {
				paths = append(paths, []string{name})
			}
		}
		for _, path := range paths {
			if key, ok := resource.Get(value, path); ok && len(path) > 0 && itempool.Text(key) != "" {
				return itempool.Text(key)
			}
		}
	}
	return ""
}

// meets gives the item of a walk that has an item's key and shows the same; nil
// where there is none. Keys may be counted below each parent: one alone does not
// tell an item from another's.
func (w *walk) meets(t *tester, i *item) any {
	property := keyProperty(t.resource)
	if property == nil {
		return nil
	}
	for _, listed := range w.items {
		if key, ok := resource.Get(listed, property); ok && itempool.Text(key) == i.Key && t.agrees(i, listed) {
			return listed
		}
	}
	return nil
}

// agrees reports whether a listed item may be the one that was made: what both
// show, and what was sent, is the same. What changes by itself, and what the list
// may say of its own place, does not count.
func (t *tester) agrees(i *item, listed any) bool {
	shown, _ := i.Value.(map[string]any)
	other, _ := listed.(map[string]any)
	for name, value := range shown {
		now, has := other[name]
		if !has || name == t.resource.Updated || name == t.resource.Version || t.places(name) {
			continue
		}
		switch value.(type) {
		case map[string]any, []any:
			continue
		}
		if len(differ(value, now, nil, "")) > 0 {
			return false
		}
	}
	return len(t.compare(i.by, i.sent, listed, t.binding(resource.List))) == 0
}

// places reports whether a property says what items stand below.
func (t *tester) places(name string) bool {
	return slices.ContainsFunc(t.resource.Bindings, func(b *resource.Binding) bool {
		return slices.ContainsFunc(b.Scope, func(v resource.Variable) bool { return slices.Equal(v.Property, []string{name}) })
	})
}
