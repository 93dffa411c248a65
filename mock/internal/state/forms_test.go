package state

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"
)

// flat is a collection as a map and a slice, which are copied when something is written after a View.
type flat struct {
	keys   map[string]*Item
	order  []*Item
	shared bool
}

func (f *flat) append(item *Item) {
	if f.shared {
		f.keys, f.order, f.shared = maps.Clone(f.keys), slices.Clone(f.order), false
	}
	f.keys[item.Key], f.order = item, append(f.order, item)
}

// BenchmarkForms compares the State, whose trees share what did not change, with a map and a slice for collections of
// so many items: creating one, and creating one after a View.
func BenchmarkForms(b *testing.B) {
	text := []byte(`{"name":"Fern"}`)
	for _, n := range []int{10, 1000, 100_000} {
		for _, isRead := range []bool{false, true} {
			name := fmt.Sprintf("%d/write", n)
			if isRead {
				name += " and view"
			}
			b.Run(name+"/trees", func(b *testing.B) {
				s := filled(n)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if i%n == n-1 {
						b.StopTimer()
						s = filled(n)
						b.StartTimer()
					}
					s.Insert("plants", strconv.Itoa(n+i%n), text, 0)
					if isRead {
						s.View()
					}
				}
			})
			b.Run(name+"/flat", func(b *testing.B) {
				f := &flat{keys: map[string]*Item{}}
				for i := range n {
					f.append(&Item{Key: strconv.Itoa(i), JSON: text})
				}
				full := *f
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if i%n == n-1 {
						b.StopTimer()
						*f = flat{maps.Clone(full.keys), slices.Clone(full.order), false}
						b.StartTimer()
					}
					f.append(&Item{Key: strconv.Itoa(n + i%n), JSON: text})
					f.shared = isRead
				}
			})
		}
	}
}
