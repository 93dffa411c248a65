package jsontext

import (
	"encoding/json"
	"errors"
	"strings"
)

// Decode reads one JSON text. Objects become map[string]any, arrays []any, numbers json.Number with their original
// text. The text must not change while the value is in use. An error is a *SyntaxError.
func Decode(text string) (any, error) {
	s := Scanner{text: text, most: MaxDepth}
	value, err := s.value()
	if err == nil {
		err = s.End()
	}
	if err != nil {
		return nil, err
	}
	return value, nil
}

// DecodeLoosely reads also texts that Decode refuses though RFC 8259 only advises against them: with halves of
// surrogates, which become U+FFFD, names that stand twice, and values that nest deeper.
func DecodeLoosely(text string) (any, error) {
	value, err := Decode(text)
	if err != nil {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if err = decoder.Decode(&value); err == nil && decoder.More() {
			err = errTrailing
		}
	}
	return value, err
}

var errTrailing = errors.New("data after the JSON value")

func (s *Scanner) value() (any, *SyntaxError) {
	switch c := s.Peek(); c {
	case '{':
		object := map[string]any{}
		err := s.Object(func(name string, offset int) *SyntaxError {
			value, err := s.value()
			if err != nil {
				return err
			}
			before := len(object)
			if object[name] = value; len(object) == before {
				return s.fail(CodeDuplicate, offset, "name %q appears twice in the object", shorten(name))
			}
			return nil
		})
		return object, err
	case '[':
		array := []any{}
		err := s.Array(func() *SyntaxError {
			value, err := s.value()
			array = append(array, value)
			return err
		})
		return array, err
	case '"':
		return s.String()
	case 't':
		return true, s.Literal("true")
	case 'f':
		return false, s.Literal("false")
	case 'n':
		return nil, s.Literal("null")
	default:
		if c == '-' || '0' <= c && c <= '9' {
			text, err := s.Number()
			return json.Number(text), err
		}
		return nil, s.unexpected("a JSON value")
	}
}

// IsMediaType reports whether a Content-Type is JSON or ends in +json (RFC 6839 section 3.1).
func IsMediaType(contentType string) bool {
	essence, _, _ := strings.Cut(contentType, ";")
	essence = strings.ToLower(strings.TrimSpace(essence))
	return strings.HasSuffix(essence, "/json") || strings.HasSuffix(essence, "+json")
}

// DecodeBody returns the value of a JSON body, any other body as text, nil if none.
func DecodeBody(contentType string, body []byte) any {
	if len(body) == 0 {
		return nil
	}
	if IsMediaType(contentType) {
		if v, err := Decode(string(body)); err == nil {
			return v
		}
	}
	return string(body)
}
