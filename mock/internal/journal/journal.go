// Package journal keeps the last exchanges of the mock, bounded by their number and their bytes. Entries are
// copies that never change, so readers hold no lock. Subscribers get each entry as it comes; a slow one loses
// entries and does not slow down the mock (feed.go).
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

// Journal keeps the last exchanges. It is safe for concurrent use. A nil Journal, which
// nothing is recorded in, has nothing.
type Journal struct {
	clock   func() time.Time
	entries int
	bytes   int

	mu     sync.Mutex
	list   []*Entry // oldest first
	kept   int      // bytes of the entries in list
	number uint64   // of the last one recorded
	lost   uint64   // entries that made room for others since Clear
	feeds  map[*Feed]struct{}
}

// New makes an empty journal of at most so many entries and bytes.
func New(entries, bytes int, clock func() time.Time) *Journal {
	return &Journal{clock: clock, entries: entries, bytes: bytes, feeds: map[*Feed]struct{}{}}
}

// Record keeps an exchange, whose credentials have been redacted, and gives it
// its number. The journal owns e from then on.
func (j *Journal) Record(e *Entry) {
	e.Duration = j.clock().Sub(e.Time)
	e.RequestSize, e.ResponseSize = len(e.Request.Body), len(e.Response.Body)
	e.Request.Body, e.Response.Body = head(e.Request.Body), head(e.Response.Body)
	size := e.size()
	e.weight = size
	j.mu.Lock()
	defer j.mu.Unlock()
	j.number++
	e.Number = j.number
	for feed := range j.feeds {
		select {
		case feed.Entries <- e:
		default: // a feed never waits
			feed.lost.Add(1)
		}
	}
	for len(j.list) > 0 && (len(j.list) == j.entries || j.kept+size > j.bytes) {
		j.kept -= j.list[0].weight
		j.list[0] = nil // the array may live on
		j.list = j.list[1:]
		j.lost++
	}
	if size > j.bytes {
		j.lost++
		return
	}
	j.list = append(j.list, e)
	j.kept += size
}

// Entries gives what is kept, oldest first, and how many older ones made room
// for it since the journal was cleared.
func (j *Journal) Entries() (entries []*Entry, lost uint64) {
	if j == nil {
		return nil, 0
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]*Entry{}, j.list...), j.lost
}

// Entry gives the entry of a number, nil where it is not kept.
func (j *Journal) Entry(number uint64) *Entry {
	entries, _ := j.Entries()
	if i := slices.IndexFunc(entries, func(e *Entry) bool { return e.Number == number }); i >= 0 {
		return entries[i]
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
	j.list, j.kept, j.lost = nil, 0, 0
}

// ClearSession forgets the entries of one session, "" for those without one.
func (j *Journal) ClearSession(session string) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.list = slices.DeleteFunc(j.list, func(e *Entry) bool {
		if e.Session != session {
			return false
		}
		j.kept -= e.weight
		return true
	})
}
