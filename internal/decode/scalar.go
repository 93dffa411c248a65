package decode

import (
	"encoding/json"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
)

type kinds uint8

const (
	kindNull kinds = 1 << iota
	kindBoolean
	kindNumber
	kindString
	kindArray
	kindObject
	kindAny = kindNull | kindBoolean | kindNumber | kindString | kindArray | kindObject
)

var kindOf = map[string]kinds{
	"null": kindNull, "boolean": kindBoolean, "number": kindNumber, "integer": kindNumber, "string": kindString,
	"array": kindArray, "object": kindObject,
}

func (k kinds) has(other kinds) bool { return k&other != 0 }

// names is has for a schema that says something of types.
func (k kinds) names(other kinds) bool { return k != kindAny && k.has(other) }

func kindOfValue(value any) kinds {
	switch value.(type) {
	case nil:
		return kindNull
	case bool:
		return kindBoolean
	case string:
		return kindString
	case []any:
		return kindArray
	case map[string]any:
		return kindObject
	}
	return kindNumber
}

// holds reports whether a value satisfies the schemas. It is asked only to
// choose between readings of a text that may have several types, which no pattern tells apart.
func (s *shape) holds(value any) bool {
	for _, k := range s.schemas.all {
		if conforms, decided := schema.FastValidate(k, value, schema.Unmatched()); decided && !conforms {
			return false
		}
	}
	for _, k := range s.schemas.some {
		if conforms, decided := schema.FastValidate(k, value, schema.Unmatched()); conforms || !decided {
			return true
		}
	}
	return len(s.schemas.some) == 0
}

// scalar reads text as a number, boolean, null or string, whichever the schema
// allows; text that is none of them stays a string, so that validation tells
// what it should be. A schema that names no type leaves text alone.
func (s *shape) scalar(text string) any {
	if s.kinds == kindAny || s.kinds == kindString {
		return text
	}
	var readings [4]any
	n := 0
	add := func(value any) { readings[n] = value; n++ }
	if s.kinds.has(kindNumber) && isNumber(text) {
		add(json.Number(text))
	}
	if s.kinds.has(kindBoolean) && (text == "true" || text == "false") {
		add(text == "true")
	}
	// Null has no text of its own (OpenAPI 3.2 appendix B leaves it to the
	// implementation): where a string is allowed, text is a string first.
	if s.kinds.has(kindString) {
		add(text)
	}
	if s.kinds.has(kindNull) && (text == "" || text == "null") {
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

// nested reads text that stands within a list or object. The specification
// gives lists and objects there no form; JSON is what people send.
func (s *shape) nested(text string) any {
	if s.kinds.names(kindObject|kindArray) && text != "" && (text[0] == '{' || text[0] == '[') {
		if value, wrong := decodeJSON(text); wrong == nil && s.kinds.has(kindOfValue(value)) {
			return value
		}
	}
	return s.scalar(text)
}

func (s *shape) elements(texts []string) []any {
	array := make([]any, len(texts))
	for i, text := range texts {
		array[i] = s.item(i).nested(text)
	}
	return array
}

// listOf gives a list read from repeated fields. "n=" is no number, but an empty list of them.
func (s *shape) listOf(array []any) []any {
	if len(array) == 1 && array[0] == "" && !s.item(0).kinds.has(kindString) {
		return []any{}
	}
	return array
}

// withText adds text to the value that a property has so far: given again it becomes a list.
func (s *shape) withText(before any, again bool, text string) any {
	if !again && s.kinds != kindArray {
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
