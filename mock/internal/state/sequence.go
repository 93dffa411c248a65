package state

// Items whose integer keys count from 1 as they are created are found by their positions: the trie of keys has the
// others, and tombstones. Creating an item and dropping the oldest one takes 3 allocations, and
// 5 where all are in the trie (BenchmarkInsertFull).

// isInSequence reports whether an item is found by its position.
func (i *Item) isInSequence() bool { return !i.deleted() && uint64(integer(i.Key)-1) == i.at }

// find returns the item or tombstone of a key, nil if there is none.
func (in *collection) find(h hasher, key string) *Item {
	if n := integer(key); n > 0 {
		if item := in.order.get(uint64(n - 1)); item != nil && item.Key == key {
			return item
		}
	}
	item, _ := in.items.get(h.hash(key), key)
	return item
}

// keep has an item found in the place of what there was of its key.
func (in *collection) keep(o *owner, item, before *Item) {
	switch {
	case !item.isInSequence():
		in.items.set(o, item)
	case before != nil && before.deleted():
		in.items.remove(o, before)
	}
}

// lose has an item or tombstone found no more.
func (in *collection) lose(o *owner, item *Item) {
	if !item.isInSequence() {
		in.items.remove(o, item)
	}
}

// each goes over the items and tombstones.
func (in *collection) each(yield func(*Item)) {
	in.items.root.each(func(item *Item) bool {
		yield(item)
		return true
	})
	in.order.each(nil, 0, false, func(item *Item) bool {
		if item.isInSequence() {
			yield(item)
		}
		return true
	})
}
