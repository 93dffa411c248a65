package stateful

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
)

func lifecycle(t *tester) {
	if t.resource.Singleton {
		b := must(t, t.operation(resource.Read))
		i := &item{Item: &itempool.Item{Resource: t.resource, Scope: t.mustScope(b)}, by: b}
		first := t.shown(t.tryRead(i, "read it before it is changed"))
		changeItem(t, i, nil)
		if first == nil { // what the run did not create is not deleted
			deleteSingleton(t, i)
		}
		return
	}
	r := request{all: true, have: nonDefaults(t.operation(resource.Create)), title: "create an item"}
	i := t.create(r)
	if i == nil {
		i = must(t, t.create(request{title: r.title}))
	}
	t.step(func() { followLocation(t, i) })
	first := readCreated(t, i)
	t.require(!t.report(notFound(first),
		violation{doubt: heldBack(t, i, first), check: "created-readable", sent: exchanges{i.created, first}},
		"the created item is answered with %d", first.Status()))
	read := t.shown(first)
	t.reportEach("read-back", t.compareStored(i.by, i.sent, read), "", i.created, first)
	if first != nil {
		compareReads(t, i, read, t.shown(t.resend(first, "read it again")))
	}
	second := t.create(request{scope: i.Scope, title: "create another item"})
	t.step(func() { findInList(t, i, second) })
	changeItem(t, i, read)
	t.step(func() { deleteItem(t, i, second) })
	deleteNext(t, second)
}

// readCreated reads a created item, as often as await looks.
func readCreated(t *tester, i *item) (x *checks.Exchange) {
	t.await(i.created, func() bool {
		x = t.read(i, "read the created item")
		return x == nil || x.Succeeded() && t.isSettled(i.by, i.sent, i.created, t.shown(x))
	})
	return x
}

// heldBack returns the sentence by which a created item becomes readable later, or is kept for a while only.
func heldBack(t *tester, i *item, read *checks.Exchange) string {
	said := t.doubtOf(doubt.Gone, i.by.Operation)
	if read != nil {
		said = cmp.Or(said, t.doubtOf(doubt.Gone, read.Case.Operation))
	}
	return said
}

// findInList looks for created items in a list that no parameter restricts.
func findInList(t *tester, created ...*item) {
	b := must(t, t.operation(resource.List))
	t.require(listsAll(b))
	created = slices.DeleteFunc(created, func(i *item) bool { return i == nil })
	var list *listing
	isMissing := func(i *item) bool {
		keys, ok := list.keys()
		return ok && !slices.Contains(keys, i.Key)
	}
	t.await(created[0].created, func() bool {
		list = listWith(t, created[0], "list after the creations")
		return list == nil || !slices.ContainsFunc(created, isMissing)
	})
	t.require(list != nil)
	for _, i := range created {
		t.report(isMissing(i),
			violation{check: "listed", doubt: t.doubtOf(doubt.List, b.Operation), sent: exchanges{i.created, list.last()}},
			"the created item is missing in the list")
	}
}

// changeItem replaces and patches an item. before is an earlier read of it, or nil.
func changeItem(t *tester, i *item, before *reading) {
	full := replace(t, i, before)
	t.step(func() { patchEach(t, i) })
	t.step(func() { patchInside(t, i) })
	t.step(func() { replaceByLess(t, i, full) })
	replace(t, i, nil)
	t.step(func() { clearEach(t, i) })
}

// listWith returns the complete list that has an item; nil if none, or if it is unknown below which
// parent the item is listed: the parent in the path by which it was created, else the one that it refers to.
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

// parentKey returns the key by which an item refers to its parent, "" if it does not.
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
	isResult := i.created.SeesOther() // of the request, which need not be the item
	t.require(ok && (i.created.Status() == 201 || i.created.Status() == 202 || isResult))
	path := t.Path(resolved(i.created, location))
	t.require(path != "")                          // of another origin, or of none
	isRead := itempool.NamesItem(t.resource, path) // a 202 may name a job instead, a 201 the item below another path
	t.require(isRead || i.created.Status() == 201)
	c := must(t, t.build(b, request{item: i, title: "follow Location"}))
	c.Request.Path, c.Undescribed = path, !isRead
	var x *checks.Exchange
	t.await(i.created, func() bool {
		x = t.Send(t.ctx, c)
		return !notFound(x)
	})
	t.report(notFound(x),
		violation{severity: severity(!isResult), check: "location", about: "header.Location", sent: exchanges{i.created, x}},
		"Location leads to %s, which is answered with %d", location, x.Status())
	asked, _, _ := strings.Cut(path, "?")
	t.report(!isRead && asked == i.created.Request.Path,
		violation{severity: severity(false), check: "location", about: "header.Location", sent: exchanges{i.created, x}},
		"Location leads to %s, where items are created, and not to the created item", location)
	created, shown := t.shown(i.created), t.shown(x)
	t.require(created != nil && shown != nil && t.key() != nil && i.created.Status() == 201 &&
		b.KeyIn == resource.InPath && len(b.Lookup) == 0)
	key, other := itempool.Text(valueAt(created.item, t.key())), itempool.Text(valueAt(shown.item, t.key()))
	leadsToOther := key == i.Key && other != "" && !strings.EqualFold(key, other) && pathVariables(x)[b.Variable] == other
	t.reportIf(leadsToOther, "location", "header.Location", exchanges{i.created, x},
		"Location leads to another item: the created item has the key %q, and this one has %q", key, other)
}

// resolved returns a reference in a response as it is meant: relative to what was asked for (RFC 9110 section 10.2.2).
func resolved(x *checks.Exchange, reference string) string {
	u, err := url.Parse(reference)
	if err != nil || u.IsAbs() || u.Host != "" || strings.HasPrefix(u.Path, "/") {
		return reference
	}
	return (&url.URL{Path: x.Request.Path}).ResolveReference(u).String()
}

// compareReads checks that two reads in a row show the same: what clients decide,
// and everything if both have one strong tag (RFC 9110 section 8.8.1).
func compareReads(t *tester, i *item, first, second *reading) {
	if first == nil || second == nil || jsonvalue.Equals(first.item, second.item) {
		return
	}
	found := differences(first.item, second.item, nil)
	tag := tagOf(first.Exchange)
	isOneVersion := tag != "" && tag == tagOf(second.Exchange) && !isWeak(tag)
	if !isOneVersion {
		found = clientDifferences(t, i.by, first.item, second.item)
	}
	if len(found) == 0 {
		return
	}
	third := t.shown(t.resend(second.Exchange, "read it once more"))
	grows := func(d difference) bool { // with each read, as what counts reads or time
		a, isNumber := valueAt(first.item, d.path).(json.Number)
		b, also := valueAt(second.item, d.path).(json.Number)
		if !isNumber || !also || third == nil {
			return false
		}
		c, still := valueAt(third.item, d.path).(json.Number)
		return still && jsonvalue.CompareNumbers(string(a), string(b)) < 0 &&
			jsonvalue.CompareNumbers(string(b), string(c)) < 0
	}
	at := max(slices.IndexFunc(found, func(d difference) bool { return !grows(d) }), 0)
	t.report(true,
		violation{severity: severity(isOneVersion || !grows(found[at])), check: "read-back", about: "twice",
			sent: exchanges{first.Exchange, second.Exchange}},
		"two reads in a row differ: %s", strings.TrimPrefix(found[at].about(), "body."))
}

func deleteItem(t *tester, i, other *item) {
	b := must(t, t.keyedOperation(resource.Delete))
	before := t.readItem(i, "read it before it is deleted")
	x := t.mustSend(b, request{item: i, title: "delete it"})
	t.step(func() { lookForDeleted(t, i, x, before) })
	if other != nil && !(other.Key == i.Key && maps.Equal(other.Scope, i.Scope)) {
		findOther(t, other, x)
	}
}

// findOther reads an item after another was deleted.
func findOther(t *tester, other *item, removal *checks.Exchange) {
	var read *checks.Exchange
	t.await(other.created, func() bool {
		read = t.read(other, "read the other item")
		return !notFound(read)
	})
	t.reportIf(notFound(read), "removed", "other", exchanges{other.created, removal, read},
		"another item is answered with %d after one was deleted", read.Status())
}

// deleteNext deletes an item that was created after another, which must stay.
func deleteNext(t *tester, other *item) {
	b := must(t, t.keyedOperation(resource.Delete))
	i := must(t, t.create(request{scope: must(t, other).Scope, title: "create the next item"}))
	t.require(i.Key != other.Key)
	must(t, t.readItem(other, "read the item before it"))
	findOther(t, other, t.mustSend(b, request{item: i, title: "delete the next item"}))
}

// lookForDeleted reads and lists a deleted item. What is read is listed for the same reason.
func lookForDeleted(t *tester, i *item, x *checks.Exchange, before *reading) {
	var read *checks.Exchange
	t.await(x, func() bool {
		read = t.tryRead(i, "read the deleted item")
		return !read.Succeeded()
	})
	is := t.shown(read)
	var list *listing
	isListed := false
	t.await(x, func() bool {
		list = listWith(t, i, "list after the deletion")
		isListed = list != nil && !list.keysRepeat() && slices.Contains(list.knownKeys(), i.Key)
		return !isListed
	})
	said := keptSentence(t, x)
	if !read.Succeeded() {
		t.step(func() { deleteAgain(t, i, t.Plan.Of(x.Case.Operation), x) })
		if isListed {
			t.report(true, violation{check: "removed", about: "list", doubt: said, sent: i.after(x, list.last())},
				"the deleted item is still in the list")
		}
		return
	}
	isSame := before == nil || is == nil || !differs(before.item, is.item, nil)
	isPromised := documentsMissing(t, read.Case.Operation)
	hasNoEffect := isSame && (isListed || list == nil || isPromised)
	v := violation{severity: severity(hasNoEffect), check: "removed", about: "read", doubt: said, sent: i.after(x, read)}
	if isMarked(t, before, is) && list != nil && !isListed {
		v.severity, v.doubt = exchange.Info, ""
	}
	t.report(true, v, "the deleted item is still answered with %d", read.Status())
}

// isMarked reports whether a deletion keeps an item and marks it: a property without a value has got the present time.
func isMarked(t *tester, before, after *reading) bool {
	return before != nil && after != nil && slices.ContainsFunc(sortedNames(object(after.item)), func(name string) bool {
		return before.get(name) == nil && !t.serverDecides(name) && isPresent(after.get(name))
	})
}

// keptSentence returns the sentence by which a deleted item goes on to exist; "" if none.
func keptSentence(t *tester, removal *checks.Exchange) string {
	return t.doubtOf(doubt.Gone, removal.Case.Operation, deletedWord)
}

// deletedWord is the word for what a deletion leaves.
const deletedWord = "deleted"

// deleteAgain deletes and changes a deleted item.
func deleteAgain(t *tester, i *item, b *resource.Binding, x *checks.Exchange) {
	again := t.resend(x, "delete it again")
	t.reportIf(again.Succeeded() && documentsMissing(t, b.Operation), "removed-twice", "", i.after(x, again),
		"the second deletion is answered with %d, though the document has a response for an unknown item", again.Status())
	t.eachOperation(func(b *resource.Binding) {
		r := request{item: i, title: "change the deleted item", mayFail: true}
		expectRefusal(t, b, r, violation{check: "removed", about: "change", sent: i.after(x)},
			"a change of the deleted item is answered with %d")
	}, resource.Update, resource.Replace)
}

// expectRefusal sends a request about an unknown item if the operation documents a response for that. It reports a
// success as a warning; message formats the status.
func expectRefusal(t *tester, b *resource.Binding, r request, v violation, message string) {
	if documentsMissing(t, b.Operation) {
		x := t.send(b, r)
		v.severity, v.sent = exchange.Warning, append(v.sent, x)
		t.report(x.Succeeded(), v, message, x.Status())
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
	isUnchanged := !differs(object(itempool.Body(first)), object(itempool.Body(read)), nil)
	t.report(read.Succeeded() && read.Case.Operation.Documents(404, 410),
		violation{severity: severity(isUnchanged && read.Case.Operation.DocumentsExactly(404, 410)), check: "removed",
			about: "read", doubt: keptSentence(t, x), sent: exchanges{put, x, read}},
		"the deleted item is still answered with %d", read.Status())
}

// nonDefaults returns values other than their defaults for properties of few values and for numbers,
// so that a property that falls back to its default is seen.
func nonDefaults(b *resource.Binding) map[string]any {
	have, none := map[string]any{}, any(json.Number("0"))
	if b == nil {
		return have
	}
	for name, k := range properties(b.Request) {
		usual := defaultOf(b, k)
		if value, ok := usual.(bool); ok {
			have[name] = !value
		} else if _, ok := usual.(json.Number); ok && usual != none && schema.Conforms(k, none) {
			have[name] = none // some backends take it for a missing value
		} else if _, ok := usual.(string); ok {
			isOther := func(value any) bool { return value != usual }
			if at := slices.IndexFunc(schema.Values(k), isOther); at >= 0 {
				have[name] = schema.Values(k)[at]
			}
		}
	}
	return have
}
