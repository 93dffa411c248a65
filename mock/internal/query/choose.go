package query

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// Query is what a request asks of a list.
type Query struct {
	Filters []Filter
	Asked   bool   // some of the filters were sent, others are defaults
	Cuts    bool   // a limit, a page or a cursor was sent
	Orders  bool   // an order was sent
	Search  string // "" for none
	Sort    []SortKey
	Newest  bool     // the other way round, before it is sorted
	Fields  []string // nil for all

	Limit  int // -1 where nothing is said
	Offset int
	Page   int    // from 0
	Paged  bool   // Page was asked for
	After  string // a cursor; "" for none
	Before string
}

// Filter chooses items.
type Filter struct {
	Property []string
	Compare  resource.Compare
	Values   []any // any of which an item must match
}

// Read reads a request's query by what the document's parameters mean.
// properties are the names that items may be sorted by.
func Read(params []resource.Param, query map[string]any, properties []string) *Query {
	q := &Query{Limit: -1}
	var sorts []any
	style := resource.Minus
	descending := false
	for i := range params {
		p := &params[i]
		value, ok := query[p.Parameter.Name]
		if ok && p.Member != "" {
			object, _ := value.(map[string]any)
			value, ok = object[p.Member]
		}
		if !ok {
			value = p.Default
		}
		if value == nil {
			continue
		}
		switch p.Role {
		case resource.Limit, resource.Skip, resource.PageNumber, resource.Cursor, resource.CursorBefore:
			q.Cuts = q.Cuts || ok
		case resource.Sort, resource.SortDirection:
			q.Orders = q.Orders || ok
		}
		switch p.Role {
		case resource.Limit:
			q.Limit = whole(value, -1)
		case resource.Skip:
			q.Offset = whole(value, 0)
		case resource.PageNumber:
			q.Paged = true
			q.Page = whole(value, 0)
			if !p.Zero {
				q.Page = max(0, q.Page-1)
			}
		case resource.Cursor:
			q.After, _ = jsonvalue.Text(value)
		case resource.CursorBefore:
			q.Before, _ = jsonvalue.Text(value)
		case resource.Sort:
			sorts, style = list(value), p.Sort
		case resource.SortDirection:
			text, _ := jsonvalue.Text(value)
			descending = isDescending(text)
		case resource.Filter:
			if values := list(value); !forAll(values, p) {
				q.Asked = q.Asked || ok
				q.Filters = append(q.Filters, Filter{p.Property, p.Compare, values})
			}
		case resource.Search:
			text, _ := jsonvalue.Text(value)
			q.Search = strings.ToLower(text)
		case resource.Fields:
			for _, element := range list(value) {
				text, _ := jsonvalue.Text(element)
				for name := range strings.SplitSeq(text, ",") {
					q.Fields = append(q.Fields, strings.TrimSpace(name))
				}
			}
		}
	}
	q.sortBy(sorts, style, descending, properties)
	return q
}

// forAll reports whether a filter's one value is a word for all values, which
// no item has itself, or which the document names as what is meant where nothing
// is sent: status=all.
func forAll(values []any, p *resource.Param) bool {
	if len(values) != 1 {
		return false
	}
	if p.All != nil && values[0] == p.All {
		return true
	}
	if p.Schema == nil || spec.Conforms(p.Schema, values[0]) {
		return false
	}
	switch values[0] {
	case "all", "any", "ALL", "ANY", "*", "":
		return true
	}
	return false
}

func list(value any) []any {
	if elements, ok := value.([]any); ok {
		return elements
	}
	return []any{value}
}

// largest bounds what a query can ask for, so that sums do not overflow.
const largest = 1 << 40

func whole(value any, otherwise int) int {
	text, ok := jsonvalue.Text(value)
	if !ok || text == "" {
		return otherwise
	}
	n := 0
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

// Chooses reports whether not all items are shown, in their order or the other
// way round.
func (q *Query) Chooses() bool { return len(q.Filters) > 0 || q.Search != "" || len(q.Sort) > 0 }

// Shows reports whether an item is one of those asked for.
func (q *Query) Shows(item any) bool {
	for i := range q.Filters {
		if !q.Filters[i].takes(item) {
			return false
		}
	}
	return q.Search == "" || holds(item, q.Search, 0)
}

func (f *Filter) takes(item any) bool {
	value, ok := resource.Get(item, f.Property)
	if !ok {
		return f.Compare == resource.NotEqual
	}
	return f.takesValue(value)
}

func (f *Filter) takesValue(value any) bool {
	values := []any{value}
	if elements, ok := value.([]any); ok {
		values = elements
	}
	found := slices.ContainsFunc(values, func(v any) bool {
		return slices.ContainsFunc(f.Values, func(wanted any) bool { return f.compares(v, wanted) })
	})
	return found != (f.Compare == resource.NotEqual)
}

func (f *Filter) compares(value, wanted any) bool {
	switch f.Compare {
	case resource.Equal, resource.NotEqual:
		return jsonvalue.Same(value, wanted)
	case resource.Contains:
		have, ok := jsonvalue.Text(value)
		part, also := jsonvalue.Text(wanted)
		return ok && also && strings.Contains(strings.ToLower(have), strings.ToLower(part))
	}
	if jsonvalue.Rank(value) != jsonvalue.Rank(wanted) || jsonvalue.Rank(value) == 4 {
		return false
	}
	switch c := jsonvalue.Order(value, wanted); f.Compare {
	case resource.Less:
		return c < 0
	case resource.AtMost:
		return c <= 0
	case resource.Greater:
		return c > 0
	}
	return jsonvalue.Order(value, wanted) >= 0
}

const maxSearchDepth = 8

// holds reports whether some text in a value holds another, whatever the case.
func holds(value any, text string, depth int) bool {
	if depth > maxSearchDepth {
		return false
	}
	switch v := value.(type) {
	case string:
		return strings.Contains(strings.ToLower(v), text)
	case []any:
		return slices.ContainsFunc(v, func(element any) bool { return holds(element, text, depth+1) })
	case map[string]any:
		for _, member := range v {
			if holds(member, text, depth+1) {
				return true
			}
		}
	}
	return false
}
