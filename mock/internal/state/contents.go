package state

import (
	"hash/maphash"
	"strconv"
)

// hasher makes the hashes of keys. Forks share it.
type hasher struct {
	seed maphash.Seed
	mask uint64 // less than all bits only in tests
}

// hash gives an integer key itself: as they mostly are in sequence, they fill a
// trie evenly, and the way to one is short. Nobody can lengthen it much: highest
// has six steps.
func (h hasher) hash(key string) uint64 {
	if n := integer(key); n >= 0 {
		return uint64(n) & h.mask
	}
	return maphash.String(h.seed, key) & h.mask
}

// contents is all that is kept. Its methods change it in place where the nodes
// are its owner's.
type contents struct {
	owner       *owner
	hasher      hasher
	collections trie[*collection]
	families    trie[*family] // the names of collections, by what they are below
	items       vector        // of all collections, in the order in which they were made
	tombstones  vector        // likewise, and reservations
	bytes       int64         // of the items' keys and texts
	dead        int64         // bytes of the tombstones' keys
	version     uint64        // of the last change
	ticks       uint64        // of State.Tick
}

// collection gives a collection to read, nil where there is none.
func (c *contents) collection(name string) *collection {
	known, _ := c.collections.get(c.hasher.hash(name), name)
	return known
}

// get gives the item or tombstone of a key, nil where there is none.
func (c *contents) get(collection, key string) *Item {
	if in := c.collection(collection); in != nil {
		item, _ := in.items.get(c.hasher.hash(key), key)
		return item
	}
	return nil
}

// live gives the item of a key, or reports that there is a tombstone.
func (c *contents) live(collection, key string) (item *Item, gone bool) {
	item = c.get(collection, key)
	if item == nil || item.deleted() {
		return nil, item != nil
	}
	return item, false
}

// own gives a collection to change, which is made where there is none.
func (c *contents) own(name string) *collection {
	hash := c.hasher.hash(name)
	known, _ := c.collections.get(hash, name)
	switch {
	case known == nil:
		known = &collection{name: name, hashed: hash, next: 1}
		c.adopt(known)
	case known.owner == c.owner:
		return known
	default:
		copied := *known
		known = &copied
	}
	known.owner = c.owner
	c.collections.set(c.owner, known)
	return known
}

// put keeps an item in the place of what there was of its key: before, which
// is nil, a tombstone or an item.
func (c *contents) put(item, before *Item) {
	in := c.own(item.Collection)
	item.Collection = in.name // one text for all
	c.version++
	item.Version = c.version
	item.hashed = c.hasher.hash(item.Key)
	if before != nil && !before.deleted() {
		item.at, item.number = before.at, before.number
		in.order.set(c.owner, item.at, item)
		c.items.set(c.owner, item.number, item)
		c.bytes -= before.bytes()
	} else {
		if before != nil {
			c.forget(in, before)
		}
		item.at, item.number = in.order.next, c.items.next
		in.order.append(c.owner, item)
		c.items.append(c.owner, item)
		in.next = max(in.next, integer(item.Key)+1)
	}
	c.bytes += item.bytes()
	in.items.set(c.owner, item)
}

// bury leaves a tombstone in the place of an item, or of nothing.
func (c *contents) bury(collection, key string, before *Item) {
	in := c.own(collection)
	if before != nil {
		c.take(in, before)
	}
	c.version++
	tombstone := &Item{Key: key, Collection: in.name, Version: c.version, hashed: c.hasher.hash(key), number: c.tombstones.next}
	c.tombstones.append(c.owner, tombstone)
	c.dead += tombstone.bytes()
	in.tombstones++
	in.items.set(c.owner, tombstone)
}

// take takes an item out of all but the keys of its collection.
func (c *contents) take(in *collection, item *Item) {
	in.order.remove(c.owner, item.at)
	c.items.remove(c.owner, item.number)
	c.bytes -= item.bytes()
}

// forget takes a tombstone out of all but the keys of its collection.
func (c *contents) forget(in *collection, tombstone *Item) {
	c.tombstones.remove(c.owner, tombstone.number)
	c.dead -= tombstone.bytes()
	in.tombstones--
}

// drop removes an item, a tombstone or a reservation without a trace, and its
// collection if that was the last.
func (c *contents) drop(item *Item) {
	in := c.own(item.Collection)
	switch {
	case item == in.reserved:
		in.reserved = nil
		c.tombstones.remove(c.owner, item.number)
	case item.deleted():
		c.forget(in, item)
		in.items.remove(c.owner, item)
	default:
		c.take(in, item)
		in.items.remove(c.owner, item)
	}
	if in.order.len() == 0 && in.tombstones == 0 && in.reserved == nil {
		c.collections.remove(c.owner, in)
		c.orphan(in)
	}
}

// know gives a collection to change. A new one is kept by a reservation among
// the tombstones, so that there are no more empty collections than tombstones.
func (c *contents) know(name string) *collection {
	known := c.collection(name)
	in := c.own(name)
	if known == nil {
		in.reserved = &Item{Collection: in.name, number: c.tombstones.next}
		c.tombstones.append(c.owner, in.reserved)
	}
	return in
}

// reserve gives the next integer key of a collection, at least least.
func (c *contents) reserve(name string, least int64) int64 {
	in := c.know(name)
	next := max(in.next, least)
	for c.get(name, strconv.FormatInt(next, 10)) != nil {
		next++
	}
	in.next = next + 1
	return next
}

// clear removes a collection without a trace.
func (c *contents) clear(in *collection) {
	in.items.root.each(func(item *Item) bool {
		if item.deleted() {
			c.tombstones.remove(c.owner, item.number)
			c.dead -= item.bytes()
		} else {
			c.items.remove(c.owner, item.number)
			c.bytes -= item.bytes()
		}
		return true
	})
	if in.reserved != nil {
		c.tombstones.remove(c.owner, in.reserved.number)
	}
	c.collections.remove(c.owner, in)
	c.orphan(in)
}

// same reports whether nothing was written since both were one.
func (c *contents) same(other *contents) bool {
	return c.collections == other.collections && c.items == other.items && c.tombstones == other.tombstones
}

// bound drops the oldest items and tombstones beyond the limits and gives how
// many items went.
func (c *contents) bound(l *Limits) (dropped int) {
	for c.items.len() > l.Items || c.bytes > l.Bytes {
		c.drop(c.items.first())
		dropped++
	}
	for c.tombstones.len() > l.Items || c.dead > l.Bytes/tombstoneShare {
		c.drop(c.tombstones.first())
	}
	return dropped
}
