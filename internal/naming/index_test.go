package naming

import (
	"slices"
	"testing"
)

func TestIndex(t *testing.T) {
	x := NewIndex[int](1, 1)
	for value, name := range []string{"a", "b", "a", "a", "b"} {
		x.Add(name, value)
	}
	for name, want := range map[string][]int{"a": {0, 2, 3}, "b": {1, 4}, "c": nil} {
		if got := slices.Collect(x.All(name)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
