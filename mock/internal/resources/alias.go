package resources

import (
	"cmp"
	"slices"

	"github.com/coldframe/coldframe/internal/jsonvalue"
)

// aliasKey returns the key of the item that a path names by another name: of the newest one if it says so, else of the
// first of the list. If there is none, the name is the key.
func aliasKey(q *Request) string {
	k, view := q.op.runtime, q.view()
	first := slices.DeleteFunc(initial(q).all(), func(item Item) bool {
		_, deleted := q.get(q.collection, item.Key)
		return deleted
	})
	if q.op.Newest() {
		for item := range view.Newest(q.collection, 0) {
			return item.Key
		}
		slices.SortStableFunc(first, func(a, b Item) int {
			older, _ := jsonvalue.Text(a.Value[k.Created])
			newer, _ := jsonvalue.Text(b.Value[k.Created])
			return cmp.Compare(newer, older)
		})
	}
	if len(first) > 0 {
		return first[0].Key
	}
	for item := range view.Items(q.collection, 0) {
		return item.Key
	}
	return q.op.Variable
}
