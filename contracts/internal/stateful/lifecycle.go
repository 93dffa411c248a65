package stateful

import (
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
)

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
	t.require(!t.reportIf(notFound(first), "created-readable", "", exchanges{i.created, first},
		"the created item is answered with %d", first.Status()))
	read := t.shown(first)
	t.reportEach("read-back", t.compare(i.by, i.sent, read), "", i.created, first)
	if first != nil {
		compareReads(t, i, read, t.shown(t.resend(first, "read it again")))
	}
	second := t.create(request{scope: i.Scope, title: "create another item"})
	if list := listWith(t, i, "list after the creations"); list != nil {
		keys, ok := list.keys()
		for _, created := range []*item{i, second} {
			if ok && created != nil {
				t.reportIf(!slices.Contains(keys, created.Key), "listed", "", exchanges{created.created, list.last()},
					"the created item is missing in the list")
			}
		}
	}
	changeItem(t, i, read)
	deleteItem(t, i, second)
}

// changeItem replaces and patches an item. before is an earlier read of it, or nil.
func changeItem(t *tester, i *item, before *reading) {
	full := replace(t, i, before)
	t.step(func() { patchEach(t, i) })
	t.step(func() { replaceByLess(t, i, full) })
	replace(t, i, nil)
	t.step(func() { clearEach(t, i) })
}

// listWith gives the complete list that has an item; nil where there is none, or where it is unknown below which
// parent the item is listed: that of the path by which it was created, else the one that it refers to.
func listWith(t *tester, i *item, title string) *listing {
	b := t.operation(resource.List)
	if b == nil {
		return nil
	}
	scope := itempool.ScopeFor(b, i.Scope)
	for _, v := range b.Scope {
		if _, ok := scope[v.Name]; ok {
			continue
		}
		if scope[v.Name] = parentKey(t, i, v); scope[v.Name] == "" {
			return nil
		}
	}
	return t.list(scope, nil, title)
}

// parentKey gives the key by which an item refers to its parent, "" where it does not.
func parentKey(t *tester, i *item, v resource.Variable) string {
	for _, value := range []any{i.Value, i.sent} {
		properties := [][]string{v.Property}
		if v.Parent != nil && v.Parent == t.resource.Parent {
			properties = append(properties, t.resource.ParentProperty)
		}
		for _, name := range sortedNames(object(value)) {
			if v.Parent != nil && t.Plan.Referred(name) == v.Parent {
				properties = append(properties, []string{name})
			}
		}
		for _, property := range properties {
			if key := itempool.Text(valueAt(value, property)); key != "" && len(property) > 0 {
				return key
			}
		}
	}
	return ""
}

func followLocation(t *tester, i *item) {
	location, ok := i.created.Response.Header.Get("Location")
	b := must(t, t.operation(resource.Read))
	t.require(ok && (i.created.Status() == 201 || i.created.Status() == 202))
	path := t.Path(location)
	t.require(path != "") // of another origin, or of none
	c := must(t, t.build(b, request{item: i, title: "follow Location"}))
	c.Request.Path = path
	x := t.Send(t.ctx, c)
	t.reportIf(notFound(x), "location", "header.Location", exchanges{i.created, x},
		"Location leads to %s, which is answered with %d", location, x.Status())
	created, shown := t.shown(i.created), t.shown(x)
	t.require(created != nil && shown != nil && t.key() != nil && i.created.Status() == 201 &&
		b.KeyIn == resource.InPath && len(b.Lookup) == 0)
	key, other := itempool.Text(valueAt(created.item, t.key())), itempool.Text(valueAt(shown.item, t.key()))
	leadsToOther := key == i.Key && other != "" && !strings.EqualFold(key, other) && pathVariables(x)[b.Variable] == other
	t.reportIf(leadsToOther, "location", "header.Location", exchanges{i.created, x},
		"Location leads to another item: the created item has the key %q, and this one has %q", key, other)
}

// compareReads checks that two reads in a row show the same: what clients decide,
// and everything where both have one strong tag (RFC 9110 section 8.8.1).
func compareReads(t *tester, i *item, first, second *reading) {
	if first == nil || second == nil || jsonvalue.Equals(first.item, second.item) {
		return
	}
	found := differences(first.item, second.item, nil)
	if tag := tagOf(first.Exchange); tag == "" || tag != tagOf(second.Exchange) || isWeak(tag) {
		found = clientDifferences(t, i.by, first.item, second.item)
	}
	if len(found) > 0 {
		t.reportIf(true, "read-back", "twice", exchanges{first.Exchange, second.Exchange},
			"two reads in a row differ: %s", strings.TrimPrefix(found[0].about(), "body."))
	}
}

func deleteItem(t *tester, i, other *item) {
	b := must(t, t.keyedOperation(resource.Delete))
	x := t.mustSend(b, request{item: i, title: "delete it"})
	read := t.tryRead(i, "read the deleted item")
	t.reportIf(read.Succeeded(), "removed", "read", i.after(x, read),
		"the deleted item is still answered with %d", read.Status())
	if list := listWith(t, i, "list after the deletion"); list != nil && !list.keysRepeat() {
		keys, ok := list.keys()
		t.reportIf(ok && slices.Contains(keys, i.Key), "removed", "list", i.after(x, list.last()),
			"the deleted item is still in the list")
	}
	if other != nil && !(other.Key == i.Key && maps.Equal(other.Scope, i.Scope)) {
		read := t.read(other, "read the other item")
		t.reportIf(notFound(read), "removed", "other", exchanges{other.created, x, read},
			"another item is answered with %d after one was deleted", read.Status())
	}
	again := t.resend(x, "delete it again")
	t.reportIf(again.Succeeded() && documents(b.Operation, 404, 410), "removed-twice", "", i.after(x, again),
		"the second deletion is answered with %d, though the document has a response for an unknown item", again.Status())
	t.eachOperation(func(b *resource.Binding) {
		r := request{item: i, title: "change the deleted item", mayFail: true}
		expectRefusal(t, b, r, "removed", "change", i.after(x), "a change of the deleted item is answered with %d")
	}, resource.Update, resource.Replace)
}

// expectRefusal sends a request about an unknown item, where the operation documents
// a response for that, and reports a success. The message has the status.
func expectRefusal(t *tester, b *resource.Binding, r request, check, about string, before exchanges, message string) {
	if documents(b.Operation, 404, 410) {
		x := t.send(b, r)
		t.reportIf(x.Succeeded(), check, about, append(before, x), message, x.Status())
	}
}

func deleteSingleton(t *tester, i *item) {
	b := must(t, t.operation(resource.Delete))
	var put *checks.Exchange
	for _, role := range []resource.Role{resource.Upsert, resource.Replace, resource.Create} {
		if put == nil {
			put = t.send(t.operation(role), request{scope: i.Scope, title: "put it there"})
		}
	}
	t.require(put.Succeeded())
	first := t.read(i, "read the item that was put there")
	x := t.mustSend(b, request{scope: i.Scope, title: "delete it"})
	t.require(first.Succeeded())
	read := t.tryRead(i, "read the deleted item")
	t.reportIf(read.Succeeded() && documents(read.Case.Operation, 404, 410), "removed", "read", exchanges{put, x, read},
		"the deleted item is still answered with %d", read.Status())
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
