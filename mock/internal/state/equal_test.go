package state

import "testing"

// TestSetBase changes what sessions begin with: sessions that have what they began with go over to it, whatever
// happened to them before.
func TestSetBase(t *testing.T) {
	for _, x := range []struct {
		name  string
		do    func(*State, *View)
		moves bool
	}{
		{"nothing", func(*State, *View) {}, true},
		{"read", func(s *State, _ *View) { s.View() }, true},
		{"tick", func(s *State, _ *View) { s.Tick(); s.View() }, true},
		{"written", func(s *State, _ *View) { s.Insert("plants", "2", []byte("{}"), 0) }, false},
		{"known", func(s *State, _ *View) { s.Know("beds", 0) }, false},
		{"deleted", func(s *State, _ *View) { s.Delete("plants", "2", Any) }, false},
		{"reset", func(s *State, base *View) { s.Insert("plants", "2", []byte("{}"), 0); s.Restore(base); s.View() }, true},
		{"cleared", func(s *State, _ *View) { s.ClearAll() }, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			first, next := New(Limits{}), New(Limits{})
			first.Insert("plants", "1", []byte("{}"), 0)
			next.Insert("plants", "1", []byte("{}"), 0)
			next.Insert("plants", "3", []byte("{}"), 0)
			r := NewSessions(first.View(), SessionOptions[int]{New: func() int { return 0 }})
			s, _, _ := r.Get("a")
			x.do(s.State, r.Base())
			r.SetBase(next.View())
			if item, _ := s.State.Get("plants", "3"); (item != nil) != x.moves {
				t.Errorf("it goes over: %v", item != nil)
			}
		})
	}
}

// TestVersionAfterRestore: a fork of a session that was restored has the session's version, not an earlier one.
func TestVersionAfterRestore(t *testing.T) {
	s := New(Limits{})
	before := s.View()
	s.Insert("plants", "1", []byte("{}"), 0)
	s.Restore(before)
	item, err := NewFrom(s.View(), Limits{}).Insert("plants", "1", []byte("[]"), 0)
	if err != nil || item.Version != 2 {
		t.Errorf("version %d, %v", item.Version, err)
	}
}
