package resources

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// keptItem is what makes the body of a read: an item, which never changes, as an operation shows it.
type keptItem struct {
	item  *state.Item
	op    *Operation
	media *spec.MediaType
}

// keptKey returns the key of the body that shows the item that the request names. It reports false if there is no such
// item, or if its values decide about more than the body.
func (q *Request) keptKey() (respond.KeptKey, bool) {
	key, _ := requestKey(q)
	_, isConditional := q.Header.Get(q.op.Headers.IfNoneMatch)
	isSome := q.Values.Query[q.op.Fields] != nil
	isVaried := isSome || q.op.Lookup != nil || len(q.op.extra) > 0 || isConditional || q.op.inclusion() != nil
	if isVaried || q.media == nil || !q.IsRepeatable() {
		return respond.KeptKey{}, false
	}
	for _, h := range q.Documented.Headers {
		if strings.EqualFold(h.Name, "Last-Modified") {
			return respond.KeptKey{}, false
		}
	}
	item, _ := q.get(q.collection, key)
	return respond.KeptKey{
		Of: keptItem{item, q.op, q.media}, Status: q.answer.Status, As: q.as, Origin: q.origin(),
	}, item != nil
}

// showKept answers with a body that was written before, if there is one.
func (q *Request) showKept(key respond.KeptKey) bool {
	kept := q.set.responder.Kept(key)
	if kept == nil {
		return false
	}
	item := unread(key.Of.(keptItem).item)
	q.Account.shows(item)
	setItemHeaders(q, item)
	q.answer.SetKept(kept)
	return true
}

// keptPage is the list that a page is of.
type keptPage struct {
	op         *Operation
	media      *spec.MediaType
	collection string
}

// madePage is what a page was made of.
type madePage struct {
	page  query.Page
	items []*state.Item
}

func (p madePage) is(other madePage) bool {
	return p.page == other.page && slices.Equal(p.items, other.items)
}

// bytes is how long the JSON of the page's items is, with their places in the page.
func (p madePage) bytes() (bytes int64) {
	for _, item := range p.items {
		if bytes += 8; item != nil {
			bytes += int64(len(item.JSON))
		}
	}
	return bytes
}

func encodedOf(items []Item) []*state.Item {
	all := make([]*state.Item, len(items))
	for i := range items {
		all[i] = items[i].encoded
	}
	return all
}
