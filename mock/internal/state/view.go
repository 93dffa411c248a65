package state

import "iter"

// View is what a State held at one time. It never changes.
type View struct {
	contents contents
	size     int64  // bytes of memory, of what States begin with
	reads    *Reads // notes what is read; nil for nothing
	origin   *View  // that this was made of to be noted
	in       string // the collection of which lists have only what is selected
	only     *Selection
}

// base returns a View as one that States begin with: what it has is not counted for each of them.
func (v *View) base() *View {
	base := &View{contents: v.contents, size: v.Memory()}
	base.contents.memory = usage{base: base}
	return base
}

// Memory is about how many bytes of memory a View takes.
func (v *View) Memory() int64 { return v.size + v.contents.memory.bytes }

// Get returns the item of a key, or nil. It reports that an item was deleted
// where nothing of that key was created since.
func (v *View) Get(collection, key string) (item *Item, deleted bool) {
	found := v.contents.get(collection, key)
	v.reads.noteItem(collection, key, found)
	return found.live()
}

// Len is how many items a collection has.
func (v *View) Len(collection string) int {
	all, only := v.order(collection)
	return all.len(only)
}

// Known reports whether a collection has items, or had some that were deleted.
func (v *View) Known(collection string) bool {
	v.noteCollection(collection)
	return v.contents.collection(collection) != nil
}

// Place is how many items of its collection stand before an item, which must be one of the View's.
func (v *View) Place(item *Item) int {
	all, only := v.order(item.Collection)
	return all.rank(only, item.at)
}

// Items goes over the items of a collection, oldest first, without the first
// offset. How large offset is costs nothing.
func (v *View) Items(collection string, offset int) iter.Seq[*Item] {
	all, only := v.order(collection)
	return func(yield func(*Item) bool) { all.each(only, offset, false, yield) }
}

// Newest is Items from the newest to the oldest.
func (v *View) Newest(collection string, offset int) iter.Seq[*Item] {
	all, only := v.order(collection)
	return func(yield func(*Item) bool) { all.each(only, offset, true, yield) }
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
	v.noteAll()
	return func(yield func(*Item) bool) { v.contents.items.each(nil, 0, false, yield) }
}

// Total is how many items all collections have.
func (v *View) Total() int {
	v.noteAll()
	return v.contents.items.len(nil)
}

// Bytes is how long the keys and the JSON of all items are.
func (v *View) Bytes() int64 {
	v.noteAll()
	return v.contents.bytes
}

// order returns the list of a collection, nil for none, and what is selected of it.
func (v *View) order(collection string) (all *vector, only *Selection) {
	v.noteCollection(collection)
	in := v.contents.collection(collection)
	switch {
	case in == nil:
		return nil, nil
	case v.only != nil && v.in == collection:
		return &in.order, v.only
	}
	return &in.order, nil
}
