package stateful

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
)

const (
	maxFilterValues = 2 // that a filter is tested with, besides those of an enumeration
	maxEnumValues   = 8 // of an enumeration whose values are all tested
	maxFilterPairs  = 3 // that are tested at once
)

// filters tests each filter of a list with values that items have.
func filters(t *tester) {
	b := t.mustOperation(resource.List)
	scope := t.mustScope(b)
	var all []*resource.Param
	for i := range b.List.Params {
		if p := &b.List.Params[i]; p.Role == resource.Filter && len(p.Property) > 0 {
			all = append(all, p)
		}
	}
	t.require(len(all) > 0)
	if !t.ReadOnly {
		createSome(t, request{scope: scope, all: true, title: "create an item to be found"}, 4)
	}
	whole := t.mustList(scope, nil, "the whole list")
	t.require(len(whole.items) > 0)
	for _, p := range all {
		t.step(func() {
			filterEach(t, scope, p, whole)
			filterEither(t, scope, p, whole)
		})
	}
	filterPairs(t, scope, all, whole)
}

// matcher reports whether a property's value matches a filter; known is false where
// the document does not say so.
type matcher func(value any) (matches, known bool)

// selection is a request for the items that match a filter.
type selection struct {
	filter *resource.Param
	about  string // the place that is reported
	asked  string // the filter and its values, for messages
	// allowed matches the items that may be given, and required those that must be.
	allowed, required matcher
}

// checkAllowed checks that a filtered list has only items that match. A violation
// ends the step.
func (s selection) checkAllowed(t *tester, filtered *listing) {
	for _, item := range filtered.items {
		is, has := resource.Get(item, s.filter.Property)
		if matches, known := s.allowed(is); has && known && !matches {
			t.report("filter", s.about, exchanges{filtered.last()}, "%s: an item with %s %s is in the list",
				s.asked, strings.Join(s.filter.Property, "."), text(is))
			t.require(false)
		}
	}
}

// checkRequired checks that a filtered list has every item of the whole list that
// matches. A violation ends the step.
func (s selection) checkRequired(t *tester, filtered, whole *listing) {
	keys, ok := filtered.keys()
	all, also := whole.keys()
	for i, item := range whole.items {
		is := valueAt(item, s.filter.Property)
		if matches, known := s.required(is); ok && also && is != nil && known && matches && !slices.Contains(keys, all[i]) {
			t.report("filter", s.about, exchanges{whole.last(), filtered.last()},
				"%s: the item %q matches, and is missing in the list", s.asked, all[i])
			t.require(false)
		}
	}
}

// filterEach tests a filter with one value after the other.
func filterEach(t *tester, scope map[string]string, p *resource.Param, whole *listing) {
	tested := map[string]bool{}
	enumerated := enumeratedValues(p)
	for _, value := range append(enumerated, valuesOf(whole, p)...) {
		if tested[text(value)] || len(tested) == maxFilterValues+len(enumerated) {
			continue
		}
		sent, ok := t.filterValue(whole.by, p, value)
		if !ok {
			continue
		}
		tested[text(value)] = true
		filtered := t.list(scope, map[string]any{p.Parameter.Name: sent},
			fmt.Sprintf("the items with %s %s %s", strings.Join(p.Property, "."), p.Compare, text(value)))
		if filtered == nil {
			continue
		}
		matches := func(is any) (bool, bool) { return matchesFilter(p, is, value) }
		s := selection{p, "query." + p.Name(), "the filter " + p.Name() + "=" + text(value), matches, matches}
		s.checkAllowed(t, filtered)
		s.checkRequired(t, filtered, whole)
		checkTotal(t, filtered)
	}
}

// filterEither tests a filter that takes a list with two values: items with either
// match.
func filterEither(t *tester, scope map[string]string, p *resource.Param, whole *listing) {
	t.require(p.Compare == resource.Equal && p.Member == "")
	var values []any
	for _, value := range valuesOf(whole, p) {
		if !slices.ContainsFunc(values, func(v any) bool { return text(v) == text(value) }) {
			values = append(values, value)
		}
	}
	t.require(len(values) >= 2 && t.takes(whole.by, p, values[:2]))
	values = values[:2]
	filtered := t.mustList(scope, map[string]any{p.Parameter.Name: values},
		fmt.Sprintf("the items with %s one of %s", strings.Join(p.Property, "."), text(values)))
	either := func(is any) (bool, bool) {
		first, known := matchesFilter(p, is, values[0])
		second, also := matchesFilter(p, is, values[1])
		return first || second, known && also || first && known || second && also
	}
	required := either
	if slices.ContainsFunc(whole.items, func(item any) bool { return isList(valueAt(item, p.Property)) }) {
		required = func(is any) (bool, bool) { // some backends give the items that have both
			first, _ := matchesFilter(p, is, values[0])
			second, _ := matchesFilter(p, is, values[1])
			return first && second, true
		}
	}
	about := "query." + p.Parameter.Name + " several"
	s := selection{p, about, "the filter " + p.Name() + "=" + text(values), either, required}
	s.checkAllowed(t, filtered)
	s.checkRequired(t, filtered, whole)
}

// The words by which a list says that an item must match all filters, or one of them.
var (
	conjunctions = []string{
		"combin", "all of them", "all of these", "all filters", "all the filters", "all conditions", "all criteria",
		"every filter", "narrow", "filters together",
	}
	disjunctions = []string{
		"any of them", "any of the filters", "any filter", "at least one", "either", " or'ed", "with or", "logical or", "by or",
	}
)

// filterPairs tests two filters at once, where the document says that an item must
// match all of them.
func filterPairs(t *tester, scope map[string]string, all []*resource.Param, whole *listing) {
	description := strings.ToLower(whole.by.Operation.Summary + " " + whole.by.Operation.Description)
	t.require(containsAny(description, conjunctions...) && !containsAny(description, disjunctions...))
	all = slices.DeleteFunc(all, func(p *resource.Param) bool { return p.Member != "" })
	tested := 0
	for i, p := range all {
		for _, q := range all[i+1:] {
			if tested < maxFilterPairs && !slices.Equal(p.Property, q.Property) && filterPair(t, scope, p, q, whole) {
				tested++
			}
		}
	}
}

// filterPair asks for the values that an item has of two properties, where another
// item has only one of them. It reports whether there are such items.
func filterPair(t *tester, scope map[string]string, p, q *resource.Param, whole *listing) bool {
	for _, item := range whole.items {
		a, b := valueAt(item, p.Property), valueAt(item, q.Property)
		if a == nil || b == nil || isComposite(a) || isComposite(b) {
			continue
		}
		onlyOne := slices.ContainsFunc(whole.items, func(other any) bool {
			first, known := matchesFilter(p, valueAt(other, p.Property), a)
			second, also := matchesFilter(q, valueAt(other, q.Property), b)
			return known && also && first != second
		})
		if !onlyOne {
			continue
		}
		first, ok := t.filterValue(whole.by, p, a)
		second, also := t.filterValue(whole.by, q, b)
		if !ok || !also {
			return false
		}
		filtered := t.list(scope, map[string]any{p.Parameter.Name: first, q.Parameter.Name: second},
			fmt.Sprintf("the items with %s %s and %s %s", p.Name(), text(a), q.Name(), text(b)))
		if filtered == nil {
			return true
		}
		about := "query." + p.Name() + " and query." + q.Name()
		asked := fmt.Sprintf("the filters %s=%s and %s=%s together", p.Name(), text(a), q.Name(), text(b))
		matches := func(f *resource.Param, value any) matcher {
			return func(is any) (bool, bool) {
				matches, known := matchesFilter(f, is, value)
				return matches, known && is != nil
			}
		}
		t.step(func() {
			selection{p, about, asked, matches(p, a), nil}.checkAllowed(t, filtered)
			selection{q, about, asked, matches(q, b), nil}.checkAllowed(t, filtered)
		})
		return true
	}
	return false
}

// filterValue gives the value of a filter's parameter that asks for a value of the
// property, false where it takes none.
func (t *tester) filterValue(list *resource.Binding, p *resource.Param, value any) (any, bool) {
	for _, sent := range []any{value, []any{value}} {
		if p.Member != "" {
			sent = map[string]any{p.Member: sent}
		}
		if t.takes(list, p, sent) {
			return sent, true
		}
	}
	return nil, false
}

// valuesOf gives the values that the items of a list have of a filter's property,
// the first element of an array.
func valuesOf(list *listing, p *resource.Param) []any {
	var values []any
	for _, item := range list.items {
		value := valueAt(item, p.Property)
		if elements, ok := value.([]any); ok {
			if value = nil; len(elements) > 0 {
				value = elements[0]
			}
		}
		if value != nil {
			values = append(values, value)
		}
	}
	return values
}

// enumeratedValues gives the values of a property that has few: a filter for one
// that no item has gives none.
func enumeratedValues(p *resource.Param) []any {
	if p.Compare != resource.Equal || p.Schema == nil || len(p.Property) != 1 {
		return nil
	}
	var values []any
	if all := schema.Values(p.Schema); len(all) <= maxEnumValues {
		values = slices.DeleteFunc(slices.Clone(all), func(value any) bool { return value == nil })
	}
	if values == nil && slices.Equal(schema.Types(schema.Resolve(p.Schema)), []string{"boolean"}) {
		values = []any{true, false}
	}
	return values
}

// checkTotal checks the totals of a filtered list.
func checkTotal(t *tester, l *listing) {
	first := l.pages[0]
	for _, f := range l.by.List.Fields {
		got, ok := integerOf(valueAt(itempool.Body(first), f.Path))
		if f.Role == resource.Total && ok && got != len(l.items) {
			t.report("paging", "body."+strings.Join(f.Path, "."), exchanges{first},
				"is %d for a filter that gives %d items", got, len(l.items))
		}
	}
}

// matchesFilter reports whether a property's value is what a filter asks for. Other
// text may match in a backend that is lenient, but not where the filter and the
// property have the same few values.
func matchesFilter(p *resource.Param, is, asked any) (matches, known bool) {
	matches, known = compareFilter(p.Compare, is, asked)
	if known || p.Compare != resource.Equal || p.Member != "" || p.Parameter.Schema == nil {
		return matches, known
	}
	values := schema.Values(p.Parameter.Schema.Keywords)
	bothListed := slices.Contains(values, is) && slices.Contains(values, asked)
	return matches && !bothListed, bothListed
}

func compareFilter(c resource.Compare, is, asked any) (matches, known bool) {
	if elements, ok := is.([]any); ok {
		return slices.ContainsFunc(elements, func(element any) bool {
			matches, known := compareFilter(c, element, asked)
			return matches && known
		}), true
	}
	if is == nil {
		return false, c == resource.Equal
	}
	a, isText := is.(string)
	b, also := asked.(string)
	a, b = strings.ToLower(a), strings.ToLower(b)
	if c == resource.Contains {
		return isText && also && strings.Contains(a, b), isText && also
	}
	order, comparable := order(is, asked)
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
	if order != 0 && isText && also && strings.Contains(a, b) {
		return true, false // a filter may be lenient with text
	}
	return order == 0, true
}

func isList(value any) bool {
	_, ok := value.([]any)
	return ok
}
