package journal

import "sync/atomic"

// Feed is a subscription: the entries that are recorded while it is open.
type Feed struct {
	// Entries gets them in order, and is never closed.
	Entries <-chan *Entry
	send    chan *Entry
	lost    atomic.Int64
	journal *Journal
}

// MaxFeeds is how many subscriptions there may be at a time.
const MaxFeeds = 64

// Subscribe opens a feed that buffers so many entries; what its reader has no
// room for is lost to it. Of what is kept it begins with the entries numbered
// above after. It is nil where there are MaxFeeds already.
func (j *Journal) Subscribe(buffer int, after uint64) *Feed {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.feeds) >= MaxFeeds {
		return nil
	}
	var before []*Entry
	for _, e := range j.list {
		if e.Number > after {
			before = append(before, e)
		}
	}
	send := make(chan *Entry, buffer+len(before))
	f := &Feed{Entries: send, send: send, journal: j}
	for _, e := range before {
		send <- e
	}
	if j.feeds == nil {
		j.feeds = map[*Feed]struct{}{}
	}
	j.feeds[f] = struct{}{}
	return f
}

// offer never waits.
func (f *Feed) offer(e *Entry) {
	select {
	case f.send <- e:
	default:
		f.lost.Add(1)
	}
}

// Lost gives how many entries the reader had no room for since it was asked
// last.
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
