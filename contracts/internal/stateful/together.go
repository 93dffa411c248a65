package stateful

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// conjunctions are words by which a list says that its filters hold all at once.
var conjunctions = []string{"combin", "all of them", "all of these", "all filters", "all the filters", "all conditions", "all criteria", "every filter", "narrow", "filters together"}

// disjunctions are words by which it says that one is enough.
var disjunctions = []string{"any of them", "any of the filters", "any filter", "at least one", "either", " or'ed", "with or", "logical or", "by or"}

// combines reports whether a list says that an item must satisfy all filters.
func combines(o *spec.Operation) bool {
	said := strings.ToLower(o.Summary + " " + o.Description)
	has := func(word string) bool { return strings.Contains(said, word) }
	return slices.ContainsFunc(conjunctions, has) && !slices.ContainsFunc(disjunctions, has)
}

// maxTogether is how many pairs of filters are asked for at once.
const maxTogether = 3

// together asks for two filters at once, where the document says that an item must
// satisfy all of them.
func (t *tester) together(scope map[string]string, whole *walk) {
	if !combines(whole.list.Operation) {
		return
	}
	var filters []*resource.Param
	for i := range whole.list.List.Params {
		if p := &whole.list.List.Params[i]; p.Role == resource.Filter && len(p.Property) > 0 && p.Member == "" {
			filters = append(filters, p)
		}
	}
	tried := 0
	for i, p := range filters {
		for _, q := range filters[i+1:] {
			if tried == maxTogether {
				return
			}
			if slices.Equal(p.Property, q.Property) {
				continue
			}
			if t.pair(scope, p, q, whole) {
				tried++
			}
		}
	}
}

// pair asks for the values that an item has of two filters, where another item has
// one of them alone. It reports whether there are such items.
func (t *tester) pair(scope map[string]string, p, q *resource.Param, whole *walk) bool {
	for _, item := range whole.items {
		a, b := scalarAt(item, p.Property), scalarAt(item, q.Property)
		if a == nil || b == nil {
			continue
		}
		tells := slices.ContainsFunc(whole.items, func(other any) bool {
			one, known := chosen(p, valueAt(other, p.Property), a)
			two, also := chosen(q, valueAt(other, q.Property), b)
			return known && also && one != two
		})
		if !tells {
			continue
		}
		first, ok := t.asked(whole.list, p, a)
		second, also := t.asked(whole.list, q, b)
		if !ok || !also {
			return false
		}
		w := t.walk(scope, map[string]any{p.Parameter.Name: first, q.Parameter.Name: second}, fmt.Sprintf("the items with %s %s and %s %s", p.Name(), text(a), q.Name(), text(b)))
		if w == nil || !w.whole {
			return true
		}
		for _, got := range w.items {
			for at, f := range []*resource.Param{p, q} {
				is := valueAt(got, f.Property)
				if fits, known := chosen(f, is, []any{a, b}[at]); known && !fits && is != nil {
					t.report("filter", "query."+p.Name()+" and query."+q.Name(), fmt.Sprintf("the filters %s=%s and %s=%s together give an item with %s %s", p.Name(), text(a), q.Name(), text(b), strings.Join(f.Property, "."), text(is)), w.last())
					return true
				}
			}
		}
		return true
	}
	return false
}

func valueAt(item any, property []string) any {
	value, _ := resource.Get(item, property)
	return value
}

// scalarAt is valueAt for what is one value; nil for anything else.
func scalarAt(item any, property []string) any {
	switch value := valueAt(item, property).(type) {
	case map[string]any, []any:
		return nil
	default:
		return value
	}
}
