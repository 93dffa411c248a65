package state

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
)

// TestSelect: what is selected of a collection that grows is found by looking at what has changed, 32 items where one
// has, and is right while the tree of its order grows higher.
func TestSelect(t *testing.T) {
	s, asked := New(limits), 0
	isEven := func(item *Item) bool {
		asked++
		n, _ := strconv.Atoi(item.Key)
		return n%2 == 0
	}
	var selection *Selection
	check := func(atMost int, want []string) {
		t.Helper()
		asked = 0
		view := s.View()
		selection = view.Select("plants", selection, isEven)
		var keys []string
		for item := range view.Selected("plants", selection).Items("plants", 0) {
			keys = append(keys, item.Key)
		}
		if !slices.Equal(keys, want) || asked > atMost {
			t.Errorf("of %d plants %d are selected, want %d; %d were looked at, want %d at most",
				view.Len("plants"), len(keys), len(want), asked, atMost)
		}
	}
	var want []string
	check(0, nil)
	for n := range 34_000 {
		key := strconv.Itoa(n)
		s.Insert("plants", key, []byte("{}"), 0)
		if n%2 == 0 {
			want = append(want, key)
		}
		// Behind these the tree grows higher: all are looked at again.
		for _, full := range []int{32, 1024, 32_768} {
			if n >= full-2 && n < full+35 {
				check(n+1, want)
			}
		}
	}
	check(34_000-32_768, want)
	check(0, want)
	s.Put("plants", "20000", []byte(`{"tag":"tall"}`), 0, Any)
	check(32, want)
	s.Delete("plants", "20000", Any)
	i := slices.Index(want, "20000")
	check(31, slices.Delete(slices.Clone(want), i, i+1))
	s.Insert("pots", "2", []byte("{}"), 0)
	check(0, slices.Delete(slices.Clone(want), i, i+1))
	s.ClearAll()
	check(0, nil)
}

// TestSelectHigher: a span that was made together with the tree above it is not taken for that tree.
func TestSelectHigher(t *testing.T) {
	s, n := New(limits), 0
	all := func(*Item) bool { return true }
	var selection *Selection
	for _, upTo := range []int{1056, 1057, 1100} {
		for ; n < upTo; n++ {
			s.Append("plants", nil, 0)
		}
		selection = s.View().Select("plants", selection, all)
		if got := s.View().Selected("plants", selection).Len("plants"); got != upTo {
			t.Errorf("%d of %d are selected", got, upTo)
		}
	}
}

// BenchmarkSelect selects every tenth of so many plants, of which one has changed.
func BenchmarkSelect(b *testing.B) {
	for n := 1000; n <= million; n *= 10 {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			s := filled(n)
			isTenth := func(item *Item) bool { return item.Key[len(item.Key)-1] == '0' }
			selection := s.View().Select("plants", nil, isTenth)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.Put("plants", strconv.Itoa(i*7919%n), fmt.Appendf(nil, `{"height":%d}`, i), 0, Any)
				selection = s.View().Select("plants", selection, isTenth)
			}
		})
	}
}
