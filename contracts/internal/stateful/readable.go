package stateful

import (
	"cmp"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
)

const (
	// maxListed is how many items of a list are read.
	maxListed = 20
	// maxRefusedChanges is how many changes that the backend refuses are sent to one operation.
	maxRefusedChanges = 12
)

// checkReadable reads a created item that was not found, and another.
func checkReadable(t *tester, i *item) {
	missing := must(t, t.tryRead(i, "read the created item"))
	t.require(notFound(missing))
	other := must(t, t.create(request{scope: i.Scope, title: "create another item"}))
	t.require(t.read(other, "read the other item").Succeeded())
	t.report(true,
		violation{doubt: heldBack(t, i, missing), check: "created-readable", sent: exchanges{i.created, missing}},
		"the created item is answered with %d, and another is found", missing.Status())
}

// listedItems reads items of a list by their keys.
func listedItems(t *tester) {
	b, read := must(t, t.operation(resource.List)), must(t, t.keyedOperation(resource.Read))
	said := t.doubtOf(doubt.Gone, b.Operation, deletedWord)
	for _, other := range t.resource.Bindings {
		if other.Role == resource.Delete { // the list may go on to have what is deleted
			said = cmp.Or(said, t.doubtOf(doubt.Gone, other.Operation, deletedWord))
		}
	}
	t.require(t.key() != nil && len(b.Scope) == len(read.Scope))
	scope := t.mustScope(b)
	list := must(t, t.walk(scope, nil, "the list whose items are read"))
	keys, ok := list.keys()
	t.require(ok && len(keys) > 1 && !list.keysRepeat())
	readable, missing := 0, []string{}
	for n := range min(len(keys), maxListed) {
		key := keys[n*len(keys)/min(len(keys), maxListed)]
		switch x := t.send(read, request{scope: scope, key: key, title: "read a listed item", mayFail: true}); {
		case x.Succeeded():
			readable++
		case notFound(x):
			missing = append(missing, key)
		}
	}
	t.require(readable > 0 && len(missing) > 0) // or paths have other keys
	list = must(t, t.walk(scope, nil, "the list once more"))
	for _, key := range missing {
		x := t.send(read, request{scope: scope, key: key, title: "read a listed item", mayFail: true})
		if t.report(notFound(x) && slices.Contains(list.knownKeys(), key),
			violation{check: "listed-readable", doubt: said, sent: exchanges{list.last(), x}},
			"the item %q is in the list, and a read of it is answered with %d", key, x.Status()) {
			return
		}
	}
}

// orphans deletes a parent and looks for the items below it.
func orphans(t *tester) {
	read := must(t, t.operation(resource.Read))
	below := read
	if len(read.Scope) == 0 { // created below a parent, and read by a path of its own
		below = must(t, t.operation(resource.Create))
	}
	t.require(len(below.Scope) > 0 && (read.KeyIn == resource.InPath || t.resource.Singleton))
	variable := below.Scope[len(below.Scope)-1]
	above := *t
	t.require(variable.Parent != nil && variable.Parent != t.resource)
	above.resource = variable.Parent
	remove := must(t, above.keyedOperation(resource.Delete))
	parent := must(t, above.create(request{title: "create a parent"}))
	scope := map[string]string{variable.Name: parent.Key}
	maps.Copy(scope, parent.Scope)
	named := itempool.ScopeFor(remove, parent.Scope)
	for at, v := range below.Scope[:min(len(below.Scope)-1, len(remove.Scope))] { // which each may name differently
		if other := remove.Scope[at]; v.Parent == other.Parent && named[other.Name] != "" {
			scope[v.Name] = named[other.Name]
		}
	}
	t.require(len(itempool.ScopeFor(below, scope)) == len(below.Scope))
	i := must(t, createBelow(t, scope))
	t.require(t.read(i, "read the item").Succeeded())
	x := above.send(remove, request{item: parent, title: "delete the parent", mayFail: true}) // it may not be empty
	t.require(x.Succeeded() && notFound(above.tryRead(parent, "read the deleted parent")))
	isNested, said := len(read.Scope) > 0, t.doubtOf(doubt.Gone, remove.Operation, lastSegment(below.Resource.Name))
	after := t.tryRead(i, "read the item below the deleted parent")
	t.report(after.Succeeded(),
		violation{severity: severity(isNested), check: "removed", about: "below", doubt: said,
			sent: exchanges{parent.created, i.created, x, after}},
		"an item below a deleted parent is still answered with %d", after.Status())
	if list := t.walk(scope, nil, "the list below the deleted parent"); list != nil && len(list.by.Scope) > 0 {
		t.report(slices.Contains(list.knownKeys(), i.Key),
			violation{check: "removed", about: "listed below", doubt: said,
				sent: exchanges{parent.created, i.created, x, list.last()}},
			"an item below a deleted parent is still in its list")
	}
}

// createBelow creates an item below a parent, or puts its singleton there.
func createBelow(t *tester, scope map[string]string) *item {
	r := request{scope: scope, title: "create an item below it"}
	if !t.resource.Singleton {
		return t.create(r)
	}
	for _, role := range []resource.Role{resource.Upsert, resource.Replace, resource.Create} {
		if x := t.send(t.operation(role), r); x.Succeeded() {
			return &item{Item: &itempool.Item{Resource: t.resource, Scope: scope}, created: x}
		}
	}
	return nil
}

// refusedChanges sends changes that should be refused, which must leave the item unchanged: a server that cannot
// apply all of a patch must not apply any of it (RFC 5789 section 2).
func refusedChanges(t *tester) {
	t.eachOperation(func(b *resource.Binding) {
		t.require(b.Request != nil && t.itemOperation(resource.Read) != nil)
		i := must(t, t.create(request{all: true, title: "create an item"}))
		references, _ := t.Pool.References(t.ctx, b.Operation)
		before, sent := must(t, t.readItem(i, "read it")), 0
		for c := range t.Builder(b.Operation).Coverage(t.ctx, references, 0) {
			if !breaksSchema(c) || sent == maxRefusedChanges {
				continue
			}
			c.Request.Path = must(t, t.build(b, request{item: i, title: "change it"})).Request.Path
			x := must(t, t.sendCase(c, b, i.Scope))
			if x.Status()/100 != 4 {
				before = must(t, t.readItem(i, "read it"))
				continue
			}
			sent++
			if checkUnchanged(t, b, i, before, x) {
				return
			}
		}
		if name := t.Pool.Version(b.Operation); name != "" {
			r := request{item: i, all: true, have: map[string]any{name: before.get(name)}, title: "change it", mayFail: true}
			must(t, t.send(b, r)) // after which the version is another
			before = must(t, t.readItem(i, "read the changed item"))
			c := must(t, t.build(b, r))
			c.Varied, c.Title = "body."+name, "change it with its former version"
			if x := must(t, t.Send(t.ctx, c)); x.Status()/100 == 4 {
				checkUnchanged(t, b, i, before, x)
			}
		}
	}, resource.Update, resource.Replace)
}

func checkUnchanged(t *tester, b *resource.Binding, i *item, before *reading, x *checks.Exchange) bool {
	after := t.readItem(i, "read it after the change that was refused")
	if after == nil {
		return false
	}
	found := clientDifferences(t, b, before.item, after.item)
	if len(found) == 0 {
		return false
	}
	isCertain := (b.Role == resource.Update || t.Pool.Version(b.Operation) != "") && !movesAlone(t, i, found[0].path[0])
	return t.report(true,
		violation{severity: severity(isCertain), check: "traces", about: b.Role.String(),
			sent: exchanges{before.Exchange, x, after.Exchange}},
		"a change that was refused has changed it")
}
