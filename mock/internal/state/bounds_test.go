package state_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/mock/internal/memory"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// losses are what was lost, in order: "2 snapshots".
type losses []string

func (l *losses) lost(lost memory.Loss) { *l = append(*l, fmt.Sprint(lost.Dropped, " ", lost.Name)) }

func (l *losses) dropped(reason string, names []string) {
	*l = append(*l, fmt.Sprint(reason, ": ", strings.Join(names, " ")))
}

func used(r *state.Sessions[*counter]) int64 {
	used, _, _ := r.Usage()
	return used
}

// TestWhatGivesWay fills the memory with one kind after the other: idle sessions are dropped first, then the oldest
// snapshots, what the value can spare, and the oldest items.
func TestWhatGivesWay(t *testing.T) {
	const limit = 1 << 20
	var lost losses
	r, c := sessions(state.SessionOptions[*counter]{
		Memory: limit, Lost: lost.lost, Dropped: lost.dropped, Shedding: "records",
		Size: func(v *counter) int64 { return v.n.Load() },
		Shed: func(v *counter) (int, int64) { freed := v.n.Swap(0); return int(freed), freed },
	})
	fill := func(name string, bytes int) {
		s := get(t, r, name)
		for ; bytes > 0; bytes -= 10_000 {
			s.State.Append("plants", []byte(strings.Repeat("x", 10_000)), 0)
		}
	}
	fill("idle", 600_000)
	c.seconds.Add(100)
	fill("busy", 300_000)
	if err := get(t, r, "busy").Snapshot("old"); err != nil {
		t.Error(err)
	}
	get(t, r, "busy").State.ClearAll()
	fill("busy", 200_000)
	fill("busy", 10_000)
	want(t, "idle sessions first", strings.Join(lost, ", "), "the memory is full (option memory): idle")
	want(t, "names", names(r), "default busy")
	if _, wasDropped, _ := r.Get("idle"); !wasDropped {
		t.Error("nobody says that the session was dropped")
	}
	if _, wasDropped, _ := r.Get("idle"); wasDropped {
		t.Error("it is said twice")
	}
	fill("busy", 600_000)
	fill("busy", 10_000)
	want(t, "then snapshots", strings.Join(lost, ", "), "the memory is full (option memory): idle, 1 snapshots")
	get(t, r, "busy").Value().n.Store(200_000)
	r.Grow(200_000)
	fill("busy", 100_000)
	fill("busy", 10_000)
	want(t, "then records", strings.Join(lost, ", "), "the memory is full (option memory): idle, 1 snapshots, 200000 records")
	fill("busy", 300_000)
	get(t, r, "busy")
	if last := lost[len(lost)-1]; !strings.HasSuffix(last, "items") {
		t.Errorf("then items: %v", lost)
	}
	if used := used(r); used > limit {
		t.Errorf("%d bytes are used", used)
	}
}

// TestManyAttacks creates, copies, saves, restores, resets and reloads as it comes: what is counted never ends
// above the limit, and is nothing when all is deleted.
func TestManyAttacks(t *testing.T) {
	const limit = 2 << 20
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		r, c := sessions(state.SessionOptions[*counter]{Memory: limit})
		empty := used(r)
		name := func() string { return fmt.Sprint("s", random.IntN(8)) }
		for range 3000 {
			s := get(t, r, name())
			switch random.IntN(12) {
			case 0:
				s.Snapshot(fmt.Sprint(random.IntN(4)))
			case 1:
				s.Restore(fmt.Sprint(random.IntN(4)))
			case 2:
				s.Forget(fmt.Sprint(random.IntN(4)))
			case 3:
				r.Fork(s.Name, name())
			case 4:
				r.Reset(s.Name)
			case 5:
				s.State.Delete("plants", fmt.Sprint(random.IntN(50)), state.Any)
			case 6:
				s.State.ClearBelow("owners", fmt.Sprint(random.IntN(5)))
			case 7:
				base := state.New(state.Limits{})
				base.Append("plants", make([]byte, random.IntN(10_000)), 0)
				r.SetBase(base.View())
			default:
				collection := []string{"plants", fmt.Sprint("owners/", random.IntN(5), "/plants")}[random.IntN(2)]
				s.State.Put(collection, fmt.Sprint(random.IntN(200)), make([]byte, random.IntN(20_000)), 0, state.Any)
			}
			c.seconds.Add(int64(random.IntN(10)))
		}
		r.Lookup("")
		if used := used(r); used > limit {
			t.Errorf("seed %d: %d bytes are used", seed, used)
		}
		for _, s := range r.List() {
			if s.Bytes() < 0 {
				t.Errorf("seed %d: %s takes %d bytes", seed, s.Name, s.Bytes())
			}
			r.Delete(s.Name)
		}
		base := state.New(state.Limits{})
		base.Insert("plants", "1", []byte(`"Fern"`), state.Seeded)
		r.SetBase(base.View())
		if used := used(r); used != empty {
			t.Errorf("seed %d: %d bytes are used by nothing, %d at the start", seed, used, empty)
		}
	}
}

// TestSharedIsCountedOnce: a snapshot takes what the session no longer has, and nothing else.
func TestSharedIsCountedOnce(t *testing.T) {
	r, _ := sessions(state.SessionOptions[*counter]{})
	s := get(t, r, "a")
	for range 100 {
		s.State.Append("plants", make([]byte, 10_000), 0)
	}
	before := used(r)
	for i := range 10 {
		s.Snapshot(fmt.Sprint(i))
		s.Restore("0")
	}
	if grown := used(r) - before; grown > 20_000 {
		t.Errorf("ten snapshots of what is there take %d bytes", grown)
	}
	s.State.ClearAll()
	if now := used(r); now < before || now > before+100_000 {
		t.Errorf("a snapshot of what was cleared takes %d bytes, %d before", now, before)
	}
	for _, label := range s.Snapshots() {
		s.Forget(label)
	}
	if left := used(r); left > 10_000 {
		t.Errorf("%d bytes without snapshots", left)
	}
}

// TestMemoryComesBack compares the counted bytes with the heap, also after items were deleted.
func TestMemoryComesBack(t *testing.T) {
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	r, _ := sessions(state.SessionOptions[*counter]{})
	empty, _, _ := r.Usage()
	for what, free := range map[string]func(*state.Session[*counter]){
		"items": func(s *state.Session[*counter]) { s.State.ClearAll(); s.Forget("x") },
		"items and a snapshot": func(s *state.Session[*counter]) {
			s.Forget("x")
			for _, item := range slices.Collect(s.State.View().All()) {
				s.State.Delete("plants", item.Key, state.Any)
			}
			s.State.Clear("plants")
		},
		"a session": func(s *state.Session[*counter]) { r.Delete(s.Name) },
	} {
		before := heap()
		s := get(t, r, "a")
		text := bytes.Repeat([]byte("x"), 200)
		for range 20_000 {
			s.State.Append("plants", bytes.Clone(text), 0)
		}
		s.Snapshot("x")
		for i := range 10_000 {
			s.State.Put("plants", fmt.Sprint(i+1), bytes.Clone(text), 0, state.Any)
		}
		counted, grown := used(r)-empty, heap()-before
		if counted < grown || counted > 3*grown {
			t.Errorf("%s: %d bytes are counted, the heap has %d", what, counted, grown)
		}
		free(s)
		if left := heap() - before; left > grown/10 {
			t.Errorf("%s: of %d bytes %d are left when they are deleted", what, grown, left)
		}
		r.Delete("a")
		if left := used(r) - empty; left != 0 {
			t.Errorf("%s: %d bytes are counted for nothing", what, left)
		}
	}
}

// TestExpire: sessions that nobody uses are dropped without a request that would look for them.
func TestExpire(t *testing.T) {
	var lost losses
	r, c := sessions(state.SessionOptions[*counter]{Idle: time.Hour, Dropped: lost.dropped})
	get(t, r, "a")
	c.seconds.Add(3000)
	get(t, r, "b")
	r.Expire()
	want(t, "in time", strings.Join(lost, ", "), "")
	c.seconds.Add(1000)
	r.Expire()
	want(t, "idle", strings.Join(lost, ", "), "unused for 1h0m0s: a")
	want(t, "dropped", strings.Join(r.Dropped(), " "), "a")
}

// TestSpareItems fills a store beyond its items: a 4,096th of them is dropped at once.
func TestSpareItems(t *testing.T) {
	const limit = 2 * 4096
	dropped := 0
	s := state.New(state.Limits{Items: limit, Dropped: func(items int) { dropped += items }})
	for range limit {
		s.Append("plants", []byte("{}"), 0)
	}
	want(t, "dropped at the limit", fmt.Sprint(dropped), "0")
	s.Append("plants", []byte("{}"), 0)
	want(t, "dropped beyond it", fmt.Sprint(dropped), "3")
	list := s.View().List("plants", 0, limit)
	want(t, "items", fmt.Sprint(len(list)), fmt.Sprint(limit-2))
	want(t, "oldest item", list[0].Key, "4")
}
