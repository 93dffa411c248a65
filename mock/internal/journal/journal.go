// Package journal is the mock's memory of what it was asked and what it
// answered: a ring of exchanges, bounded by their number and their bytes, that
// costs the exchange little. What is in it is a copy and is never changed
// (entry.go), so readers hold no lock; subscribers get each entry as it comes,
// and one that is slow loses entries rather than slow the mock (feed.go).
package journal

import (
	"slices"
	"sync"
	"time"
)

const (
	// DefaultEntries is how many exchanges are kept.
	DefaultEntries = 1000
	// DefaultBytes is how many bytes they take together, by Entry.size.
	DefaultBytes = 16 << 20
	// MaxBody is how many bytes of a body are kept.
	MaxBody = 64 << 10
)

// Options say how much is kept. The zero value keeps the defaults.
type Options struct {
	Entries int              // default DefaultEntries
	Bytes   int              // default DefaultBytes
	Clock   func() time.Time // default time.Now
}

// Journal keeps the last exchanges. It is safe for concurrent use. A nil
// Journal keeps nothing.
type Journal struct {
	clock   func() time.Time
	entries int
	bytes   int

	mu     sync.Mutex
	ring   []*Entry // grows up to entries
	first  int      // of the oldest in ring
	count  int
	kept   int    // bytes of the entries in ring
	number uint64 // of the last one recorded
	lost   uint64 // entries that made room for others since Clear
	feeds  map[*Feed]struct{}
}

// New makes an empty journal.
func New(o Options) *Journal {
	if o.Entries == 0 {
		o.Entries = DefaultEntries
	}
	if o.Bytes == 0 {
		o.Bytes = DefaultBytes
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return &Journal{clock: o.Clock, entries: o.Entries, bytes: o.Bytes}
}

// Now is the time by the journal's clock; none without a journal.
func (j *Journal) Now() time.Time {
	if j == nil {
		return time.Time{}
	}
	return j.clock()
}

// Record keeps an exchange, whose credentials have been redacted, and gives it
// its number. The journal owns e from then on.
func (j *Journal) Record(e *Entry) {
	if j == nil {
		return
	}
	e.Duration = j.clock().Sub(e.Time)
	e.cut()
	size := e.size()
	e.weight = size
	j.mu.Lock()
	defer j.mu.Unlock()
	j.number++
	e.Number = j.number
	for feed := range j.feeds {
		feed.offer(e)
	}
	for j.count > 0 && (j.count == j.entries || j.kept+size > j.bytes) {
		j.drop()
		j.lost++
	}
	if size > j.bytes {
		j.lost++
		return
	}
	if j.count == len(j.ring) {
		j.grow()
	}
	j.ring[(j.first+j.count)%len(j.ring)] = e
	j.count++
	j.kept += size
}

// drop forgets the oldest entry.
func (j *Journal) drop() {
	j.kept -= j.ring[j.first].weight
	j.ring[j.first] = nil
	j.first = (j.first + 1) % len(j.ring)
	j.count--
}

// grow makes the ring larger, up to the most entries that it may have.
func (j *Journal) grow() {
	larger := make([]*Entry, min(max(2*len(j.ring), 64), j.entries))
	for i := range j.count {
		larger[i] = j.ring[(j.first+i)%len(j.ring)]
	}
	j.ring, j.first = larger, 0
}

// Entries gives what is kept, oldest first, and how many older ones made room
// for it since the journal was cleared.
func (j *Journal) Entries() (entries []*Entry, lost uint64) {
	if j == nil {
		return nil, 0
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.list(), j.lost
}

func (j *Journal) list() []*Entry {
	entries := make([]*Entry, j.count)
	for i := range entries {
		entries[i] = j.ring[(j.first+i)%len(j.ring)]
	}
	return entries
}

// Entry gives the entry of a number, nil where it is not kept.
func (j *Journal) Entry(number uint64) *Entry {
	entries, _ := j.Entries()
	for _, e := range entries {
		if e.Number == number {
			return e
		}
	}
	return nil
}

// Clear forgets all entries. Numbers go on.
func (j *Journal) Clear() {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ring, j.first, j.count, j.kept, j.lost = nil, 0, 0, 0, 0
}

// ClearSession forgets the entries of one session, "" for those without one.
func (j *Journal) ClearSession(session string) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	others := slices.DeleteFunc(j.list(), func(e *Entry) bool { return e.Session == session })
	j.ring, j.first, j.count, j.kept = others, 0, len(others), 0
	for _, e := range others {
		j.kept += e.weight
	}
}
