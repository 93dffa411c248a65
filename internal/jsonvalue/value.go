// Package jsonvalue compares, orders, merges and patches decoded JSON values.
package jsonvalue

import (
	"cmp"
	"encoding/json"
	"iter"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Equals reports whether two JSON values are equal; numbers are compared by value (RFC 6902 section 4.6).
func Equals(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, member := range a {
			other, ok := b[name]
			if !ok || !Equals(member, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Equals)
	case json.Number:
		b, ok := b.(json.Number)
		return ok && CompareNumbers(a.String(), b.String()) == 0
	}
	switch b.(type) {
	case map[string]any, []any, json.Number:
		return false
	}
	return a == b
}

// Order compares two scalars for sorting a list: missing and null first, then booleans, numbers, texts. Texts that
// are times are compared by time.
func Order(a, b any) int {
	if c := cmp.Compare(Rank(a), Rank(b)); c != 0 {
		return c
	}
	switch a := a.(type) {
	case bool:
		x, _ := Text(a)
		y, _ := Text(b)
		return strings.Compare(x, y)
	case json.Number:
		return CompareNumbers(a.String(), b.(json.Number).String())
	case string:
		return compareTexts(a, b.(string))
	}
	return 0
}

func Rank(value any) int {
	switch value.(type) {
	case nil:
		return 0
	case bool:
		return 1
	case json.Number:
		return 2
	case string:
		return 3
	}
	return 4
}

// longestNumber limits the length of numbers that are compared exactly: 1e999999999 would expand to a very long
// number.
const longestNumber = 40

func CompareNumbers(a, b string) int {
	if a == b {
		return 0
	}
	if m, ok := SmallInteger(a); ok {
		if n, ok := SmallInteger(b); ok {
			return cmp.Compare(m, n)
		}
	}
	if len(a) <= longestNumber && len(b) <= longestNumber && !strings.ContainsAny(a+b, "eE") {
		p, ok := new(big.Rat).SetString(a)
		q, also := new(big.Rat).SetString(b)
		if ok && also {
			return p.Cmp(q)
		}
	}
	p, _ := strconv.ParseFloat(a, 64)
	q, _ := strconv.ParseFloat(b, 64)
	return cmp.Compare(p, q)
}

// SmallInteger parses a number that is written as an integer of at most 18 digits.
func SmallInteger(text string) (n int64, ok bool) {
	digits := strings.TrimPrefix(text, "-")
	if len(digits) == 0 || len(digits) > 18 {
		return 0, false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, false
		}
		n = n*10 + int64(digits[i]-'0')
	}
	if len(digits) < len(text) {
		n = -n
	}
	return n, true
}

// SmallDecimal parses a number with at most 18 digits, with or without a fraction. The number is n/unit: 12.5 is 125
// and 10.
func SmallDecimal(text string) (n, unit int64, ok bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	if n, ok = SmallInteger(whole); !ok || fraction == "" {
		return n, 1, ok
	}
	part, ok := SmallInteger(fraction)
	if !ok || len(whole)+len(fraction) > 18 {
		return 0, 0, false
	}
	if unit = 1; whole[0] == '-' {
		part = -part
	}
	for range len(fraction) {
		unit *= 10
	}
	return n*unit + part, unit, true
}

func compareTexts(a, b string) int {
	const shortest = len("2006-01-02T15:04:05Z")
	if len(a) == shortest && len(b) == shortest && a[shortest-1] == 'Z' && b[shortest-1] == 'Z' {
		return strings.Compare(a, b) // times to the second sort like their texts
	}
	if len(a) >= shortest && len(b) >= shortest && a[4] == '-' && b[4] == '-' {
		s, err := time.Parse(time.RFC3339Nano, a)
		t, wrong := time.Parse(time.RFC3339Nano, b)
		if err == nil && wrong == nil {
			return s.Compare(t)
		}
	}
	return strings.Compare(a, b)
}

// Text returns a scalar in the form of paths and queries; false for other values.
func Text(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// Same reports whether two scalars have the same form in a path or a query: 7 and "7" do.
func Same(a, b any) bool {
	x, ok := Text(a)
	y, also := Text(b)
	return ok && also && x == y || Equals(a, b)
}

// Walk returns a value and all values within it, each with the tokens of its JSON Pointer. Outer values come first,
// and members in the order of their names.
func Walk(value any) iter.Seq2[[]string, any] {
	return func(yield func([]string, any) bool) { walk(nil, value, yield) }
}

// walk returns false if the iteration has ended.
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

// WithTexts returns a copy of a value in which change is applied to all texts except the names of members.
func WithTexts(value any, change func(string) string) any {
	switch v := value.(type) {
	case string:
		return change(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = WithTexts(item, change)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = WithTexts(member, change)
		}
		return object
	}
	return value
}
