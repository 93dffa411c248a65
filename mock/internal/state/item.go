package state

import (
	"cmp"
	"strings"
)

// Item is one resource, or what is left of a deleted one. It never changes.
type Item struct {
	Key        string // within its collection
	Collection string // as Below writes it
	JSON       []byte // compact; nil where the item was deleted
	// Version changes with every change of the item and is never used again
	// for another text in the same State, so it makes an ETag.
	Version uint64
	Flags   Flags

	hashed uint64 // the hash of Key
	at     uint64 // position in the collection
	number uint64 // position among all items or among all tombstones of a State
}

// Flags are the caller's: the store keeps them.
type Flags uint8

// Seeded marks an item that no client created.
const Seeded Flags = 1

func (i *Item) key() string   { return i.Key }
func (i *Item) hash() uint64  { return i.hashed }
func (i *Item) deleted() bool { return i.JSON == nil }
func (i *Item) exists() bool  { return i != nil && !i.deleted() }
func (i *Item) bytes() int64  { return int64(len(i.Key) + len(i.JSON)) }

// Below names the collection of a resource under a parent item, whose key may
// hold any bytes: Below("owners", "7", "plants") is owners/7/plants.
func Below(collection, key, resource string) string {
	return collection + "/" + escape.Replace(key) + "/" + resource
}

var escape = strings.NewReplacer("%", "%25", "/", "%2F")

// Limits bound one State. The zero value of a field means its default.
type Limits struct {
	Items int   // default 100,000; as many tombstones
	Bytes int64 // of items' keys and JSON; default 256 MiB; a sixteenth for tombstones' keys
	// Dropped is called after a write for which old items were dropped, with how
	// many. It is called by several goroutines at once.
	Dropped func(items int)
}

const tombstoneShare = 16

func (l Limits) withDefaults() Limits {
	return Limits{cmp.Or(max(l.Items, 0), 100_000), cmp.Or(max(l.Bytes, 0), 256<<20), l.Dropped}
}
