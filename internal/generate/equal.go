package generate

import "encoding/json"

// equal compares JSON values as JSON Schema does: numbers by value.
func equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		if !ok || a == b {
			return ok
		}
		x, y := rat(a), rat(b)
		return x != nil && y != nil && x.Cmp(y) == 0
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, value := range a {
			other, ok := b[name]
			if !ok || !equal(value, other) {
				return false
			}
		}
		return true
	}
	return kindOf(a) == kindOf(b) && a == b
}

func contains(values []any, v any) bool {
	for _, other := range values {
		if equal(other, v) {
			return true
		}
	}
	return false
}
