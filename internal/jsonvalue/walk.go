package jsonvalue

import (
	"iter"
	"maps"
	"slices"
	"strconv"
)

// Walk gives a value and all values within it, the outer ones first and members in
// the order of their names, each with the tokens of its JSON Pointer.
func Walk(value any) iter.Seq2[[]string, any] {
	return func(yield func([]string, any) bool) { walk(nil, value, yield) }
}

// walk reports whether to go on.
func walk(tokens []string, value any, yield func([]string, any) bool) bool {
	if !yield(tokens, value) {
		return false
	}
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if !walk(append(slices.Clip(tokens), name), v[name], yield) {
				return false
			}
		}
	case []any:
		for i, item := range v {
			if !walk(append(slices.Clip(tokens), strconv.Itoa(i)), item, yield) {
				return false
			}
		}
	}
	return true
}
