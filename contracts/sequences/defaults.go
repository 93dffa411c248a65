package sequences

import (
	"fmt"

	"github.com/coldframe/coldframe/internal/resource"
)

// defaults creates an item with what is required alone, and looks whether the
// rest has its defaults.
func defaults(s *story) {
	b := s.binding(resource.Create)
	if b == nil || b.Request == nil {
		return
	}
	i := s.create(nil, request{title: "create an item with what is required alone"})
	if i == nil {
		return
	}
	sent, _ := i.sent.(map[string]any)
	properties := propertiesOf(b.Request)
	x := i.made
	value, ok := s.value(x)
	if !ok {
		x = s.read(i, "read what was created")
		if value, ok = s.value(x); !ok {
			return
		}
	}
	shown, _ := value.(map[string]any)
	for name, k := range properties {
		was, has := shown[name]
		usual := defaultOf(b, k)
		if _, given := sent[name]; given || !has || usual == nil || k.ReadOnly || s.madeByServer(name) {
			continue
		}
		if len(differ(usual, was, k, "")) > 0 {
			s.accuse("default", "body."+name, fmt.Sprintf("was left out; its default is %s, and it is %s", text(usual), text(was)), x)
		}
	}
}

// readOnly sends values for properties that only the backend sets. It may refuse
// that or leave them out; it must not take them.
func readOnly(s *story) {
	b := s.binding(resource.Create)
	if b == nil || b.Request == nil || b.Request.Value == nil {
		return
	}
	plain := s.prepare(b, request{scope: s.scope(b, ""), title: "create an item"})
	if plain == nil {
		return
	}
	item, _ := b.Request.Item(plain.Value)
	values, ok := item.(map[string]any)
	if !ok {
		return
	}
	for name, k := range propertiesOf(b.Request) {
		if !k.ReadOnly {
			continue
		}
		value, ok := s.foreign(name)
		if !ok {
			continue
		}
		with := map[string]any{}
		for n, v := range values {
			with[n] = v
		}
		with[name] = value
		i := s.create(nil, request{body: b.Request.Wrap(with), title: "create an item with a value for " + name + ", which is readOnly"})
		if i == nil {
			continue
		}
		shown, ok := s.value(i.made)
		if !ok {
			if shown, ok = s.value(s.read(i, "read what was created")); !ok {
				continue
			}
		}
		if is, has := resource.Get(shown, []string{name}); has && len(differ(value, is, k, "")) == 0 {
			s.accuse("read-only", "body."+name, fmt.Sprintf("is readOnly, and was taken from the client: %s", text(is)), i.made)
		}
	}
}

// foreign gives a value for a property that no backend would come to by itself:
// one that fits what answers show.
func (s *story) foreign(name string) (any, bool) {
	for _, p := range s.resource.Properties {
		if p.Name != name {
			continue
		}
		k := propertiesOf(&resource.Shape{Value: s.resource.Value})[name]
		for _, value := range candidates {
			if k != nil && conforms(k, value) {
				return value, true
			}
		}
	}
	return nil, false
}
