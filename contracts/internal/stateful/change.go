package stateful

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

const (
	// maxPatched is how many properties of an item are changed, one after the
	// other. A change may set a property that it does not name to its usual value.
	maxPatched = 2
	// maxCleared is how many properties of an item are set to null.
	maxCleared = 3
)

// replace replaces an item by one with other values. It gives the exchange that
// did so, nil where none has. before is an earlier read of the item, or nil.
func replace(t *tester, i *item, before *checks.Exchange) *checks.Exchange {
	b := t.itemOperation(resource.Replace, resource.Upsert)
	if b == nil || b.Request == nil {
		return nil
	}
	have := nonDefaults(b)
	maps.Copy(have, t.identity(i))
	x := t.send(b, request{item: i, all: true, have: have, title: "replace it"})
	if x == nil {
		x = t.send(b, request{item: i, all: true, title: "replace it"})
	}
	if !x.Succeeded() {
		return nil
	}
	sent := sentItem(b, x)
	read := t.read(i, "read the replaced item")
	if notFound(read) {
		t.report("updated", "", i.after(x, read), "the replaced item is answered with %d", read.Status())
		return nil
	}
	if r := t.shown(read); r != nil {
		t.reportDifferences("updated", t.resource.compare(b, sent, r.item, r.by), x, read)
		if first := t.shown(before); first != nil && b.Role == resource.Replace && x.Status() != 201 {
			compareCreationTime(t, first, x, r)
		}
	}
	again := t.resend(x, "replace it by the same")
	if again.Status() >= 500 || notFound(again) {
		t.report("idempotent", "PUT", exchanges{x, again},
			"the same replacement is answered with %d and then %d", x.Status(), again.Status())
	}
	if again.Succeeded() {
		if r := t.readItem(i, "read the item that was replaced twice"); r != nil {
			for _, d := range t.resource.compare(b, sent, r.item, r.by) {
				t.report("idempotent", d.about(), exchanges{x, again, r.Exchange}, "%s after it was sent twice", d.message)
			}
		}
	}
	i.sent, i.by = sent, b
	return x
}

// compareCreationTime checks that a replacement keeps the time at which the item
// was created, where clients have no say in it. Backends may round it.
func compareCreationTime(t *tester, before *reading, x *checks.Exchange, after *reading) {
	name := t.resource.Created
	k := properties(t.Plan.Of(x.Case.Operation).Request)[name]
	if properties(after.by.Response)[name] == nil || k != nil && !schema.ReadOnly(k) {
		return
	}
	was, is := valueAt(before.item, []string{name}), valueAt(after.item, []string{name})
	textBefore, _ := was.(string)
	textAfter, _ := is.(string)
	then, err := time.Parse(time.RFC3339, textBefore)
	now, wrong := time.Parse(time.RFC3339, textAfter)
	if err == nil && wrong == nil && then.Sub(now).Abs() > time.Millisecond {
		t.report("replaced", "body."+name, exchanges{before.Exchange, x, after.Exchange},
			"was %s, and is %s after a PUT, which did not create the item", text(was), text(is))
	}
}

// replaceByLess replaces an item by one without optional properties, which must
// remove those that it had.
func replaceByLess(t *tester, i *item, full *checks.Exchange) {
	t.require(full != nil)
	b := t.Plan.Of(full.Case.Operation)
	x := t.mustSend(b, request{item: i, title: "replace it by one without optional properties"})
	read := must(t, t.readItem(i, "read the remaining properties"))
	kept, properties := sentItem(b, x), properties(b.Request)
	for _, name := range sortedNames(i.sent) {
		k, had := properties[name], i.sent[name]
		if _, has := kept[name]; has || had == nil || !t.resource.clientDecides(name, k) {
			continue
		}
		if is, _ := read.get(name); isDistinctive(is, k) && !isDefault(b, k, is) && !differs(had, is, k) {
			t.report("replaced", "body."+name, exchanges{full, x, read.Exchange}, "is still there after a PUT without it")
		}
	}
}

// patchEach changes one property after the other, and checks that it has changed and no other has.
func patchEach(t *tester, i *item) {
	b := must(t, patchOperation(t))
	before := must(t, t.readItem(i, "read before the change"))
	full := must(t, t.build(b, request{item: i, all: true, title: "change one property"}))
	proposed, _ := b.Request.Item(full.Value)
	patchable, creatable := properties(b.Request), properties(i.by.Request)
	values, clientProperties, patched := object(proposed), maps.Clone(creatable), 0
	if clientProperties == nil {
		clientProperties = patchable
	}
	maps.Copy(clientProperties, patchable)
	for _, name := range sortedNames(values) {
		value, k := values[name], patchable[name]
		was := valueAt(before.item, []string{name})
		if value == nil || !isFree(t, name, k) || isDefault(i.by, creatable[name], value) ||
			was != nil && !differs(value, was, k) || patched == maxPatched {
			continue
		}
		sent := map[string]any{name: value}
		x := t.send(b, request{item: i, body: b.Request.Wrap(sent), title: "change " + name + " alone"})
		if !x.Succeeded() {
			continue
		}
		i.setSent(name, value)
		after := must(t, t.readItem(i, "read the changed item"))
		t.reportDifferences("updated", t.resource.compare(b, sent, after.item, after.by), x, after.Exchange)
		for _, d := range t.resource.sideEffects(before.item, after.item, name, clientProperties) {
			t.report("patched", d.about(), exchanges{x, after.Exchange}, "%s when %s was changed", d.message, name)
		}
		before = after
		patched++
	}
}

// patchOperation gives the operation that changes some properties of an item, nil
// where there is none.
func patchOperation(t *tester) *resource.Binding {
	b := t.itemOperation(resource.Update)
	if b == nil || b.Request == nil || b.Operation.Body == nil ||
		!slices.ContainsFunc(b.Operation.Body.Content, func(m *spec.MediaType) bool {
			return resource.PatchOf(m.Subtype) == resource.MergePatch && m.IsJSON()
		}) {
		return nil
	}
	return b
}

// isFree reports whether a property can be changed without regard to others: it
// refers to nothing, and does not identify the item.
func isFree(t *tester, name string, k *spec.Keywords) bool {
	return t.resource.clientDecides(name, k) && !t.resource.isKey(name) && t.Plan.Referred(name) == nil &&
		!slices.Equal(t.resource.ParentProperty, []string{name})
}

// clearEach sets one property after the other to null, which leaves null, nothing
// or the default: in a merge patch (RFC 7396 section 1), and in another change of
// a property that may be null.
func clearEach(t *tester, i *item) {
	b := must(t, patchOperation(t))
	before := must(t, t.readItem(i, "read before the change"))
	had, properties, cleared := object(before.item), properties(b.Request), 0
	for _, name := range sortedNames(had) {
		k := properties[name]
		if !isFree(t, name, k) || had[name] == nil || isDefault(b, k, had[name]) || cleared == maxCleared {
			continue
		}
		body := b.Request.Wrap(map[string]any{name: nil})
		x := t.send(b, request{item: i, body: body, title: "set " + name + " to null"})
		if !x.Succeeded() {
			continue // it may not be null, or the backend refuses that
		}
		cleared++
		i.setSent(name, nil)
		after := must(t, t.readItem(i, "read the remaining properties"))
		if is, _ := after.get(name); is != nil && isDistinctive(is, k) && !differs(had[name], is, k) {
			t.report("updated", "body."+name, exchanges{x, after.Exchange}, "is still there after a change to null")
		}
	}
}

// sideEffects finds properties of the client that are not what they were, but for
// the one that was changed.
func (r comparer) sideEffects(before, after any, changed string, properties map[string]*spec.Keywords) []difference {
	was, is := object(before), object(after)
	var all []difference
	for _, name := range sortedNames(was) {
		value, has := is[name]
		k := properties[name]
		if name == changed || k == nil || schema.ReadOnly(k) || r.serverDecides(name) || !differs(was[name], value, nil) {
			continue
		}
		message := fmt.Sprintf("was %s, and is %s", text(was[name]), text(value))
		if !has {
			message = "disappeared"
		}
		all = append(all, difference{[]string{name}, message})
	}
	return all
}
