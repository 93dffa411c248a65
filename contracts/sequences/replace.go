package sequences

import (
	"encoding/json"
	"fmt"

	"github.com/coldframe/coldframe/contracts/checks"
	"github.com/coldframe/coldframe/contracts/supply"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

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
		if ok && had[name] != nil && telling(k, still) && !isDefault(b, listed(b.Request.Value, name, 0), still) && len(differ(had[name], still, k, "")) == 0 {
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
