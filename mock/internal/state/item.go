package state

import (
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// Item is one resource, or what is left of a deleted one. It never changes.
type Item struct {
	Key        string // within its collection
	Collection string // as Below writes it
	JSON       []byte // compact; nil if the item was deleted
	// Version changes with every change of the item and is never used again
	// for another text in the same State, so it makes an ETag.
	Version uint64
	Flags   Flags
	Members jsontext.Members // of JSON
	// Upstream is the JSON of the item as a proxy's upstream has it, also of a tombstone; nil if that is not known.
	Upstream []byte

	created int64  // in nanoseconds since 1970; 0 if that is not known
	changed int64  // likewise
	at      uint64 // position in the collection
	number  uint64 // position among all items or among all tombstones of a State
}

// Flags are the caller's: the store keeps them.
type Flags uint8

const (
	// Seeded marks an item that no client created.
	Seeded Flags = 1 << iota
	// ByClient marks an item that a client created: nothing is below it that no client created.
	ByClient
	// Adopted marks an item, or a tombstone, that is as a proxy's upstream has it.
	Adopted
)

// Created is when the item was created; zero if the State had no clock then.
func (i *Item) Created() time.Time { return timeOf(i.created) }

// Changed is when the item was last changed; zero if the State had no clock then.
func (i *Item) Changed() time.Time { return timeOf(i.changed) }

func timeOf(nanoseconds int64) time.Time {
	if nanoseconds == 0 {
		return time.Time{}
	}
	return time.Unix(0, nanoseconds)
}

// Deleted reports whether the item is a tombstone.
func (i *Item) Deleted() bool { return i.JSON == nil }

// IsLocal reports whether the item, or the tombstone, differs from what a proxy's upstream has.
func (i *Item) IsLocal() bool { return i.Flags&Adopted == 0 }

func (i *Item) exists() bool { return i != nil && !i.Deleted() }

// live returns an item that is there, or reports that it was deleted.
func (i *Item) live() (item *Item, deleted bool) {
	if i.exists() {
		return i, false
	}
	return nil, i != nil
}

func (i *Item) bytes() int64 {
	bytes := int64(len(i.Key) + len(i.JSON))
	if i.IsLocal() { // else it is the same text
		bytes += int64(len(i.Upstream))
	}
	return bytes
}

// Below names the collection of a resource under a parent item, whose key may
// hold any bytes: Below("owners", "7", "plants") is owners/7/plants.
func Below(collection, key, resource string) string {
	return collection + "/" + escape.Replace(key) + "/" + resource
}

var escape = strings.NewReplacer("%", "%25", "/", "%2F")
