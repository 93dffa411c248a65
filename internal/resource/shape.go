package resource

import (
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/spec"
)

// Shape says where an item, or several, stand in a body.
type Shape struct {
	// Path is the names of the properties from the body down; empty where the body itself is meant.
	Path []string
	// Many says that an array of items stands there. A body that shows one item
	// in an array shows it as the only element.
	Many bool
	// Value is the schema of the item as it stands there; nil if nothing is said.
	Value    *spec.Keywords
	evidence []Evidence
}

// String returns the shape for people: "body", "data", "data.plants[]", "[]".
func (s *Shape) String() string {
	if s == nil {
		return ""
	}
	text := strings.Join(s.Path, ".")
	switch {
	case s.Many:
		return text + "[]"
	case text == "":
		return "body"
	}
	return text
}

// Item returns the item in a body, the first where there may be several, and whether there is one.
func (s *Shape) Item(body any) (any, bool) {
	value, ok := Get(body, s.Path)
	if !ok || !s.Many {
		return value, ok
	}
	if items, ok := value.([]any); ok && len(items) > 0 {
		return items[0], true
	}
	return nil, false
}

// Items returns the items in a body, and whether it holds any place for them. A body for one item holds one,
// and those of an array where one stands in its place.
func (s *Shape) Items(body any) ([]any, bool) {
	value, ok := Get(body, s.Path)
	if !ok {
		return nil, false
	}
	items, ok := value.([]any)
	if !ok && !s.Many {
		return []any{value}, true
	}
	return items, ok
}

// Wrap makes a body of nothing but an item.
func (s *Shape) Wrap(item any) any { return s.Put(nil, item) }

// Put returns body with the item in its place. The objects on the way are copied,
// or made where there are none; body itself does not change.
func (s *Shape) Put(body, item any) any {
	if s.Many {
		item = []any{item}
	}
	return Set(body, s.Path, item)
}

// PutItems returns body with the items in their place. A shape for one item takes the first.
func (s *Shape) PutItems(body any, items []any) any {
	if !s.Many {
		if len(items) == 0 {
			return body
		}
		return Set(body, s.Path, items[0])
	}
	return Set(body, s.Path, items)
}

// Get follows names down a value.
func Get(value any, path []string) (any, bool) {
	for _, name := range path {
		object, ok := value.(map[string]any)
		if !ok {
			return nil, false
		}
		if value, ok = object[name]; !ok {
			return nil, false
		}
	}
	return value, true
}

// Set returns value with another at the end of path; value itself does not change.
func Set(value any, path []string, to any) any {
	if len(path) == 0 {
		return to
	}
	object, _ := value.(map[string]any)
	return jsonvalue.WithMember(object, path[0], Set(object[path[0]], path[1:], to))
}
