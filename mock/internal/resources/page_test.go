package resources

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"

	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// TestSmallest: a page of an ordered list is what it is where all items are put in
// order, also where most of them are forgotten on the way.
func TestSmallest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	in := state.New(state.Limits{})
	for range 5_000 {
		in.Append("plants", fmt.Appendf(nil, `{"height":%d,"name":"n%d"}`, random.IntN(300), random.IntN(50)), 0)
	}
	for _, q := range []*query.Query{
		{Sort: []query.SortKey{{Property: []string{"height"}}}},
		{Sort: []query.SortKey{{Property: []string{"name"}, Descending: true}, {Property: []string{"height"}}}},
		{Sort: []query.SortKey{{Property: []string{"none"}}}},
	} {
		var all []Item
		for item := range in.View().Items("plants", 0) {
			all = append(all, Item{Key: item.Key, Value: DecodeItem(item), encoded: item})
		}
		for _, wanted := range []int{0, 50, 1000, 3000, 30_000} {
			got, total := smallest(slices.Values(all), q, wanted)
			want := slices.Clone(all)
			slices.SortStableFunc(want, func(a, b Item) int { return order(q, a, b) })
			n := min(wanted, len(all))
			if total != len(all) || !slices.EqualFunc(got[:n], want[:n], func(a, b Item) bool { return a.Key == b.Key }) {
				t.Errorf("%v: the first %d of %d are others", q.Sort, wanted, total)
			}
		}
	}
}

// order compares two items by their decoded values.
func order(q *query.Query, a, b Item) int {
	for _, key := range q.Sort {
		x, _ := resource.Get(a.Value, key.Property)
		y, _ := resource.Get(b.Value, key.Property)
		c := jsonvalue.Order(x, y)
		if key.Descending {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}
