package stateful

import (
	"fmt"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

const (
	// maxPatched is how many properties of an item are changed, one after the
	// other. One is not enough: a change may set a property that it does not name to
	// its usual value.
	maxPatched = 2
	// maxCleared is how many properties of an item are set to null.
	maxCleared = 3
)

// patchEach changes one property after the other, and checks that it has changed
// and no other has.
func patchEach(t *tester, i *item) {
	b := t.patchOperation()
	if b == nil {
		return
	}
	before := t.readItem(i, "read before the change")
	if before == nil {
		return
	}
	full := t.build(b, request{
		scope: i.Scope, key: i.Key, all: true, have: t.identity(i), title: "change one property",
	})
	if full == nil {
		return
	}
	proposed, _ := b.Request.Item(full.Value)
	values, patchable, creatable := object(proposed), properties(b.Request), properties(i.by.Request)
	ofClients := maps.Clone(patchable)
	for name, k := range creatable {
		if ofClients[name] == nil {
			ofClients[name] = k
		}
	}
	patched := 0
	for _, name := range sortedNames(values) {
		value, k := values[name], patchable[name]
		was := valueAt(before.item, []string{name})
		if patched == maxPatched {
			return
		}
		if value == nil || !t.isFree(name, k) || isDefault(i.by, creatable[name], value) || was != nil && !differs(value, was, k) {
			continue
		}
		sent := map[string]any{name: value}
		x := t.send(b, request{scope: i.Scope, key: i.Key, body: b.Request.Wrap(sent), title: "change " + name + " alone"})
		if !x.Succeeded() {
			continue
		}
		i.setSent(name, value)
		after := t.readItem(i, "read the changed item")
		if after == nil {
			return
		}
		t.reportDifferences("updated", t.compare(b, sent, after.item, after.by), x, after.Exchange)
		for _, d := range t.sideEffects(before.item, after.item, name, ofClients) {
			t.report("patched", d.about(), exchanges{x, after.Exchange}, "%s when %s was changed", d.message, name)
		}
		before = after
		patched++
	}
}

// patchOperation gives the operation that changes some properties of an item, nil
// where there is none.
func (t *tester) patchOperation() *resource.Binding {
	b := t.itemOperation(resource.Update)
	if b == nil || b.Request == nil || b.Operation.Body == nil {
		return nil
	}
	takesProperties := func(m *spec.MediaType) bool {
		return resource.PatchOf(m.Subtype) == resource.MergePatch && m.IsJSON()
	}
	if !slices.ContainsFunc(b.Operation.Body.Content, takesProperties) {
		return nil
	}
	return b
}

// isFree reports whether a property can be changed without regard to others: it
// refers to nothing, and does not identify the item.
func (t *tester) isFree(name string, k *spec.Keywords) bool {
	return t.clientDecides(name, k) && !t.isKey(name) && t.Plan.Referred(name) == nil &&
		!slices.Equal(t.resource.ParentProperty, []string{name})
}

// clearEach sets one property after the other to null, which leaves null, nothing
// or the default: in a merge patch (RFC 7396 section 1), and in another change of
// a property that may be null.
func clearEach(t *tester, i *item) {
	b := t.patchOperation()
	if b == nil {
		return
	}
	before := t.readItem(i, "read before the change")
	if before == nil {
		return
	}
	had, properties, cleared := object(before.item), properties(b.Request), 0
	for _, name := range sortedNames(had) {
		k := properties[name]
		if !t.isFree(name, k) || had[name] == nil || isDefault(b, k, had[name]) || cleared == maxCleared {
			continue
		}
		x := t.send(b, request{
			scope: i.Scope, key: i.Key, body: b.Request.Wrap(map[string]any{name: nil}), title: "set " + name + " to null",
		})
		if !x.Succeeded() {
			continue // it may not be null, or the backend refuses that
		}
		cleared++
		i.setSent(name, nil)
		after := t.readItem(i, "read the remaining properties")
		if after == nil {
			return
		}
		is := valueAt(after.item, []string{name})
		if is != nil && isDistinctive(is, k) && !differs(had[name], is, k) {
			t.report("updated", "body."+name, exchanges{x, after.Exchange}, "is still there after a change to null")
		}
	}
}

// sideEffects finds properties of the client that are not what they were, but for
// the one that was changed.
func (t *tester) sideEffects(before, after any, changed string, properties map[string]*spec.Keywords) []difference {
	was, is := object(before), object(after)
	var all []difference
	for _, name := range sortedNames(was) {
		if name == changed || t.serverDecides(name) || properties[name] == nil || schema.ReadOnly(properties[name]) {
			continue
		}
		value, has := is[name]
		switch {
		case !has && was[name] != nil:
			all = append(all, difference{[]string{name}, "disappeared"})
		case has && differs(was[name], value, nil):
			all = append(all, difference{[]string{name}, fmt.Sprintf("was %s, and is %s", text(was[name]), text(value))})
		}
	}
	return all
}
