package state

import (
	"hash/maphash"
	"iter"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// hasher hashes keys. Forks share it.
type hasher struct {
	seed maphash.Seed
	mask uint64 // less than all bits only in tests
}

// hash returns an integer key itself: as they mostly are in sequence, they fill a trie evenly, and the way to
// one is short. Nobody can lengthen it much: highest has six steps.
func (h hasher) hash(key string) uint64 {
	if n := integer(key); n >= 0 {
		return uint64(n) & h.mask
	}
	return maphash.String(h.seed, key) & h.mask
}

// highest is the largest integer key that others follow: larger ones are times
// and the like, and the keys that the store makes fit in an int32.
const highest = 1 << 30

func integer(key string) int64 {
	if key == "" || key[0] == '0' && len(key) > 1 || key[0] < '0' || key[0] > '9' {
		return -1
	}
	n, err := strconv.ParseInt(key, 10, 32)
	if err != nil || n > highest {
		return -1
	}
	return n
}

// name is a name with its hash: of a collection, for all the items that it is below.
type name struct {
	text   string
	hashed uint64
}

func (n *name) key() string  { return n.text }
func (n *name) hash() uint64 { return n.hashed }

// collection is the items of one name, in the order in which they were created.
type collection struct {
	name
	owner      *owner
	items      trie[*Item] // that are not in sequence, and tombstones
	order      vector      // without tombstones
	tombstones int
	reserved   *Item  // stands among the tombstones for a collection that was created for its next key
	next       int64  // the integer key that comes next
	since      uint64 // the version that created it
}

// descendants is the names of all collections below one item, at any depth. Its own
// name is the item as Below writes it, without the last slash.
type descendants struct {
	name
	owner *owner
	names trie[*name]
}

// contents is all that a State keeps. Its methods change it in place where the nodes are its owner's.
type contents struct {
	owner       *owner
	hasher      hasher
	collections trie[*collection]
	below       trie[*descendants]
	items       vector // of all collections, in the order in which they were created
	tombstones  vector // likewise, and reservations
	bytes       int64  // of the items' keys and texts
	deadBytes   int64  // of the tombstones' keys
	version     uint64 // of the last change
	ticks       uint64 // of State.Tick
	memory      usage
}

// usage is how much of the process's memory contents take beside those that they began with, and their snapshots
// beside them: what they share is counted once.
type usage struct {
	base  *View  // what they began with; nil for nothing
	bytes int64  // of what is newer
	saved uint64 // the version of the latest snapshot; 0 for none
	left  int64  // bytes that a snapshot may have and the contents no longer; it only rises
}

// What things take in memory beside their texts, in bytes, as docs/state.md measures it.
const (
	itemBytes       = 400  // an item or a tombstone with its places in the trees
	collectionBytes = 800  // a collection with its names
	copiedBytes     = 2800 // the nodes that a write copies because a snapshot has them
)

func (i *Item) memory() int64 {
	return i.bytes() + int64(jsontext.MembersBytes(len(i.JSON))) + itemBytes
}

func (in *collection) memory() int64 { return 2*int64(len(in.text)) + collectionBytes }

func (m *usage) add(bytes int64) {
	m.bytes += bytes
	if m.saved > 0 {
		m.left += copiedBytes
	}
}

func (m *usage) remove(since uint64, bytes int64) {
	if !m.counts(since) {
		return // it stays in what the contents began with
	}
	m.bytes -= bytes
	if since <= m.saved {
		m.left += bytes
	}
}

// counts reports whether what a version created is not of the base.
func (m *usage) counts(since uint64) bool { return m.base == nil || since > m.base.contents.version }

// replacedBy returns what is counted where all contents are replaced.
func (m *usage) replacedBy(next usage) usage {
	return usage{next.base, next.bytes, m.saved, m.left + m.bytes}
}

func (c *contents) collection(name string) *collection {
	known, _ := c.collections.get(c.hasher.hash(name), name)
	return known
}

// get returns the item or tombstone of a key, nil if there is none.
func (c *contents) get(collection, key string) *Item {
	if in := c.collection(collection); in != nil {
		return in.find(c.hasher, key)
	}
	return nil
}

// own returns a collection to change; it is created if there is none.
func (c *contents) own(name string) *collection {
	in := c.collection(name)
	switch {
	case in == nil:
		in = &collection{name: c.named(name), next: 1, since: c.version + 1}
		c.memory.add(in.memory())
		own := in.name // not in.name itself, which would keep all else of in
		for item := range ancestors(name) {
			c.descendants(item).names.set(c.owner, &own)
		}
	case in.owner == c.owner:
		return in
	default:
		copied := *in
		in = &copied
	}
	in.owner = c.owner
	c.collections.set(c.owner, in)
	return in
}

func (c *contents) named(text string) name { return name{text, c.hasher.hash(text)} }

// ancestors goes over what may be the items that a collection is below: a
// resource's name may have slashes of its own, so some are none.
func ancestors(collection string) iter.Seq[string] {
	return func(yield func(item string) bool) {
		for i := 1; i < len(collection); i++ {
			if collection[i] == '/' && strings.IndexByte(collection[1:i], '/') >= 0 && !yield(collection[:i]) {
				return
			}
		}
	}
}

func (c *contents) removeCollection(in *collection) {
	c.memory.remove(in.since, in.memory())
	c.collections.remove(c.owner, in)
	for item := range ancestors(in.text) {
		d := c.descendants(item)
		if d.names.remove(c.owner, &in.name); d.names.root == nil {
			c.below.remove(c.owner, d)
		}
	}
}

// descendants returns those of an item, to be changed.
func (c *contents) descendants(item string) *descendants {
	known, _ := c.below.get(c.hasher.hash(item), item)
	if known != nil && known.owner == c.owner {
		return known
	}
	own := &descendants{name: c.named(item), owner: c.owner}
	if known != nil {
		own.names = known.names
	}
	c.below.set(c.owner, own)
	return own
}

func (c *contents) collectionsBelow(item string) (names []string) {
	if d, _ := c.below.get(c.hasher.hash(item), item); d != nil {
		d.names.root.each(func(n *name) bool {
			names = append(names, n.text)
			return true
		})
	}
	return names
}

// put keeps an item in the place of what there was of its key: before, which is nil, a tombstone or an item.
func (c *contents) put(item, before *Item) {
	in := c.own(item.Collection)
	item.Collection = in.text // one text for all
	c.version++
	item.Version = c.version
	item.hashed = c.hasher.hash(item.Key)
	if before.exists() {
		item.at, item.number = before.at, before.number
		in.order.set(c.owner, item.at, item)
		c.items.set(c.owner, item.number, item)
		c.bytes -= before.bytes()
		c.memory.remove(before.Version, before.memory())
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
	c.memory.add(item.memory())
	in.keep(c.owner, item, before)
}

// delete leaves a tombstone in the place of an item, or of nothing.
func (c *contents) delete(collection, key string, before *Item) {
	in := c.own(collection)
	if before != nil {
		c.forget(in, before)
	}
	c.version++
	tombstone := &Item{
		Key: key, Collection: in.text, Version: c.version, hashed: c.hasher.hash(key), number: c.tombstones.next,
	}
	c.tombstones.append(c.owner, tombstone)
	c.deadBytes += tombstone.bytes()
	c.memory.add(tombstone.memory())
	in.tombstones++
	in.keep(c.owner, tombstone, before)
}

// forget takes an item or a tombstone out of all but the keys of its collection.
func (c *contents) forget(in *collection, item *Item) {
	c.memory.remove(item.Version, item.memory())
	if item.deleted() {
		c.tombstones.remove(c.owner, item.number)
		c.deadBytes -= item.bytes()
		in.tombstones--
		return
	}
	in.order.remove(c.owner, item.at)
	c.items.remove(c.owner, item.number)
	c.bytes -= item.bytes()
}

// drop removes an item, a tombstone or a reservation without a trace, and its
// collection if that was the last.
func (c *contents) drop(item *Item) {
	in := c.own(item.Collection)
	if item == in.reserved {
		in.reserved = nil
		c.tombstones.remove(c.owner, item.number)
	} else {
		c.forget(in, item)
		in.lose(c.owner, item)
	}
	if in.order.len(nil) == 0 && in.tombstones == 0 && in.reserved == nil {
		c.removeCollection(in)
	}
}

// know returns a collection to change. A new one is kept by a reservation among
// the tombstones, so that there are no more empty collections than tombstones.
func (c *contents) know(name string) *collection {
	isNew := c.collection(name) == nil
	in := c.own(name)
	if isNew {
		in.reserved = &Item{Collection: in.text, number: c.tombstones.next}
		c.tombstones.append(c.owner, in.reserved)
	}
	return in
}

// reserve returns the next integer key of a collection, at least least.
func (c *contents) reserve(name string, least int64) int64 {
	in := c.know(name)
	next := max(in.next, least)
	// No item has an integer key from next up to highest, but a tombstone may.
	for (in.tombstones > 0 || next > highest) && c.get(name, strconv.FormatInt(next, 10)) != nil {
		next++
	}
	in.next = next + 1
	return next
}

// clear removes a collection with its items and tombstones without a trace.
func (c *contents) clear(in *collection) {
	in.each(func(item *Item) {
		c.memory.remove(item.Version, item.memory())
		if item.deleted() {
			c.tombstones.remove(c.owner, item.number)
			c.deadBytes -= item.bytes()
		} else {
			c.items.remove(c.owner, item.number)
			c.bytes -= item.bytes()
		}
	})
	if in.reserved != nil {
		c.tombstones.remove(c.owner, in.reserved.number)
	}
	c.removeCollection(in)
}

func (c *contents) same(other *contents) bool {
	return c.collections == other.collections && c.items == other.items && c.tombstones == other.tombstones
}

// shrink drops the oldest items, then tombstones, that are not those which the contents began with, until so many
// bytes of memory are free. It returns how many items it dropped.
func (c *contents) shrink(bytes int64) (dropped int) {
	least := c.memory.bytes - bytes
	for _, list := range []vector{c.items, c.tombstones} {
		list.each(nil, 0, false, func(item *Item) bool {
			if c.memory.counts(item.Version) && item.Version > 0 { // not a reservation
				c.drop(item)
				if !item.deleted() {
					dropped++
				}
			}
			return c.memory.bytes > least
		})
	}
	return dropped
}

// bound drops the oldest items and tombstones beyond the limits and gives how many items it dropped. It drops a 4,096th
// more, so that a full store does not fetch its oldest items from main memory at each write: one takes 280 ns in place
// of 340 (BenchmarkInsertFull).
func (c *contents) bound(l *Limits) (dropped int) {
	if c.items.len(nil) > l.Items || c.bytes > l.Bytes {
		items, bytes := l.Items-l.Items/spareShare, l.Bytes-l.Bytes/spareShare
		c.items.each(nil, 0, false, func(item *Item) bool {
			c.drop(item)
			dropped++
			return c.items.len(nil) > items || c.bytes > bytes
		})
	}
	for c.tombstones.len(nil) > l.Items || c.deadBytes > l.Bytes/tombstoneShare {
		c.drop(c.tombstones.first())
	}
	return dropped
}
