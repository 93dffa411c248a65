package state

import (
	"iter"
	"sort"
	"sync"
)

// View is what a State held at one time. It never changes.
type View struct {
	contents contents
	size     int64 // bytes of memory, of what States begin with
	forking  sync.Mutex
}

// fork returns what the View has, to be changed.
func (v *View) fork() contents {
	v.forking.Lock()
	defer v.forking.Unlock()
	return v.contents.copy()
}

// base returns a View that States begin with: what it has is not counted for each of them.
func (v *View) base() *View {
	base := &View{contents: v.fork(), size: v.Memory()}
	base.contents.memory = usage{base: base}
	return base
}

// Memory estimates the bytes of memory that a View takes.
func (v *View) Memory() int64 { return v.size + v.contents.memory.bytes }

// Get returns the item of a key, or nil. It reports that an item was deleted if nothing of that key was created since.
func (v *View) Get(collection, key string) (item *Item, deleted bool) {
	return v.contents.get(collection, key).live()
}

// Len is how many items a collection has.
func (v *View) Len(collection string) int {
	in := v.contents.collection(collection)
	if in == nil {
		return 0
	}
	return in.order.Len()
}

// Collections returns the names of the collections with items, sorted.
func (v *View) Collections() (names []string) {
	v.contents.collections.Scan(func(name string, in *collection) bool {
		if in.order.Len() > 0 {
			names = append(names, name)
		}
		return true
	})
	return names
}

// Known reports whether a collection has items, or had some that were deleted.
func (v *View) Known(collection string) bool { return v.contents.collection(collection) != nil }

// Tombstones goes over the tombstones of a collection, in the order of their keys.
func (v *View) Tombstones(collection string) iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		if in := v.contents.collection(collection); in != nil && in.tombstones > 0 {
			in.keys.Scan(func(_ string, item *Item) bool { return !item.Deleted() || yield(item) })
		}
	}
}

// Place is how many items of its collection stand before an item, which must be one of the View's.
func (v *View) Place(item *Item) int {
	order := v.contents.collection(item.Collection).order
	return sort.Search(order.Len(), func(i int) bool {
		at, _, _ := order.GetAt(i)
		return at >= item.at
	})
}

// Items goes over the items of a collection, oldest first, without the first offset.
func (v *View) Items(collection string, offset int) iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		if in := v.contents.collection(collection); in != nil {
			from, _, _ := in.order.GetAt(max(0, offset))
			if offset < in.order.Len() {
				in.order.Ascend(from, func(_ uint64, item *Item) bool { return yield(item) })
			}
		}
	}
}

// Newest is Items from the newest to the oldest.
func (v *View) Newest(collection string, offset int) iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		if in := v.contents.collection(collection); in != nil && offset < in.order.Len() {
			from, _, _ := in.order.GetAt(in.order.Len() - 1 - max(0, offset))
			in.order.Descend(from, func(_ uint64, item *Item) bool { return yield(item) })
		}
	}
}

// List returns at most limit items of a collection from an offset on.
func (v *View) List(collection string, offset, limit int) []*Item {
	n := min(limit, v.Len(collection)-max(0, offset))
	if n <= 0 {
		return nil
	}
	list := make([]*Item, 0, n)
	for item := range v.Items(collection, offset) {
		if list = append(list, item); len(list) == n {
			break
		}
	}
	return list
}

// All goes over the items of all collections, oldest first.
func (v *View) All() iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		v.contents.items.Scan(func(_ uint64, item *Item) bool { return yield(item) })
	}
}

// Total is how many items all collections have.
func (v *View) Total() int { return v.contents.items.Len() }

// Bytes is how long the keys and the JSON of all items are.
func (v *View) Bytes() int64 { return v.contents.bytes }
