package state

import (
	"strconv"
	"strings"
	"sync"

	"github.com/tidwall/btree"

	"github.com/coldframe/coldframe/internal/jsontext"
)

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

// degree is half of the children of a tree's node. With 8 a write to a full store takes 1.1 µs instead of 0.8, with 32
// a write after a View copies 17 kB instead of 11 (BenchmarkInsertFull, BenchmarkInsertRead).
const degree = 16

// tree is an ordered map that shares with its copies what did not change.
type tree[K string | uint64, V any] = btree.Map[K, V]

// collection is the items of one name.
type collection struct {
	name       string
	owner      *owner
	keys       *tree[string, *Item] // and tombstones
	order      *tree[uint64, *Item] // without tombstones, by Item.at
	position   uint64               // of the next item
	tombstones int
	local      int    // items and tombstones that differ from what a proxy's upstream has
	adopted    bool   // that was seen
	reserved   *Item  // stands among the tombstones for a collection that was created for its next key
	next       int64  // the integer key that comes next
	since      uint64 // the version that created it

	copying sync.Mutex // held while it is copied
}

// owner marks the collections that one writer has made since its contents were last frozen: it alone sees them.
type owner struct{ _ byte }

// contents is all that a State keeps. Its methods change it in place if collections are its owner's.
type contents struct {
	owner       *owner
	same        *owner // shared by contents that are equal because one is a copy of the other; nil after a write
	collections *tree[string, *collection]
	items       *tree[uint64, *Item] // of all collections, by Item.number: in the order in which they were created
	tombstones  *tree[uint64, *Item] // likewise, and reservations
	number      uint64               // of the next item or tombstone
	bytes       int64                // of the items' keys and texts
	deadBytes   int64                // of the tombstones' keys
	local       int                  // as in collection, of all
	version     uint64               // of the last change
	ticks       uint64               // of State.Tick
	memory      usage
}

func newContents() contents {
	return contents{
		owner: &owner{}, collections: btree.NewMap[string, *collection](degree),
		items: btree.NewMap[uint64, *Item](degree), tombstones: btree.NewMap[uint64, *Item](degree),
	}
}

// copy returns equal contents that are changed apart from these. The caller prevents that two copies are made at once.
func (c *contents) copy() contents {
	copied := *c
	copied.owner = &owner{}
	copied.collections, copied.items, copied.tombstones = c.collections.Copy(), c.items.Copy(), c.tombstones.Copy()
	return copied
}

// usage is how much of the process's memory contents take beside those that they began with, and their snapshots
// beside them: what they share is counted once.
type usage struct {
	base  *View  // what they began with; nil for nothing
	bytes int64  // of what is newer
	saved uint64 // the version of the latest snapshot; 0 if none
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

func (in *collection) memory() int64 { return 2*int64(len(in.name)) + collectionBytes }

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

// replacedBy returns what is counted if all contents are replaced.
func (m *usage) replacedBy(next usage) usage {
	return usage{next.base, next.bytes, m.saved, m.left + m.bytes}
}

// equals reports whether contents are copies of each other, unchanged, or never had anything.
func (c *contents) equals(other *contents) bool {
	return c.same != nil && c.same == other.same || c.number+other.number == 0
}

func (c *contents) collection(name string) *collection {
	known, _ := c.collections.Get(name)
	return known
}

// get returns the item or tombstone of a key, nil if none.
func (c *contents) get(collection, key string) *Item {
	in := c.collection(collection)
	if in == nil {
		return nil
	}
	item, _ := in.keys.Get(key)
	return item
}

// own returns a collection to change; it is created if there is none.
func (c *contents) own(name string) *collection {
	in := c.collection(name)
	switch {
	case in == nil:
		in = &collection{
			name: name, keys: btree.NewMap[string, *Item](degree), order: btree.NewMap[uint64, *Item](degree), next: 1,
			since: c.version + 1,
		}
		c.memory.add(in.memory())
	case in.owner == c.owner:
		return in
	default:
		in = in.copy()
	}
	in.owner = c.owner
	c.collections.Set(name, in)
	return in
}

func (in *collection) copy() *collection {
	in.copying.Lock() // sessions of one View copy what they share
	defer in.copying.Unlock()
	return &collection{
		name: in.name, keys: in.keys.Copy(), order: in.order.Copy(), position: in.position, tombstones: in.tombstones,
		local: in.local, adopted: in.adopted, reserved: in.reserved, next: in.next, since: in.since,
	}
}

func (c *contents) removeCollection(in *collection) {
	c.memory.remove(in.since, in.memory())
	c.collections.Delete(in.name)
}

// collectionsBelow returns the names of the collections below an item, at any depth.
func (c *contents) collectionsBelow(item string) (names []string) {
	c.collections.Ascend(item+"/", func(name string, _ *collection) bool {
		isBelow := strings.HasPrefix(name, item+"/")
		if isBelow {
			names = append(names, name)
		}
		return isBelow
	})
	return names
}

// put keeps an item in the place of what there was of its key: before, which is nil, a tombstone or an item.
func (c *contents) put(item, before *Item) {
	in := c.own(item.Collection)
	item.Collection = in.name // one text for all
	c.version++
	item.Version = c.version
	if before.exists() {
		item.at, item.number = before.at, before.number
		in.order.Set(item.at, item)
		c.items.Set(item.number, item)
		c.bytes -= before.bytes()
		c.memory.remove(before.Version, before.memory())
		c.count(in, before, -1)
	} else {
		if before != nil {
			c.forget(in, before)
		}
		item.at, item.number = in.position, c.number
		in.position, c.number = in.position+1, c.number+1
		in.next = max(in.next, integer(item.Key)+1)
		in.order.Load(item.at, item) // behind the others
		c.items.Load(item.number, item)
	}
	in.keys.Set(item.Key, item)
	c.count(in, item, 1)
	c.bytes += item.bytes()
	c.memory.add(item.memory())
}

// count counts an item or a tombstone if it differs from what a proxy's upstream has.
func (c *contents) count(in *collection, item *Item, by int) {
	if item.IsLocal() {
		in.local, c.local = in.local+by, c.local+by
	}
}

// delete leaves a tombstone in the place of an item, or of nothing.
func (c *contents) delete(tombstone, before *Item) {
	in := c.own(tombstone.Collection)
	if before != nil {
		c.forget(in, before)
	}
	c.version++
	tombstone.Collection, tombstone.Version = in.name, c.version
	c.count(in, tombstone, 1)
	c.bury(tombstone)
	c.deadBytes += tombstone.bytes()
	c.memory.add(tombstone.memory())
	in.tombstones++
	in.keys.Set(tombstone.Key, tombstone)
}

// bury puts a tombstone or a reservation behind the others.
func (c *contents) bury(tombstone *Item) {
	tombstone.number = c.number
	c.tombstones.Set(c.number, tombstone)
	c.number++
}

// forget takes an item or a tombstone out of all but the keys of its collection.
func (c *contents) forget(in *collection, item *Item) {
	c.memory.remove(item.Version, item.memory())
	c.count(in, item, -1)
	if item.Deleted() {
		c.tombstones.Delete(item.number)
		c.deadBytes -= item.bytes()
		in.tombstones--
		return
	}
	in.order.Delete(item.at)
	c.items.Delete(item.number)
	c.bytes -= item.bytes()
}

// drop removes an item, a tombstone or a reservation without a trace, and its collection if that was the last.
func (c *contents) drop(item *Item) {
	in := c.own(item.Collection)
	if item == in.reserved {
		in.reserved = nil
		c.tombstones.Delete(item.number)
	} else {
		c.forget(in, item)
		in.keys.Delete(item.Key)
	}
	if in.keys.Len() == 0 && in.reserved == nil {
		c.removeCollection(in)
	}
}

// know returns a collection to change. A new one is kept by a reservation among the tombstones, so that there are no
// more empty collections than tombstones.
func (c *contents) know(name string) *collection {
	isNew := c.collection(name) == nil
	in := c.own(name)
	if isNew {
		in.reserved = &Item{Collection: in.name}
		c.bury(in.reserved)
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
	in.keys.Scan(func(_ string, item *Item) bool {
		c.memory.remove(item.Version, item.memory())
		if item.Deleted() {
			c.tombstones.Delete(item.number)
			c.deadBytes -= item.bytes()
		} else {
			c.items.Delete(item.number)
			c.bytes -= item.bytes()
		}
		return true
	})
	if in.reserved != nil {
		c.tombstones.Delete(in.reserved.number)
	}
	c.local -= in.local
	c.removeCollection(in)
}

// shrink drops the oldest items, then tombstones, except the initial ones, until so many bytes of memory are free. It
// returns how many items it dropped.
func (c *contents) shrink(bytes int64) (dropped int) {
	least := c.memory.bytes - bytes
	for _, all := range []*tree[uint64, *Item]{c.items.Copy(), c.tombstones.Copy()} {
		all.Scan(func(_ uint64, item *Item) bool {
			if c.memory.counts(item.Version) && item.Version > 0 { // not a reservation
				c.drop(item)
				if !item.Deleted() {
					dropped++
				}
			}
			return c.memory.bytes > least
		})
	}
	return dropped
}

// bound drops the oldest items and tombstones beyond the limits and returns how many items it dropped. It drops a
// 4,096th more, so that a full store does not fetch its oldest items from main memory at each write.
func (c *contents) bound(l *Limits) (dropped int) {
	if c.items.Len() > l.Items || c.bytes > l.Bytes {
		items, bytes := l.Items-l.Items/spareShare, l.Bytes-l.Bytes/spareShare
		for c.items.Len() > 0 && (c.items.Len() > items || c.bytes > bytes) {
			_, oldest, _ := c.items.Min()
			c.drop(oldest)
			dropped++
		}
	}
	for c.tombstones.Len() > l.Items || c.deadBytes > l.Bytes/tombstoneShare {
		_, oldest, _ := c.tombstones.Min()
		c.drop(oldest)
	}
	return dropped
}
