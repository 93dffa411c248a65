package state

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// Session is one client's State with a value of the caller's beside it. It is
// safe for concurrent use.
type Session[V any] struct {
	Name  string
	State *State

	options *SessionOptions[V]
	value   atomic.Pointer[V]
	used    atomic.Int64 // when, in nanoseconds since 1970

	mu        sync.Mutex
	snapshots map[string]snapshot[V]
}

// snapshot is a session at one time.
type snapshot[V any] struct {
	view  *View
	value V
}

// Value is what belongs to the session beside its items. Restore and Reset
// replace it.
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

// Restore goes back to a snapshot, which stays. It reports whether there is
// one.
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

// become replaces all but the snapshots.
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
