package resources

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"

	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// compare compares two items by their decoded values.
func compare(q *query.Query, a, b Item) int {
	for _, key := range q.Sort {
		x, _ := jsonvalue.Property(a.Value, key.Property)
		y, _ := jsonvalue.Property(b.Value, key.Property)
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

func TestPages(t *testing.T) { comparePages(t, rand.New(rand.NewPCG(3, 4)), 800) }

func FuzzPages(f *testing.F) {
	f.Add(uint64(3), uint64(4), uint8(50))
	f.Fuzz(func(t *testing.T, seed1, seed2 uint64, rounds uint8) {
		comparePages(t, rand.New(rand.NewPCG(seed1, seed2)), int(rounds))
	})
}

// comparePages compares pages of a list that changes, filtered and sorted by the texts of its items, with parts of the
// list that is made of their values.
func comparePages(t *testing.T, random *rand.Rand, rounds int) {
	initial := &initialList{}
	for i := range 12 {
		item := map[string]any{"kind": fmt.Sprint("k", i%3), "size": json.Number(fmt.Sprint(i % 5))}
		one := Item{Key: fmt.Sprint(i), Value: item, encoded: encoded(item)}
		if i < 8 {
			initial.items = append(initial.items, one)
		} else {
			initial.fill = append(initial.fill, one)
		}
	}
	in := state.New(state.Limits{Items: 150})
	before := in.View()
	for round := range rounds {
		for range random.IntN(4) {
			key, text := fmt.Sprint(random.IntN(200)), fmt.Appendf(nil, `{"kind":"k%d","size":%d}`, random.IntN(3), random.IntN(9))
			switch random.IntN(8) {
			case 0, 1, 2:
				in.Append("plants", text, 0)
			case 3, 4:
				in.Put("plants", key, text, 0, state.Any)
			case 5, 6:
				in.Delete("plants", key, state.Any)
			default:
				in.Delete("plants", fmt.Sprint(random.IntN(12)), state.Any)
			}
		}
		switch random.IntN(20) {
		case 0:
			in.Restore(before)
		case 1:
			before = in.View()
		}
		wanted := &query.Query{NewestFirst: random.IntN(2) == 0, Offset: random.IntN(60), Limit: 1 + random.IntN(20)}
		kind, isEqual := fmt.Sprint("k", random.IntN(3)), random.IntN(2) == 0
		if random.IntN(2) == 0 {
			filter := query.Filter{Property: []string{"kind"}, Compare: resource.NotEqual, Values: []any{kind}}
			if isEqual {
				filter.Compare = resource.Equal
			}
			wanted.Filters = []query.Filter{filter}
		}
		if random.IntN(2) == 0 {
			wanted.Sort = []resource.OrderKey{{Property: []string{"size"}, Descending: random.IntN(2) == 0}}
		}
		list := resource.Listing{}
		if random.IntN(2) == 0 {
			list.Fields = []resource.Field{{Role: resource.Total}}
		}
		q := &Request{
			Request: &respond.Request{Request: &exchange.Request{}, Preferences: prefer.None()}, set: &Set{},
			op: &Operation{Binding: &resource.Binding{List: &list}},
		}
		l := newListView(in.View(), "plants", initial, wanted.NewestFirst)
		var want []Item
		for item := range l.all(nil, wanted.NewestFirst) {
			item.decode()
			if len(wanted.Filters) == 0 || (item.Value["kind"] == kind) == isEqual {
				want = append(want, item)
			}
		}
		slices.SortStableFunc(want, func(a, b Item) int { return compare(wanted, a, b) })
		p, items := page(q, l, wanted, &query.Links{}, 20)
		keys, end := keysOf(slices.Values(want)), min(wanted.Offset+wanted.Limit, len(want))
		if got := keysOf(slices.Values(items)); !slices.Equal(got, keys[min(wanted.Offset, end):end]) {
			t.Fatalf("round %d, %+v: %v of %v", round, wanted, got, keys)
		}
		if len(list.Fields) > 0 && p.Total != len(want) {
			t.Fatalf("round %d, %+v: the total is %d, not %d", round, wanted, p.Total, len(want))
		}
		for i, item := range want { // by cursors that are keys
			if len(wanted.Filters)+len(wanted.Sort) == 0 && !wanted.NewestFirst && l.index(item.Key) != i {
				t.Fatalf("round %d: %s is at %d, not %d", round, item.Key, l.index(item.Key), i)
			}
		}
	}
}

// TestPage: a page of what is selected is the same with a total or without.
func TestPage(t *testing.T) {
	in := state.New(state.Limits{})
	var want []string
	for i := range 1000 {
		in.Append("plants", fmt.Appendf(nil, `{"kind":"k%d"}`, i%20), 0)
		if i%20 == 7 {
			want = append(want, fmt.Sprint(i+1))
		}
	}
	totals := resource.Listing{Fields: []resource.Field{{Role: resource.Total}}}
	for _, list := range []resource.Listing{{}, totals} {
		q := &Request{
			Request: &respond.Request{Request: &exchange.Request{}, Preferences: prefer.None()},
			op:      &Operation{Binding: &resource.Binding{List: &list}},
			set:     &Set{},
		}
		for _, offset := range []int{0, 3, 20, 45, 60, 3} {
			wanted := &query.Query{Offset: offset, Limit: 8, Filters: []query.Filter{{
				Property: []string{"kind"}, Values: []any{"k7"},
			}}}
			l := newListView(in.View(), "plants", &initialList{}, false)
			p, items := page(q, l, wanted, &query.Links{}, 8)
			end := min(offset+8, len(want))
			if got := keysOf(slices.Values(items)); !slices.Equal(got, want[min(offset, end):end]) {
				t.Errorf("%v from %d, want %v", got, offset, want[min(offset, end):end])
			}
			if len(list.Fields) > 0 && p.Total != len(want) {
				t.Errorf("the total is %d, want %d", p.Total, len(want))
			}
		}
	}
}

// TestSettle compares windows of lists with windows of sorted ones.
func TestSettle(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		n := 1 + random.IntN(300)
		from := random.IntN(n + 1)
		to := from + random.IntN(n-from+1)
		list, want := make([]int32, n), make([]int32, n)
		for i, place := range random.Perm(n) {
			list[i], want[i] = int32(place), int32(i)
		}
		settle(list, from, to, cmp.Compare)
		if !slices.Equal(list[from:to], want[from:to]) {
			t.Fatalf("%v from %d to %d", list, from, to)
		}
		if slices.Sort(list); !slices.Equal(list, want) {
			t.Fatalf("elements are lost: %v", list)
		}
	}
}

// BenchmarkSettle settles a page of fifty, and all, of 100,000 elements.
func BenchmarkSettle(b *testing.B) {
	const n = 100_000
	for _, count := range []int{50, n} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			random, list := rand.New(rand.NewPCG(5, 6)), make([]int32, n)
			for b.Loop() {
				for i, place := range random.Perm(n) {
					list[i] = int32(place)
				}
				settle(list, (n-count)/2, (n+count)/2, cmp.Compare)
			}
		})
	}
}

func keysOf(items iter.Seq[Item]) (keys []string) {
	for item := range items {
		keys = append(keys, item.Key)
	}
	return keys
}
