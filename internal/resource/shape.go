package resource

import (
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Shape says where an item, or several, stand in a body.
type Shape struct {
	// Path is the names of the properties from the body down; empty if the body itself is meant.
	Path []string
	// Many says that an array of items stands there. A body that shows one item
	// in an array shows it as the only element.
	Many bool
	// Nesting is how the item there holds its properties; nil if it holds them itself.
	Nesting *Nesting
	// Value is the schema of the item there, flat if it is nested; nil if nothing is said.
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

// Item returns the item in a body, flat, and whether there is one: the first if there may be several.
func (s *Shape) Item(body any) (any, bool) {
	value, ok := jsonvalue.Property(body, s.Path)
	if !ok || !s.Many {
		return s.Nesting.Flat(value), ok
	}
	if items, ok := value.([]any); ok && len(items) > 0 {
		return s.Nesting.Flat(items[0]), true
	}
	return nil, false
}

// Items returns the items in a body, flat, and whether it has any place for them. A body for one item has one, or the
// elements of an array that stands in its place.
func (s *Shape) Items(body any) ([]any, bool) {
	value, ok := jsonvalue.Property(body, s.Path)
	if !ok {
		return nil, false
	}
	items, ok := value.([]any)
	if !ok && !s.Many {
		return []any{s.Nesting.Flat(value)}, true
	}
	return s.each(items, s.Nesting.Flat), ok
}

// each returns items changed by a function of the Nesting; the items themselves if there is none.
func (s *Shape) each(items []any, change func(any) any) []any {
	if s.Nesting == nil || items == nil {
		return items
	}
	changed := make([]any, len(items))
	for i, item := range items {
		changed[i] = change(item)
	}
	return changed
}

// Wrap returns a body of nothing but an item.
func (s *Shape) Wrap(item any) any { return s.Put(nil, item) }

// Put returns body with an item, which is flat, in its place. The objects on the way are copied, or created if they are
// missing; body itself does not change.
func (s *Shape) Put(body, item any) any {
	item = s.Nesting.Nest(item)
	if s.Many {
		item = []any{item}
	}
	return jsonvalue.WithProperty(body, s.Path, item)
}

// PutItems returns body with items, which are flat, in their place. A shape for one item takes the first.
func (s *Shape) PutItems(body any, items []any) any {
	items = s.each(items, s.Nesting.Nest)
	if !s.Many {
		if len(items) == 0 {
			return body
		}
		return jsonvalue.WithProperty(body, s.Path, items[0])
	}
	return jsonvalue.WithProperty(body, s.Path, items)
}

// At returns the shape of the item at the same place in another body whose schema is at that place; nil if it has
// another.
func (s *Shape) At(k *spec.Keywords) *Shape {
	switch {
	case s.Nesting == nil:
		return &Shape{Path: s.Path, Value: k}
	case schema.Resolve(k) == schema.Resolve(s.Nesting.nested):
		return s
	}
	return nil
}
