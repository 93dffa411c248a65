package sequences

import (
	"encoding/json"
	"fmt"

	"github.com/coldframe/coldframe/contracts/checks"
	"github.com/coldframe/coldframe/contracts/supply"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// life follows an item from its creation to its end.
func life(s *story) {
	if s.resource.Singleton {
		s.singleton()
		return
	}
	i := s.create(nil, request{all: true, have: s.unusual(resource.Create), title: "create an item"})
	if i == nil {
		if i = s.create(nil, request{title: "create an item"}); i == nil {
			return
		}
	}
	s.location(i)
	first := s.read(i, "read what was created")
	if first != nil {
		if gone(first) {
			s.accuse("created-readable", "", fmt.Sprintf("what was created is answered %d", first.Status()), i.made, first)
			return
		}
		if value, ok := s.value(first); ok {
			s.shows("read-back", i.by, i.sent, value, s.Plan.Of(first.Case.Operation), i.made, first)
		}
		second := s.again(first, "read it again")
		if a, ok := s.value(first); ok {
			if b, ok := s.value(second); ok && text(a) != text(b) && len(differ(a, b, nil, "")) > 0 {
				s.accuse("read-back", "twice", "two reads in a row show different things", first, second)
			}
		}
	}
	younger := s.create(i.Scope, request{title: "create another one"})
	s.listed(i, true, "list after the creations", younger)
	full := s.replaced(i)
	s.patched(i)
	s.lean(i, full)
	s.removed(i, younger)
}

// singleton changes the one item of a singleton, and puts it back.
func (s *story) singleton() {
	b := s.binding(resource.Read)
	if b == nil {
		return
	}
	scope := s.scope(b, "")
	if scope == nil {
		return
	}
	i := &item{Item: &supply.Item{Resource: s.resource, Scope: scope}, by: b}
	full := s.replaced(i)
	s.patched(i)
	s.lean(i, full)
	s.taken(i)
}

// taken removes the one item of a singleton, after it was put there.
func (s *story) taken(i *item) {
	remove := s.binding(resource.Delete)
	if remove == nil {
		return
	}
	var put *checks.Exchange
	for _, role := range []resource.Role{resource.Upsert, resource.Replace, resource.Create} {
		if b := s.binding(role); b != nil && put == nil {
			put = s.send(b, request{scope: i.Scope, title: "put it there"})
		}
	}
	if put == nil || !put.Succeeded() {
		return
	}
	there := s.read(i, "read what was put there")
	x := s.send(remove, request{scope: i.Scope, title: "remove it"})
	if x == nil || !x.Succeeded() || there == nil || !there.Succeeded() {
		return
	}
	read := s.look(i, request{title: "read what was removed", absent: true})
	if b := s.binding(resource.Read); read != nil && read.Succeeded() && documents(b.Operation, 404, 410) {
		s.accuse("removed", "read", fmt.Sprintf("what was removed is still answered %d", read.Status()), put, x, read)
	}
}

// gone reports whether an answer says that there is no such item.
func gone(x *checks.Exchange) bool { return x != nil && (x.Status() == 404 || x.Status() == 410) }

// shows holds what an answer shows to what was sent.
func (s *story) shows(check string, by *resource.Binding, sent, value any, in *resource.Binding, exchanges ...*checks.Exchange) {
	for _, d := range s.compare(by, sent, value, in) {
		s.accuse(check, "body"+dotted(d.pointer), d.message, exchanges...)
	}
}

// before puts an item's creation, where there was one, in front of exchanges.
func (i *item) before(exchanges ...*checks.Exchange) []*checks.Exchange {
	if i.made == nil {
		return exchanges
	}
	return append([]*checks.Exchange{i.made}, exchanges...)
}

func dotted(pointer string) string {
	b := []byte(pointer)
	for i := range b {
		if b[i] == '/' {
			b[i] = '.'
		}
	}
	return string(b)
}

// location follows the Location of a creation.
func (s *story) location(i *item) {
	location, ok := i.made.Response.Header.Get("Location")
	if !ok || i.made.Status() != 201 && i.made.Status() != 202 {
		return
	}
	b := s.binding(resource.Read)
	if b == nil {
		return
	}
	path := s.Path(location)
	if path == "" {
		return // of another origin, or of none
	}
	r := s.prepare(b, request{scope: i.Scope, key: i.Key, title: "follow Location"})
	if r == nil {
		return
	}
	r.Request.Path = path
	if x := s.Send(s.ctx, r); x != nil && gone(x) {
		s.accuse("location", "header.Location", fmt.Sprintf("Location leads to %s, which is answered %d", location, x.Status()), i.made, x)
	}
}

// listed looks for an item in the list, and for another one made beside it. The
// exchanges before it are those that lead to what is wanted.
func (s *story) listed(i *item, want bool, title string, other *item, before ...*checks.Exchange) {
	w := s.walk(i.Scope, nil, title)
	if w == nil || !w.whole {
		return
	}
	for _, one := range []*item{i, other} {
		if one == nil {
			continue
		}
		found := w.has(s, one)
		switch {
		case found == nil: // the list does not show keys
		case want && !*found:
			s.accuse("listed", "", "what was created is not in the list", one.made, w.last())
		case !want && *found:
			s.accuse("removed", "list", "what was removed is still in the list", append(before, w.last())...)
		}
	}
}

// replaced puts other values in place of all. It gives the exchange that did so,
// nil where none has.
func (s *story) replaced(i *item) *checks.Exchange {
	b := s.binding(resource.Replace)
	if b == nil {
		b = s.binding(resource.Upsert)
	}
	if b == nil || !s.resource.Singleton && b.KeyIn != resource.InPath || b.Request == nil {
		return nil
	}
	have := s.fixed(i, b)
	for name, value := range s.unusual(b.Role) {
		if _, fixed := have[name]; !fixed {
			have[name] = value
		}
	}
	x := s.send(b, request{scope: i.Scope, key: i.Key, all: true, have: have, title: "replace it"})
	if x == nil {
		x = s.send(b, request{scope: i.Scope, key: i.Key, all: true, have: s.fixed(i, b), title: "replace it"})
	}
	if x == nil || !x.Succeeded() {
		return nil
	}
	sent, _ := b.Request.Item(supply.Sent(x))
	if read := s.read(i, "read what was replaced"); read != nil {
		if gone(read) {
			s.accuse("updated", "", fmt.Sprintf("what was replaced is answered %d", read.Status()), i.before(x, read)...)
			return nil
		}
		if value, ok := s.value(read); ok {
			s.shows("updated", b, sent, value, s.Plan.Of(read.Case.Operation), x, read)
		}
	}
	again := s.again(x, "replace it by the same")
	if again != nil && x.Succeeded() && (again.Status() >= 500 || gone(again)) {
		s.accuse("idempotent", "PUT", fmt.Sprintf("the same replacement is answered %d and then %d", x.Status(), again.Status()), x, again)
	}
	if again != nil && again.Succeeded() {
		read := s.read(i, "read what was replaced twice")
		if value, ok := s.value(read); ok {
			for _, d := range s.compare(b, sent, value, s.Plan.Of(read.Case.Operation)) {
				s.accuse("idempotent", "body"+dotted(d.pointer), d.message+" when it was sent twice", x, again, read)
			}
		}
	}
	i.sent, i.by = sent, b
	return x
}

// lean replaces an item by one without what is optional: what it had must go.
func (s *story) lean(i *item, full *checks.Exchange) {
	if full == nil {
		return
	}
	b := s.Plan.Of(full.Case.Operation)
	before, _ := b.Request.Item(supply.Sent(full))
	x := s.send(b, request{scope: i.Scope, key: i.Key, have: s.fixed(i, b), title: "replace it by one with less"})
	if x == nil || !x.Succeeded() {
		return
	}
	read := s.read(i, "read what is left")
	value, ok := s.value(read)
	if !ok {
		return
	}
	had, _ := before.(map[string]any)
	sent, _ := b.Request.Item(supply.Sent(x))
	has, _ := sent.(map[string]any)
	shown, _ := value.(map[string]any)
	for _, name := range sortedNames(had) {
		k := propertiesOf(b.Request)[name]
		if _, kept := has[name]; kept || k == nil || k.ReadOnly || k.WriteOnly || s.madeByServer(name) {
			continue
		}
		still, ok := shown[name]
		if ok && had[name] != nil && telling(k, still) && !isDefault(b, k, still) && len(differ(had[name], still, k, "")) == 0 {
			s.accuse("replaced", "body."+name, "is still there after a PUT without it", full, x, read)
		}
	}
}

// telling reports whether a value is one that no backend comes to by itself: not
// one of few, not empty, not zero.
func telling(k *spec.Keywords, value any) bool {
	if k.Enum != nil || k.Const != nil {
		return false
	}
	switch v := value.(type) {
	case string:
		return v != ""
	case json.Number:
		return v != "0" && v != "1"
	case []any:
		return len(v) > 0
	}
	return false
}

// unusual gives values other than their defaults for properties of few values,
// so that what falls back to a default is seen.
func (s *story) unusual(role resource.Role) map[string]any {
	b := s.binding(role)
	have := map[string]any{}
	if b == nil || b.Request == nil {
		return have
	}
	for name, k := range propertiesOf(b.Request) {
		usual := defaultOf(b, k)
		switch value := usual.(type) {
		case bool:
			have[name] = !value
		case string:
			if k.Enum == nil {
				continue
			}
			for _, other := range k.Enum.Values {
				if other != usual {
					have[name] = other
					break
				}
			}
		}
	}
	return have
}

// fixed are the properties that a change must leave as they are: the key, and
// what refers to a parent.
func (s *story) fixed(i *item, b *resource.Binding) map[string]any {
	have := map[string]any{}
	for _, property := range [][]string{keyProperty(s.resource), s.resource.ParentProperty} {
		if len(property) != 1 {
			continue
		}
		for _, from := range []any{i.sent, i.Value} {
			if value, ok := resource.Get(from, property); ok {
				have[property[0]] = value
				break
			}
		}
	}
	return have
}

func keyProperty(r *resource.Resource) []string {
	if r.Key == nil {
		return nil
	}
	return r.Key.Property
}

// removed removes the item, and looks whether it is gone.
func (s *story) removed(i, younger *item) {
	b := s.binding(resource.Delete)
	if b == nil || b.KeyIn != resource.InPath || len(b.Lookup) > 0 {
		return
	}
	x := s.send(b, request{scope: i.Scope, key: i.Key, title: "remove it"})
	if x == nil || !x.Succeeded() {
		return
	}
	if read := s.look(i, request{title: "read what was removed", absent: true}); read != nil && read.Succeeded() {
		s.accuse("removed", "read", fmt.Sprintf("what was removed is still answered %d", read.Status()), i.made, x, read)
	}
	s.listed(i, false, "list after the removal", nil, i.made, x)
	if younger != nil {
		if read := s.read(younger, "read the other one"); gone(read) {
			s.accuse("removed", "other", fmt.Sprintf("another item is answered %d since one was removed", read.Status()), younger.made, x, read)
		}
	}
	again := s.again(x, "remove it again")
	if again != nil && again.Succeeded() && documents(b.Operation, 404, 410) {
		s.accuse("removed-twice", "", fmt.Sprintf("the second removal is answered %d, though the document has an answer for what does not exist", again.Status()), i.made, x, again)
	}
	for _, role := range []resource.Role{resource.Update, resource.Replace} {
		change := s.binding(role)
		if change == nil || change.KeyIn != resource.InPath || !documents(change.Operation, 404, 410) {
			continue
		}
		if after := s.send(change, request{scope: i.Scope, key: i.Key, have: s.fixed(i, change), title: "change what was removed", absent: true}); after != nil && after.Succeeded() {
			s.accuse("removed", "change", fmt.Sprintf("a change of what was removed is answered %d", after.Status()), i.made, x, after)
		}
	}
}
