package state

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/mock/internal/memory"
)

// Default is the name of the session of those who name none. It is always there.
const Default = "default"

// ErrSession says that a session's name is taken.
var ErrSession = errors.New("a session of this name exists")

// SessionOptions bound the sessions and say what each has beside its State. The
// zero value of a number means its default.
type SessionOptions[V any] struct {
	Limits    Limits // of each session
	Sessions  int    // default 1,000, besides Default; the least recently used are dropped first
	Snapshots int    // of each session; default 16
	// Memory is the bytes of memory that all sessions take together, Default and the base included; default 512 MiB.
	Memory int64
	Idle   time.Duration        // a session unused for longer is dropped; default an hour
	Now    func() time.Duration // only rises; default the time since NewSessions by the monotonic clock
	New    func() V             // creates the value of a new session
	Clock  func(V) *Clock       // by which its items are created; default none
	Fork   func(V) V            // copies it, while it may be in use
	Size   func(V) int64        // about the bytes of memory that it takes; default none
	Shed   func(V) (int, int64) // drops its least valuable part: how many of Shedding, and their bytes
	// Shedding names what Shed drops, in the plural.
	Shedding string
	// Dropped is called with the names of sessions that are dropped, Lost for what else was dropped for the limit of
	// Memory. They must not ask for sessions.
	Dropped func(reason string, names []string)
	Lost    func(memory.Loss)
}

// Sessions are forks of a base View by name. They are safe for concurrent use.
type Sessions[V any] struct {
	options SessionOptions[V]
	budget  *memory.Budget
	first   *Session[V]                            // Default
	byName  atomic.Pointer[map[string]*Session[V]] // replaced, never changed

	mu      sync.Mutex // of writers of byName, base and dropped
	base    atomic.Pointer[View]
	dropped []string // names of sessions that were dropped and not asked for since, oldest first
}

// NewSessions makes Sessions that begin with what a View has.
func NewSessions[V any](base *View, o SessionOptions[V]) *Sessions[V] {
	o.Sessions = cmp.Or(max(o.Sessions, 0), 1000)
	o.Snapshots = cmp.Or(max(o.Snapshots, 0), 16)
	o.Memory = cmp.Or(max(o.Memory, 0), DefaultMemory)
	o.Idle = cmp.Or(max(o.Idle, 0), time.Hour)
	if began := time.Now(); o.Now == nil {
		o.Now = func() time.Duration { return time.Since(began) }
	}
	if o.Size == nil {
		o.Size = func(V) int64 { return 0 }
	}
	if o.Shed == nil {
		o.Shed = func(V) (int, int64) { return 0, 0 }
	}
	if o.Dropped == nil {
		o.Dropped = func(string, []string) {}
	}
	if o.Lost == nil {
		o.Lost = func(memory.Loss) {}
	}
	r := &Sessions[V]{options: o}
	r.budget = memory.New(o.Memory, r.used, r.parts()...)
	r.options.Limits.Grown = r.budget.Grow
	r.options.Limits.Dropped = func(items int) {
		r.budget.Lost(memory.Loss{Name: LostItems, Dropped: items})
		if o.Limits.Dropped != nil {
			o.Limits.Dropped(items)
		}
	}
	r.byName.Store(&map[string]*Session[V]{})
	r.base.Store(base.base())
	r.budget.Grow(base.Memory())
	r.first = r.fresh(Default, r.Base(), o.New())
	return r
}

func (r *Sessions[V]) fresh(name string, v *View, value V) *Session[V] {
	s := &Session[V]{Name: name, in: r, snapshots: map[string]snapshot[V]{}}
	s.value.Store(&value)
	limits := r.options.Limits
	if clock := r.options.Clock; clock != nil {
		limits.Clock = func() *Clock { return clock(s.Value()) }
	}
	s.State = NewFrom(v, limits)
	s.used.Store(int64(r.options.Now()))
	return s
}

// Base is what new sessions begin with.
func (r *Sessions[V]) Base() *View { return r.base.Load() }

// SetBase changes what new sessions begin with and others are reset to. Sessions in which nothing was written since
// they began go over to it at once. It returns the number of the others.
func (r *Sessions[V]) SetBase(v *View) (others int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before, base := r.Base(), v.base()
	r.base.Store(base)
	r.budget.Grow(base.size)
	for _, s := range r.all() {
		if !s.State.rebase(before, base) {
			others++
		}
	}
	return others
}

// Each goes over the values of all sessions and of their snapshots.
func (r *Sessions[V]) Each(visit func(V)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.all() {
		s.mu.Lock()
		visit(s.Value())
		for _, saved := range s.snapshots {
			visit(saved.value)
		}
		s.mu.Unlock()
	}
}

// Get returns the session of a name, which is created if there is none; "" is Default. It reports whether a
// session of this name was dropped since it was asked for last. The error is about the name.
func (r *Sessions[V]) Get(name string) (s *Session[V], wasDropped bool, err error) {
	if s := r.Lookup(name); s != nil {
		return s, false, nil
	}
	if err := checkName("session", name); err != nil {
		return nil, false, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.lookup(name); s != nil {
		return s, false, nil
	}
	s = r.add(r.fresh(strings.Clone(name), r.base.Load(), r.options.New()))
	if i := slices.Index(r.dropped, name); i >= 0 {
		r.dropped = slices.Delete(r.dropped, i, i+1)
		wasDropped = true
	}
	return s, wasDropped, nil
}

// Lookup returns the session of a name, or nil, and counts as a use. If the memory is full it makes room first:
// the caller holds no locks.
func (r *Sessions[V]) Lookup(name string) *Session[V] {
	if r.budget.IsFull() {
		r.relieve()
	}
	return r.lookup(name)
}

func (r *Sessions[V]) lookup(name string) *Session[V] {
	if name == "" || name == Default {
		return r.first
	}
	s := (*r.byName.Load())[name]
	if s != nil {
		now := int64(r.options.Now())
		if r.idle(s, now) {
			return nil
		}
		s.used.Store(now)
	}
	return s
}

func (r *Sessions[V]) idle(s *Session[V], now int64) bool {
	return now-s.used.Load() > int64(r.options.Idle)
}

// Fork creates a session that begins as another one is, without its snapshots. It copies no items. If
// there is no such session yet, it is the base that is forked.
func (r *Sessions[V]) Fork(from, to string) (*Session[V], error) {
	if err := checkName("session", to); err != nil {
		return nil, err
	}
	origin, _, err := r.Get(from)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lookup(to) != nil {
		return nil, ErrSession
	}
	return r.add(r.fresh(strings.Clone(to), origin.State.View(), r.options.Fork(origin.Value()))), nil
}

// add keeps a session, in the room of those that have been idle for too long and, while all are too many, of the
// least recently used ones. The caller holds the lock.
func (r *Sessions[V]) add(s *Session[V]) *Session[V] {
	if _, isIdle := (*r.byName.Load())[s.Name]; isIdle || len(*r.byName.Load()) >= r.options.Sessions {
		r.expire()
		if tooMany := len(*r.byName.Load()) + 1 - r.options.Sessions; tooMany > 0 {
			r.lose("too many sessions (option max-sessions)", r.byUse()[:tooMany]...)
		}
	}
	byName := maps.Clone(*r.byName.Load())
	byName[s.Name] = s
	r.byName.Store(&byName)
	r.budget.Grow(s.Bytes())
	return s
}

// Reset takes a session back to the base and a new value; its snapshots stay.
// It reports whether there is such a session.
func (r *Sessions[V]) Reset(name string) bool {
	s := r.Lookup(name)
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.become(r.base.Load(), r.options.New())
	return true
}

// Delete drops a session and reports whether there was one. Default stays, as new and without snapshots.
func (r *Sessions[V]) Delete(name string) bool {
	s := r.Lookup(name)
	if s == r.first {
		r.Reset(Default)
		s.mu.Lock()
		clear(s.snapshots)
		s.State.forget()
		s.mu.Unlock()
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	byName := maps.Clone(*r.byName.Load())
	delete(byName, name)
	r.byName.Store(&byName)
	if s != nil {
		s.State.EndHistory()
	}
	return s != nil
}

// List returns the sessions that are not idle, by name; Default is the first.
func (r *Sessions[V]) List() []*Session[V] {
	now := int64(r.options.Now())
	list := []*Session[V]{r.first}
	for _, s := range *r.byName.Load() {
		if !r.idle(s, now) {
			list = append(list, s)
		}
	}
	slices.SortFunc(list[1:], func(a, b *Session[V]) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Session is one client's State with a value of the caller's beside it. It is safe for concurrent use.
type Session[V any] struct {
	Name  string
	State *State

	in    *Sessions[V]
	value atomic.Pointer[V]
	used  atomic.Int64 // when, in nanoseconds by SessionOptions.Now

	mu        sync.Mutex
	snapshots map[string]snapshot[V]
}

type snapshot[V any] struct {
	view  *View
	value V
	at    time.Duration // by SessionOptions.Now
	left  int64         // of the State's memory when it was as the snapshot
}

// Value is what belongs to the session beside its items. Restore and Reset replace it.
func (s *Session[V]) Value() V { return *s.value.Load() }

// Copy returns a session of its own that begins as this one is. It is not among the Sessions.
func (s *Session[V]) Copy() *Session[V] {
	return s.in.fresh(s.Name, s.State.View(), s.in.options.Fork(s.Value()))
}

// Snapshot remembers the session under a label, in the place of an earlier
// snapshot of the same label. It copies no items.
func (s *Session[V]) Snapshot(label string) error {
	if err := checkName("snapshot", label); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &s.in.options
	if _, known := s.snapshots[label]; !known && len(s.snapshots) >= o.Snapshots {
		return fmt.Errorf("session %q has %d snapshots, which is the limit; delete one first", s.Name, len(s.snapshots))
	}
	saved := snapshot[V]{value: o.Fork(s.Value()), at: o.Now()}
	saved.view, saved.left = s.State.save()
	s.snapshots[label] = saved
	s.in.budget.Grow(snapshotBytes + o.Size(saved.value))
	return nil
}

// Restore goes back to a snapshot, which stays. It reports whether there is one.
func (s *Session[V]) Restore(label string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	saved, ok := s.snapshots[label]
	if ok {
		s.become(saved.view, s.in.options.Fork(saved.value))
		_, saved.left = s.State.save() // it shares all with the session again
		s.snapshots[label] = saved
	}
	return ok
}

// Replace goes over to other items and another value.
func (s *Session[V]) Replace(v *View, value V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.become(v, value)
	s.in.budget.Grow(s.in.options.Size(value))
}

// Forget removes a snapshot and reports whether there was one.
func (s *Session[V]) Forget(label string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.snapshots[label]
	if delete(s.snapshots, label); len(s.snapshots) == 0 {
		s.State.forget()
	}
	return ok
}

// Snapshots returns the labels of the snapshots, sorted.
func (s *Session[V]) Snapshots() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.snapshots))
}

func (s *Session[V]) become(v *View, value V) {
	s.State.Restore(v)
	s.value.Store(&value)
}

// CheckName says what is wrong with the name of a session.
func CheckName(name string) error { return checkName("session", name) }

// checkName says what is wrong with the name of a session or a snapshot.
func checkName(what, name string) error {
	const longest = 64
	isInvisible := func(c byte) bool { return c <= ' ' || c > '~' }
	if name == "" || len(name) > longest || slices.ContainsFunc([]byte(name), isInvisible) {
		if len(name) > longest {
			name = name[:longest] + "…"
		}
		return fmt.Errorf("no %s can have the name %q; it must be 1 to %d visible ASCII characters", what, name, longest)
	}
	return nil
}
