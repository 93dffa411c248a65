package decode

import (
	"encoding/json"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
)

// scalar reads text as a number, boolean, null or string, whichever the schema allows. A text that fits none of them
// stays a string, so that validation reports it. If the schema names no type, text stays a string.
func (s shape) scalar(text string) any {
	if s.kinds() == schema.AnyType || s.kinds() == schema.String {
		return text
	}
	var readings [4]any
	n := 0
	add := func(value any) { readings[n] = value; n++ }
	if s.has(schema.Number) && isNumber(text) {
		add(json.Number(text))
	}
	if s.has(schema.Boolean) && (text == "true" || text == "false") {
		add(text == "true")
	}
	// Null has no text of its own (OpenAPI 3.2 appendix B leaves it to the implementation): if a string is allowed, a
	// text is a string.
	if s.has(schema.String) {
		add(text)
	}
	if s.has(schema.Null) && (text == "" || text == "null") {
		add(nil)
	}
	if n == 0 {
		return text
	}
	if n > 1 {
		for _, value := range readings[:n] {
			if s.holds(value) {
				return value
			}
		}
	}
	return readings[0]
}

// nested reads text within a list or object. The specification has no form for lists and objects there; people send
// JSON.
func (s shape) nested(text string) any {
	if s.names(schema.Object|schema.Array) && text != "" && (text[0] == '{' || text[0] == '[') {
		if value, wrong := decodeJSON(text); wrong == nil && s.has(schema.TypeOf(value)) {
			return value
		}
	}
	return s.scalar(text)
}

func (s shape) elements(texts []string) []any {
	array := make([]any, len(texts))
	for i, text := range texts {
		array[i] = s.item(i).nested(text)
	}
	return array
}

// listOf returns a list from repeated fields. An empty "n=" is an empty list if its elements cannot be empty strings.
func (s shape) listOf(array []any) []any {
	if len(array) == 1 && array[0] == "" && !s.item(0).has(schema.String) {
		return []any{}
	}
	return array
}

// withText adds text to a property's value; a repeated property becomes a list.
func (s shape) withText(before any, again bool, text string) any {
	if !again && s.kinds() != schema.Array {
		return s.nested(text)
	}
	list, isList := before.([]any)
	if again && !isList {
		list = []any{before}
	}
	return append(list, s.item(len(list)).nested(text))
}

func appended(before, value any) []any {
	if list, ok := before.([]any); ok {
		return append(list, value)
	}
	return []any{before, value}
}

// isNumber reports whether text is a JSON number (RFC 8259 section 6) within jsontext's limits.
func isNumber(text string) bool {
	if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return false
	}
	s := jsontext.NewScanner(text)
	_, err := s.Number()
	return err == nil && s.Offset() == len(text)
}
