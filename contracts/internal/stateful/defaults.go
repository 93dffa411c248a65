package stateful

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// defaults creates an item with its required properties only, and reads it: what
// was omitted has its defaults.
func defaults(t *tester) {
	b := t.operation(resource.Create)
	if b == nil || b.Request == nil {
		return
	}
	if i := t.create(nil, request{title: "create an item with its required properties only"}); i != nil {
		CheckStored(t.ctx, t.Options, i.created)
	}
	full := t.build(b, request{scope: t.parentScope(b, ""), all: true, title: "create an item"})
	if full == nil {
		return
	}
	value, _ := b.Request.Item(full.Value)
	if minimal, omitted := withoutDefaults(b, b.Request.Value, object(value), 0); omitted {
		i := t.create(nil, request{
			body: b.Request.Wrap(minimal), title: "create an item without the properties of its objects that have defaults",
		})
		if i != nil {
			CheckStored(t.ctx, t.Options, i.created)
		}
	}
}

// withoutDefaults gives an object without the properties of objects in it that are
// optional and have a default. omitted reports whether there are any.
func withoutDefaults(b *resource.Binding, k *spec.Keywords, object map[string]any, depth int,
) (minimal map[string]any, omitted bool) {
	if depth > maxNesting {
		return object, false
	}
	minimal = maps.Clone(object)
	properties, required := takenProperties(k, object), schema.Required(k)
	for name, value := range object {
		property := properties[name]
		if property == nil {
			continue
		}
		if inner, ok := value.(map[string]any); ok {
			inner, some := withoutDefaults(b, property, inner, depth+1)
			minimal[name], omitted = inner, omitted || some
		} else if depth > 0 && !required[name] && defaultOf(b, property) != nil {
			delete(minimal, name)
			omitted = true
		}
	}
	return minimal, omitted
}

// readOnly sends values for readOnly properties. The backend may refuse or ignore
// them; it must not take them.
func readOnly(t *tester) {
	createWithReadOnly(t)
	for _, role := range []resource.Role{resource.Replace, resource.Update} {
		changeReadOnly(t, role)
	}
}

func createWithReadOnly(t *tester) {
	b := t.operation(resource.Create)
	if b == nil || b.Request == nil || b.Request.Value == nil {
		return
	}
	var usual any // what the backend sets by itself
	if i := t.create(nil, request{title: "create an item"}); i != nil {
		if r := t.shown(i.created); r != nil {
			usual = r.item
		}
	}
	properties := properties(b.Request)
	for _, name := range readOnlyNames(properties) {
		value := t.clientValue(name, usual)
		if value == nil {
			continue
		}
		plain := t.build(b, request{scope: t.parentScope(b, ""), title: "create an item"})
		if plain == nil {
			return
		}
		plainItem, _ := b.Request.Item(plain.Value)
		with := maps.Clone(object(plainItem))
		if with == nil {
			return
		}
		with[name] = value
		i := t.create(nil, request{
			body: b.Request.Wrap(with), title: "create an item with a value for " + name + ", which is readOnly",
		})
		if i == nil {
			continue
		}
		shown := t.shown(i.created)
		if shown == nil {
			shown = t.readItem(i, "read the created item")
		}
		if shown == nil {
			continue
		}
		if is, has := resource.Get(shown.item, []string{name}); has && !differs(value, is, properties[name]) {
			t.report("read-only", "body."+name, exchanges{i.created}, "is readOnly, and was taken from the client: %s", text(is))
		}
	}
}

// maxReadOnly is how many readOnly properties a change is sent with, one after the
// other.
const maxReadOnly = 8

// changeReadOnly changes an item with values for readOnly properties, which a read
// must not show then.
func changeReadOnly(t *tester, role resource.Role) {
	b := t.keyedOperation(role)
	if b == nil || b.Request == nil || b.Request.Value == nil || role == resource.Update && t.patchOperation() == nil {
		return
	}
	properties := properties(b.Request)
	names := readOnlyNames(properties)
	if len(names) == 0 {
		return
	}
	i := t.create(nil, request{title: "create an item"})
	if i == nil {
		return
	}
	plain := t.send(b, request{scope: i.Scope, key: i.Key, have: t.identity(i), title: "change it"})
	if !plain.Succeeded() {
		return
	}
	usual := t.readItem(i, "read the changed item") // what the backend makes of a change by itself
	plainItem, _ := b.Request.Item(itempool.Sent(plain))
	if usual == nil || object(plainItem) == nil {
		return
	}
	for _, name := range names[:min(len(names), maxReadOnly)] {
		value := t.clientValue(name, usual.item)
		if was, has := resource.Get(usual.item, []string{name}); value == nil || !has || !differs(value, was, nil) {
			continue
		}
		with := maps.Clone(object(plainItem))
		with[name] = value
		x := t.send(b, request{
			scope: i.Scope, key: i.Key, body: b.Request.Wrap(with), mayFail: true,
			title: "change it with a value for " + name + ", which is readOnly",
		})
		if !x.Succeeded() {
			continue
		}
		read := t.readAs(i, request{title: "read the changed item", mayFail: true})
		if notFound(read) {
			t.report("read-only", role.String()+" body."+name, i.after(x, read),
				"is readOnly; the item is answered with %d after a change with the value %s", read.Status(), text(value))
			return
		}
		if r := t.shown(read); r != nil {
			if is, has := resource.Get(r.item, []string{name}); has && !differs(value, is, properties[name]) {
				t.report("read-only", role.String()+" body."+name, i.after(x, read),
					"is readOnly, and was taken from the client: %s", text(is))
			}
		}
	}
}

func readOnlyNames(properties map[string]*spec.Keywords) []string {
	return slices.DeleteFunc(sortedNames(properties), func(name string) bool { return !schema.ReadOnly(properties[name]) })
}

// clientValues are values that no backend sets by itself.
var clientValues = []any{
	"c01df4a3-0000-4000-8000-00c01df4a3e0", "1969-07-20T20:17:40Z", "1969-07-20", "coldframe@example.com",
	"https://example.com/coldframe", "coldframe-was-here",
	json.Number("987654321"), json.Number("98765"), json.Number("97"), json.Number("0.97"),
}

// clientValue gives a value for a property that no backend would set by itself and
// that responses may show; nil where there is none.
func (t *tester) clientValue(name string, usual any) any {
	if !slices.ContainsFunc(t.resource.Properties, func(p resource.Property) bool { return p.Name == name }) {
		return nil
	}
	k := schema.Property(t.resource.Value, name)
	is := valueAt(usual, []string{name})
	if is != nil {
		for _, value := range schema.Values(k) {
			if value != is && schema.Conforms(k, value) {
				return value
			}
		}
	}
	if b, ok := is.(bool); ok {
		return !b
	}
	for _, value := range clientValues {
		if k != nil && schema.Conforms(k, value) {
			return value
		}
	}
	return nil
}
