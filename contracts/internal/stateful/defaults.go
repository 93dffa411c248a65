package stateful

import (
	"fmt"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// defaults creates an item with what is required alone, and reads it: what was
// left out has its defaults.
func defaults(t *tester) {
	b := t.binding(resource.Create)
	if b == nil || b.Request == nil {
		return
	}
	if i := t.create(nil, request{title: "create an item with what is required alone"}); i != nil {
		ReadBack(t.ctx, &t.Options, i.made)
	}
	full := t.prepare(b, request{scope: t.scope(b, ""), all: true, title: "create an item"})
	if full == nil {
		return
	}
	value, _ := b.Request.Item(full.Value)
	item, ok := value.(map[string]any)
	if !ok {
		return
	}
	lean, left := leanOf(b, b.Request.Value, item, 0)
	if !left {
		return
	}
	if i := t.create(nil, request{body: b.Request.Wrap(lean), title: "create an item without what has a default within it"}); i != nil {
		ReadBack(t.ctx, &t.Options, i.made)
	}
}

// leanOf gives an object without what may be left out of the objects in it and
// has a default there. left reports whether there is such a thing.
func leanOf(b *resource.Binding, k *spec.Keywords, object map[string]any, depth int) (lean map[string]any, left bool) {
	if depth > maxNesting {
		return object, false
	}
	lean = maps.Clone(object)
	properties := taken(k, object)
	for name, value := range object {
		property := properties[name]
		if property == nil {
			continue
		}
		if inner, ok := value.(map[string]any); ok {
			inner, some := leanOf(b, property, inner, depth+1)
			lean[name], left = inner, left || some
			continue
		}
		if depth > 0 && !slices.Contains(required(k, 0), name) && defaultOf(b, property) != nil {
			delete(lean, name)
			left = true
		}
	}
	return lean, left
}

// readOnly sends values for properties that only the backend sets. It may refuse
// that or leave them out; it must not take them.
func readOnly(t *tester) {
	t.ownedOnCreation()
	for _, role := range []resource.Role{resource.Replace, resource.Update} {
		t.ownedOnChange(role)
	}
}

func (t *tester) ownedOnCreation() {
	b := t.binding(resource.Create)
	if b == nil || b.Request == nil || b.Request.Value == nil {
		return
	}
	var usual any // what the backend makes by itself
	if i := t.create(nil, request{title: "create an item"}); i != nil {
		usual, _ = t.value(i.made)
	}
	properties := propertiesOf(b.Request)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		k := properties[name]
		if !k.ReadOnly {
			continue
		}
		value, ok := t.foreign(name, usual)
		if !ok {
			continue
		}
		plain := t.prepare(b, request{scope: t.scope(b, ""), title: "create an item"})
		if plain == nil {
			return
		}
		item, _ := b.Request.Item(plain.Value)
		values, ok := item.(map[string]any)
		if !ok {
			return
		}
		with := maps.Clone(values)
		with[name] = value
		i := t.create(nil, request{body: b.Request.Wrap(with), title: "create an item with a value for " + name + ", which is readOnly"})
		if i == nil {
			continue
		}
		shown, ok := t.value(i.made)
		if !ok {
			if shown, ok = t.value(t.read(i, "read what was created")); !ok {
				continue
			}
		}
		if is, has := resource.Get(shown, []string{name}); has && len(differ(value, is, k, "")) == 0 {
			t.report("read-only", "body."+name, fmt.Sprintf("is readOnly, and was taken from the client: %s", text(is)), i.made)
		}
	}
}

// maxOwned is how many properties that only the backend sets a change is sent
// with, one after the other.
const maxOwned = 8

// ownedOnChange changes an item and gives it values for properties that only the
// backend sets. What it shows then must not be what only that change has brought.
func (t *tester) ownedOnChange(role resource.Role) {
	b := t.binding(role)
	if b == nil || b.KeyIn != resource.InPath || len(b.Lookup) > 0 || b.Request == nil || b.Request.Value == nil || role == resource.Update && t.patches() == nil {
		return
	}
	var owned []string
	for name, k := range propertiesOf(b.Request) {
		if k.ReadOnly {
			owned = append(owned, name)
		}
	}
	if len(owned) == 0 {
		return
	}
	slices.Sort(owned)
	i := t.create(nil, request{title: "create an item"})
	if i == nil {
		return
	}
	plain := t.send(b, request{scope: i.Scope, key: i.Key, have: t.fixed(i, b), title: "change it"})
	if plain == nil || !plain.Succeeded() {
		return
	}
	usual, ok := t.value(t.read(i, "read what was changed")) // what the backend makes of a change by itself
	item, _ := b.Request.Item(itempool.Sent(plain))
	values, also := item.(map[string]any)
	if !ok || !also {
		return
	}
	for _, name := range owned[:min(len(owned), maxOwned)] {
		value, ok := t.foreign(name, usual)
		if was, has := resource.Get(usual, []string{name}); !ok || !has || len(differ(value, was, nil, "")) == 0 {
			continue
		}
		with := maps.Clone(values)
		with[name] = value
		x := t.send(b, request{scope: i.Scope, key: i.Key, body: b.Request.Wrap(with), title: "change it with a value for " + name + ", which is readOnly", absent: true})
		if x == nil || !x.Succeeded() {
			continue
		}
		read := t.look(i, request{title: "read what was changed", absent: true})
		if gone(read) {
			t.report("read-only", role.String()+" body."+name, fmt.Sprintf("is readOnly; the item is answered %d since a change came with %s", read.Status(), text(value)), i.before(x, read)...)
			return
		}
		shown, _ := t.value(read)
		if is, has := resource.Get(shown, []string{name}); has && len(differ(value, is, nil, "")) == 0 {
			t.report("read-only", role.String()+" body."+name, fmt.Sprintf("is readOnly, and was taken from the client: %s", text(is)), i.before(x, read)...)
		}
	}
}

// foreign gives a value for a property that no backend would come to by itself:
// one that fits what answers show.
func (t *tester) foreign(name string, usual any) (any, bool) {
	for _, p := range t.resource.Properties {
		if p.Name != name {
			continue
		}
		k := propertiesOf(&resource.Shape{Value: t.resource.Value})[name]
		made, _ := resource.Get(usual, []string{name})
		if k != nil && k.Enum != nil {
			for _, value := range k.Enum.Values {
				if made != nil && value != made && conforms(k, value) {
					return value, true
				}
			}
		}
		if b, ok := made.(bool); ok {
			return !b, true
		}
		for _, value := range candidates {
			if k != nil && conforms(k, value) {
				return value, true
			}
		}
	}
	return nil, false
}
