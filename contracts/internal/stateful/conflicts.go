package stateful

import (
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
)

// maxPaths is how many sequences of actions are tried to bring an item into a state.
const maxPaths = 8

// conflicts sends the operations that document a 409 to items that should be refused: items in the states that the
// document's error codes name, items that an action was applied to already, and items that others refer to.
func conflicts(t *tester) {
	if b := t.operation(resource.Create); b != nil && documentsExactly(b.Operation, 409) {
		for _, c := range b.Conflicts { // of the parent
			t.step(func() { conflictBelow(t, b, c) })
		}
	}
	must(t, t.keyedOperation(resource.Read))
	for _, b := range t.resource.Bindings {
		if b.KeyIn != resource.InPath || !t.tested(b) || !documentsExactly(b.Operation, 409) {
			continue
		}
		for _, c := range b.Conflicts {
			t.step(func() { conflictInState(t, b, c) })
		}
		if b.Role == resource.Action && b.Operation.Method != "GET" {
			t.step(func() { repeatAction(t, b) })
		}
	}
	t.step(func() { deleteReferred(t) })
}

// conflictInState sends an operation to an item in a state in which it conflicts.
func conflictInState(t *tester, b *resource.Binding, c resource.Conflict) {
	i, before := reach(t, c.Property, c.Value)
	t.require(i != nil)
	x := t.send(b, request{item: i, title: "try it if " + c.Property + " is " + c.Value, mayFail: true})
	checkRefused(t, i, before, x)
	t.report(x.Succeeded(), // a 409 that was seen may have been all that it means
		violation{severity: severity(!t.Seen(b.Operation, 409)), check: "conflict", about: c.Property,
			sent: i.after(before.Exchange, x)},
		"is answered with %d if %s is %s, though the document has the conflict %s", x.Status(), c.Property, c.Value, c.Code)
}

// conflictBelow creates an item below a parent in a state that allows none.
func conflictBelow(t *tester, b *resource.Binding, c resource.Conflict) {
	variable := b.Scope[len(b.Scope)-1]
	above := t.forOther(variable.Parent)
	parent, before := reach(above, c.Property, c.Value)
	t.require(parent != nil)
	scope := itempool.ScopeFor(b, parent.Scope)
	scope[variable.Name] = parent.Key
	t.require(len(scope) == len(b.Scope))
	title := "create an item if the parent's " + c.Property + " is " + c.Value
	x := t.send(b, request{scope: scope, title: title, mayFail: true})
	checkRefused(above, parent, before, x)
	t.report(x.Succeeded(),
		violation{severity: severity(!t.Seen(b.Operation, 409)), check: "conflict", about: c.Property,
			sent: parent.after(before.Exchange, x)},
		"is answered with %d if the parent's %s is %s, though the document has the conflict %s",
		x.Status(), c.Property, c.Value, c.Code)
}

// forOther returns a tester of another resource, whose requests have values of their own.
func (t *tester) forOther(r *resource.Resource) *tester {
	other := *t
	other.resource, other.test = r, &Test{ID: t.test.ID + " of " + t.resource.Name}
	return &other
}

// reach returns an item whose property has a value, and the read that shows it: a new item, or one that one or two
// actions have brought there; nil if none does.
func reach(t *tester, property, value string) (*item, *reading) {
	actions := actionsOf(t, func(b *resource.Binding) bool {
		return slices.Contains(b.Sets, resource.Assignment{Property: property, Value: value})
	})
	paths := [][]*resource.Binding{nil}
	for _, last := range actions {
		paths = append(paths, []*resource.Binding{last})
		for _, first := range actions {
			if first != last {
				paths = append(paths, []*resource.Binding{first, last})
			}
		}
	}
	r := request{title: "create an item"}
	create := t.operation(resource.Create)
	if create != nil && t.clientDecides(property, properties(create.Request)[property]) {
		r.have = map[string]any{property: value}
	}
	for _, path := range paths[:min(len(paths), maxPaths)] {
		i := must(t, t.create(r))
		r.have = nil
		isDone := func(b *resource.Binding) bool {
			return t.send(b, request{item: i, title: "bring it into another state", mayFail: true}).Succeeded()
		}
		if slices.ContainsFunc(path, func(b *resource.Binding) bool { return !isDone(b) }) {
			continue
		}
		if r := t.readItem(i, "read its "+property); r != nil && r.get(property) == any(value) {
			return i, r
		}
	}
	return nil, nil
}

// actionsOf returns the actions on an item of the resource, likely ones first.
func actionsOf(t *tester, isLikely func(*resource.Binding) bool) (all []*resource.Binding) {
	for _, b := range t.resource.Bindings {
		switch {
		case b.Role != resource.Action || b.Operation.Method == "GET" || b.KeyIn != resource.InPath || b.Part != nil ||
			!t.tested(b):
		case isLikely(b):
			all = slices.Insert(all, 0, b)
		default:
			all = append(all, b)
		}
	}
	return all
}

// checkRefused checks that an operation on an item that was refused has changed nothing of the item.
func checkRefused(t *tester, i *item, before *reading, x *checks.Exchange) {
	if x.Status()/100 != 4 {
		return
	}
	read := t.tryRead(i, "read it after the refusal")
	t.reportIf(notFound(read), "traces", "read", i.after(before.Exchange, x, read),
		"an operation that was refused with %d has deleted the item", x.Status())
	after := t.shown(read)
	t.require(after != nil)
	for _, name := range changedBetween(t, i, before, after) {
		t.report(true,
			violation{severity: severity(!mayMove(name)), check: "traces", about: "body." + name,
				sent: i.after(before.Exchange, x, after.Exchange)},
			"was %s, and is %s after an operation that was refused with %d", text(before.get(name)), text(after.get(name)),
			x.Status())
	}
}

// changedBetween returns the properties that differ between two reads of an item and that do not count or measure
// anything: properties that the client sets, and states.
func changedBetween(t *tester, i *item, before, after *reading) (names []string) {
	sent := properties(i.by.Request)
	for _, name := range sortedNames(object(before.item)) {
		k := schema.Property(t.resource.Value, name)
		isOne := schema.Values(k) != nil || t.clientDecides(name, sent[name])
		if isOne && differs(before.get(name), after.get(name), k) {
			names = append(names, name)
		}
	}
	return names
}

// repeatAction applies an action to an item twice. If the first has changed the item's state and no other sequence is
// refused with the documented 409, the second should be.
func repeatAction(t *tester, b *resource.Binding) {
	property, _ := t.resource.States()
	i := must(t, t.create(request{title: "create an item"}))
	before := must(t, t.readItem(i, "read it before the action"))
	first := t.send(b, request{item: i, title: "act on it", mayFail: true})
	checkRefused(t, i, before, first)
	t.require(first.Succeeded())
	done := must(t, t.readItem(i, "read it after the action"))
	second := resendCreation(t, &item{Item: i.Item, created: first, by: b}, "act on it again")
	checkRefused(t, i, done, second)
	t.require(second.Succeeded() && property != "" && differs(before.get(property), done.get(property), nil))
	for _, other := range actionsOf(t, func(*resource.Binding) bool { return false }) {
		if other == b {
			continue
		}
		i := must(t, t.create(request{title: "create an item"}))
		if !t.send(other, request{item: i, title: "act on it in another way", mayFail: true}).Succeeded() {
			continue
		}
		between := must(t, t.readItem(i, "read it after that"))
		x := t.send(b, request{item: i, title: "act on it then", mayFail: true})
		checkRefused(t, i, between, x)
		t.require(x.Status() != 409) // which is what the document means
	}
	t.report(!t.Seen(b.Operation, 409),
		violation{severity: exchange.Warning, check: "conflict", about: property,
			sent: i.after(first, done.Exchange, second)},
		"is answered with %d again, though the document has a 409, which no other sequence leads to", second.Status())
}

// deleteReferred deletes an item that an item of another resource refers to, if the document has a 409 for that. It is
// certain that the deletion should be refused if the other item still refers to it then, and if no item can be created
// that refers to an unknown one.
func deleteReferred(t *tester) {
	b := must(t, t.keyedOperation(resource.Delete))
	t.require(documentsExactly(b.Operation, 409))
	for _, r := range t.Plan.Resources {
		other := t.forOther(r)
		create := other.operation(resource.Create)
		if r == t.resource || create == nil || create.Request == nil || other.keyedOperation(resource.Read) == nil {
			continue
		}
		if n := len(create.Scope); n > 0 && create.Scope[n-1].Parent == t.resource && len(b.Conflicts) == 0 {
			defer t.step(func() { deleteParent(t, other, b, create.Scope[n-1].Name) }) // once all other reasons were tried
		}
		found, _ := t.Pool.References(t.ctx, create.Operation)
		for _, name := range sortedNames(found) {
			if t.Plan.Referred(name) == t.resource {
				t.step(func() { deleteReferredBy(t, other, b, name, found[name]) })
			}
		}
	}
}

// deleteReferredBy deletes an item that a property of an item of another resource refers to. known is a value of the
// property.
func deleteReferredBy(t, other *tester, b *resource.Binding, name string, known any) {
	i := must(t, t.create(request{title: "create an item to be referred to"}))
	key := keyLike(known, i.Key)
	from := must(t, other.create(request{have: map[string]any{name: key}, title: "create an item that refers to it"}))
	before := must(t, other.readItem(from, "read the item that refers to it"))
	t.require(before.shows(name, key, nil))
	was := must(t, t.readItem(i, "read the item"))
	x := t.send(b, request{item: i, title: "delete the item that is referred to", mayFail: true})
	checkRefused(t, i, was, x)
	t.require(x.Succeeded() && notFound(t.tryRead(i, "read the deleted item")))
	after := must(t, other.readItem(from, "read the item that referred to it"))
	t.require(after.shows(name, key, nil) && !t.Seen(b.Operation, 409))
	create := t.Plan.Of(from.created.Case.Operation)
	refused := sendUnknownReference(other, create, from.Scope, name, unknownReference(key))
	t.report(true,
		violation{severity: severity(refused.Status()/100 == 4), check: "conflict", about: "reference",
			sent: exchanges{i.created, from.created, x}},
		"is answered with %d for an item that another refers to, then as well, by %s, though the document has a 409",
		x.Status(), name)
}

// deleteParent deletes an item that another is below. The documented 409 may be for something else, as the deletion may
// delete both.
func deleteParent(t, other *tester, b *resource.Binding, variable string) {
	i := must(t, t.create(request{title: "create an item for others"}))
	scope := itempool.ScopeFor(other.operation(resource.Create), i.Scope)
	scope[variable] = i.Key
	below := must(t, other.create(request{scope: scope, title: "create an item below it"}))
	was := must(t, t.readItem(i, "read the item"))
	x := t.send(b, request{item: i, title: "delete the item that another is below", mayFail: true})
	checkRefused(t, i, was, x)
	t.report(x.Succeeded() && !t.Seen(b.Operation, 409),
		violation{severity: exchange.Warning, check: "conflict", about: "below",
			sent: exchanges{i.created, below.created, x}},
		"is answered with %d for an item that another is below; the documented 409 never came", x.Status())
}

// changeBelow changes an item below a parent that it does not belong to, and below which no read finds it.
func changeBelow(t *tester, i *item, scope map[string]string) {
	for _, b := range t.resource.Bindings {
		isPatch := b.Role == resource.Update && (b.Request == nil || patchOperation(t) == b)
		isChange := isPatch || b.Role == resource.Replace || b.Role == resource.Delete ||
			b.Role == resource.Action && b.Operation.Method != "GET" && b.Part == nil
		if !isChange || b.KeyIn != resource.InPath || len(b.Scope) == 0 || !t.tested(b) {
			continue
		}
		t.step(func() {
			before := must(t, t.readItem(i, "read it below its parent"))
			elsewhere := &item{Item: &itempool.Item{Resource: t.resource, Scope: scope, Key: i.Key}}
			x := t.mustSend(b, request{item: elsewhere, all: true, title: "change it below another parent", mayFail: true})
			read := t.tryRead(i, "read it below its parent")
			after := t.shown(read)
			t.reportIf(notFound(read) || after != nil && len(changedBetween(t, i, before, after)) > 0,
				"parents", b.Role.String(), i.after(before.Exchange, x, read),
				"an item of one parent is changed below another, where a read does not find it")
			t.require(!notFound(read))
		})
	}
}
