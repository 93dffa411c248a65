package resources

import (
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"

	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/recent"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// compare compares two items by their decoded values.
func compare(q *query.Query, a, b Item) int {
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

func TestSelected(t *testing.T) { compareSelected(t, rand.New(rand.NewPCG(3, 4)), 800) }

func FuzzSelected(f *testing.F) {
	f.Add(uint64(3), uint64(4), uint8(50))
	f.Fuzz(func(t *testing.T, seed1, seed2 uint64, rounds uint8) {
		compareSelected(t, rand.New(rand.NewPCG(seed1, seed2)), int(rounds))
	})
}

// compareSelected holds a list of what is selected, whose selection goes on from that of an earlier version, to the
// list that looks at all items, and the order that it is sorted in to one that is made anew.
func compareSelected(t *testing.T, random *rand.Rand, rounds int) {
	q := &Request{
		Request: &respond.Request{Request: &exchange.Request{}}, op: &Operation{Binding: &resource.Binding{}},
		set: &Set{
			selections: recent.New[selection, *selected](1 << 20), orders: recent.New[sorting, []int32](1 << 20),
		},
	}
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
	filter, newestFirst, descending := query.Filter{Property: []string{"kind"}}, false, false
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
		if random.IntN(3) == 0 {
			filter.Compare = []resource.Compare{resource.Equal, resource.NotEqual}[random.IntN(2)]
			filter.Values = []any{fmt.Sprint("k", random.IntN(3))}
			newestFirst, descending = random.IntN(2) == 0, random.IntN(2) == 0
		}
		l := newListView(in.View(), "plants", initial, newestFirst)
		c := conditionOf(q, l, &query.Query{Filters: []query.Filter{filter}})
		want := keysOf(c.among(q, l.all(nil, newestFirst)))
		some := l.selected(q, c)
		if got := keysOf(some.all(nil, newestFirst)); !slices.Equal(got, want) || some.len() != len(want) {
			t.Fatalf("round %d: %d items, %v, want %v", round, some.len(), got, want)
		}
		if newestFirst {
			slices.Reverse(want)
		}
		checkParts(t, some, want)
		sorting := query.Query{
			Sort: []query.SortKey{{Property: []string{"size"}, Descending: descending}}, NewestFirst: newestFirst,
		}
		var parts []Item
		for item := range c.among(q, l.all(nil, newestFirst)) {
			item.decode()
			parts = append(parts, item)
		}
		slices.SortStableFunc(parts, func(a, b Item) int { return compare(&sorting, a, b) })
		checkParts(t, some.sorted(q, c, &sorting), keysOf(slices.Values(parts)))
		for key := range 200 {
			if key := fmt.Sprint(key); !slices.Contains(want, key) && some.index(key) != -1 {
				t.Fatalf("round %d: %s is not selected and is at %d", round, key, some.index(key))
			}
		}
	}
}

// checkParts holds a list to the keys of its items.
func checkParts(t *testing.T, list sequence, want []string) {
	t.Helper()
	for i, key := range want {
		for _, count := range []int{1, 7} {
			got := keysOf(slices.Values(list.window(i, count)))
			if !slices.Equal(got, want[i:min(i+count, len(want))]) || list.index(key) != i {
				t.Fatalf("%v from %d, want %v; %s is at %d", got, i, want[i:], key, list.index(key))
			}
		}
	}
}

// TestPage: a page of what is selected is the same whether few items are looked at for it, many, or what is selected of
// them is known, and with a total or without.
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
			Request: &respond.Request{Request: &exchange.Request{}},
			op:      &Operation{Binding: &resource.Binding{List: &list}},
			set:     &Set{selections: recent.New[selection, *selected](1 << 20)},
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

func keysOf(items iter.Seq[Item]) (keys []string) {
	for item := range items {
		keys = append(keys, item.Key)
	}
	return keys
}

// TestConditionText: conditions that select others have other texts.
func TestConditionText(t *testing.T) {
	filter := func(compare resource.Compare, values ...any) query.Filter {
		return query.Filter{Property: []string{"kind"}, Compare: compare, Values: values}
	}
	nested := query.Filter{Property: []string{"kind", "name"}, Values: []any{"5"}}
	seen := map[string]int{}
	for i, c := range []condition{
		{query: &query.Query{Search: "5"}},
		{query: &query.Query{Filters: []query.Filter{filter(resource.Equal, "5")}}},
		{query: &query.Query{Filters: []query.Filter{filter(resource.Equal, json.Number("5"))}}},
		{query: &query.Query{Filters: []query.Filter{filter(resource.NotEqual, "5")}}},
		{query: &query.Query{Filters: []query.Filter{filter(resource.Equal, "5", "6")}}},
		{query: &query.Query{Filters: []query.Filter{filter(resource.Equal, "5"), filter(resource.Equal, "6")}}},
		{query: &query.Query{Filters: []query.Filter{filter(resource.Equal, "5,6")}}},
		{query: &query.Query{Filters: []query.Filter{nested}}},
		{query: &query.Query{}, parents: []parent{{filter(resource.Equal, "5"), nested}}},
		{query: &query.Query{Filters: []query.Filter{filter(resource.Equal, "5"), nested}}},
	} {
		text := c.text()
		if other, known := seen[text]; known {
			t.Errorf("%d and %d are both %s", other, i, text)
		}
		seen[text] = i
	}
}
