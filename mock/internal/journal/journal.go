// Package journal keeps the last exchanges of the mock, limited in number and bytes. Entries are immutable copies, so
// readers hold no lock. Subscribers receive each entry as it is recorded; a slow subscriber loses entries and does
// not slow down the mock.
package journal

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

const (
	// DefaultEntries is the default number of exchanges.
	DefaultEntries = 1000
	// DefaultBytes is the default limit of their total Entry.size.
	DefaultBytes = 16 << 20
	// MaxBody is the number of bytes of a body that are kept.
	MaxBody = 64 << 10
)

// Journal keeps the last exchanges. It is safe for concurrent use. A nil Journal is empty and records nothing.
type Journal struct {
	clock   func() time.Time
	entries int
	bytes   int

	mu     sync.Mutex
	list   []*Entry // oldest first
	kept   int      // size of the entries in list
	number uint64   // of the last recorded entry
	lost   uint64   // entries dropped since Clear
	feeds  map[*Feed]struct{}

	waiting atomic.Int64 // size of the entries in all feeds, limited like the journal
}

// New returns an empty journal for at most so many entries and bytes.
func New(entries, bytes int, clock func() time.Time) *Journal {
	return &Journal{clock: clock, entries: entries, bytes: bytes, feeds: map[*Feed]struct{}{}}
}

// Record adds an exchange, whose credentials have been redacted, and sets its number. The journal then owns e. If a
// body is a Head, e has its full size.
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
		j.list[0] = nil // the array may survive
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

// Entries returns the entries, oldest first, and the number of older ones dropped since the journal was cleared.
func (j *Journal) Entries() (entries []*Entry, lost uint64) {
	if j == nil {
		return nil, 0
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]*Entry{}, j.list...), j.lost
}

// Entry returns the entry with a number, nil if it is not kept.
func (j *Journal) Entry(number uint64) *Entry {
	entries, _ := j.Entries()
	if i := slices.IndexFunc(entries, func(e *Entry) bool { return e.Number == number }); i >= 0 {
		return entries[i]
	}
	return nil
}

// Clear removes all entries. Numbers continue.
func (j *Journal) Clear() {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.list, j.kept, j.lost = nil, 0, 0
}

// ClearSession removes the entries of one session, "" for entries without one.
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

// Feed is a subscription. It receives the entries that are recorded while it is open.
type Feed struct {
	// Entries receives them in order, and is never closed. The reader passes each received entry to Took.
	Entries chan *Entry
	lost    atomic.Int64
	journal *Journal
	filter  Filter
}

// MaxFeeds limits the concurrent subscriptions.
const MaxFeeds = 64

// Subscribe opens a feed with a buffer for so many entries; entries that do not fit are lost to it. It begins with
// the kept entries with numbers above after. It has the entries that filter matches; Text has no effect. It returns nil
// if there are MaxFeeds already.
func (j *Journal) Subscribe(buffer int, after uint64, filter Filter) *Feed {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.feeds) >= MaxFeeds {
		return nil
	}
	first := slices.IndexFunc(j.list, func(e *Entry) bool { return e.Number > after })
	if first < 0 {
		first = len(j.list)
	}
	f := &Feed{Entries: make(chan *Entry, buffer+len(j.list)-first), journal: j, filter: filter}
	for _, e := range j.list[first:] {
		f.offer(e)
	}
	j.feeds[f] = struct{}{}
	return f
}

// offer sends an entry to a feed. It never waits: if the reader of this feed, or the readers of all feeds together,
// are too far behind, the feed loses the entry.
func (f *Feed) offer(e *Entry) {
	if f.filter.excludes(e, nil) {
		return
	}
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

// Took frees the room of an entry that has been read.
func (f *Feed) Took(e *Entry) { f.journal.waiting.Add(-int64(e.weight)) }

// Lost returns the number of lost entries since the last call.
func (f *Feed) Lost() int { return int(f.lost.Swap(0)) }

// Last returns the number of the last recorded entry, 0 if none.
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

// Filter selects entries. Empty fields select all.
type Filter struct {
	Operation string  // operationId or "METHOD path"
	Status    string  // "404" or "4XX"
	Session   *string // a name; "" is the base state, nil any session
	Consumer  string
	Finding   string // a code
	Method    string
	Path      string // as sent, or the operation's template
	Text      string // in the target or a body, in upper or lower case
	Before    uint64 // a number; 0 is none
}

func isStatus(status int, want string) bool {
	code := strconv.Itoa(status)
	return code == want || len(want) == 3 && strings.EqualFold(want[1:], "XX") && code[0] == want[0]
}

// Choose returns the entries that f matches, in order.
func (f *Filter) Choose(entries []*Entry) []*Entry {
	text := []byte(strings.ToLower(f.Text))
	return slices.DeleteFunc(slices.Clone(entries), func(e *Entry) bool { return f.excludes(e, text) })
}

// excludes reports whether f does not match an entry. text is f.Text in lower case.
func (f *Filter) excludes(e *Entry, text []byte) bool {
	return f.Before > 0 && e.Number >= f.Before ||
		f.Operation != "" && !e.Operation.Is(f.Operation) ||
		f.Status != "" && !isStatus(e.Response.Status, f.Status) ||
		f.Session != nil && e.Session != *f.Session ||
		f.Consumer != "" && e.Consumer != f.Consumer ||
		f.Method != "" && !strings.EqualFold(e.Request.Method, f.Method) ||
		f.Path != "" && e.Request.Path != f.Path && e.Operation.Path != f.Path ||
		f.Finding != "" && !slices.ContainsFunc(e.Findings, func(x exchange.Finding) bool { return x.Code == f.Finding }) ||
		len(text) > 0 && !e.contains(text)
}

// contains reports whether the target or a body has a text in lower case.
func (e *Entry) contains(text []byte) bool {
	for _, part := range [][]byte{[]byte(e.Request.Path + "?" + e.Request.Query), e.Request.Body, e.Response.Body} {
		if bytes.Contains(bytes.ToLower(part), text) {
			return true
		}
	}
	return false
}
