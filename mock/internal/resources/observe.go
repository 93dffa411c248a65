package resources

import (
	"maps"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Observe brings the items of a session to what a response that another server made says of them, so that later answers
// agree with it: items that it shows are kept under their keys, and deleted ones are deleted. It returns what it kept.
func (s *Set) Observe(q *Request, r *exchange.Response) (kept []*state.Item) {
	q.set, q.op = s, s.operations[q.Operation.Operation]
	if q.op == nil {
		return nil
	}
	q.answer = &respond.Answer{Response: exchange.Response{Status: r.Status}}
	q.collection = q.op.Collection(q.pathText)
	isMissing := q.op.Role == resource.Read && (r.Status == 404 || r.Status == 410)
	if !isMissing && (r.Status < 200 || r.Status >= 300) {
		return nil
	}
	keep := func(item any, key string) {
		if item := q.observe(item, key); item != nil {
			kept = append(kept, item)
		}
	}
	contentType, _ := r.Header.Get("Content-Type")
	body := jsontext.DecodeBody(contentType, r.Body)
	switch role := q.op.Role; {
	case role == resource.Delete || isMissing:
		if item, _ := find(q); item.Key != "" {
			q.deleteItem(item, state.Any)
		}
	case role == resource.List:
		items, _ := q.op.List.Items.Items(body)
		for _, item := range items {
			keep(item, "")
		}
	case role == resource.Create:
		keep(q.answered(body), q.createdKey(r))
	case role == resource.Unknown || role == resource.DeleteMany || role == resource.Action && !q.op.Reads ||
		q.op.Part != nil || q.op.Lookup != nil:
	default:
		key, _ := requestKey(q)
		keep(q.answered(body), key)
	}
	return kept
}

// answered returns the item in the body of a response, or else what the request says of it; nil if neither does.
func (q *Request) answered(body any) any {
	if q.op.Response != nil {
		if item, ok := q.op.Response.Item(body); ok {
			return item
		}
	}
	if q.op.Role == resource.Read || q.op.Role == resource.Action {
		return nil
	}
	if sent, _, err := sentItems(q); err == nil && len(sent) == 1 {
		return respond.Rename(q.op.Binding, sent[0])
	}
	return nil
}

// createdKey returns the key of a created item that Location names; "" if it names none.
func (q *Request) createdKey(r *exchange.Response) string {
	location, _ := r.Header.Get("Location")
	path, _, _ := strings.Cut(location, "?")
	return path[strings.LastIndexByte(path, '/')+1:]
}

// observe keeps an item that a response shows. key is the one that the request names, if the item has none. What the
// item had and the response does not show stays. It returns nil if nothing is kept.
func (q *Request) observe(item any, key string) *state.Item {
	k := q.op.runtime
	shown, ok := k.Nesting.Flat(item).(map[string]any)
	if !ok {
		return nil
	}
	shown = withParents(q, maps.Clone(shown))
	switch own := k.keyOf(shown); {
	case own != "":
		key = own
	case k.Singleton:
		key = SingletonKey
	default:
		shown = k.setTypedKey(shown, key)
	}
	if key == "" || len(key) > longestKey {
		return nil
	}
	collection := collectionOfNew(q, shown)
	flags := state.Flags(0)
	if q.op.Role == resource.Create {
		flags = state.ByClient
	}
	if before, _ := q.Session.Get(collection, key); before != nil {
		flags = before.Flags
		whole := DecodeItem(before)
		maps.Copy(whole, shown)
		shown = whole
	}
	text, ok := EncodeItem(shown)
	if !ok {
		return nil
	}
	kept, _, err := q.Session.Put(collection, key, text, flags, state.Any)
	if err != nil {
		q.set.options.StoreFull()
		return nil
	}
	return kept
}
