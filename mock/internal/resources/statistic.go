package resources

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/query"
)

// statistics answers with what follows from the items of lists.
func statistics(q *Request) error {
	if q.op.Media != q.media || q.media == nil || q.op.around == nil {
		return errNotHandled
	}
	body := q.op.around()
	of := map[*resource.Binding][]Item{}
	for _, s := range q.op.Statistics {
		items, known := of[s.Of]
		if !known {
			if items, known = q.listed(s.Of); !known {
				return errNotHandled
			}
			of[s.Of] = items
		}
		body = jsonvalue.WithProperty(body, s.Path, statistic(&s, items))
	}
	if !q.media.Conforms(body) {
		return errNotHandled
	}
	q.answer.SetConforming(q.media, q.as, body)
	return nil
}

// withFacets returns the body of a list with the numbers of all items that its filters choose.
func (q *Request) withFacets(body any, l *listView, wanted *query.Query) any {
	all := l.all(q.op.runtime, false)
	if c := conditionOf(q, l, wanted); c != nil {
		all = c.among(q, all)
	}
	items := decoded(q, slices.Collect(all))
	for i := range q.op.List.Facets {
		s := &q.op.List.Facets[i]
		if counted := jsonvalue.WithProperty(body, s.Path, statistic(s, items)); q.media.Conforms(counted) {
			body = counted
		}
	}
	return body
}

// listed returns the items of a list below the same parents, filtered by the request's query; false if the
// list is not made of items.
func (q *Request) listed(list *resource.Binding) ([]Item, bool) {
	op := q.set.operations[list.Operation]
	if op == nil || op.List == nil || len(list.Scope) > len(q.Variables) {
		return nil, false
	}
	path := map[string]any{}
	for i, v := range list.Scope {
		path[v.Name] = numberOrText(q.Variables[i])
	}
	sub := *q
	sub.Request, sub.op = getRequest(q, list.Operation, q.Variables[:len(list.Scope)], path), op
	sub.collection = op.Collection(sub.pathText)
	if op.listsAllParents() {
		sub.collection = ""
	}
	first := initial(&sub)
	view := newListView(q.view(), sub.collection, first, false)
	wanted := query.Read(op.List, q.Values.Query)
	items := slices.Collect(view.all(op.runtime, false))
	if c := conditionOf(&sub, view, wanted); c != nil {
		items = view.among(&sub, c)
	}
	return decoded(q, items), !first.examples
}

// statistic returns the value of a statistic of items.
func statistic(s *resource.Statistic, items []Item) any {
	sum, n := 0.0, 0
	groups := map[string]int{}
	for _, value := range s.Values {
		groups[value] = 0
	}
	for _, item := range items {
		if list, isList := item.Value[s.Property].([]any); isList && s.Kind == resource.ItemGroups {
			for _, element := range list {
				if text, isText := jsonvalue.Text(element); isText {
					groups[text]++
				}
			}
			continue
		}
		text, has := jsonvalue.Text(item.Value[s.Property])
		switch {
		case s.Kind == resource.ItemGroups && has:
			groups[text]++
		case s.Kind == resource.ItemCount:
			if s.Property == "" || s.Set && item.Value[s.Property] != nil || !s.Set && text == s.Value {
				n++
			}
		case has:
			if number, err := strconv.ParseFloat(text, 64); err == nil {
				sum, n = sum+number, n+1
			}
		}
	}
	switch s.Kind {
	case resource.ItemGroups:
		return groupsOf(s, groups)
	case resource.ItemSum:
		return number(sum)
	case resource.ItemMean:
		return mean(sum, n)
	}
	if s.Whole != 0 {
		const places = 1e4
		return number(math.Round(s.Whole*float64(n)/float64(max(len(items), 1))*places) / places)
	}
	return number(float64(n))
}

func groupsOf(s *resource.Statistic, groups map[string]int) any {
	counted := map[string]any{}
	for value, n := range groups {
		counted[value] = number(float64(n))
	}
	if s.Element[0] == "" {
		return counted
	}
	list := []any{}
	for _, value := range slices.Sorted(maps.Keys(counted)) {
		list = append(list, map[string]any{s.Element[0]: value, s.Element[1]: counted[value]})
	}
	return list
}

// mean returns the mean of n numbers, to two places; nil if none.
func mean(sum float64, n int) any {
	if n == 0 {
		return nil
	}
	const places = 100
	return number(math.Round(sum/float64(n)*places) / places)
}

// number returns a number as JSON has it.
func number(value float64) any { return json.Number(strconv.FormatFloat(value, 'f', -1, 64)) }
