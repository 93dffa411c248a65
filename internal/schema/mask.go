package schema

import "slices"

// Mask removes properties from values that one direction does not show (OpenAPI 3.1 and the Schema Object of 3.0:
// readOnly, writeOnly), at all levels. Nil removes nothing.
type Mask struct {
	names  []string
	below  map[string]*Mask // masks of visible properties; nil for properties that hide nothing
	others *Mask            // mask of unlisted properties
	items  *Mask
}

// MaskOf returns the mask of a shape, nil if it hides nothing. It does not follow recursive shapes.
func MaskOf(s *Shape, hides func(*Member) bool) *Mask { return maskOf(s, hides, map[*Shape]*Mask{}) }

func maskOf(s *Shape, hides func(*Member) bool, known map[*Shape]*Mask) *Mask {
	if s == Anything {
		return nil
	}
	if m, ok := known[s]; ok {
		return m
	}
	known[s] = nil
	m, hidden := Mask{below: map[string]*Mask{}}, false
	for _, name := range s.Names() {
		member := s.Member(name)
		if hides(member) {
			m.names = append(m.names, name)
			continue
		}
		m.below[name] = maskOf(member.Shape(), hides, known)
		hidden = hidden || m.below[name] != nil
	}
	m.others, m.items = maskOf(s.Additional(), hides, known), maskOf(s.Items(), hides, known)
	if len(m.names) == 0 && !hidden && m.others == nil && m.items == nil {
		return nil
	}
	known[s] = &m
	return &m
}

// Value returns a value without the hidden properties. The value is not changed.
func (m *Mask) Value(value any) any {
	if m == nil {
		return value
	}
	switch value := value.(type) {
	case []any:
		shown := make([]any, len(value))
		for i, element := range value {
			shown[i] = m.items.Value(element)
		}
		return shown
	case map[string]any:
		shown := make(map[string]any, len(value))
		for name, member := range value {
			if slices.Contains(m.names, name) {
				continue
			}
			below, isListed := m.below[name]
			if !isListed {
				below = m.others
			}
			shown[name] = below.Value(member)
		}
		return shown
	}
	return value
}
