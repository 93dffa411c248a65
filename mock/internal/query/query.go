// Package query implements the query options of lists: it filters, searches and sorts items, divides lists into pages
// and describes the pages. It has no state.
package query

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// Query has the query options of a request for a list.
type Query struct {
	Filters []Filter
	Search  string // in lower case; "" if none
	Sort    []resource.OrderKey
	Fields  []string // nil for all

	// Set for options that were sent; the rest are defaults.
	FilterSent, PageSent, OrderSent bool
	// NewestFirst reverses the list before it is sorted.
	NewestFirst bool

	Limit  int // -1 if not set
	Offset int
	Page   int    // from 0
	ByPage bool   // Page was set
	After  string // a cursor; "" if none
	Before string
}

// Filter selects items.
type Filter struct {
	Property []string
	Compare  resource.Compare
	Values   []any  // an item must match any of them
	Text     bool   // see resource.Param
	Inverse  bool   // items match that otherwise do not
	Every    bool   // an array must have all of the values
	Within   string // the member of the elements of an array that is compared; "" for the elements
}

// Read reads a request's query by the meaning of the document's parameters.
func Read(list *resource.Listing, query map[string]any) *Query {
	q := &Query{Limit: -1}
	var sorts []any
	descending := false
	for i := range list.Params {
		p := &list.Params[i]
		value, given := sent(p, query)
		if value == nil {
			continue
		}
		switch p.Role {
		case resource.Limit, resource.Skip, resource.PageNumber, resource.Cursor, resource.CursorBefore:
			q.readPage(p, value)
			q.PageSent = q.PageSent || given
		case resource.Filter:
			f := Filter{
				Property: p.Property, Compare: p.Compare, Values: listOf(value), Text: p.Text, Every: p.Every, Within: p.Within,
			}
			if isForAll(f.Values, p) {
				continue
			}
			if p.Literal != nil {
				f.Values, f.Inverse = p.Literal, value == false || value == "false"
			}
			q.FilterSent = q.FilterSent || given
			q.Filters = append(q.Filters, f)
		case resource.Search:
			q.Search = strings.ToLower(textOf(value))
		case resource.Fields:
			q.Fields = Fields(value)
		case resource.Sort:
			sorts = sortsOf(p, value)
			q.OrderSent = q.OrderSent || given
		case resource.SortDirection:
			descending = resource.IsDescending(textOf(value))
			q.OrderSent = q.OrderSent || given
		}
	}
	q.sortBy(&list.Order, sorts, descending)
	return q
}

// sortsOf returns the values of a Sort; objects are written as the properties that they name, with a minus.
func sortsOf(p *resource.Param, value any) []any {
	values := listOf(value)
	for i, v := range values {
		if object, ok := v.(map[string]any); ok && p.By != "" {
			name := textOf(object[p.By])
			if resource.IsDescending(textOf(object[p.Down])) {
				name = "-" + name
			}
			values = slices.Concat(values[:i], []any{name}, values[i+1:])
		}
	}
	return values
}

func (q *Query) readPage(p *resource.Param, value any) {
	switch p.Role {
	case resource.Limit:
		q.Limit = wholeNumber(value, -1)
	case resource.Skip:
		q.Offset = wholeNumber(value, 0)
	case resource.PageNumber:
		q.ByPage, q.Page = true, wholeNumber(value, 0)
		if !p.Zero {
			q.Page = max(0, q.Page-1)
		}
	case resource.Cursor:
		q.After = textOf(value)
	case resource.CursorBefore:
		q.Before = textOf(value)
	}
}

// Fields returns the names of properties in a list of them, or in a text that separates them by commas.
func Fields(value any) (names []string) {
	for _, element := range listOf(value) {
		for name := range strings.SplitSeq(textOf(element), ",") {
			if name = strings.TrimSpace(name); name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// sent returns the value of a parameter, the default if it was not sent.
func sent(p *resource.Param, query map[string]any) (value any, given bool) {
	value, given = query[p.Parameter.Name]
	if given && p.Member != "" {
		object, _ := value.(map[string]any)
		value, given = object[p.Member]
	}
	if !given {
		value = p.Default
	}
	return value, given
}

func textOf(value any) string {
	text, _ := jsonvalue.Text(value)
	return text
}

// isForAll reports whether a filter's only value means all values: a word that no item has as a value, or that the
// document names as the default: status=all.
func isForAll(values []any, p *resource.Param) bool {
	if len(values) != 1 {
		return false
	}
	if p.All != nil && values[0] == p.All {
		return true
	}
	if p.Schema == nil || spec.Conforms(p.Schema, values[0]) {
		return false
	}
	text, isText := values[0].(string)
	return isText && (text == "" || text == "*" || forAll.Has(strings.ToLower(text)))
}

// forAll are the values of filters that every item matches.
var forAll = words.RoleOf("no-filter-value")

func listOf(value any) []any {
	if elements, ok := value.([]any); ok {
		return elements
	}
	return []any{value}
}

// largest limits numbers in a query, so that sums do not overflow.
const largest = 1 << 40

func wholeNumber(value any, otherwise int) int {
	text, n := textOf(value), 0
	if text == "" {
		return otherwise
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return otherwise
		}
		if n = n*10 + int(text[i]-'0'); n > largest {
			return largest
		}
	}
	return n
}

// Narrows reports whether the query filters or searches.
func (q *Query) Narrows() bool { return len(q.Filters) > 0 || q.Search != "" }

func (f *Filter) matchesValue(value any) bool {
	values := []any{value}
	if elements, ok := value.([]any); ok {
		if values = elements; len(values) == 0 {
			values = []any{nil}
		}
	}
	has := func(wanted any) bool {
		return slices.ContainsFunc(values, func(v any) bool {
			if object, ok := v.(map[string]any); ok && f.Within != "" {
				v = object[f.Within]
			}
			return f.compares(v, wanted)
		})
	}
	found := slices.ContainsFunc(f.Values, has)
	if f.Every {
		found = !slices.ContainsFunc(f.Values, func(wanted any) bool { return !has(wanted) })
	}
	return found != (f.Compare == resource.NotEqual) != f.Inverse
}

func (f *Filter) compares(value, wanted any) bool {
	switch f.Compare {
	case resource.Equal, resource.NotEqual:
		return jsonvalue.Same(value, wanted)
	case resource.Contains:
		have, ok := jsonvalue.Text(value)
		part, also := jsonvalue.Text(wanted)
		return ok && also && strings.Contains(strings.ToLower(have), strings.ToLower(part))
	case resource.Begins:
		have, ok := jsonvalue.Text(value)
		part, also := jsonvalue.Text(wanted)
		return ok && also && strings.HasPrefix(have, part)
	}
	if rank := jsonvalue.Rank(value); rank != jsonvalue.Rank(wanted) || rank == 4 {
		return false
	}
	switch c := jsonvalue.Order(value, wanted); f.Compare {
	case resource.Less:
		return c < 0
	case resource.AtMost:
		return c <= 0
	case resource.Greater:
		return c > 0
	default:
		return c >= 0
	}
}

const maxSearchDepth = 8

func containsText(value any, text string, depth int) bool {
	if depth > maxSearchDepth {
		return false
	}
	switch v := value.(type) {
	case string:
		return strings.Contains(strings.ToLower(v), text)
	case []any:
		return slices.ContainsFunc(v, func(element any) bool { return containsText(element, text, depth+1) })
	case map[string]any:
		for _, member := range v {
			if containsText(member, text, depth+1) {
				return true
			}
		}
	}
	return false
}

// sortBy reads what a list is sorted by: the values of its parameter, else the direction, else what the operation's
// text promises.
func (q *Query) sortBy(order *resource.Order, values []any, descending bool) {
	if len(values) == 0 {
		sorting := order.Default
		if descending {
			sorting = resource.Sorting{NewestFirst: true}
		}
		q.Sort, q.NewestFirst = sorting.Keys, sorting.NewestFirst
		return
	}
	for _, value := range values {
		sorting := order.Read(textOf(value), descending)
		if len(q.Sort) == 0 {
			q.NewestFirst = sorting.NewestFirst
		}
		q.Sort = append(q.Sort, sorting.Keys...)
	}
}

// Loosen makes filters by texts that people write accept a part of the text. It reports whether there are any.
func (q *Query) Loosen() (loosened bool) {
	for i := range q.Filters {
		if f := &q.Filters[i]; f.Text {
			f.Compare, f.Text, loosened = resource.Contains, false, true
		}
	}
	return loosened
}
