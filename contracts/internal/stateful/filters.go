package stateful

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
)

// filters asks for each filter of a list by values that items have.
func filters(t *tester) {
	b := t.binding(resource.List)
	if b == nil || b.List == nil {
		return
	}
	scope := t.scope(b, "")
	if scope == nil {
		return
	}
	chosen := false
	for _, p := range b.List.Params {
		chosen = chosen || p.Role == resource.Filter && len(p.Property) > 0
	}
	if !chosen {
		return
	}
	if !t.ReadOnly {
		for range 4 {
			if t.create(scope, request{all: true, title: "create an item to be found"}) == nil {
				break
			}
		}
	}
	whole := t.walk(scope, nil, "the whole list")
	if whole == nil || !whole.whole || len(whole.items) == 0 {
		return
	}
	for i := range b.List.Params {
		if p := &b.List.Params[i]; p.Role == resource.Filter && len(p.Property) > 0 {
			t.filter(scope, p, whole)
		}
	}
	t.together(scope, whole)
}

// maxFilterValues is how many values a filter is asked for.
const maxFilterValues = 2

// filter asks one filter.
func (t *tester) filter(scope map[string]string, p *resource.Param, whole *walk) {
	asked := map[string]bool{}
	others := t.fewValues(p)
	for _, item := range append(others, whole.items...) {
		value, ok := resource.Get(item, p.Property)
		if list, is := value.([]any); is {
			if len(list) == 0 {
				continue
			}
			value = list[0]
		}
		if !ok || value == nil || asked[text(value)] || len(asked) == maxFilterValues+len(others) {
			continue
		}
		sent, ok := t.asked(whole.list, p, value)
		if !ok {
			continue
		}
		asked[text(value)] = true
		w := t.walk(scope, map[string]any{p.Parameter.Name: sent}, fmt.Sprintf("the items with %s %s %s", strings.Join(p.Property, "."), p.Compare, text(value)))
		if w == nil || !w.whole {
			continue
		}
		for _, got := range w.items {
			is, has := resource.Get(got, p.Property)
			if fits, known := chosen(p, is, value); has && known && !fits {
				t.report("filter", "query."+p.Name(), fmt.Sprintf("the filter %s=%s gives an item with %s", p.Name(), text(value), text(is)), w.last())
				return
			}
		}
		if missing := t.leftOut(w, whole, func(is any) (bool, bool) { return chosen(p, is, value) }, p); missing != "" {
			t.report("filter", "query."+p.Name(), fmt.Sprintf("the filter %s=%s leaves out %s, which is so", p.Name(), text(value), missing), whole.last(), w.last())
			return
		}
		t.counted(w)
	}
	t.several(scope, p, whole)
}

// asked gives what a filter's parameter is sent with to ask for a value, false
// where it does not take it.
func (t *tester) asked(list *resource.Binding, p *resource.Param, value any) (any, bool) {
	for _, sent := range []any{value, []any{value}} {
		if p.Member != "" {
			sent = map[string]any{p.Member: sent}
		}
		if t.Builder(list.Operation).Takes(p.Parameter.Name, sent) {
			return sent, true
		}
	}
	return nil, false
}

// leftOut gives the key of an item that a filter should have given and has not,
// "" where there is none.
func (t *tester) leftOut(w, whole *walk, fits func(any) (fits, known bool), p *resource.Param) string {
	got, ok := w.keys(t)
	all, also := whole.keys(t)
	if !ok || !also {
		return ""
	}
	for i, item := range whole.items {
		is, has := resource.Get(item, p.Property)
		if yes, known := fits(is); has && is != nil && known && yes && !slices.Contains(got, all[i]) {
			return fmt.Sprintf("the item %q", all[i])
		}
	}
	return ""
}

// several asks a filter that takes a list for two values: items with either are
// meant.
func (t *tester) several(scope map[string]string, p *resource.Param, whole *walk) {
	if p.Compare != resource.Equal || p.Member != "" {
		return
	}
	var values []any
	lists := false
	for _, item := range whole.items {
		value, ok := resource.Get(item, p.Property)
		if list, is := value.([]any); is {
			if lists = true; len(list) == 0 {
				continue
			}
			value = list[0]
		}
		if !ok || value == nil {
			continue
		}
		if !slices.ContainsFunc(values, func(v any) bool { return text(v) == text(value) }) {
			values = append(values, value)
		}
	}
	if len(values) < 2 || !t.Builder(whole.list.Operation).Takes(p.Parameter.Name, values[:2]) {
		return
	}
	values = values[:2]
	w := t.walk(scope, map[string]any{p.Parameter.Name: values}, fmt.Sprintf("the items with %s one of %s", strings.Join(p.Property, "."), text(values)))
	if w == nil || !w.whole {
		return
	}
	either := func(is any) (bool, bool) {
		one, known := chosen(p, is, values[0])
		other, also := chosen(p, is, values[1])
		return one || other, known && also || one && known || other && also
	}
	for _, got := range w.items {
		is, has := resource.Get(got, p.Property)
		if fits, known := either(is); has && known && !fits {
			t.report("filter", "query."+p.Parameter.Name+" several", fmt.Sprintf("the filter %s=%s gives an item with %s", p.Parameter.Name, text(values), text(is)), w.last())
			return
		}
	}
	wanted := either
	if lists { // some mean that an item has all of them
		wanted = func(is any) (bool, bool) {
			one, _ := chosen(p, is, values[0])
			other, _ := chosen(p, is, values[1])
			return one && other, true
		}
	}
	if missing := t.leftOut(w, whole, wanted, p); missing != "" {
		t.report("filter", "query."+p.Parameter.Name+" several", fmt.Sprintf("the filter %s=%s leaves out %s, which is so", p.Parameter.Name, text(values), missing), whole.last(), w.last())
	}
}

// fewValues gives items, made up, with each value of a property that has few:
// a filter for one that no item has gives none.
func (t *tester) fewValues(p *resource.Param) []any {
	if p.Compare != resource.Equal || p.Schema == nil || len(p.Property) != 1 {
		return nil
	}
	var values []any
	k := resolved(p.Schema)
	switch {
	case k.Enum != nil && len(k.Enum.Values) <= maxFewValues:
		values = k.Enum.Values
	case k.Types != nil && slices.Equal(k.Types.ToStrings(), []string{"boolean"}):
		values = []any{true, false}
	}
	items := make([]any, len(values))
	for i, value := range values {
		items[i] = map[string]any{p.Property[0]: value}
	}
	return items
}

// maxFewValues is how many values an enumeration has at most whose values are
// all asked for.
const maxFewValues = 8

// counted holds the totals of a list that a filter chose from to what came.
func (t *tester) counted(w *walk) {
	body := itempool.Body(w.pages[0])
	for _, f := range w.list.List.Fields {
		if f.Role != resource.Total {
			continue
		}
		value, ok := resource.Get(body, f.Path)
		if got, is := number(value); ok && is && got != len(w.items) {
			t.report("paging", "body."+joined(f.Path), fmt.Sprintf("is %d for a filter that gives %d items", got, len(w.items)), w.pages[0])
		}
	}
}

// matches reports whether a property's value is what a filter asks for; known is
// false where that cannot be told.
func matches(c resource.Compare, is, asked any) (fits, known bool) {
	if list, ok := is.([]any); ok {
		for _, element := range list {
			if fits, known := matches(c, element, asked); known && fits {
				return true, true
			}
		}
		return false, true
	}
	if is == nil {
		return false, c == resource.Equal
	}
	if c == resource.Contains {
		a, ok := is.(string)
		b, also := asked.(string)
		return ok && also && strings.Contains(strings.ToLower(a), strings.ToLower(b)), ok && also
	}
	order, comparable := compareValues(is, asked)
	if !comparable {
		return false, false
	}
	switch c {
	case resource.NotEqual:
		return order != 0, true
	case resource.Less:
		return order < 0, true
	case resource.AtMost:
		return order <= 0, true
	case resource.Greater:
		return order > 0, true
	case resource.AtLeast:
		return order >= 0, true
	}
	if a, ok := is.(string); ok && order != 0 {
		if b, ok := asked.(string); ok && (strings.EqualFold(a, b) || strings.Contains(strings.ToLower(a), strings.ToLower(b))) {
			return true, false // a filter may be lenient with text
		}
	}
	return order == 0, true
}

// chosen is matches for a filter: where it has few values, and the property shows
// another of them, there is nothing to be lenient with.
func chosen(p *resource.Param, is, asked any) (fits, known bool) {
	fits, known = matches(p.Compare, is, asked)
	if known || p.Compare != resource.Equal || p.Member != "" || p.Parameter.Schema == nil {
		return fits, known
	}
	if few := resolved(p.Parameter.Schema.Keywords).Enum; few != nil && slices.Contains(few.Values, is) && slices.Contains(few.Values, asked) {
		return false, true
	}
	return fits, known
}

// compareValues orders two values of one type.
func compareValues(a, b any) (order int, comparable bool) {
	switch x := a.(type) {
	case json.Number:
		y, ok := b.(json.Number)
		if !ok {
			return 0, false
		}
		return compareNumbers(x, y), true
	case string:
		y, ok := b.(string)
		if !ok {
			return 0, false
		}
		if at, err := time.Parse(time.RFC3339, x); err == nil {
			if other, err := time.Parse(time.RFC3339, y); err == nil {
				return at.Compare(other), true
			}
		}
		return strings.Compare(x, y), true
	case bool:
		y, ok := b.(bool)
		if !ok {
			return 0, false
		}
		if x == y {
			return 0, true
		}
		return 1, true
	}
	return 0, false
}
