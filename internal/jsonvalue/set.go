package jsonvalue

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// Set looks up values among many, compared as by Equals.
type Set map[string][]any

// NewSet returns the set of values.
func NewSet(values []any) Set {
	s := make(Set, len(values))
	for _, v := range values {
		if key := appendKey(nil, v); !s.among(string(key), v) {
			s[string(key)] = append(s[string(key)], v)
		}
	}
	return s
}

// Has reports whether a value is in the set.
func (s Set) Has(v any) bool { return s.among(string(appendKey(nil, v)), v) }

func (s Set) among(key string, v any) bool {
	return slices.ContainsFunc(s[key], func(other any) bool { return Equals(other, v) })
}

// appendKey appends a text that is equal for equal values, and different for nearly all others.
func appendKey(to []byte, value any) []byte {
	switch v := value.(type) {
	case bool:
		return strconv.AppendBool(to, v)
	case string:
		return strconv.AppendQuote(to, v)
	case json.Number:
		f, _ := strconv.ParseFloat(string(v), 64)
		return strconv.AppendFloat(to, f+0, 'g', -1, 64) // +0 removes the sign of -0
	case []any:
		for _, item := range v {
			to = append(appendKey(append(to, '['), item), ']')
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			to = append(appendKey(strconv.AppendQuote(append(to, '{'), name), v[name]), '}')
		}
	}
	return to
}
