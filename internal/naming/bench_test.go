package naming

import (
	"strconv"
	"testing"
)

// BenchmarkIndex makes tables of the size of the rules of names, as an index and as a map of slices.
func BenchmarkIndex(b *testing.B) {
	names := make([]string, 5800)
	for i := range names {
		names[i] = strconv.Itoa(i % 4500)
	}
	b.Run("index", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x := NewIndex[*int](4700, 6000)
			for _, name := range names {
				x.Add(name, new(int))
			}
		}
	})
	b.Run("map", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x := map[string][]*int{}
			for _, name := range names {
				x[name] = append(x[name], new(int))
			}
		}
	})
}
