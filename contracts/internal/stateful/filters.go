package stateful

import (
	"cmp"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
)

const (
	maxFilterValues = 2 // that a filter is tested with, besides enumerated values
	maxEnumValues   = 8 // of an enumeration whose values are all tested
	maxFilterPairs  = 6 // that are tested at once
)

func filters(t *tester) {
	b := must(t, t.operation(resource.List))
	scope := t.mustScope(b)
	var all []*resource.Param
	for i, p := range b.List.Params {
		if p.Role == resource.Filter && len(p.Property) > 0 && !p.Near {
			all = append(all, &b.List.Params[i])
		}
	}
	t.require(len(all) > 0)
	t.createSome(request{scope: scope, all: true, title: "create an item to be found"}, 4)
	for _, action := range actionsOf(t) { // so that there are items in other states
		t.step(func() {
			i := must(t, t.create(request{scope: scope, all: true, title: "create an item to act on"}))
			t.require(t.Pool.Bring(t.ctx, i.Item, action.Operation))
			t.send(action, request{item: i, title: "act on it", mayFail: true})
		})
	}
	full := must(t, t.list(scope, nil, "the full list"))
	t.require(len(full.items) > 0)
	for _, p := range all {
		t.step(func() {
			filterByEach(t, scope, p, full)
			filterByTwo(t, scope, p, full)
		})
	}
	filterByPairs(t, scope, all, full)
}

// condition is what one filter asks for.
type condition struct {
	filter *resource.Param
	values []any // items with any of them match
	sent   any   // the parameter's value
}

// matches reports whether a property's value matches any or all values of a
// condition; known is false if backends may differ.
func (c condition) matches(is any) (anyMatches, allMatch, known bool) {
	known, allMatch = true, true
	isCertain := false
	for _, value := range c.values {
		matches, isKnown := matchesFilter(c.filter, is, value)
		anyMatches, allMatch = anyMatches || matches, allMatch && matches
		known, isCertain = known && isKnown, isCertain || matches && isKnown
	}
	return anyMatches, allMatch, known || isCertain
}

// matchesFilter reports whether a property's value is what a filter asks for. Other text may match in a
// backend that is lenient, but not if the filter and the property have the same few values.
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
	a, isText := is.(string)
	b, also := asked.(string)
	contains := isText && also && strings.Contains(strings.ToLower(a), strings.ToLower(b))
	order, comparable := compareScalars(is, asked)
	switch {
	case is == nil:
		return false, c == resource.Equal
	case c == resource.Contains:
		return contains, isText && also
	case !comparable:
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
	return order == 0 || contains, order == 0 || !contains // a filter may be lenient with text
}

// compareScalars compares two scalars of one type.
func compareScalars(a, b any) (order int, comparable bool) {
	if rank := jsonvalue.Rank(a); rank != jsonvalue.Rank(b) || a == nil || isComposite(a) {
		return 0, false
	}
	return jsonvalue.Order(a, b), true
}

// filtered returns the complete list of the items that match some conditions, and
// checks it; nil if none. A violation ends the step.
func filtered(t *tester, scope map[string]string, full *listing, conditions ...condition) *listing {
	values, about, asked := map[string]any{}, []string{}, []string{}
	for _, c := range conditions {
		value, place := c.values[0], "query."+c.filter.Name()
		if len(c.values) > 1 {
			value, place = c.values, place+" several"
		}
		values[c.filter.Parameter.Name] = c.sent
		about, asked = append(about, place), append(asked, c.filter.Name()+"="+text(value))
	}
	filter := "the filter " + strings.Join(asked, " and ")
	list := t.list(scope, values, filter)
	if list == nil {
		return nil
	}
	said := ""
	for _, c := range conditions {
		said = cmp.Or(said, doubtOfParameter(doubt.Filter, c.filter.Parameter))
	}
	reportIf := func(isViolated bool, sent exchanges, message string, args ...any) {
		if !isViolated {
			return
		}
		args, certainty := append([]any{filter}, args...), exchange.Error
		if how := comparesAs(list, full, conditions); how != "" {
			certainty, message = exchange.Warning, message+"; the filter compares in another way: "+how
		}
		t.report(true,
			violation{severity: certainty, check: "filter", about: strings.Join(about, " and "), doubt: said, sent: sent},
			"%s: "+message, args...)
		t.require(false)
	}
	for _, item := range list.items {
		for _, c := range conditions {
			is, has := jsonvalue.Property(item, c.filter.Property)
			matches, _, known := c.matches(is)
			reportIf(has && known && !matches && (is != nil || len(conditions) == 1), exchanges{list.last()},
				"an item with %s %s is in the list", strings.Join(c.filter.Property, "."), text(is))
		}
	}
	keys, ok := list.keys()
	all, also := full.keys()
	if !ok || !also || len(conditions) > 1 {
		return list
	}
	for i, item := range full.items {
		is := valueAt(item, conditions[0].filter.Property)
		matches, allMatch, known := conditions[0].matches(is)
		if _, isList := is.([]any); isList { // some backends return only the items that have all values
			matches = allMatch
		}
		reportIf(is != nil && matches && known && !slices.Contains(keys, all[i]), exchanges{full.last(), list.last()},
			"the item %q matches, and is missing in the list", all[i])
	}
	return list
}

// otherComparisons are those by which backends read a filter for equality.
var otherComparisons = []resource.Compare{resource.NotEqual, resource.Less, resource.AtMost, resource.Greater,
	resource.AtLeast}

// comparesAs names the other comparison by which a filter returns exactly what it returns, "" if none: the
// backend reads the filter in another way. One that returns all or none proves nothing.
func comparesAs(list, full *listing, conditions []condition) string {
	isAny := func(c condition, item any) bool {
		matches, _, _ := c.matches(valueAt(item, c.filter.Property))
		return matches
	}
	keys, all := list.knownKeys(), full.knownKeys()
	isOne := len(conditions) > 1 && len(all) == len(full.items)
	for i := 0; isOne && i < len(all); i++ {
		isOne = slices.Contains(keys, all[i]) == slices.ContainsFunc(conditions, func(c condition) bool {
			return isAny(c, full.items[i])
		})
	}
	if isOne {
		return "one of them is enough"
	}
	if len(list.items) == 0 || len(list.items) == len(full.items) {
		return ""
	}
	for _, other := range otherComparisons {
		isOther := len(all) == len(full.items) && len(keys) == len(list.items)
		for i := 0; isOther && i < len(full.items); i++ {
			matchesAll := !slices.ContainsFunc(conditions, func(c condition) bool {
				matches, known := compareFilter(other, valueAt(full.items[i], c.filter.Property), c.values[0])
				return !matches || !known
			})
			isOther = matchesAll == slices.Contains(keys, all[i])
		}
		if isOther {
			return other.String()
		}
	}
	return ""
}

func filterByEach(t *tester, scope map[string]string, p *resource.Param, full *listing) {
	enumerated, tested := enumeratedValues(p), 0
	for _, value := range valuesOf(full, p, enumerated...) {
		sent, ok := filterValue(t, full.by, p, value)
		if !ok || tested == maxFilterValues+len(enumerated) {
			continue
		}
		tested++
		if list := filtered(t, scope, full, condition{p, []any{value}, sent}); list != nil {
			checkTotal(t, list, full)
		}
	}
}

func filterByTwo(t *tester, scope map[string]string, p *resource.Param, full *listing) {
	values := valuesOf(full, p)
	if p.Compare == resource.Equal && p.Member == "" && len(values) > 1 && t.takes(full.by, p, values[:2]) {
		filtered(t, scope, full, condition{p, values[:2], values[:2]})
	}
}

// filterByPairs tests two filters at once: an item must match both.
func filterByPairs(t *tester, scope map[string]string, all []*resource.Param, full *listing) {
	all = slices.DeleteFunc(all, func(p *resource.Param) bool { return p.Member != "" })
	tested := 0
	for i, p := range all {
		for _, q := range all[i+1:] {
			if tested >= maxFilterPairs || slices.Equal(p.Property, q.Property) {
				continue
			}
			for _, pair := range [][]condition{filterPair(t, p, q, full), filterNone(t, p, q, full)} {
				if pair != nil {
					t.step(func() { filtered(t, scope, full, pair...) })
					tested++
				}
			}
		}
	}
}

// filterPair returns conditions by the values that an item has of two properties, if
// another item has only one of them; nil if none.
func filterPair(t *tester, p, q *resource.Param, full *listing) []condition {
	for _, item := range full.items {
		a, b := valueAt(item, p.Property), valueAt(item, q.Property)
		if a == nil || b == nil || isComposite(a) || isComposite(b) {
			continue
		}
		hasOnlyOne := func(other any) bool {
			first, known := matchesFilter(p, valueAt(other, p.Property), a)
			second, also := matchesFilter(q, valueAt(other, q.Property), b)
			return known && also && first != second
		}
		if slices.ContainsFunc(full.items, hasOnlyOne) {
			first, ok := filterValue(t, full.by, p, a)
			second, also := filterValue(t, full.by, q, b)
			if !ok || !also {
				return nil
			}
			return []condition{{p, []any{a}, first}, {q, []any{b}, second}}
		}
	}
	return nil
}

// filterNone returns conditions by a value of each of two properties, if no item has both; nil if none.
func filterNone(t *tester, p, q *resource.Param, full *listing) []condition {
	some := func(p *resource.Param) []any {
		values := slices.DeleteFunc(valuesOf(full, p), isComposite)
		return values[:min(len(values), maxEnumValues)]
	}
	for _, a := range some(p) {
		for _, b := range some(q) {
			mayHaveBoth := func(item any) bool {
				first, known := matchesFilter(p, valueAt(item, p.Property), a)
				second, also := matchesFilter(q, valueAt(item, q.Property), b)
				return (first || !known) && (second || !also)
			}
			first, ok := filterValue(t, full.by, p, a)
			second, also := filterValue(t, full.by, q, b)
			if ok && also && !slices.ContainsFunc(full.items, mayHaveBoth) {
				return []condition{{p, []any{a}, first}, {q, []any{b}, second}}
			}
		}
	}
	return nil
}

// filterValue returns the value of a filter's parameter that asks for a value of the
// property, false if it takes none.
func filterValue(t *tester, list *resource.Binding, p *resource.Param, value any) (any, bool) {
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

// valuesOf adds to some values those that the items of a list have of a filter's
// property, each once: of an array the first element.
func valuesOf(list *listing, p *resource.Param, values ...any) []any {
	for _, item := range list.items {
		value := valueAt(item, p.Property)
		if elements, ok := value.([]any); ok {
			if value = nil; len(elements) > 0 {
				value = elements[0]
			}
		}
		isValue := func(other any) bool { return text(other) == text(value) }
		if value != nil && !slices.ContainsFunc(values, isValue) {
			values = append(values, value)
		}
	}
	return values
}

// enumeratedValues returns the values of a property that has few: a filter for one that no item has returns no items.
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

// checkTotal compares the total of a filtered list with its items. If the last page has it right, items came meanwhile.
// A total that is the full list's may count all items on purpose.
func checkTotal(t *tester, l, full *listing) {
	first := l.pages[0]
	for _, f := range l.by.List.Fields {
		got, ok := integerOf(valueAt(itempool.Body(first), f.Path))
		last, _ := integerOf(valueAt(itempool.Body(l.last()), f.Path))
		ofAll, _ := integerOf(valueAt(itempool.Body(full.last()), f.Path))
		isWrong := f.Role == resource.Total && ok && got != len(l.items) && last != len(l.items)
		t.report(isWrong,
			violation{severity: severity(got != ofAll), check: "paging", about: "body." + strings.Join(f.Path, "."),
				doubt: l.doubtOfField(f, text(integer(got))), sent: exchanges{first}},
			"is %d for a filter that returns %d items", got, len(l.items))
	}
}
