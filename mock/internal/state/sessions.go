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
)

// Default is the name of the session of those who name none. It is always there.
const Default = "default"

// ErrSession says that a session's name is taken.
var ErrSession = errors.New("a session of this name exists")

// SessionOptions bound the sessions and say what each has beside its State. The
// zero value of a number means its default.
type SessionOptions[V any] struct {
	Limits    Limits           // of each session
	Sessions  int              // default 1,000, besides Default; the least recently used are dropped first
	Snapshots int              // of each session; default 16
	Bytes     int64            // of keys and JSON in all sessions but Default, beyond those of the base; default 1 GiB
	Idle      time.Duration    // a session unused for longer is dropped; default an hour
	Now       func() time.Time // default time.Now
	New       func() V         // creates the value of a new session
	Fork      func(V) V        // copies it, while it may be in use
}

// Sessions are forks of a base View by name. They are safe for concurrent use.
type Sessions[V any] struct {
	options SessionOptions[V]
	first   *Session[V]                            // Default
	byName  atomic.Pointer[map[string]*Session[V]] // replaced, never changed

	mu   sync.Mutex // of writers of byName and base
	base atomic.Pointer[View]
}

// NewSessions makes Sessions that begin with what a View has.
func NewSessions[V any](base *View, o SessionOptions[V]) *Sessions[V] {
	o.Sessions = cmp.Or(max(o.Sessions, 0), 1000)
	o.Snapshots = cmp.Or(max(o.Snapshots, 0), 16)
	o.Bytes = cmp.Or(max(o.Bytes, 0), 1<<30)
	o.Idle = cmp.Or(max(o.Idle, 0), time.Hour)
	if o.Now == nil {
		o.Now = time.Now
	}
	r := &Sessions[V]{options: o}
	r.base.Store(base)
	r.byName.Store(&map[string]*Session[V]{})
	r.first = r.fresh(Default, base, o.New())
	return r
}

func (r *Sessions[V]) fresh(name string, v *View, value V) *Session[V] {
	s := &Session[V]{
		Name:      name,
		State:     NewFrom(v, r.options.Limits),
		options:   &r.options,
		snapshots: map[string]snapshot[V]{},
	}
	s.value.Store(&value)
	s.used.Store(r.options.Now().UnixNano())
	return s
}

// Base is what new sessions begin with.
func (r *Sessions[V]) Base() *View { return r.base.Load() }

// SetBase changes what new sessions begin with and others are reset to. Those
// in which nothing was written since they began go over to it at once.
func (r *Sessions[V]) SetBase(v *View) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.base.Load()
	r.base.Store(v)
	r.first.State.rebase(before, v)
	for _, s := range *r.byName.Load() {
		s.State.rebase(before, v)
	}
}

// Get gives the session of a name, which is created where there is none; "" is
// Default. The error is about the name.
func (r *Sessions[V]) Get(name string) (*Session[V], error) {
	if s := r.Lookup(name); s != nil {
		return s, nil
	}
	if err := checkName("session", name); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.Lookup(name); s != nil {
		return s, nil
	}
	return r.add(r.fresh(strings.Clone(name), r.base.Load(), r.options.New())), nil
}

// Lookup gives the session of a name, or nil, and counts as a use.
func (r *Sessions[V]) Lookup(name string) *Session[V] {
	if name == "" || name == Default {
		return r.first
	}
	s := (*r.byName.Load())[name]
	if s != nil {
		now := r.options.Now().UnixNano()
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

// Fork creates a session that begins as another one is, without its snapshots. It copies no items. Where
// there is no such session yet, it is the base that is forked.
func (r *Sessions[V]) Fork(from, to string) (*Session[V], error) {
	if err := checkName("session", to); err != nil {
		return nil, err
	}
	origin, err := r.Get(from)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Lookup(to) != nil {
		return nil, ErrSession
	}
	return r.add(r.fresh(strings.Clone(to), origin.State.View(), r.options.Fork(origin.Value()))), nil
}

// add keeps a session, in the room of those that have been idle for too long and, while all together hold too
// many bytes or are too many, of the least recently used ones. The caller holds the lock.
func (r *Sessions[V]) add(s *Session[V]) *Session[V] {
	byName := maps.Clone(*r.byName.Load())
	delete(byName, s.Name) // idle
	r.bound(byName)
	byName[s.Name] = s
	r.byName.Store(&byName)
	return s
}

// bound makes room for one more session.
func (r *Sessions[V]) bound(byName map[string]*Session[V]) {
	now, base := r.options.Now().UnixNano(), r.base.Load()
	bytes := int64(0)
	type use struct {
		name      string
		at, bytes int64
	}
	uses := make([]use, 0, len(byName))
	for name, s := range byName {
		if r.idle(s, now) {
			delete(byName, name)
			continue
		}
		uses = append(uses, use{name, s.used.Load(), max(0, s.State.bytes()-base.Bytes())})
		bytes += uses[len(uses)-1].bytes
	}
	isFull := func() bool { return len(byName) >= r.options.Sessions || bytes > r.options.Bytes }
	if !isFull() {
		return
	}
	slices.SortFunc(uses, func(a, b use) int { return cmp.Compare(a.at, b.at) })
	for _, u := range uses {
		if !isFull() {
			return
		}
		delete(byName, u.name)
		bytes -= u.bytes
	}
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
		s.mu.Unlock()
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	byName := maps.Clone(*r.byName.Load())
	delete(byName, name)
	r.byName.Store(&byName)
	return s != nil
}

// List gives the sessions that are not idle, by name; Default is the first.
func (r *Sessions[V]) List() []*Session[V] {
	now := r.options.Now().UnixNano()
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

	options *SessionOptions[V]
	value   atomic.Pointer[V]
	used    atomic.Int64 // when, in nanoseconds since 1970

	mu        sync.Mutex
	snapshots map[string]snapshot[V]
}

type snapshot[V any] struct {
	view  *View
	value V
}

// Value is what belongs to the session beside its items. Restore and Reset replace it.
func (s *Session[V]) Value() V { return *s.value.Load() }

// Snapshot remembers the session under a label, in the place of an earlier
// snapshot of the same label. It copies no items.
func (s *Session[V]) Snapshot(label string) error {
	if err := checkName("snapshot", label); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.snapshots[label]; !known && len(s.snapshots) >= s.options.Snapshots {
		return fmt.Errorf("session %q has %d snapshots, which is the limit; forget one first", s.Name, len(s.snapshots))
	}
	s.snapshots[label] = snapshot[V]{s.State.View(), s.options.Fork(s.Value())}
	return nil
}

// Restore goes back to a snapshot, which stays. It reports whether there is one.
func (s *Session[V]) Restore(label string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	saved, ok := s.snapshots[label]
	if ok {
		s.become(saved.view, s.options.Fork(saved.value))
	}
	return ok
}

// Forget removes a snapshot and reports whether there was one.
func (s *Session[V]) Forget(label string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.snapshots[label]
	delete(s.snapshots, label)
	return ok
}

// Snapshots gives the labels of the snapshots, sorted.
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
