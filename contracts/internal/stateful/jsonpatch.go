package stateful

import (
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
)

// jsonPatch changes an item by JSON Patches (RFC 6902).
func jsonPatch(t *tester) {
	b, media := jsonPatchOperation(t)
	t.require(b != nil)
	i := must(t, t.create(request{all: true, title: "create an item"}))
	before := must(t, t.readItem(i, "read it"))
	other := must(t, t.create(request{scope: i.Scope, all: true, title: "create an item with other values"}))
	patch := func(title string, steps ...any) request {
		return request{item: i, media: media, body: steps, title: title}
	}
	stored, properties := object(before.item), properties(i.by.Request)
	var names []string // of properties that a step can change to the value of the other item
	for _, name := range sortedNames(other.sent) {
		was, has := stored[name]
		value, k := other.sent[name], properties[name]
		if has && t.resource.clientDecides(name, k) && t.Plan.Referred(name) == nil && differs(value, was, k) &&
			t.build(b, patch("", step("replace", name, value))) != nil {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		holds := step("test", names[0], stored[names[0]])
		changeFirst := step("replace", names[0], other.sent[names[0]])
		checkRefusedPatch(t, b, i, patch("a change, and a test that fails then", changeFirst, holds), before)
		steps := []any{holds}
		for _, name := range names[:min(2, len(names))] {
			steps = append(steps, step("replace", name, other.sent[name]))
		}
		t.step(func() { checkPatch(t, b, i, patch("a test that holds, and changes", steps...), stored) })
	}
	for _, name := range sortedNames(stored) {
		x := t.send(b, patch("remove "+name, step("remove", name, nil)))
		if !x.Succeeded() {
			continue
		}
		if after := t.readItem(i, "read the remaining properties"); after != nil {
			is := valueAt(after.item, []string{name})
			if isDistinctive(is, nil) && (!differs(stored[name], is, nil) || !differs(other.sent[name], is, nil)) {
				t.report("json-patch", "remove", exchanges{x, after.Exchange},
					"%s was removed by a step, and is still %s", name, text(is))
			}
		}
		return
	}
}

func step(op, name string, value any) any {
	s := map[string]any{"op": op, "path": "/" + exchange.EscapePointer(name)}
	if op != "remove" {
		s["value"] = value
	}
	return s
}

// checkPatch checks that all steps of a patch were applied.
func checkPatch(t *tester, b *resource.Binding, i *item, r request, stored map[string]any) {
	patched, err := jsonvalue.Patch(stored, r.body)
	x := t.mustSend(b, r)
	after := must(t, t.readItem(i, "read the patched item"))
	t.require(err == nil)
	for _, name := range sortedNames(object(patched)) {
		value := object(patched)[name]
		is, _ := after.get(name)
		if !jsonvalue.Equals(value, stored[name]) && differs(value, is, nil) {
			t.report("json-patch", "body."+name, exchanges{x, after.Exchange}, "was replaced by a step, and is %s", text(is))
		}
	}
}

// checkRefusedPatch checks that a patch whose test fails is refused and changes nothing.
func checkRefusedPatch(t *tester, b *resource.Binding, i *item, r request, before *reading) {
	x := t.send(b, r)
	if x.Succeeded() {
		t.report("json-patch", "test", exchanges{x}, "a patch whose test fails is answered with %d", x.Status())
	}
	if x == nil || x.Succeeded() {
		return
	}
	after := t.readItem(i, "read it after the test that failed")
	if after != nil && differs(before.item, after.item, nil) {
		t.report("json-patch", "atomic", exchanges{x, after.Exchange}, "a patch that was refused has changed it")
	}
}

// jsonPatchOperation gives an operation that takes JSON Patches, and their media type.
func jsonPatchOperation(t *tester) (*resource.Binding, string) {
	for _, b := range t.resource.Bindings {
		if b.Role != resource.Update || b.KeyIn != resource.InPath || b.Operation.Body == nil ||
			t.Builder(b.Operation) == nil {
			continue
		}
		for _, media := range b.Operation.Body.Content {
			if resource.PatchOf(media.Subtype) == resource.JSONPatch {
				return b, media.Range
			}
		}
	}
	return nil, ""
}
