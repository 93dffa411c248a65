package stateful

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
)

// lifecycle follows an item from its creation to its deletion.
func lifecycle(t *tester) {
	if t.resource.Singleton {
		singletonLifecycle(t)
		return
	}
	i := t.create(nil, request{all: true, have: nonDefaults(t.operation(resource.Create)), title: "create an item"})
	if i == nil {
		if i = t.create(nil, request{title: "create an item"}); i == nil {
			return
		}
	}
	followLocation(t, i)
	first := t.read(i, "read the created item")
	if notFound(first) {
		t.report("created-readable", "", exchanges{i.created, first}, "the created item is answered with %d", first.Status())
		return
	}
	if r := t.shown(first); r != nil {
		t.reportDifferences("read-back", t.compare(i.by, i.sent, r.item, r.by), i.created, first)
	}
	if first != nil {
		compareReads(t, i, t.shown(first), t.shown(t.resend(first, "read it again")))
	}
	second := t.create(i.Scope, request{title: "create another item"})
	if list := t.listWith(i, "list after the creations"); list != nil {
		keys, ok := list.keys()
		for _, created := range []*item{i, second} {
			if ok && created != nil && !slices.Contains(keys, created.Key) {
				t.report("listed", "", exchanges{created.created, list.last()}, "the created item is missing in the list")
			}
		}
	}
	changes(t, i, first)
	deleteItem(t, i, second)
}

// singletonLifecycle changes the one item of a singleton, deletes it and puts it
// back.
func singletonLifecycle(t *tester) {
	b := t.operation(resource.Read)
	if b == nil {
		return
	}
	scope := t.parentScope(b, "")
	if scope == nil {
		return
	}
	i := &item{Item: &itempool.Item{Resource: t.resource, Scope: scope}, by: b}
	changes(t, i, nil)
	deleteSingleton(t, i)
}

// changes replaces and patches an item.
func changes(t *tester, i *item, before *checks.Exchange) {
	full := replace(t, i, before)
	patchEach(t, i)
	replaceByLess(t, i, full)
	replace(t, i, nil)
	clearEach(t, i)
}

// listWith gives the complete list that has an item; nil where there is none, or
// where it is unknown below which parent the item is listed.
func (t *tester) listWith(i *item, title string) *listing {
	b := t.operation(resource.List)
	if b == nil {
		return nil
	}
	scope := t.scopeIn(b, i)
	if scope == nil {
		return nil
	}
	return t.list(scope, nil, title)
}

// followLocation follows the Location of a creation.
func followLocation(t *tester, i *item) {
	location, ok := i.created.Response.Header.Get("Location")
	b := t.operation(resource.Read)
	if !ok || b == nil || i.created.Status() != 201 && i.created.Status() != 202 {
		return
	}
	path := t.Path(location)
	if path == "" {
		return // of another origin, or of none
	}
	c := t.build(b, request{scope: i.Scope, key: i.Key, title: "follow Location"})
	if c == nil {
		return
	}
	c.Request.Path = path
	x := t.Send(t.ctx, c)
	if notFound(x) {
		t.report("location", "header.Location", exchanges{i.created, x},
			"Location leads to %s, which is answered with %d", location, x.Status())
	} else if other := otherItemAt(t, i, b, path, x); other != "" {
		t.report("location", "header.Location", exchanges{i.created, x},
			"Location leads to another item: the created item has the key %q, and this one has %q", i.Key, other)
	}
}

// otherItemAt gives the key of the item that a response shows, where that is not
// the created one: the path names it as well, and the response to the creation
// shows the created item's key.
func otherItemAt(t *tester, i *item, b *resource.Binding, path string, x *checks.Exchange) string {
	if t.key() == nil || i.created.Status() != 201 || b.KeyIn != resource.InPath || len(b.Lookup) > 0 {
		return ""
	}
	created, shown := t.shown(i.created), t.shown(x)
	if created == nil || shown == nil {
		return ""
	}
	key, other := itempool.Text(valueAt(created.item, t.key())), itempool.Text(valueAt(shown.item, t.key()))
	if key == "" || other == "" || key != i.Key || strings.EqualFold(key, other) ||
		pathVariables(b.Operation.Path, path)[b.Variable] != other {
		return ""
	}
	return other
}

// clientDifferences finds how an item differs from what it was in what clients
// decide.
func (t *tester) clientDifferences(by *resource.Binding, was, is any) []difference {
	properties := properties(by.Request)
	return slices.DeleteFunc(differences(was, is, nil), func(d difference) bool {
		return len(d.path) == 0 || !t.clientDecides(d.path[0], properties[d.path[0]])
	})
}

// compareReads checks that two reads in a row show the same: what clients decide,
// and everything where both have one strong tag (RFC 9110 section 8.8.1). Without
// one, what the backend decides may change by itself.
func compareReads(t *tester, i *item, first, second *reading) {
	if first == nil || second == nil || jsonvalue.Equals(first.item, second.item) {
		return
	}
	tag, tagged := first.Response.Header.Get("ETag")
	secondTag, _ := second.Response.Header.Get("ETag")
	found := differences(first.item, second.item, nil)
	if !tagged || tag != secondTag || isWeak(tag) {
		found = t.clientDifferences(i.by, first.item, second.item)
	}
	if len(found) > 0 {
		t.report("read-back", "twice", exchanges{first.Exchange, second.Exchange},
			"two reads in a row differ: %s", strings.TrimPrefix(found[0].about(), "body."))
	}
}

// nonDefaults gives values other than their defaults for properties of few values,
// so that a property that falls back to its default is seen.
func nonDefaults(b *resource.Binding) map[string]any {
	have := map[string]any{}
	if b == nil {
		return have
	}
	for name, k := range properties(b.Request) {
		usual := defaultOf(b, k)
		if value, ok := usual.(bool); ok {
			have[name] = !value
		}
		if _, ok := usual.(string); ok {
			others := slices.DeleteFunc(slices.Clone(schema.Values(k)), func(value any) bool { return value == usual })
			if len(others) > 0 {
				have[name] = others[0]
			}
		}
	}
	return have
}
