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
		b := must(t, t.operation(resource.Read))
		i := &item{Item: &itempool.Item{Resource: t.resource, Scope: t.mustScope(b)}, by: b}
		changeItem(t, i, nil)
		deleteSingleton(t, i)
		return
	}
	r := request{all: true, have: nonDefaults(t.operation(resource.Create)), title: "create an item"}
	i := t.create(r)
	if i == nil {
		i = must(t, t.create(request{title: r.title}))
	}
	t.step(func() { followLocation(t, i) })
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
	second := t.create(request{scope: i.Scope, title: "create another item"})
	if list := t.listWith(i, "list after the creations"); list != nil {
		keys, ok := list.keys()
		for _, created := range []*item{i, second} {
			if ok && created != nil && !slices.Contains(keys, created.Key) {
				t.report("listed", "", exchanges{created.created, list.last()}, "the created item is missing in the list")
			}
		}
	}
	changeItem(t, i, first)
	deleteItem(t, i, second)
}

// changeItem replaces and patches an item. before is an earlier read of it, or nil.
func changeItem(t *tester, i *item, before *checks.Exchange) {
	full := replace(t, i, before)
	t.step(func() { patchEach(t, i) })
	t.step(func() { replaceByLess(t, i, full) })
	replace(t, i, nil)
	t.step(func() { clearEach(t, i) })
}

// listWith gives the complete list that has an item; nil where there is none, or
// where it is unknown below which parent the item is listed.
func (t *tester) listWith(i *item, title string) *listing {
	if b := t.operation(resource.List); b != nil {
		if scope := t.scopeIn(b, i); scope != nil {
			return t.list(scope, nil, title)
		}
	}
	return nil
}

// followLocation follows the Location of a creation.
func followLocation(t *tester, i *item) {
	location, ok := i.created.Response.Header.Get("Location")
	b := must(t, t.operation(resource.Read))
	t.require(ok && (i.created.Status() == 201 || i.created.Status() == 202))
	path := t.Path(location)
	t.require(path != "") // of another origin, or of none
	c := must(t, t.build(b, request{item: i, title: "follow Location"}))
	c.Request.Path = path
	x := t.Send(t.ctx, c)
	if notFound(x) {
		t.report("location", "header.Location", exchanges{i.created, x},
			"Location leads to %s, which is answered with %d", location, x.Status())
		return
	}
	created, shown := t.shown(i.created), t.shown(x)
	t.require(created != nil && shown != nil && t.key() != nil && i.created.Status() == 201 &&
		b.KeyIn == resource.InPath && len(b.Lookup) == 0)
	key, other := itempool.Text(valueAt(created.item, t.key())), itempool.Text(valueAt(shown.item, t.key()))
	if key == i.Key && other != "" && !strings.EqualFold(key, other) &&
		pathVariables(b.Operation.Path, path)[b.Variable] == other {
		t.report("location", "header.Location", exchanges{i.created, x},
			"Location leads to another item: the created item has the key %q, and this one has %q", key, other)
	}
}

// compareReads checks that two reads in a row show the same: what clients decide,
// and everything where both have one strong tag (RFC 9110 section 8.8.1).
func compareReads(t *tester, i *item, first, second *reading) {
	if first == nil || second == nil || jsonvalue.Equals(first.item, second.item) {
		return
	}
	tag, _ := first.Response.Header.Get("ETag")
	secondTag, _ := second.Response.Header.Get("ETag")
	found := differences(first.item, second.item, nil)
	if tag == "" || tag != secondTag || isWeak(tag) {
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
		} else if _, ok := usual.(string); ok {
			isOther := func(value any) bool { return value != usual }
			if at := slices.IndexFunc(schema.Values(k), isOther); at >= 0 {
				have[name] = schema.Values(k)[at]
			}
		}
	}
	return have
}
