package resources

import (
	"cmp"
	"slices"

	"github.com/coldframe/coldframe/mock/internal/query"
)

// sorted puts items into the order that a query asks for. What is equal stays in their order, or in the reverse order
// if the newest come first. A new page of 100,000 plants takes SORTED (BenchmarkLargeListList).
func sorted(q *Request, items itemList, wanted *query.Query) itemList {
	q.set.sorting.Lock()
	defer q.set.sorting.Unlock()
	by := len(wanted.Sort)
	keys, places := make([]any, 0, by*len(items)), make([]int32, 0, len(items))
	for i := range items {
		if q.Work.Step() {
			break
		}
		places = append(places, int32(i))
		keys = wanted.AppendKeys(keys, items[i].text())
	}
	slices.SortFunc(places, func(a, b int32) int {
		i, j := int(a)*by, int(b)*by
		older := cmp.Compare(a, b)
		if wanted.NewestFirst {
			older = -older
		}
		return cmp.Or(wanted.OrderKeys(keys[i:i+by], keys[j:j+by]), older)
	})
	inOrder := make(itemList, len(places))
	for i, place := range places {
		inOrder[i] = items[place]
	}
	return inOrder
}
