package resources

import (
	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// shownItem is an item as lists show it: each is validated and written once.
type shownItem struct {
	item       *state.Item // which never changes
	view       *itemView
	collection string // by which what is missing is generated
}

// writtenItem is what it is shown as.
type writtenItem struct {
	value jsontext.Written
	part  coverage.Part
}

// elementOf returns the schema of the items of a list if one alone decides; nil if the list is not written item by
// item.
func (op *Operation) elementOf() *schema.Keywords {
	items := op.List.Items
	at := schema.At(op.Media.Schema.Keywords, items.Path)
	if at == nil || !items.Many || !op.Media.IsJSON() {
		return nil
	}
	return schema.Item(schema.Resolve(at), 0)
}

// writtenList returns the body of a page with encoded items. It reports false if it is unknown whether the body
// conforms: listBody makes it then. A list of thirty 20 kB items takes 3 ms after one is created, and 45 ms without
// this (BenchmarkLargeAnswer).
func writtenList(q *Request, items []Item, fields []string, p query.Page, links *query.Links) (any, bool) {
	op := q.op
	if q.media != op.Media || !q.IsRepeatable() || len(fields) > 0 {
		return nil, false
	}
	if op.element == nil || op.undecided.Load() || op.hasSums() || op.inclusion() != nil {
		return nil, false
	}
	shown, parts := make([]any, len(items)), make([]*coverage.Part, len(items))
	for i := range items {
		written := write(q, &items[i])
		if written == nil || q.Work.Over() {
			return nil, false
		}
		shown[i], parts[i] = &written.value, &written.part
	}
	fits := func(body any) bool {
		conforms, decided := schema.FastValidate(op.Media.Schema.Keywords, body, &schema.Allowance{})
		if !decided {
			op.undecided.Store(true)
		}
		return conforms && decided
	}
	body := pageBody(op, op.around, shown, p, links, fits)
	q.answer.Parts = parts
	return body, fits(body)
}

// write returns an item as the request's list shows it; nil if that does not conform by itself.
func write(q *Request, item *Item) *writtenItem {
	key := shownItem{item.encoded, q.op.elements, q.collection}
	if written, ok := q.set.shown.Get(key); ok {
		return written
	}
	if item.decode(); item.Value == nil {
		return nil
	}
	shown := q.op.List.Items.Nesting.Nest(showElement(q, q.op.elements, *item))
	if !spec.Conforms(q.op.element, shown) {
		return nil
	}
	const rest = 300 // bytes of the entry
	text := jsontext.Marshal(shown)
	written := &writtenItem{jsontext.Written{JSON: text, Of: q.op.element}, coverage.Part{JSON: text}}
	q.set.shown.Put(key, written, int64(len(text)+len(item.encoded.JSON)+rest))
	return written
}

// isWhole reports whether a body is an item unchanged since its validation at creation: it is neither validated
// nor written again, which was 16 % of the time of a creation of 20 kB (BenchmarkLargeAnswer).
func (in *itemInBody) isWhole(item *Item, value map[string]any) bool {
	if in == nil || !item.conforms || len(value) != len(item.Value) || len(in.Path) > 0 || in.Many || in.Nesting != nil ||
		!in.view.shows(in.view.runtime.Item) || !in.view.HidesNothing() {
		return false
	}
	for name := range value {
		if in.view.Properties[name] == nil {
			return false
		}
	}
	return true
}

// leastPicked is the size in bytes of a kept item from which on its text is read to show it.
const leastPicked = 1 << 10

// textOf returns the JSON of a body that is a part of a kept item, from the item's; nil if it must be encoded.
func textOf(in *itemInBody, item *Item, body any) []byte {
	object, ok := body.(map[string]any)
	isItem := ok && item.encoded != nil && len(item.encoded.JSON) >= leastPicked && len(in.Path) == 0 && !in.Many &&
		in.Nesting == nil
	if !isItem || in.view != nil && !in.view.HidesNothing() {
		return nil
	}
	text, ok := jsontext.Pick(item.encoded.JSON, object)
	if !ok {
		return nil
	}
	return text
}
