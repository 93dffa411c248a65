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
func (s *story) patched(i *item) {
	b := s.patches()
	if b == nil {
		return
	}
	before, ok := s.value(s.read(i, "read before the change"))
	if !ok {
		return
	}
	maker := s.Maker(b.Operation)
	full := s.prepare(b, request{scope: i.Scope, key: i.Key, all: true, have: s.fixed(i, b), title: "change one property"})
	if maker == nil || full == nil {
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
		if !s.free(name, k) || values[name] == nil || isDefault(i.by, propertiesOf(i.by.Request)[name], values[name]) {
			continue
		}
		was, _ := resource.Get(before, []string{name})
		if was != nil && len(differ(values[name], was, k, "")) == 0 {
			continue
		}
		x := s.send(b, request{scope: i.Scope, key: i.Key, body: b.Request.Wrap(map[string]any{name: values[name]}), title: "change " + name + " alone"})
		if x == nil || !x.Succeeded() {
			continue
		}
		sent := map[string]any{name: values[name]}
		i.says(name, values[name])
		read := s.read(i, "read what was changed")
		after, ok := s.value(read)
		if !ok {
			return
		}
		s.shows("updated", b, sent, after, s.Plan.Of(read.Case.Operation), x, read)
		s.untouched(before, after, name, decided, func(other, message string) {
			s.accuse("patched", "body."+other, message+" when "+name+" was changed", x, read)
		})
		before = after
		tried++
	}
}

// patches gives the operation that changes some properties of an item, nil where
// there is none.
func (s *story) patches() *resource.Binding {
	b := s.binding(resource.Update)
	if b == nil || !s.resource.Singleton && b.KeyIn != resource.InPath || b.Request == nil || b.Operation.Body == nil || s.jsonPatch(b) {
		return nil
	}
	return b
}

// free reports whether a property can be changed as one likes: it refers to
// nothing, and no other item is told by it.
func (s *story) free(name string, k *spec.Keywords) bool {
	return k != nil && !k.ReadOnly && !k.WriteOnly && !s.madeByServer(name) && !slices.Equal(keyProperty(s.resource), []string{name}) &&
		!slices.Equal(s.resource.ParentProperty, []string{name}) && s.Plan.Referred(name) == nil
}

// maxCleared is how many properties of an item are taken away.
const maxCleared = 3

// cleared takes properties away, one after the other: null in a merge patch (RFC
// 7396 section 1), or in another change of a property that may be null, leaves
// null, nothing or the default.
func (s *story) cleared(i *item) {
	b := s.patches()
	if b == nil {
		return
	}
	before, _ := s.value(s.read(i, "read before the change"))
	had, _ := before.(map[string]any)
	properties, tried := propertiesOf(b.Request), 0
	for _, name := range sortedNames(had) {
		k := properties[name]
		if !s.free(name, k) || had[name] == nil || isDefault(b, k, had[name]) || tried == maxCleared {
			continue
		}
		x := s.send(b, request{scope: i.Scope, key: i.Key, body: b.Request.Wrap(map[string]any{name: nil}), title: "take " + name + " away"})
		if x == nil || !x.Succeeded() {
			continue // it may not be null, or the backend refuses that
		}
		tried++
		i.says(name, nil)
		read := s.read(i, "read what is left")
		after, ok := s.value(read)
		if !ok {
			return
		}
		if is, _ := resource.Get(after, []string{name}); is != nil && telling(k, is) && len(differ(had[name], is, k, "")) == 0 {
			s.accuse("updated", "body."+name, "is still there after a change to null", x, read)
		}
	}
}

// untouched looks for properties that the client decides and that are not what
// they were, but for one that was changed.
func (s *story) untouched(before, after any, changed string, properties map[string]*spec.Keywords, accuse func(name, message string)) {
	was, _ := before.(map[string]any)
	is, _ := after.(map[string]any)
	for _, name := range sortedNames(was) {
		if name == changed || s.madeByServer(name) || properties[name] == nil || properties[name].ReadOnly {
			continue
		}
		value, has := is[name]
		switch {
		case !has && was[name] != nil:
			accuse(name, "went")
		case has && len(differ(was[name], value, nil, "")) > 0:
			accuse(name, fmt.Sprintf("was %s, and is %s", text(was[name]), text(value)))
		}
	}
}

// jsonPatch reports whether the operation takes lists of steps only.
func (s *story) jsonPatch(b *resource.Binding) bool {
	for _, media := range b.Operation.Body.Content {
		if resource.PatchOf(media.Subtype) == resource.MergePatch && media.IsJSON() {
			return false
		}
	}
	return true
}
