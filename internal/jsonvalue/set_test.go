package jsonvalue

import (
	"encoding/json"
	"testing"
)

func TestSet(t *testing.T) {
	number := func(text string) any { return json.Number(text) }
	s := NewSet([]any{nil, true, "1", number("1.0"), number("-0"), number("1e400"), []any{number("2")},
		map[string]any{"a": number("3"), "b": nil}})
	for _, v := range []any{nil, true, "1", number("1"), number("10e-1"), number("0"), number("1e401"),
		[]any{number("2.0")}, map[string]any{"b": nil, "a": number("3.00")}} {
		if !s.Has(v) {
			t.Errorf("%v is missing", v)
		}
	}
	for _, v := range []any{false, "true", "", number("2"), []any{}, []any{number("2"), nil}, map[string]any{},
		map[string]any{"a": number("3")}} {
		if s.Has(v) {
			t.Errorf("%v is there", v)
		}
	}
}
