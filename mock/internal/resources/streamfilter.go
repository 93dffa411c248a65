package resources

import (
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// isWanted reports whether an event has what the query parameters of the request ask for: those named like a property
// of the item, whose schema allows their values, and those whose values are names of events. Others choose nothing.
func (s *Stream) isWanted(form *eventForm, name string, data any, item map[string]any) bool {
	for _, p := range s.q.Operation.Parameters {
		value, isSent := s.q.Values.Query[p.Name]
		if p.In != exchange.InQuery || !isSent {
			continue
		}
		values, isList := value.([]any)
		if !isList {
			values = []any{value}
		}
		have, isAbout := form.asked(p.Name, values, name, data, item)
		if !isAbout {
			continue
		}
		all, isMany := have.([]any)
		if !isMany {
			all = []any{have}
		}
		isOne := func(v any) bool {
			return slices.ContainsFunc(values, func(wanted any) bool { return jsonvalue.Same(v, wanted) })
		}
		if !slices.ContainsFunc(all, isOne) {
			return false
		}
	}
	return true
}

// asked returns the value of an event that a parameter filters by; false if it has none.
func (f *eventForm) asked(parameter string, values []any, name string, data any, item map[string]any) (any, bool) {
	singular := naming.SingularName(parameter)
	for _, own := range slices.Sorted(maps.Keys(f.of.properties)) {
		property := f.of.properties[own]
		if naming.SingularName(own) != singular {
			continue
		}
		isOfType := func(v any) bool {
			_, ok := respond.Typed(v, property)
			_, inList := respond.Typed([]any{v}, property)
			return ok || inList
		}
		if !slices.ContainsFunc(values, func(v any) bool { return !isOfType(v) }) {
			return item[own], true
		}
	}
	names := slices.Clone(f.names)
	if f.types != nil {
		names = append(names, f.types.values...)
	}
	isName := func(v any) bool { text, _ := jsonvalue.Text(v); return slices.Contains(names, text) }
	if slices.ContainsFunc(values, func(v any) bool { return !isName(v) }) {
		return nil, false
	}
	object, _ := data.(map[string]any)
	if f.types != nil && object[f.types.name] != nil {
		return object[f.types.name], true
	}
	return name, true
}
