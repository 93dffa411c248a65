package sequences

import (
	"fmt"
	"slices"

	"github.com/coldframe/coldframe/contracts/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
)

// jsonPatch changes an item by lists of steps (RFC 6902).
func jsonPatch(s *story) {
	b, media := s.steps()
	if b == nil {
		return
	}
	i := s.create(nil, request{all: true, title: "create an item"})
	if i == nil {
		return
	}
	before, ok := s.value(s.read(i, "read it"))
	if !ok {
		return
	}
	other := s.create(i.Scope, request{all: true, title: "create an item with other values"})
	if other == nil {
		return
	}
	theirs, _ := other.sent.(map[string]any)
	mine, _ := before.(map[string]any)
	var names []string
	for _, name := range sortedNames(theirs) {
		was, has := mine[name]
		k := propertiesOf(i.by.Request)[name]
		if !has || k == nil || k.ReadOnly || k.WriteOnly || s.madeByServer(name) || slices.Equal(keyProperty(s.resource), []string{name}) ||
			s.Plan.Referred(name) != nil || theirs[name] == nil || len(differ(theirs[name], was, k, "")) == 0 {
			continue
		}
		if _, constant := theirs[name].(bool); k.Const == nil && k.Enum == nil && !constant {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	step := func(op, name string, value any) any {
		return map[string]any{"op": op, "path": "/" + exchange.EscapePointer(name), "value": value}
	}
	patch := func(title string, steps ...any) *checks.Exchange {
		return s.send(b, request{scope: i.Scope, key: i.Key, media: media, body: steps, title: title})
	}
	last := names[len(names)-1]
	first := names[0]
	failing := patch("a change and a test that fails", step("replace", first, theirs[first]), step("test", last, "coldframe-none"))
	if failing == nil {
		failing = patch("a change and a test that fails", step("replace", first, theirs[first]), step("test", last, theirs[last]))
	}
	if failing != nil && failing.Succeeded() && first != last {
		s.accuse("json-patch", "test", fmt.Sprintf("a patch whose test fails is answered %d", failing.Status()), failing)
	}
	if read := s.read(i, "read it after the test that failed"); failing != nil && !failing.Succeeded() {
		if after, ok := s.value(read); ok && len(differ(before, after, nil, "")) > 0 {
			s.accuse("json-patch", "atomic", "a patch that was refused has changed it", failing, read)
		}
	}
	var steps []any
	for _, name := range names[:min(2, len(names))] {
		steps = append(steps, step("replace", name, theirs[name]))
	}
	if x := patch("change by steps", steps...); x != nil && x.Succeeded() {
		read := s.read(i, "read what was changed by steps")
		if after, ok := s.value(read); ok {
			for _, name := range names[:len(steps)] {
				if is, _ := resource.Get(after, []string{name}); len(differ(theirs[name], is, nil, "")) > 0 {
					s.accuse("json-patch", "body."+name, "was replaced by a step, and is "+text(is), x, read)
				}
			}
		}
	}
	for _, name := range names {
		x := s.send(b, request{scope: i.Scope, key: i.Key, media: media, body: []any{map[string]any{"op": "remove", "path": "/" + exchange.EscapePointer(name)}}, title: "take " + name + " away"})
		if x == nil || !x.Succeeded() {
			continue
		}
		read := s.read(i, "read what is left")
		if after, ok := s.value(read); ok {
			if is, has := resource.Get(after, []string{name}); has && is != nil && len(differ(mine[name], is, nil, "")) == 0 || has && is != nil && len(differ(theirs[name], is, nil, "")) == 0 {
				s.accuse("json-patch", "remove", name+" was taken away by a step, and is still "+text(is), x, read)
			}
		}
		return
	}
}

// steps gives an operation that takes JSON Patches, and the media type of those.
func (s *story) steps() (*resource.Binding, string) {
	for _, b := range s.resource.Bindings {
		if b.Role != resource.Update || b.KeyIn != resource.InPath || b.Operation.Body == nil || s.Maker(b.Operation) == nil {
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
