package state

import (
	"fmt"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
)

// many is the number of items of the largest collection that benchmarks measure.
const many = 100_000

var limits = Limits{Items: 2 * many, Bytes: 1 << 40}

// filled makes a State of n plants.
func filled(n int) *State {
	s := New(limits)
	for i := range n {
		s.Insert("plants", strconv.Itoa(i), []byte(`{"name":"Fern"}`), 0)
	}
	return s
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkInsert makes so many plants: nanoseconds a plant, and bytes a plant
// beyond its JSON.
func BenchmarkInsert(b *testing.B) {
	for n := 1000; n <= many; n *= 10 {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			texts := make([][]byte, n)
			keys := make([]string, n)
			for i := range n {
				texts[i] = fmt.Appendf(nil, `{"id":%d,"name":"Fern"}`, i)
				keys[i] = strconv.Itoa(i)
			}
			var s *State
			before := heap()
			b.ReportAllocs()
			for b.Loop() {
				s = New(limits)
				for i := range n {
					s.Insert("plants", keys[i], texts[i], 0)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/plant")
			b.ReportMetric(float64(heap()-before)/float64(n), "B/plant")
			runtime.KeepAlive(s)
			runtime.KeepAlive(texts)
			runtime.KeepAlive(keys)
		})
	}
}

// BenchmarkInsertFull makes plants where each pushes out another.
func BenchmarkInsertFull(b *testing.B) {
	s := New(Limits{Items: 100_000})
	for range 100_000 {
		s.Append("plants", []byte(`{"name":"Fern"}`), 0)
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Append("plants", []byte(`{"name":"Fern"}`), 0)
	}
}

// BenchmarkInsertRead reads after each write; after a View, the next write
// copies its way.
func BenchmarkInsertRead(b *testing.B) {
	b.Run("get", func(b *testing.B) {
		s := filled(many)
		b.ReportAllocs()
		for b.Loop() {
			item, _ := s.Append("plants", []byte(`{"name":"Fern"}`), 0)
			s.Get("plants", item.Key)
		}
	})
	b.Run("view", func(b *testing.B) {
		s := filled(many)
		b.ReportAllocs()
		for b.Loop() {
			item, _ := s.Append("plants", []byte(`{"name":"Fern"}`), 0)
			s.View().Get("plants", item.Key)
		}
	})
}

// BenchmarkInsertParallel has all writers in one session, then each in its own.
func BenchmarkInsertParallel(b *testing.B) {
	text := []byte(`{"name":"Fern"}`)
	b.Run("together", func(b *testing.B) {
		s := New(limits)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				s.Append("plants", text, 0)
			}
		})
	})
	b.Run("apart", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			s := New(limits)
			for pb.Next() {
				s.Append("plants", text, 0)
			}
		})
	})
	b.Run("keys", func(b *testing.B) {
		s := New(limits)
		var next atomic.Int64
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				s.Insert("plants", strconv.FormatInt(next.Add(1), 10), text, 0)
			}
		})
	})
}

// BenchmarkClearBelow deletes an item, with what is below it, that has so many
// beside it.
func BenchmarkClearBelow(b *testing.B) {
	for n := 100; n <= 100_000; n *= 10 {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			s := New(limits)
			for i := range n {
				key := strconv.Itoa(i)
				s.Insert("owners", key, []byte(`{}`), 0)
				s.Insert(Below("owners", key, "plants"), "1", []byte(`{}`), 0)
			}
			plants := Below("owners", "5", "plants")
			b.ReportAllocs()
			for b.Loop() {
				s.ClearBelow("owners", "5")
				s.Insert(plants, "1", []byte(`{}`), 0)
			}
		})
	}
}

func BenchmarkGet(b *testing.B) {
	s := filled(many)
	i := 0
	for b.Loop() {
		i = (i + 7919) % many
		s.View().Get("plants", strconv.Itoa(i))
	}
}

func BenchmarkList(b *testing.B) {
	s := filled(many)
	for i := 0; i < many; i += 3 { // some are gone
		s.Delete("plants", strconv.Itoa(i), Any)
	}
	for i := 0; i < many; i += 3 {
		s.Append("plants", []byte(`{"name":"Fern"}`), 0)
	}
	for _, offset := range []int{0, many / 2, many - 50} {
		b.Run(strconv.Itoa(offset), func(b *testing.B) {
			for b.Loop() {
				if len(s.View().List("plants", offset, 50)) != 50 {
					b.Fatal("not 50")
				}
			}
		})
	}
}

// BenchmarkFork forks 100,000 items; the second also writes to both.
func BenchmarkFork(b *testing.B) {
	s := filled(many)
	b.Run("fork", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			NewFrom(s.View(), limits)
		}
	})
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f := NewFrom(s.View(), limits)
			f.Append("plants", []byte(`{}`), 0)
			s.Put("plants", "5", []byte(`{}`), 0, Any)
		}
	})
}

// BenchmarkSessions asks for a session that is there, and for a new one of
// 100,000 items where another must go for it.
func BenchmarkSessions(b *testing.B) {
	r := NewSessions(filled(many).View(), SessionOptions[int]{New: func() int { return 0 }, Fork: func(n int) int { return n }})
	b.Run("get", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				r.Get("suite")
			}
		})
	})
	b.Run("new", func(b *testing.B) {
		n := 0
		b.ReportAllocs()
		for b.Loop() {
			n++
			r.Get(strconv.Itoa(n))
		}
	})
}
