package resources

import (
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/query"
)

// listOfKinds returns the list of items of several types; nil if some are not kept.
func (s *Set) listOfKinds(b *resource.Binding, o Options) *Operation {
	op := s.runtimes[b.Resource].newOperation(b, o)
	for _, kind := range b.Kinds {
		k := s.runtimes[kind.List.Resource]
		if k == nil {
			return nil
		}
		op.kinds = append(op.kinds, k.newOperation(kind.List, o))
	}
	return op
}

// listKinds answers a list of items of several types, one type after the other: those that the request filters and
// searches by the properties of their type. Nothing is kept of any before the first item is created.
func listKinds(q *Request) error {
	shown, isKept := []any{}, false
	for i, kind := range q.op.kinds {
		about, as := *q, q.op.Kinds[i]
		about.op, about.collection = kind, kind.Collection(q.pathText)
		if kind.listsAllParents() {
			about.collection = ""
		}
		isKept = isKept || wasKept(&about, q.view())
		if asked, isAsked := q.Values.Query[as.Property]; isAsked && !jsonvalue.Same(asked, as.Value) {
			continue
		}
		wanted := wantedOf(&about)
		all := &query.Query{Filters: wanted.Filters, Search: wanted.Search, Sort: wanted.Sort, Limit: -1}
		_, items := page(&about, newListView(q.view(), about.collection, initial(&about), false), all, pageLinks(&about), 0)
		for _, item := range decoded(&about, items) {
			hit := showElement(&about, kind.elements, item)
			shown = append(shown, jsonvalue.WithProperty(hit, []string{as.Property}, as.Value))
		}
	}
	if !isKept {
		return errNotHandled
	}
	body := any(shown)
	if len(q.op.List.Items.Path) > 0 {
		body = q.op.List.Items.PutItems(q.op.around(), shown)
	}
	if q.asks = wantedOf(q); q.asks.PageSent {
		q.asks.Filters, q.asks.Search = nil, ""
		body = excerpt(q, body)
	}
	if !q.media.Conforms(body) {
		return errNotHandled
	}
	q.answer.SetConforming(q.media, q.as, body)
	return nil
}
