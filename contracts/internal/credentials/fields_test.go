package credentials

import (
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

// TestCutFields leaves the first fields, the beginning of one, and the counts of the rest.
func TestCutFields(t *testing.T) {
	header := func(values ...int) (h exchange.Header) {
		for _, n := range values {
			h = append(h, exchange.Field{Name: "X", Value: strings.Repeat("v", n)})
		}
		return h
	}
	for _, test := range []struct {
		name          string
		header        exchange.Header
		shown         []int // bytes of the values that are left, with three for "…"
		fields, bytes int
	}{
		{"nothing to cut", header(3, 4), []int{3, 4}, 0, 0},
		{"exactly", header(9), []int{9}, 0, 0},
		{"a part", header(5, 10), []int{5, 6}, 0, 7},
		{"others", header(9, 2, 3), []int{9}, 2, 7},
	} {
		fields, bytes := cutFields(&test.header, 10)
		var shown []int
		for _, f := range test.header {
			shown = append(shown, len(f.Value))
		}
		if fields != test.fields || bytes != test.bytes || len(shown) != len(test.shown) {
			t.Errorf("%s: %v, %d fields and %d bytes are left out", test.name, shown, fields, bytes)
			continue
		}
		for i := range shown {
			if shown[i] != test.shown[i] {
				t.Errorf("%s: %v, want %v", test.name, shown, test.shown)
			}
		}
	}
}
