package state_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/coldframe/coldframe/mock/state"
)

func list(s *state.Store) string {
	var names []string
	for _, item := range s.Items() {
		names = append(names, string(item.JSON))
	}
	return strings.Join(names, " ")
}

func TestStore(t *testing.T) {
	s := state.New(3)
	for i, want := range []string{"0", "0 1", "0 1 2", "1 2 3", "2 3 4"} {
		dropped := s.Add(&state.Item{JSON: []byte(strconv.Itoa(i))})
		if got := list(s); got != want || dropped != (i >= 3) {
			t.Errorf("after %d: %q, dropped %t; want %q", i, got, dropped, want)
		}
	}
	if s.Len() != 3 || s.Limit() != 3 {
		t.Errorf("%d of %d", s.Len(), s.Limit())
	}
	s.Clear()
	if s.Len() != 0 || list(s) != "" {
		t.Errorf("%d after Clear: %q", s.Len(), list(s))
	}
	for i, want := range []string{"0", "0 1"} {
		if dropped := s.Add(&state.Item{JSON: []byte(strconv.Itoa(i))}); dropped || list(s) != want {
			t.Errorf("after Clear and %d: %q, dropped %t; want %q", i, list(s), dropped, want)
		}
	}
}

// TestConcurrent adds, reads and clears at once: what is read is always in
// order, and the last that were added are there at the end.
func TestConcurrent(t *testing.T) {
	s := state.New(64)
	var workers sync.WaitGroup
	for w := range 4 {
		workers.Go(func() {
			for i := range 1000 {
				s.Add(&state.Item{JSON: []byte(strconv.Itoa(w*1000 + i))})
				if i%100 == 50 && w == 0 {
					s.Clear()
				}
				if n := s.Len(); n < 0 || n > 64 {
					t.Errorf("%d items", n)
				}
				seen := map[string]bool{}
				for _, item := range s.Items() {
					if seen[string(item.JSON)] {
						t.Errorf("%s stands twice", item.JSON)
					}
					seen[string(item.JSON)] = true
				}
			}
		})
	}
	workers.Wait()
	s.Clear()
	for i := range 100 {
		s.Add(&state.Item{JSON: []byte(strconv.Itoa(i))})
	}
	if items := s.Items(); len(items) != 64 || string(items[63].JSON) != "99" {
		t.Errorf("%d items: %s", len(items), list(s))
	}
}
