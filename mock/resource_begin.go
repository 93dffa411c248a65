package mock

import (
	"slices"

	"github.com/coldframe/coldframe/internal/spec"
)

// beginning is what properties of an item are where nobody says: their
// defaults, and for those that only the server has, the first of the values that
// the document lists (draft, pending, open).
type beginning struct {
	sendable map[string]any
	servers  map[string]any
}

// beginningOf gives how items begin that an operation makes; read once, when the
// first is made.
func (k *keeping) beginningOf(in *spec.Schema, sent *spec.Keywords, sendable map[string]*spec.Keywords) *beginning {
	begin := &beginning{map[string]any{}, map[string]any{}}
	if in != nil && sent != nil {
		begin.read(k, in, sent, sendable, 0)
	}
	if k.value != nil {
		begin.read(k, k.value, k.value.Keywords, sendable, 0)
	}
	return begin
}

// read takes what every value of a schema may begin with: its own properties
// and those that $ref and allOf add, not those of one choice among several.
func (begin *beginning) read(k *keeping, in *spec.Schema, from *spec.Keywords, sendable map[string]*spec.Keywords, depth int) {
	const deepest = 16 // references and compositions
	if from == nil || depth > deepest {
		return
	}
	for name, property := range from.Properties {
		listed := k.listed[name]
		if k.keyed(name) || listed == nil && sendable[name] == nil || begin.sendable[name] != nil || begin.servers[name] != nil {
			continue
		}
		value, to := in.Default(property), begin.sendable
		if sendable[name] == nil {
			to = begin.servers
			if first := firstOf(property, 0); value == nil {
				value = first
			}
		}
		if value != nil && spec.Conforms(property, value) && (listed == nil || spec.Conforms(listed, value)) {
			to[name] = value
		}
	}
	begin.read(k, in, from.Ref, sendable, depth+1)
	for _, one := range from.AllOf {
		begin.read(k, in, one, sendable, depth+1)
	}
}

// keyed reports whether a property is one that the mock counts itself.
func (k *keeping) keyed(name string) bool {
	return k.Key != nil && slices.Equal(k.Key.Property, []string{name}) || name == k.Created || name == k.Updated || name == k.Version
}

// firstOf gives the first of the values that a property may have, nil where they
// are not listed.
func firstOf(k *spec.Keywords, depth int) any {
	const deepest = 16 // references and compositions
	if k == nil || depth > deepest {
		return nil
	}
	if k.Enum != nil && len(k.Enum.Values) > 0 {
		return k.Enum.Values[0]
	}
	if first := firstOf(k.Ref, depth+1); first != nil {
		return first
	}
	for _, part := range k.AllOf {
		if first := firstOf(part, depth+1); first != nil {
			return first
		}
	}
	return nil
}

// begun adds to an item what it begins with and nobody said. The item is
