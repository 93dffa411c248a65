// Package state keeps what clients create.
package state

import "sync/atomic"

// Item is one created resource.
type Item struct {
	Collection string // the path it was created under: /plants
	JSON       []byte // as it was sent; never changed
	number     uint64 // of the order in which items were added
}

// Store keeps items in the order they came, at most as many as it has slots:
// then the oldest go first. It takes no locks, so creations do not wait for
// each other.
type Store struct {
	slots []atomic.Pointer[Item]
	next  atomic.Uint64 // how many were added since the store was made
	first atomic.Uint64 // those before it were removed by Clear; never more than next
}

// New makes a store of at most limit items, at least one.
func New(limit int) *Store {
	return &Store{slots: make([]atomic.Pointer[Item], max(1, limit))}
}

// Add keeps an item, which belongs to the store from then on, and reports
// whether another had to go for it.
func (s *Store) Add(item *Item) (dropped bool) {
	item.number = s.next.Add(1) - 1
	s.slots[item.number%uint64(len(s.slots))].Store(item)
	return item.number-s.first.Load() >= uint64(len(s.slots))
}

// Items gives what is kept, oldest first. Items that are added or removed
// meanwhile may or may not be among them.
func (s *Store) Items() []*Item {
	first, next := s.window()
	items := make([]*Item, 0, next-first)
	for number := first; number < next; number++ {
		item := s.slots[number%uint64(len(s.slots))].Load()
		if item != nil && item.number == number {
			items = append(items, item)
		}
	}
	return items
}

// Len is how many items are kept.
func (s *Store) Len() int {
	first, next := s.window()
	return int(next - first)
}

// window gives the numbers of the items that are kept: from first to before
// next.
func (s *Store) window() (first, next uint64) {
	first = s.first.Load() // before next, which never falls behind it
	next = s.next.Load()
	if size := uint64(len(s.slots)); next-first > size {
		first = next - size
	}
	return first, next
}

// Limit is how many items are kept at most.
func (s *Store) Limit() int { return len(s.slots) }

// Clear removes the items that were added before.
func (s *Store) Clear() {
	first := s.next.Load()
	for {
		before := s.first.Load()
		if before >= first || s.first.CompareAndSwap(before, first) {
			break
		}
	}
	for i := range s.slots {
		if item := s.slots[i].Load(); item != nil && item.number < first {
			s.slots[i].CompareAndSwap(item, nil)
		}
	}
}
