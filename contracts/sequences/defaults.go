package sequences

import (
	"fmt"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/resource"
)

// defaults creates an item with what is required alone, and reads it: what was
// left out has its defaults.
func defaults(s *story) {
	b := s.binding(resource.Create)
	if b == nil || b.Request == nil {
		return
	}
	if i := s.create(nil, request{title: "create an item with what is required alone"}); i != nil {
		ReadBack(s.ctx, &s.Options, i.made)
	}
}

// readOnly sends values for properties that only the backend sets. It may refuse
// that or leave them out; it must not take them.
func readOnly(s *story) {
	b := s.binding(resource.Create)
	if b == nil || b.Request == nil || b.Request.Value == nil {
		return
	}
	var usual any // what the backend makes by itself
	if i := s.create(nil, request{title: "create an item"}); i != nil {
		usual, _ = s.value(i.made)
	}
	properties := propertiesOf(b.Request)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		k := properties[name]
		if !k.ReadOnly {
			continue
		}
		value, ok := s.foreign(name, usual)
		if !ok {
			continue
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
		with := maps.Clone(values)
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
func (s *story) foreign(name string, usual any) (any, bool) {
	for _, p := range s.resource.Properties {
		if p.Name != name {
			continue
		}
		k := propertiesOf(&resource.Shape{Value: s.resource.Value})[name]
		made, _ := resource.Get(usual, []string{name})
		if k != nil && k.Enum != nil {
			for _, value := range k.Enum.Values {
				if made != nil && value != made && conforms(k, value) {
					return value, true
				}
			}
		}
		if b, ok := made.(bool); ok {
			return !b, true
		}
		for _, value := range candidates {
			if k != nil && conforms(k, value) {
				return value, true
			}
		}
	}
	return nil, false
}
