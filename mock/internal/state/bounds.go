package state

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/coldframe/coldframe/mock/internal/memory"
)

const (
	// DefaultMemory is the bytes that all sessions may take together.
	DefaultMemory = 512 << 20
	// IdleFirst is how long a session must be unused to be dropped before anything of other sessions.
	IdleFirst = time.Minute

	maxDropped    = 1000    // names of dropped sessions that are remembered
	sessionBytes  = 2 << 10 // of memory that a session takes beside its items and its value
	snapshotBytes = 1 << 10
	leastShrunk   = 64 << 10 // a session of fewer bytes keeps its items
)

// What is lost, by the names that the control API has for it.
const (
	LostSessions  = "sessions"
	LostSnapshots = "snapshots"
	LostItems     = "items"
	lostBusy      = "sessions in use"
)

// parts are what is dropped if sessions take too much memory together, in this order.
func (r *Sessions[V]) parts() []memory.Part {
	return []memory.Part{
		{Name: LostSessions, Drop: func(bytes int64) (int, int64) { return r.dropSessions(bytes, IdleFirst) }},
		{Name: LostSnapshots, Drop: r.dropSnapshots},
		{Name: r.options.Shedding, Drop: r.shed},
		{Name: LostItems, Drop: r.dropItems},
		{Name: lostBusy, Drop: func(bytes int64) (int, int64) { return r.dropSessions(bytes, 0) }},
	}
}

// relieve makes room if the memory is full.
func (r *Sessions[V]) relieve() {
	for _, lost := range r.budget.Relieve() {
		if lost.Name != LostSessions && lost.Name != lostBusy { // which drop reports
			r.options.Lost(lost)
		}
	}
}

const isFull = "the memory is full (option memory)"

// Usage returns the bytes of memory that sessions take, how many they may, and what was lost since the start.
// What is over its limit is dropped first.
func (r *Sessions[V]) Usage() (used, limit int64, lost []memory.Loss) {
	r.relieve()
	return r.budget.Usage()
}

// Grow counts bytes by which the value of a session has grown.
func (r *Sessions[V]) Grow(bytes int64) { r.budget.Grow(bytes) }

// Dropped returns the names of sessions that were dropped and not asked for since.
func (r *Sessions[V]) Dropped() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string{}, r.dropped...)
}

func (r *Sessions[V]) all() []*Session[V] {
	return append(slices.Collect(maps.Values(*r.byName.Load())), r.first)
}

// used counts what sessions take. What they share with the base is counted once, so is an earlier base.
func (r *Sessions[V]) used() int64 {
	bases := map[*View]bool{r.Base(): true}
	total := int64(0)
	for _, s := range r.all() {
		total += s.Bytes()
		bases[s.State.usage().base] = true
		s.mu.Lock()
		for _, saved := range s.snapshots {
			bases[saved.view.contents.memory.base] = true
		}
		s.mu.Unlock()
	}
	delete(bases, nil)
	for base := range bases {
		total += base.size
	}
	return total
}

// Bytes estimates the memory that a session takes beside what it began with.
func (s *Session[V]) Bytes() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	total := sessionBytes + s.in.options.Size(s.Value()) + s.State.usage().bytes
	for _, bytes := range s.kept() {
		total += bytes
	}
	return total
}

// kept returns what each snapshot keeps in memory beside the next one, or beside the session if it is the last.
// The caller holds the lock.
func (s *Session[V]) kept() map[string]int64 {
	labels := slices.SortedFunc(maps.Keys(s.snapshots), func(a, b string) int {
		return cmp.Compare(s.snapshots[b].left, s.snapshots[a].left)
	})
	kept := make(map[string]int64, len(labels))
	next := s.State.usage().left
	for _, label := range labels {
		saved := s.snapshots[label]
		kept[label] = snapshotBytes + s.in.options.Size(saved.value) + min(saved.view.contents.memory.bytes, next-saved.left)
		next = saved.left
	}
	return kept
}

// byUse returns the named sessions, the least recently used first.
func (r *Sessions[V]) byUse() []*Session[V] {
	type use struct {
		s  *Session[V]
		at int64
	}
	var uses []use
	for _, s := range *r.byName.Load() {
		uses = append(uses, use{s, s.used.Load()})
	}
	slices.SortFunc(uses, func(a, b use) int { return cmp.Compare(a.at, b.at) })
	sorted := make([]*Session[V], len(uses))
	for i, u := range uses {
		sorted[i] = u.s
	}
	return sorted
}

// drop drops sessions and remembers their names. The caller holds the lock.
func (r *Sessions[V]) drop(reason string, dropped ...*Session[V]) {
	if len(dropped) == 0 {
		return
	}
	byName := maps.Clone(*r.byName.Load())
	var names []string
	for _, s := range dropped {
		delete(byName, s.Name)
		s.State.EndHistory()
		names = append(names, s.Name)
	}
	r.byName.Store(&byName)
	r.dropped = append(r.dropped, names...)
	r.dropped = slices.Delete(r.dropped, 0, max(0, len(r.dropped)-maxDropped))
	r.options.Dropped(reason, names)
}

// lose drops sessions for another reason than memory.
func (r *Sessions[V]) lose(reason string, dropped ...*Session[V]) {
	r.budget.Lost(memory.Loss{Name: LostSessions, Dropped: len(dropped)})
	r.drop(reason, dropped...)
}

// Expire drops the sessions that have been idle for too long.
func (r *Sessions[V]) Expire() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.expire()
}

func (r *Sessions[V]) expire() {
	now := int64(r.options.Now())
	r.lose("unused for "+r.options.Idle.String(), slices.DeleteFunc(r.byUse(), func(s *Session[V]) bool {
		return !r.idle(s, now)
	})...)
}

func (r *Sessions[V]) dropSessions(bytes int64, idle time.Duration) (dropped int, freed int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := int64(r.options.Now())
	var chosen []*Session[V]
	for _, s := range r.byUse() {
		if freed >= bytes || now-s.used.Load() < int64(idle) {
			break
		}
		chosen = append(chosen, s)
		freed += s.Bytes()
	}
	r.drop(isFull, chosen...)
	return len(chosen), freed
}

// dropSnapshots drops the oldest snapshots of all sessions.
func (r *Sessions[V]) dropSnapshots(bytes int64) (dropped int, freed int64) {
	type one struct {
		s     *Session[V]
		label string
		at    time.Duration
		bytes int64
	}
	var list []one
	for _, s := range r.all() {
		s.mu.Lock()
		for label, kept := range s.kept() {
			list = append(list, one{s, label, s.snapshots[label].at, kept})
		}
		s.mu.Unlock()
	}
	slices.SortFunc(list, func(a, b one) int { return cmp.Compare(a.at, b.at) })
	for _, o := range list {
		if freed >= bytes {
			break
		}
		if o.s.Forget(o.label) {
			dropped++
			freed += o.bytes
		}
	}
	return dropped, freed
}

// shed takes from the values of sessions, the least recently used first.
func (r *Sessions[V]) shed(bytes int64) (dropped int, freed int64) {
	for _, s := range append(r.byUse(), r.first) {
		if freed >= bytes {
			break
		}
		n, b := r.options.Shed(s.Value())
		dropped, freed = dropped+n, freed+b
	}
	return dropped, freed
}

// dropItems halves the largest session until enough is free.
func (r *Sessions[V]) dropItems(bytes int64) (dropped int, freed int64) {
	for freed < bytes {
		var largest *Session[V]
		most := int64(leastShrunk)
		for _, s := range r.all() {
			if n := s.State.usage().bytes; n > most {
				largest, most = s, n
			}
		}
		if largest == nil {
			break
		}
		n, b := largest.State.shrink(min(bytes-freed, most/2))
		if b == 0 {
			break
		}
		dropped, freed = dropped+n, freed+b
	}
	return dropped, freed
}
