package resource

import (
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
)

// Shape says where an item, or several, stand in a body.
type Shape struct {
	// Path is the names of the properties from the body down; empty where the
	// body itself is meant.
	Path []string
	// Many says that an array of items stands there. A body that shows one item
	// in an array shows it as the only element.
	Many bool
	// Value is the schema of the item as it stands there; nil where nothing is
	// said.
	Value *spec.Keywords
}

// String gives the shape for people: "body", "data", "data.plants[]", "[]".
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

func (s *Shape) find(body any) (any, bool) {
	for _, name := range s.Path {
		object, ok := body.(map[string]any)
		if !ok {
			return nil, false
		}
		if body, ok = object[name]; !ok {
			return nil, false
		}
	}
	return body, true
}

// Item gives the item in a body, the first where there may be several, and
// whether there is one.
func (s *Shape) Item(body any) (any, bool) {
	value, ok := s.find(body)
	if !ok || !s.Many {
		return value, ok
	}
	if items, ok := value.([]any); ok && len(items) > 0 {
		return items[0], true
	}
	return nil, false
}

// Items gives the items in a body, and whether it holds any place for them. A
// body for one item holds one, and those of an array where one stands in its
// place.
func (s *Shape) Items(body any) ([]any, bool) {
	value, ok := s.find(body)
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

// Put gives body with the item in its place. The objects on the way are copied,
// or made where there are none; body itself does not change.
func (s *Shape) Put(body, item any) any {
	if s.Many {
		item = []any{item}
	}
	return put(body, s.Path, item)
}

// PutItems gives body with the items in their place. A shape for one item takes
// the first.
func (s *Shape) PutItems(body any, items []any) any {
	if !s.Many {
		if len(items) == 0 {
			return body
		}
		return put(body, s.Path, items[0])
	}
	return put(body, s.Path, items)
}

func put(body any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	object, _ := body.(map[string]any)
	if object = maps.Clone(object); object == nil {
		object = make(map[string]any, 1)
	}
	object[path[0]] = put(object[path[0]], path[1:], value)
	return object
}

// Get follows names down a value.
func Get(value any, path []string) (any, bool) {
	s := Shape{Path: path}
	return s.find(value)
}

// Set gives value with another at the end of path; value itself does not
// change.
func Set(value any, path []string, to any) any { return put(value, path, to) }

// envelopes are names of properties that hold what an answer is about.
var envelopes = naming.Set(`data item items result results record records entity entities resource resources object objects
payload response value values list rows entries entry content contents hits elements documents members collection embedded body output`)

// meta are names of properties beside the envelope that say something of the
// answer, not of the item.
var meta = naming.Set(`status statuscode success ok message messages msg meta metadata links link errors error errormessage warnings code time took usage requestid
request id_ service resource resourcename operation pagination paging page pageinfo jsonapi included self href kind apiversion
object type count total version timestamp datetimeutc providername etag url uri description detail result_ info raw`)

// asItem finds the item in a body. known is its schema where that is known
// already, names are those that the resource goes by.
func asItem(body view, names []string, known view) *Shape { return itemAt(body, names, known, 0) }

func itemAt(body view, names []string, known view, depth int) *Shape {
	const deepest = 3 // wrappers in wrappers
	if !body.ok() || depth > deepest {
		return nil
	}
	if body.kind() == Array {
		return nil
	}
	if known.ok() && alike(body, known) >= 0.6 {
		return &Shape{Value: body.plain().k}
	}
	members := body.members()
	best, score := (*Shape)(nil), 0.0
	others := 0
	for _, m := range members {
		if !meta[m.folded] && pageRole(m.name, m.view) == NoField {
			others++
		}
	}
	for _, m := range members {
		kind := m.view.kind()
		if kind != Object && kind != Array {
			continue
		}
		inner, many := m.view, kind == Array
		if many {
			if inner = inner.element(); inner.kind() != Object {
				continue
			}
		}
		s := 0.0
		folded := m.folded
		named := slices.Contains(names, naming.SingularName(m.name))
		switch {
		case known.ok() && alike(inner, known) >= 0.6 && (named || envelopes[folded] || !isReference(inner) || others <= 1):
			s = 0.9
		case known.ok() && inner.name() != "":
			s = 0.1
		case named && others <= 1:
			s = 0.8
		case envelopes[folded] && !many && (others <= 1 || folded == "data"):
			s = 0.75
		case folded == "meta" && !many && others == 0 && isStatusBeside(members, m.name):
			s = 0.7
		}
		if s > 0 && (named || envelopes[folded]) {
			s += 0.05
		}
		if s > 0 && many {
			s -= 0.03
		}
		if s > 0.5 && s > score && !(hasOwnKey(members) && !named && s < 0.9) {
			best, score = &Shape{Path: []string{m.name}, Many: many, Value: inner.plain().k}, s
		}
		if folded == "result" || folded == "response" || folded == "data" || folded == "payload" {
			if deeper := itemAt(m.view, names, known, depth+1); !many && deeper != nil && len(deeper.Path) > 0 && score < 0.89 {
				deeper.Path = append([]string{m.name}, deeper.Path...)
				best, score = deeper, 0.89
			}
		}
	}
	if best != nil {
		return best
	}
	if body.kind() == Object || len(members) > 0 {
		return &Shape{Value: body.plain().k}
	}
	return nil
}

// isStatusBeside reports whether all properties but one only say how it went.
func isStatusBeside(members []member, one string) bool {
	return !slices.ContainsFunc(members, func(m member) bool {
		switch m.folded {
		case "status", "error", "errors", "success", "message", "code":
			return false
		}
		return m.name != one
	})
}

// isReference reports whether an object says hardly more than which thing it
// means: {id, type}.
func isReference(v view) bool {
	members := v.members()
	return len(members) <= 2 && hasOwnKey(members)
}

// hasOwnKey reports whether an object looks like an item itself.
func hasOwnKey(members []member) bool {
	return slices.ContainsFunc(members, func(m member) bool {
		switch m.folded {
		case "id", "uuid", "sid", "guid", "createdat":
			return true
		}
		return false
	})
}
