package respond

import (
	"cmp"
	"slices"

	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Mask takes out of a value what answers do not show: properties that are writeOnly
// (OpenAPI 3.1, and the Schema Object of 3.0), and those of objects below. Nil
// takes out nothing.
type Mask struct {
	names []string
	below map[string]*Mask
}

// NewMask gives the mask of a schema's values; nil where nothing is writeOnly.
func NewMask(s *spec.Schema) *Mask { return maskOf(s, map[*spec.Keywords]*Mask{}) }

// maskOf looks at each schema once; one that holds itself is not followed.
func maskOf(s *spec.Schema, known map[*spec.Keywords]*Mask) *Mask {
	if m, ok := known[s.Keywords]; ok {
		return m
	}
	known[s.Keywords] = nil
	var m Mask
	for name, property := range s.Properties() {
		if schema.WriteOnly(property) {
			m.names = append(m.names, name)
			continue
		}
		if hidden := maskOf(Part(s, cmp.Or(schema.Items(property), property)), known); hidden != nil {
			if m.below == nil {
				m.below = map[string]*Mask{}
			}
			m.below[name] = hidden
		}
	}
	if len(m.names) == 0 && m.below == nil {
		return nil
	}
	known[s.Keywords] = &m
	return &m
}

// Object is Value for an object.
func (m *Mask) Object(item map[string]any) map[string]any {
	if m == nil {
		return item
	}
	return m.Value(item).(map[string]any)
}

// Value gives a value without what is writeOnly. The value is not changed.
func (m *Mask) Value(value any) any {
	if m == nil {
		return value
	}
	switch value := value.(type) {
	case []any:
		shown := make([]any, len(value))
		for i, element := range value {
			shown[i] = m.Value(element)
		}
		return shown
	case map[string]any:
		shown := make(map[string]any, len(value))
		for name, member := range value {
			if !slices.Contains(m.names, name) {
				shown[name] = m.below[name].Value(member)
			}
		}
		return shown
	}
	return value
}

// Part gives the schema of a part of what a schema describes.
func Part(whole *spec.Schema, k *spec.Keywords) *spec.Schema {
	c := *whole
	c.Keywords = k
	return &c
}
