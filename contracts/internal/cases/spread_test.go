package cases

import (
	"slices"
	"testing"
)

func TestSpread(t *testing.T) {
	for _, row := range []struct {
		total, most int
		want        []int
	}{
		{0, 3, nil},
		{3, 0, []int{0, 1, 2}},
		{3, 3, []int{0, 1, 2}},
		{5, 3, []int{0, 2, 4, 1, 3}},
		{9, 2, []int{0, 8, 4, 2, 6, 1, 3, 5, 7}},
	} {
		if got := slices.Collect(spread(row.total, row.most)); !slices.Equal(got, row.want) {
			t.Errorf("%d of %d: %v, want %v", row.most, row.total, got, row.want)
		}
	}
	for total := range 40 {
		for most := range 10 {
			if got := slices.Sorted(spread(total, most)); len(got) != total || len(slices.Compact(got)) != total {
				t.Errorf("%d of %d: %v", most, total, got)
			}
		}
	}
}
