package formula

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// Native converts a JSON value for expressions: an integer within int64 becomes an int, every other number a float64.
// An integer beyond int64 and a number beyond float64 stay json.Number: they keep all digits, equal nothing, and
// string() returns their text. Values without numbers are returned uncopied.
func Native(v any) any {
	switch v := v.(type) {
	case json.Number:
		return nativeNumber(v)
	case []any:
		if slices.ContainsFunc(v, changed) {
			copied := make([]any, len(v))
			for i, item := range v {
				copied[i] = Native(item)
			}
			return copied
		}
	case map[string]any:
		for _, item := range v {
			if changed(item) {
				copied := make(map[string]any, len(v))
				for name, item := range v {
					copied[name] = Native(item)
				}
				return copied
			}
		}
	}
	return v
}

func changed(v any) bool {
	switch v.(type) {
	case json.Number, []any, map[string]any:
		return true
	}
	return false
}

func nativeNumber(n json.Number) any {
	if i, err := strconv.ParseInt(string(n), 10, 64); err == nil {
		return int(i)
	}
	if !strings.ContainsAny(string(n), ".eE") {
		return n
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil || math.IsInf(f, 0) {
		return n
	}
	return f
}

const maxResult = 100

// plain converts the value of an expression to the types of jsontext.Decode.
func plain(v any, depth int) (any, error) {
	if depth > maxResult {
		return nil, fmt.Errorf("the value nests more than %d deep", maxResult)
	}
	switch v := v.(type) {
	case nil, bool, string, json.Number:
		return v, nil
	case int:
		return json.Number(strconv.Itoa(v)), nil
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return nil, fmt.Errorf("the value is %v, which JSON cannot hold", v)
		}
		text, err := json.Marshal(v)
		return json.Number(text), err
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			var err error
			if items[i], err = plain(item, depth+1); err != nil {
				return nil, err
			}
		}
		return items, nil
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, item := range v {
			var err error
			if object[name], err = plain(item, depth+1); err != nil {
				return nil, err
			}
		}
		return object, nil
	}
	return converted(v, depth)
}

// converted handles the other types that expressions return: []int of a range, []string of split, map[any][]any of
// groupBy, map[string]string of headers.
func converted(v any, depth int) (any, error) {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Map {
		text, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("the value is a %T, which JSON cannot hold", v)
		}
		return jsontext.Decode(string(text))
	}
	object := make(map[string]any, r.Len())
	for entries := r.MapRange(); entries.Next(); {
		value, err := plain(entries.Value().Interface(), depth+1)
		if err != nil {
			return nil, err
		}
		object[fmt.Sprint(entries.Key().Interface())] = value
	}
	return object, nil
}

// Plain converts the value of an expression to the types of jsontext.Decode.
func Plain(v any) (any, error) { return plain(v, 0) }

// Closing returns the offset of the brace that ends an expression, -1 if none. Paired braces and braces in
// strings belong to the expression.
func Closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return i
			}
		case '"', '\'', '`':
			for i++; i < len(s) && s[i] != c; i++ {
				if s[i] == '\\' && c != '`' {
					i++
				}
			}
		}
	}
	return -1
}

// AppendText appends a value to a text: strings unquoted, null as nothing, everything else as JSON.
func AppendText(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return b
	case string:
		return append(b, v...)
	}
	return jsontext.Append(b, v)
}
