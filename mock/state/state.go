// Package state keeps what clients create.
package state

import "sync/atomic"

// Item is one created resource.
type Item struct {
	Collection string // the path it was created under: /plants
	JSON       []byte // as it was sent; never changed
}

// Store keeps items in the order they came, at most as many as it has slots:
// then the oldest go first. It takes no locks, so creations do not wait for
// each other.
type Store struct {
	slots []atomic.Pointer[Item]
	next  atomic.Uint64 // how many were added since the store was made
	first atomic.Uint64 // those before it were removed by Clear
}

// New makes a store of at most limit items, at least one.
func New(limit int) *Store {
	return &Store{slots: make([]atomic.Pointer[Item], max(1, limit))}
}

// Add keeps an item and reports whether another had to go for it.
func (s *Store) Add(item *Item) (dropped bool) {
	number := s.next.Add(1) - 1
	s.slots[number%uint64(len(s.slots))].Store(item)
	return number-s.first.Load() >= uint64(len(s.slots))
}

// Items gives what is kept, oldest first. Items that are being added meanwhile
// may or may not be among them.
func (s *Store) Items() []*Item {
	next, first := s.next.Load(), s.first.Load()
	if size := uint64(len(s.slots)); next-first > size {
		first = next - size
	}
	items := make([]*Item, 0, next-first)
	for number := first; number < next; number++ {
		if item := s.slots[number%uint64(len(s.slots))].Load(); item != nil {
			items = append(items, item)
		}
	}
	return items
}

// Len is how many items are kept.
func (s *Store) Len() int {
	return int(min(s.next.Load()-s.first.Load(), uint64(len(s.slots))))
}

// Limit is how many items are kept at most.
func (s *Store) Limit() int { return len(s.slots) }

// Clear removes all items.
func (s *Store) Clear() {
	s.first.Store(s.next.Load())
	for i := range s.slots {
		s.slots[i].Store(nil)
	}
}
