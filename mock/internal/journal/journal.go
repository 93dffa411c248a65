// Package journal keeps the last exchanges of the mock, bounded by their number and their bytes. Entries are
// copies that never change, so readers hold no lock. Subscribers get each entry as it comes; a slow one loses
// entries and does not slow down the mock.
package journal

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
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

	waiting atomic.Int64 // bytes of the entries in all feeds, at most those of the journal
}

// New makes an empty journal of at most so many entries and bytes.
func New(entries, bytes int, clock func() time.Time) *Journal {
	return &Journal{clock: clock, entries: entries, bytes: bytes, feeds: map[*Feed]struct{}{}}
}

// Record keeps an exchange, whose credentials have been redacted, and gives it
// its number. The journal owns e from then on. A body may be the Head of one: then e has its size.
func (j *Journal) Record(e *Entry) {
	e.Duration = j.clock().Sub(e.Time)
	e.RequestSize, e.ResponseSize = max(e.RequestSize, len(e.Request.Body)), max(e.ResponseSize, len(e.Response.Body))
	e.Request.Body, e.Response.Body = Head(e.Request.Body), Head(e.Response.Body)
	size := e.size()
	e.weight = size
	j.mu.Lock()
	defer j.mu.Unlock()
	j.number++
	e.Number = j.number
	for feed := range j.feeds {
		feed.offer(e)
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

// Entries returns what is kept, oldest first, and how many older ones made room
// for it since the journal was cleared.
func (j *Journal) Entries() (entries []*Entry, lost uint64) {
	if j == nil {
		return nil, 0
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]*Entry{}, j.list...), j.lost
}

// Entry returns the entry of a number, nil if it is not kept.
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

// Feed is a subscription: the entries that are recorded while it is open.
type Feed struct {
	// Entries gets them in order, and is never closed. What its reader took it gives to Took.
	Entries chan *Entry
	lost    atomic.Int64
	journal *Journal
}

// MaxFeeds is how many subscriptions there may be at a time.
const MaxFeeds = 64

// Subscribe opens a feed that buffers so many entries; what its reader has no room for is lost to it. Of what
// is kept it begins with the entries numbered above after. It is nil if there are MaxFeeds already.
func (j *Journal) Subscribe(buffer int, after uint64) *Feed {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.feeds) >= MaxFeeds {
		return nil
	}
	first := slices.IndexFunc(j.list, func(e *Entry) bool { return e.Number > after })
	if first < 0 {
		first = len(j.list)
	}
	f := &Feed{Entries: make(chan *Entry, buffer+len(j.list)-first), journal: j}
	for _, e := range j.list[first:] {
		f.offer(e)
	}
	j.feeds[f] = struct{}{}
	return f
}

// offer returns a feed an entry. A feed never waits: where its reader, or those of all feeds together, are too far
// behind, it loses the entry.
func (f *Feed) offer(e *Entry) {
	weight := int64(e.weight)
	if f.journal.waiting.Add(weight) <= int64(f.journal.bytes) {
		select {
		case f.Entries <- e:
			return
		default:
		}
	}
	f.journal.waiting.Add(-weight)
	f.lost.Add(1)
}

// Took makes room for others where an entry has been read.
func (f *Feed) Took(e *Entry) { f.journal.waiting.Add(-int64(e.weight)) }

// Lost returns how many entries the reader had no room for since it was asked last.
func (f *Feed) Lost() int { return int(f.lost.Swap(0)) }

// Last is the number of the entry recorded last, 0 for none.
func (j *Journal) Last() uint64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.number
}

// Close ends the subscription.
func (f *Feed) Close() {
	f.journal.mu.Lock()
	defer f.journal.mu.Unlock()
	delete(f.journal.feeds, f)
	for {
		select {
		case e := <-f.Entries:
			f.Took(e)
		default:
			return
		}
	}
}

// Filter chooses entries. Empty fields choose all.
type Filter struct {
	Operation string  // operationId or "METHOD path"
	Status    string  // "404" or "4XX"
	Session   *string // a name; "" is the base state, nil any
	Finding   string  // a code
	Method    string
	Path      string // as sent, or the operation's template
}

func isStatus(status int, want string) bool {
	code := strconv.Itoa(status)
	return code == want || len(want) == 3 && strings.EqualFold(want[1:], "XX") && code[0] == want[0]
}

// Choose returns the entries that f matches, in their order.
func (f *Filter) Choose(entries []*Entry) []*Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e *Entry) bool {
		return f.Operation != "" && !e.Operation.Is(f.Operation) ||
			f.Status != "" && !isStatus(e.Response.Status, f.Status) ||
			f.Session != nil && e.Session != *f.Session ||
			f.Method != "" && !strings.EqualFold(e.Request.Method, f.Method) ||
			f.Path != "" && e.Request.Path != f.Path && e.Operation.Path != f.Path ||
			f.Finding != "" && !slices.ContainsFunc(e.Findings, func(x exchange.Finding) bool { return x.Code == f.Finding })
	})
}
