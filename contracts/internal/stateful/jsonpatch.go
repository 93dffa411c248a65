package stateful

import (
	"fmt"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// jsonPatch changes an item by lists of steps (RFC 6902).
func jsonPatch(t *tester) {
	b, media := t.steps()
	if b == nil {
		return
	}
	i := t.create(nil, request{all: true, title: "create an item"})
	if i == nil {
		return
	}
	before, ok := t.value(t.read(i, "read it"))
	if !ok {
		return
	}
	other := t.create(i.Scope, request{all: true, title: "create an item with other values"})
	if other == nil {
		return
	}
	theirs, _ := other.sent.(map[string]any)
	mine, _ := before.(map[string]any)
	step := func(op, name string, value any) any {
		return map[string]any{"op": op, "path": "/" + exchange.EscapePointer(name), "value": value}
	}
	patch := func(title string, steps ...any) request {
		return request{scope: i.Scope, key: i.Key, media: media, body: steps, title: title}
	}
	var names []string // of properties that steps can change, and that the two items have differently
	for _, name := range sortedNames(theirs) {
		was, has := mine[name]
		k := propertiesOf(i.by.Request)[name]
		if has && k != nil && !k.ReadOnly && !k.WriteOnly && !t.madeByServer(name) && t.Plan.Referred(name) == nil && len(differ(theirs[name], was, k, "")) > 0 &&
			t.prepare(b, patch("", step("replace", name, theirs[name]))) != nil {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		first := names[0]
		failing := t.send(b, patch("a change, and a test that fails then", step("replace", first, theirs[first]), step("test", first, mine[first])))
		t.refused(i, failing, before)
		steps := []any{step("test", first, mine[first])}
		for _, name := range names[:min(2, len(names))] {
			steps = append(steps, step("replace", name, theirs[name]))
		}
		if x := t.send(b, patch("a test that holds, and changes", steps...)); x != nil && x.Succeeded() {
			read := t.read(i, "read what was changed by steps")
			after, ok := t.value(read)
			for _, name := range names[:min(2, len(names))] {
				if is, _ := resource.Get(after, []string{name}); ok && len(differ(theirs[name], is, nil, "")) > 0 {
					t.report("json-patch", "body."+name, "was replaced by a step, and is "+text(is), x, read)
				}
			}
		}
	}
	for _, name := range sortedNames(mine) {
		x := t.send(b, patch("take "+name+" away", map[string]any{"op": "remove", "path": "/" + exchange.EscapePointer(name)}))
		if x == nil || !x.Succeeded() {
			continue
		}
		read := t.read(i, "read what is left")
		if after, ok := t.value(read); ok {
			is, has := resource.Get(after, []string{name})
			if has && telling(&spec.Keywords{}, is) && (len(differ(mine[name], is, nil, "")) == 0 || len(differ(theirs[name], is, nil, "")) == 0) {
				t.report("json-patch", "remove", name+" was taken away by a step, and is still "+text(is), x, read)
			}
		}
		return
	}
}

// refused looks whether a patch whose test fails was refused, and left no trace.
func (t *tester) refused(i *item, x *checks.Exchange, before any) {
	if x == nil {
		return
	}
	if x.Succeeded() {
		t.report("json-patch", "test", fmt.Sprintf("a patch whose test fails is answered %d", x.Status()), x)
		return
	}
	read := t.read(i, "read it after the test that failed")
	if after, ok := t.value(read); ok && len(differ(before, after, nil, "")) > 0 {
		t.report("json-patch", "atomic", "a patch that was refused has changed it", x, read)
	}
}

// steps gives an operation that takes JSON Patches, and the media type of those.
func (t *tester) steps() (*resource.Binding, string) {
	for _, b := range t.resource.Bindings {
		if b.Role != resource.Update || b.KeyIn != resource.InPath || b.Operation.Body == nil || t.Builder(b.Operation) == nil {
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
