package stateful

import (
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
)

// conflicts sends the operations that may refuse an item for its state to items in every state that can be reached, and
// deletes items that others refer to.
func conflicts(t *tester) {
	if b := t.operation(resource.Create); b != nil && b.Operation.DocumentsExactly(409) {
		for _, c := range b.Conflicts { // of the parent
			t.step(func() { conflictBelow(t, b, c) })
		}
	}
	must(t, t.keyedOperation(resource.Read))
	var all []situation
	for _, b := range t.resource.Bindings {
		isChange := b.Role == resource.Action || b.Role == resource.Replace || b.Role == resource.Update ||
			b.Role == resource.Delete
		if !isChange || b.Operation.Method == "GET" || b.KeyIn != resource.InPath || b.Part != nil || !t.tested(b) ||
			!b.Operation.Documents(403, 409, 422, 423) {
			continue
		}
		if all == nil {
			t.step(func() { all = situations(t) })
		}
		if all == nil {
			break
		}
		t.step(func() { conflictInStates(t, b, all) })
	}
	t.step(func() { deleteReferred(t) })
}

// conflictInStates sends an operation to an item in each state. What refuses must change nothing. What documents a
// conflict of a state must refuse it; if no state is refused, the documented conflict never comes.
func conflictInStates(t *tester, b *resource.Binding, all []situation) {
	property, states := t.resource.States()
	var accepted exchanges
	isRefused, changesState := false, false
	for _, s := range all {
		i, before := reach(t, s)
		if i == nil {
			continue
		}
		x := t.send(b, request{item: i, title: "try it " + s.text(property), mayFail: true})
		t.step(func() { checkRefused(t, i, before, x) })
		if !x.Succeeded() {
			isRefused = true
			continue
		}
		if b.Role == resource.Action && property != "" && !changesState {
			after := t.readItem(i, "read it after that")
			changesState = after != nil && differs(before.get(property), after.get(property), nil)
		}
		accepted = i.after(before.Exchange, x)
		for _, c := range b.Conflicts {
			if b.Operation.DocumentsExactly(409) && before.get(property) == any(c.Value) && t.report(true,
				violation{severity: severity(!t.Seen(b.Operation, 409)), check: "conflict", about: property, sent: accepted},
				"is answered with %d if %s is %s, though the document has the conflict %s", x.Status(), property, c.Value, c.Code) {
				return // a 409 that was seen may have been all that it means
			}
		}
	}
	t.require(len(all) > 1 && accepted != nil && !isRefused && b.Operation.DocumentsExactly(409))
	isOfState := len(b.StateCodes()) > 0 && len(all) >= len(states)
	isCertain := isOfState && !t.Seen(b.Operation, 409)
	t.report(isOfState || changesState && !t.Seen(b.Operation, 409),
		violation{severity: severity(isCertain), check: "conflict", about: property, sent: accepted},
		"is answered with %d in every state that was reached, though the document has a 409",
		accepted[len(accepted)-1].Status())
}

// conflictBelow creates an item below a parent in a state that allows none.
func conflictBelow(t *tester, b *resource.Binding, c resource.Conflict) {
	variable := b.Scope[len(b.Scope)-1]
	above := t.forOther(variable.Parent)
	for _, s := range situations(above) {
		if s.value != any(c.Value) {
			continue
		}
		parent, before := reach(above, s)
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
		return
	}
}

// forOther returns a tester of another resource, whose requests have values of their own.
func (t *tester) forOther(r *resource.Resource) *tester {
	other := *t
	other.resource, other.test = r, &Test{ID: t.test.ID + " of " + t.resource.Name}
	return &other
}

const (
	// maxTried is how many sequences of actions are tried to bring items into other states.
	maxTried = 24
	// maxStates is how many states are looked for.
	maxStates = 8
)

// situation is a state of items, and how one gets there: by what its creation sends, and by actions after it.
type situation struct {
	have  map[string]any
	path  []*resource.Binding
	value any // of the property that holds the state; nil if there is none
}

func (s situation) text(property string) string {
	switch {
	case property != "":
		return "if " + property + " is " + text(s.value)
	case s.path != nil:
		return "after another action"
	}
	return "on a new item"
}

// situations returns the states that items can be brought into, the state of new items first.
func situations(t *tester) (all []situation) {
	property, states := t.resource.States()
	add := func(s situation) {
		i, r := reach(t, s)
		if i == nil {
			return
		}
		s.value = r.get(property)
		isSame := func(other situation) bool { return !differs(other.value, s.value, nil) }
		if property == "" || !slices.ContainsFunc(all, isSame) {
			all = append(all, s)
		}
	}
	add(situation{})
	create := must(t, t.operation(resource.Create))
	if k := properties(create.Request)[property]; t.clientDecides(property, k) {
		for _, state := range states[:min(len(states), maxStates)] {
			add(situation{have: map[string]any{property: state}})
		}
	}
	actions, tried := actionsOf(t), 0
	if b := t.keyedOperation(resource.Delete); b != nil { // which may mark the item alone
		actions = append(actions, b)
	}
	for at := 0; at < len(all) && len(all) < maxStates && (property != "" || at == 0); at++ {
		for _, b := range actions {
			if tried++; tried <= maxTried {
				add(situation{have: all[at].have, path: append(slices.Clip(all[at].path), b)})
			}
		}
	}
	return all
}

// reach returns an item in a state, and the read that shows it; nil if the backend refuses to bring one there.
func reach(t *tester, s situation) (*item, *reading) {
	i := t.create(request{have: s.have, title: "create an item"})
	if i == nil {
		return nil, nil
	}
	i.reached = &s
	for _, b := range s.path {
		if !t.send(b, request{item: i, title: "bring it into another state", mayFail: true}).Succeeded() {
			return nil, nil
		}
	}
	if r := t.shown(t.tryRead(i, "read it before the operation")); r != nil {
		return i, r
	}
	return nil, nil
}

// actionsOf returns the actions on an item of the resource.
func actionsOf(t *tester) []*resource.Binding {
	return slices.DeleteFunc(slices.Clone(t.resource.Bindings), func(b *resource.Binding) bool {
		return b.Role != resource.Action || b.Operation.Method == "GET" || b.KeyIn != resource.InPath || b.Part != nil ||
			!t.tested(b)
	})
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
			violation{severity: severity(!movesAlone(t, i, name)), check: "traces", about: "body." + name,
				sent: i.after(before.Exchange, x, after.Exchange)},
			"was %s, and is %s after an operation that was refused with %d", text(before.get(name)), text(after.get(name)),
			x.Status())
	}
}

// movesAlone reports whether a property of another item in the state of an item changes while nothing is sent.
func movesAlone(t *tester, i *item, name string) bool {
	var s situation
	if i.reached != nil {
		s = *i.reached
	}
	other, before := reach(t, s)
	if other == nil || t.Settling != nil && !t.Settling.Wait(t.ctx, t.Settling.Most) {
		return false
	}
	after := t.readItem(other, "read it while nothing changes it")
	return after != nil && differs(before.get(name), after.get(name), nil)
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

// deleteReferred deletes an item that an item of another resource refers to, if the document has a 409 for that. It is
// certain that the deletion should be refused if the other item still refers to it then, and if no item can be created
// that refers to an unknown one.
func deleteReferred(t *tester) {
	b := must(t, t.keyedOperation(resource.Delete))
	t.require(b.Operation.DocumentsExactly(409))
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
			if t.Pool.Referred(create.Operation, name) == t.resource {
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
	unknown := unknownReference(key, properties(create.Request)[name])
	refused := sendUnknownReference(other, create, from.Scope, name, unknown)
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

// changeBelow changes an item where a read does not find it: below a parent that it does not belong to, or with another
// value of a header field.
func changeBelow(t *tester, i, elsewhere *item, where string) {
	for _, b := range t.resource.Bindings {
		isPatch := b.Role == resource.Update && (b.Request == nil || patchOperation(t) == b)
		isChange := isPatch || b.Role == resource.Replace || b.Role == resource.Delete ||
			b.Role == resource.Action && b.Operation.Method != "GET" && b.Part == nil
		if !isChange || b.KeyIn != resource.InPath || len(b.Scope) != len(i.Scope) || !t.tested(b) {
			continue
		}
		t.step(func() {
			before := must(t, t.readItem(i, "read it"))
			x := t.mustSend(b, request{item: elsewhere, all: true, title: "change it " + where, mayFail: true})
			read := t.tryRead(i, "read it after that")
			after := t.shown(read)
			t.reportIf(notFound(read) || after != nil && len(changedBetween(t, i, before, after)) > 0,
				"parents", b.Role.String(), i.after(before.Exchange, x, read),
				"an item is changed %s, where a read does not find it", where)
			t.require(!notFound(read))
		})
	}
}
