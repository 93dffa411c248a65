package sums

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/words"
)

// amountNames are the members that hold the number of an amount which is an object: {amount, currency}.
var amountNames = sync.OnceValue(func() []string { return words.Ranked("amount-name") })

// named returns the member of an object that has one of some folded names: Amount. It is "" if none has.
func named[V any](members map[string]V, names ...string) string {
	for _, folded := range names {
		if _, has := members[folded]; has {
			return folded
		}
		for name := range members {
			if len(name) == len(folded) && naming.Fold(name) == folded {
				return name
			}
		}
	}
	return ""
}

// Of reads an amount: a number, a text, or an object such as {amount, currency}. It reports false for other values.
func Of(v any) (float64, bool) {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	case string:
		f, err := strconv.ParseFloat(v, 64)
		return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
	case map[string]any:
		for _, name := range amountNames() {
			if f, ok := Of(v[named(v, name)]); ok {
				return f, ok
			}
		}
	}
	return 0, false
}

// Like returns the ways to write an amount in the form of another, the most exact first: with up to two decimals, and
// without any.
func Like(like any, f float64) []any {
	switch like := like.(type) {
	case string:
		if strings.Contains(like, ".") {
			return []any{fmt.Sprintf("%.2f", f), fmt.Sprintf("%.0f", f)}
		}
		return []any{fmt.Sprintf("%.0f", f), fmt.Sprintf("%.2f", f)}
	case map[string]any:
		for _, name := range amountNames() {
			name = named(like, name)
			if _, ok := Of(like[name]); ok {
				var objects []any
				for _, v := range Like(like[name], f) {
					objects = append(objects, jsonvalue.WithMember(like, name, v))
				}
				return objects
			}
		}
	}
	return []any{
		json.Number(strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64)),
		json.Number(strconv.FormatFloat(math.Round(f), 'f', 0, 64)),
	}
}
