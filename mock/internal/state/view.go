package state

import (
	"iter"
	"slices"
)

// View is what a State held at one time. It never changes.
type View struct {
	contents contents
}

// Get gives the item of a key, or nil. It reports that an item was deleted
// where nothing of that key was created since.
func (v *View) Get(collection, key string) (item *Item, deleted bool) {
	return v.contents.live(collection, key)
}

// Len is how many items a collection has.
func (v *View) Len(collection string) int {
	if in := v.contents.collection(collection); in != nil {
		return in.order.len()
	}
	return 0
}

// Known reports whether a collection has items, or had some that were deleted.
func (v *View) Known(collection string) bool { return v.contents.collection(collection) != nil }

// Place is how many items of its collection stand before an item, which must be
// one of the View's.
func (v *View) Place(item *Item) int {
	return v.contents.collection(item.Collection).order.rank(item.at)
}

// Items goes over the items of a collection, oldest first, without the first
// offset. How large offset is costs nothing.
func (v *View) Items(collection string, offset int) iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		if in := v.contents.collection(collection); in != nil {
			in.order.each(offset, false, yield)
		}
	}
}

// Newest is Items from the newest to the oldest.
func (v *View) Newest(collection string, offset int) iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		if in := v.contents.collection(collection); in != nil {
			in.order.each(offset, true, yield)
		}
	}
}

// List gives at most limit items of a collection from an offset on.
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
	return func(yield func(*Item) bool) { v.contents.items.each(0, false, yield) }
}

// Total is how many items all collections have, and Bytes how long their keys
// and JSON are.
func (v *View) Total() int   { return v.contents.items.len() }
func (v *View) Bytes() int64 { return v.contents.bytes }

// Collections names the collections that have items, sorted.
func (v *View) Collections() []string {
	var names []string
	v.contents.collections.root.each(func(c *collection) bool {
		if c.order.len() > 0 {
			names = append(names, c.name)
		}
		return true
	})
	slices.Sort(names)
	return names
}
