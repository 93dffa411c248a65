package resources

import (
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Item is an item with its key and version.
type Item struct {
	Key     string
	Version uint64         // 0 where it was never stored
	Value   map[string]any // nil where there is none
	encoded *state.Item    // of an item in a list, whose value may not be decoded yet
}

func (i *Item) decode() {
	if i.Value == nil {
		i.Value = DecodeItem(i.encoded)
	}
}

// DecodeItem reads an item as it is kept; nil where it is no object.
func DecodeItem(item *state.Item) map[string]any {
	value, err := jsontext.Decode(string(item.JSON))
	if err != nil {
		return nil
	}
	object, _ := value.(map[string]any)
	return object
}

func encoded(item map[string]any) *state.Item { return &state.Item{JSON: jsontext.Append(nil, item)} }

// EncodeItem gives an item as it is kept, false where it is nested too deep to be
// read again.
func EncodeItem(item map[string]any) ([]byte, bool) {
	text := jsontext.Append(nil, item)
	_, err := jsontext.Decode(string(text))
	return text, err == nil
}

// requestKey gives the key by which the request names its item, and where that
// stands.
func requestKey(q *Request) (key, in string) {
	k := q.op.runtime
	switch {
	case k.Singleton:
		return SingletonKey, exchange.InPath
	case q.op.KeyIn == resource.InPath:
		return q.pathText(q.op.Variable), exchange.InPath
	case q.op.KeyIn == resource.InQuery:
		key, _ = jsonvalue.Text(q.Values.Query[q.op.Variable])
		return key, exchange.InQuery
	case q.op.KeyIn == resource.InBody && q.op.Keys == nil && q.op.Request != nil:
		if item, ok := q.op.Request.Item(q.Values.Body); ok {
			key = k.keyOf(item)
		}
	}
	return key, exchange.InBody
}

// find looks for the item that the request names. Where there is none, the Item has
// the key only.
func find(q *Request, collection string) (found Item, deleted bool) {
	key, _ := requestKey(q)
	if q.op.Lookup != nil && key != "" {
		named := query.Filter{Property: q.op.Lookup, Values: []any{key}}
		for item := range q.Session.View().Items(collection, 0) {
			if !named.MatchesText(item.JSON) {
				continue
			}
			value := DecodeItem(item)
			if have, ok := resource.Get(value, q.op.Lookup); ok {
				if text, ok := jsonvalue.Text(have); ok && text == key {
					return Item{Key: item.Key, Version: item.Version, Value: value}, false
				}
			}
		}
		// Two paths that differ in a variable's name only are one to a router: the
		// key may be meant.
	}
	return findKey(q, collection, key)
}

func findKey(q *Request, collection, key string) (found Item, deleted bool) {
	item, deleted := q.Session.Get(collection, key)
	if item == nil {
		return Item{Key: key}, deleted
	}
	value := DecodeItem(item)
	if value == nil || !isBelow(q, value) {
		return Item{Key: key}, value != nil
	}
	return Item{Key: key, Version: item.Version, Value: value}, false
}

// missing refuses a request for an item that was deleted, or that nobody created
// where unknown items are refused. It gives nil where the item is to be generated.
func missing(q *Request, key string, deleted bool) error {
	k, o := q.op.runtime, &q.set.options
	if !deleted && !(o.RefuseUnknown && (k.creates || o.SeedItems > 0)) {
		return nil
	}
	_, in := requestKey(q)
	return noSuchItem(k, key, deleted, in, q.op.Variable)
}

// findOrMissing finds the item that the request names; errNotHandled says that it is
// to be generated.
func findOrMissing(q *Request, collection string) (Item, error) {
	item, deleted := find(q, collection)
	if item.Value != nil {
		return item, nil
	}
	if err := missing(q, item.Key, deleted); err != nil {
		return item, err
	}
	return item, errNotHandled
}
