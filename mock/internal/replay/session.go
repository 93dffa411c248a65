package replay

import (
	"slices"
	"sync"
)

// Session remembers which exchanges of a Set have answered in a session. The zero value has none. It is safe for
// concurrent use.
type Session struct {
	mu   sync.Mutex
	sum  [32]byte // of the Set
	used []uint64 // a bit for each entry
}

// Answer returns the exchange that answers a request, nil if none matches: of those that match best, the first that has
// not answered yet, or the last.
func (s *Set) Answer(in *Session, r *Request) *Entry {
	for _, key := range r.keys(r.Said()) {
		if matching := s.byKey[key]; len(matching) > 0 {
			return in.next(s, matching)
		}
	}
	return nil
}

func (n *Session) next(s *Set, matching []*Entry) *Entry {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.sum != s.sum || n.used == nil {
		n.sum, n.used = s.sum, make([]uint64, (len(s.Entries)+63)/64)
	}
	isNew := func(e *Entry) bool { return n.used[e.index/64]&(1<<(e.index%64)) == 0 }
	chosen := matching[len(matching)-1]
	if i := slices.IndexFunc(matching, isNew); i >= 0 {
		chosen = matching[i]
	}
	n.used[chosen.index/64] |= 1 << (chosen.index % 64)
	return chosen
}

// Fork copies the session.
func (n *Session) Fork() *Session {
	n.mu.Lock()
	defer n.mu.Unlock()
	return &Session{sum: n.sum, used: slices.Clone(n.used)}
}

// Bytes is about the memory of the session.
func (n *Session) Bytes() int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return int64(8 * len(n.used))
}
