package journal

import (
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Feed is a subscription: the entries that are recorded while it is open.
type Feed struct {
	// Entries gets them in order, and is never closed.
	Entries chan *Entry
	lost    atomic.Int64
	journal *Journal
}

// MaxFeeds is how many subscriptions there may be at a time.
const MaxFeeds = 64

// Subscribe opens a feed that buffers so many entries; what its reader has no room for is lost to it. Of what
// is kept it begins with the entries numbered above after. It is nil where there are MaxFeeds already.
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
		f.Entries <- e
	}
	j.feeds[f] = struct{}{}
	return f
}

// Lost gives how many entries the reader had no room for since it was asked last.
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

// Choose gives the entries that f matches, in their order.
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
