package schema

import "slices"

// Mask takes out of values the properties that one direction does not show (OpenAPI 3.1 and the Schema Object of 3.0:
// readOnly, writeOnly), and those of objects below. Nil takes out nothing.
type Mask struct {
	names  []string
	below  map[string][]*Mask // of the properties that stay
	others *Mask              // of those that the schema does not list
	items  *Mask
}

// MaskOf gives the mask of a schema, nil where it hides nothing. It looks at each schema once; one that holds itself
// is not followed.
func MaskOf(k *Keywords, hides func(property *Keywords) bool) *Mask {
	return maskOf(k, hides, map[*Keywords]*Mask{})
}

func maskOf(k *Keywords, hides func(*Keywords) bool, known map[*Keywords]*Mask) *Mask {
	if k == nil {
		return nil
	}
	if m, ok := known[k]; ok {
		return m
	}
	known[k] = nil
	m := Mask{below: map[string][]*Mask{}}
	for part := range Possible(k) {
		for name, property := range part.Properties {
			if hides(property) {
				m.names = append(m.names, name)
			} else if below := maskOf(property, hides, known); below != nil {
				m.below[name] = append(m.below[name], below)
			}
		}
	}
	m.others, m.items = maskOf(Undeclared(k), hides, known), maskOf(Items(k), hides, known)
	if len(m.names) == 0 && len(m.below) == 0 && m.others == nil && m.items == nil {
		return nil
	}
	known[k] = &m
	return &m
}

// Value gives a value without what is hidden. The value is not changed.
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
			below, listed := m.below[name]
			if !listed {
				member = m.others.Value(member)
			}
			for _, b := range below {
				member = b.Value(member)
			}
			shown[name] = member
		}
		return shown
	}
	return value
}
