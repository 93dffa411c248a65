package backends

import (
	"encoding/json"
	"strconv"
)

// list takes arrays and holds each item to rules. With the fault a lone value
// is read as an array of one.
func list(fault string, rules ...rule) rule {
	inner := all(rules...)
	return func(k *check, at string, value any) any {
		items, ok := value.([]any)
		if !ok {
			if _, isObject := value.(map[string]any); isObject || value == nil {
				k.report("", at, "must be an array")
				return value
			}
			k.report(fault, at, "must be an array")
			items = []any{value}
		}
		kept := make([]any, len(items))
		for i, item := range items {
			kept[i] = inner(k, at+"/"+strconv.Itoa(i), item)
		}
		return kept
	}
}

// onlyFirst holds just the first item to a rule, with the fault switched on.
func onlyFirst(fault string, r rule) rule {
	return func(k *check, at string, value any) any {
		if k.s.has(fault) && len(at) > 2 && at[len(at)-2] == '/' && at[len(at)-1] != '0' {
			return value
		}
		return r(k, at, value)
	}
}

func minItems(n int, fault string) rule {
	return func(k *check, at string, value any) any {
		if items, ok := value.([]any); ok && len(items) < n {
			k.report(fault, at, "has too few items")
		}
		return value
	}
}

func maxItems(n int, fault string) rule {
	return func(k *check, at string, value any) any {
		if items, ok := value.([]any); ok && len(items) > n {
			k.report(fault, at, "has too many items")
		}
		return value
	}
}

func uniqueItems(fault string) rule {
	return func(k *check, at string, value any) any {
		items, _ := value.([]any)
		for i := range items {
			for j := range i {
				if same(items[i], items[j]) {
					k.report(fault, at, "has the same item twice")
					return value
				}
			}
		}
		return value
	}
}

// same compares JSON values as JSON Schema does: 1 and 1.0 are the same.
func same(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && rational(a).Cmp(rational(b)) == 0
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !same(a[i], b[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name := range a {
			if other, has := b[name]; !has || !same(a[name], other) {
				return false
			}
		}
		return true
	}
	switch b.(type) {
	case json.Number, []any, map[string]any:
		return false
	}
	return a == b
}
