package resources

import (
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Listed is what a response shows of a list.
type Listed struct {
	Items    []map[string]any // flat
	Keys     []string         // of Items; "" for unknown ones
	IsSorted bool             // the request asks for an order
	HasTotal bool
	Size     int             // items on a page if the request names no number; 0 if nothing says
	Usual    int             // the same in the mock; 0 for all items
	Limit    *spec.Parameter // the parameter for the number; nil if none
}

// Listed returns the list in a response with a decoded body; nil if it has none.
func (s *Set) Listed(q *Request, h exchange.Header, media *spec.MediaType, body any) *Listed {
	if media == nil || !q.bind(s) || q.op.Role != resource.List || q.op.List == nil || media != q.op.Media {
		return nil
	}
	list, wanted := q.op.List, wantedOf(q)
	value, _ := jsonvalue.Property(body, list.Items.Path)
	elements, _ := value.([]any)
	l := &Listed{IsSorted: wanted.OrderSent}
	for _, element := range elements {
		if item, isItem := list.Items.Nesting.Flat(element).(map[string]any); isItem {
			l.Items, l.Keys = append(l.Items, item), append(l.Keys, q.op.runtime.keyOf(item))
		}
	}
	for _, p := range list.Params {
		if p.Role == resource.Limit {
			l.Limit = p.Parameter
		}
	}
	total, hasTotal := numberOf(list, resource.Total, h, body)
	l.HasTotal = hasTotal
	if wanted.PageSent {
		return l
	}
	said, isSaid := numberOf(list, resource.PageSize, h, body)
	more, _ := hasMore(list, h, body)
	switch l.Usual = q.op.pageSize; {
	case isSaid:
		l.Size = said
	case more || hasTotal && len(elements) < total:
		l.Size = len(elements)
	}
	return l
}

// Unsent returns the JSON Pointers into a response of the optional properties that a creation did not send, without the
// key, and whether requests may have each.
func (s *Set) Unsent(q *Request, media *spec.MediaType) map[string]bool {
	if media == nil || !q.bind(s) || q.op.Role != resource.Create || q.op.responses[media] == nil {
		return nil
	}
	shape := q.op.responses[media].Shape
	sent, ok := sentItem(q)
	if !ok || shape.Many || shape.Nesting != nil || q.op.Request == nil {
		return nil
	}
	accepted, unsent := schema.Properties(q.op.Request.Value), map[string]bool{}
	for name := range schema.Properties(shape.Value) {
		key := q.op.runtime.KeyProperty()
		if _, has := sent[name]; !has && !(len(key) == 1 && key[0] == name) {
			property := accepted[name]
			unsent[resource.Pointer(shape.Path)+resource.Pointer([]string{name})] = property != nil && !schema.ReadOnly(property)
		}
	}
	return unsent
}
