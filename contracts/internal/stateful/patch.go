package stateful

import (
	"fmt"
	"slices"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// maxPatched is how many properties of an item are changed, one after the other:
// a change may set one that it does not name to what it is mostly.
const maxPatched = 2

// patched changes one property after the other, and looks whether each and
// nothing else has changed.
func (t *tester) patched(i *item) {
	b := t.patches()
	if b == nil {
		return
	}
	before, ok := t.value(t.read(i, "read before the change"))
	if !ok {
		return
	}
	builder := t.Builder(b.Operation)
	full := t.prepare(b, request{scope: i.Scope, key: i.Key, all: true, have: t.fixed(i, b), title: "change one property"})
	if builder == nil || full == nil {
		return
	}
	proposed, _ := b.Request.Item(full.Value)
	values, _ := proposed.(map[string]any)
	properties := propertiesOf(b.Request)
	decided := propertiesOf(i.by.Request) // by clients, some way or other
	for name, k := range properties {
		decided[name] = k
	}
	tried := 0
	for _, name := range sortedNames(values) {
		k := properties[name]
		if tried == maxPatched {
			return
		}
		if !t.free(name, k) || values[name] == nil || isDefault(i.by, propertiesOf(i.by.Request)[name], values[name]) {
			continue
		}
		was, _ := resource.Get(before, []string{name})
		if was != nil && len(differ(values[name], was, k, "")) == 0 {
			continue
		}
		x := t.send(b, request{scope: i.Scope, key: i.Key, body: b.Request.Wrap(map[string]any{name: values[name]}), title: "change " + name + " alone"})
		if x == nil || !x.Succeeded() {
			continue
		}
		sent := map[string]any{name: values[name]}
		i.says(name, values[name])
		read := t.read(i, "read what was changed")
		after, ok := t.value(read)
		if !ok {
			return
		}
		t.shows("updated", b, sent, after, t.Plan.Of(read.Case.Operation), x, read)
		t.untouched(before, after, name, decided, func(other, message string) {
			t.report("patched", "body."+other, message+" when "+name+" was changed", x, read)
		})
		before = after
		tried++
	}
}

// patches gives the operation that changes some properties of an item, nil where
// there is none.
func (t *tester) patches() *resource.Binding {
	b := t.binding(resource.Update)
	if b == nil || !t.resource.Singleton && b.KeyIn != resource.InPath || b.Request == nil || b.Operation.Body == nil || t.jsonPatch(b) {
		return nil
	}
	return b
}

// free reports whether a property can be changed as one likes: it refers to
// nothing, and no other item is told by it.
func (t *tester) free(name string, k *spec.Keywords) bool {
	return k != nil && !k.ReadOnly && !k.WriteOnly && !t.madeByServer(name) && !slices.Equal(keyProperty(t.resource), []string{name}) &&
		!slices.Equal(t.resource.ParentProperty, []string{name}) && t.Plan.Referred(name) == nil
}

// maxCleared is how many properties of an item are taken away.
const maxCleared = 3

// cleared takes properties away, one after the other: null in a merge patch (RFC
// 7396 section 1), or in another change of a property that may be null, leaves
// null, nothing or the default.
func (t *tester) cleared(i *item) {
	b := t.patches()
	if b == nil {
		return
	}
	before, _ := t.value(t.read(i, "read before the change"))
	had, _ := before.(map[string]any)
	properties, tried := propertiesOf(b.Request), 0
	for _, name := range sortedNames(had) {
		k := properties[name]
		if !t.free(name, k) || had[name] == nil || isDefault(b, k, had[name]) || tried == maxCleared {
			continue
		}
		x := t.send(b, request{scope: i.Scope, key: i.Key, body: b.Request.Wrap(map[string]any{name: nil}), title: "take " + name + " away"})
		if x == nil || !x.Succeeded() {
			continue // it may not be null, or the backend refuses that
		}
		tried++
		i.says(name, nil)
		read := t.read(i, "read what is left")
		after, ok := t.value(read)
		if !ok {
			return
		}
		if is, _ := resource.Get(after, []string{name}); is != nil && telling(k, is) && len(differ(had[name], is, k, "")) == 0 {
			t.report("updated", "body."+name, "is still there after a change to null", x, read)
		}
	}
}

// untouched looks for properties that the client decides and that are not what
// they were, but for one that was changed.
func (t *tester) untouched(before, after any, changed string, properties map[string]*spec.Keywords, report func(name, message string)) {
	was, _ := before.(map[string]any)
	is, _ := after.(map[string]any)
	for _, name := range sortedNames(was) {
		if name == changed || t.madeByServer(name) || properties[name] == nil || properties[name].ReadOnly {
			continue
		}
		value, has := is[name]
		switch {
		case !has && was[name] != nil:
			report(name, "went")
		case has && len(differ(was[name], value, nil, "")) > 0:
			report(name, fmt.Sprintf("was %s, and is %s", text(was[name]), text(value)))
		}
	}
}

// jsonPatch reports whether the operation takes lists of steps only.
func (t *tester) jsonPatch(b *resource.Binding) bool {
	for _, media := range b.Operation.Body.Content {
		if resource.PatchOf(media.Subtype) == resource.MergePatch && media.IsJSON() {
			return false
		}
	}
	return true
}
