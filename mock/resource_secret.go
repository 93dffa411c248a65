package mock

import (
	"slices"

	"github.com/coldframe/coldframe/internal/spec"
)

// veil is what answers do not show of a value: properties that are writeOnly
// (OpenAPI 3.1, and the Schema Object of 3.0), and those of objects below.
type veil struct {
	names []string
	below map[string]*veil
}

// veilOf gives what is hidden of the values of a schema; nil where nothing is.
func veilOf(s *spec.Schema) *veil { return veilAt(s, map[*spec.Keywords]*veil{}) }

// veilAt looks at each schema once; one that holds itself is not followed.
func veilAt(s *spec.Schema, known map[*spec.Keywords]*veil) *veil {
	if v, ok := known[s.Keywords]; ok {
		return v
	}
	known[s.Keywords] = nil
	var v veil
	for name, property := range s.Properties() {
		if writeOnly(property, 0) {
			v.names = append(v.names, name)
			continue
		}
		if hidden := veilAt(part(s, elementOf(property)), known); hidden != nil {
			if v.below == nil {
				v.below = map[string]*veil{}
			}
			v.below[name] = hidden
		}
	}
	if len(v.names) == 0 && v.below == nil {
		return nil
	}
	known[s.Keywords] = &v
	return &v
}

// elementOf gives the schema of an array's items, else the schema itself.
func elementOf(k *spec.Keywords) *spec.Keywords {
	const deepest = 16 // references
	for at, depth := k, 0; at != nil && depth < deepest; at, depth = at.Ref, depth+1 {
		if at.Items2020 != nil {
			return at.Items2020
		}
	}
	return k
}

// writeOnly reports whether a property is the client's alone to say.
func writeOnly(k *spec.Keywords, depth int) bool {
	const deepest = 16 // references and compositions
	if k == nil || depth > deepest {
		return false
	}
	return k.WriteOnly || writeOnly(k.Ref, depth+1) ||
		slices.ContainsFunc(k.AllOf, func(part *spec.Keywords) bool { return writeOnly(part, depth+1) })
}

func (v *veil) overItem(item map[string]any) map[string]any {
	if v == nil {
		return item
	}
	return v.over(item).(map[string]any)
}

// over gives a value without what is hidden. The value is not changed.
func (v *veil) over(value any) any {
	if v == nil {
		return value
	}
	switch value := value.(type) {
	case []any:
		shown := make([]any, len(value))
		for i, element := range value {
			shown[i] = v.over(element)
		}
		return shown
	case map[string]any:
		shown := make(map[string]any, len(value))
		for name, member := range value {
			if !slices.Contains(v.names, name) {
				shown[name] = v.below[name].over(member)
			}
		}
		return shown
	}
	return value
}
