package resources

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// sortedList is a list in the order that a query asks for.
type sortedList struct {
	of     sequence
	places []int32 // of its items in of
}

func (l *sortedList) len() int { return len(l.places) }

func (l *sortedList) window(offset, count int) []Item {
	items := make([]Item, 0, count)
	for _, place := range l.places[min(offset, l.len()):min(offset+count, l.len())] {
		items = append(items, l.of.window(int(place), 1)...)
	}
	return items
}

func (l *sortedList) index(key string) int { return slices.Index(l.places, int32(l.of.index(key))) }

// sorting is all that an order depends on.
type sorting struct {
	op         *Operation
	collection string
	version    state.Version
	initial    string // the keys of the list's initial items
	conditions string
}

// sorted returns a list of what meets a condition in the order that a query asks for. Until the collection changes, all
// pages are of one order, which takes four bytes an item: a page that nobody has asked for takes 48 µs of 1,000 plants
// in place of 490, and of 10,000 51 µs in place of 5 ms (bench -rows sorted).
func (l *listView) sorted(q *Request, c *condition, wanted *query.Query) *sortedList {
	key := sorting{q.op, l.collection, l.view.Version(l.collection), l.initialKeys(), c.text()}
	for _, by := range wanted.Sort {
		name := strings.Join(by.Property, "\x00")
		key.conditions += string(jsontext.Marshal([]any{name, by.Descending, wanted.NewestFirst}))
	}
	places, ok := q.set.orders.Get(key)
	if !ok {
		q.set.sorting.Lock()
		defer q.set.sorting.Unlock()
		places, ok = q.set.orders.Get(key)
	}
	if !ok {
		places = order(q, l.all(q.op.runtime, false), l.len(), wanted)
		if l.kept() > 0 && q.Work.Ended() == nil { // else it may be of items that only this request has
			const rest = 500 // bytes of an entry
			q.set.orders.Put(key, places, int64(4*len(places)+len(key.conditions)+len(key.initial)+rest))
		}
	}
	return &sortedList{l, places}
}

func (l *listView) initialKeys() string {
	var keys []byte
	for _, item := range slices.Concat(l.first, l.last) {
		keys = jsontext.AppendString(keys, item.Key)
	}
	return string(keys)
}

// order returns the places of n items as a query sorts them. What is equal stays in their order, or in the reverse
// where the newest come first.
func order(q *Request, items iter.Seq[Item], n int, wanted *query.Query) []int32 {
	by := len(wanted.Sort)
	keys, places := make([]any, 0, by*n), make([]int32, 0, n)
	for item := range items {
		if q.Work.Step() {
			break
		}
		places = append(places, int32(len(places)))
		keys = wanted.AppendKeys(keys, item.text())
	}
	slices.SortFunc(places, func(a, b int32) int {
		i, j := int(a)*by, int(b)*by
		older := cmp.Compare(a, b)
		if wanted.NewestFirst {
			older = -older
		}
		return cmp.Or(wanted.OrderKeys(keys[i:i+by], keys[j:j+by]), older)
	})
	return places
}
