// Package answers remembers answers to requests that change nothing, as they were written, until an item changes that
// they were made of. An answer is made from the contract, the request and items: the contract has the cache, the
// request is the key, and the items are noted while the answer is made.
package answers

import (
	"hash/maphash"
	"weak"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/recent"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Key stands for a request with all its fields. It keeps none of them: they may be credentials. That two requests have
// one is as likely as that two hashes of 64 bits by secret seeds agree at a time.
type Key [2]uint64

// Entry is an answer with what it was made of.
type Entry struct {
	Reads state.Reads       // of the session's items
	Body  coverage.Repeated // of the answer
	// Recorded is the answer's body as a journal keeps it: without credentials, the first bytes of RecordedSize. It is
	// nil if there is none.
	Recorded     []byte
	RecordedSize int

	key    Key
	base   weak.Pointer[state.View]
	answer respond.Answer
}

// Repeat answers as the entry does.
func (e *Entry) Repeat(a *respond.Answer) { a.Repeat(&e.answer) }

func (e *Entry) bytes() int64 {
	const rest = 600 // of the entry and what it has read
	size := rest + len(e.answer.Body)
	if body := e.answer.Body; len(body) > 0 && len(e.Recorded) > 0 && &body[0] != &e.Recorded[0] {
		size += len(e.Recorded)
	}
	for _, f := range e.answer.Header {
		size += len(f.Name) + len(f.Value)
	}
	return int64(size)
}

// Cache has the answers of one contract. It is safe for concurrent use.
type Cache struct {
	seeds   [2]maphash.Seed
	entries *recent.Cache[Key, *Entry]
}

// New makes a cache of at most so many bytes.
func New(bytes int) *Cache {
	return &Cache{[2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, recent.New[Key, *Entry](bytes)}
}

// Key returns the key of a request of a user, "" for none.
func (c *Cache) Key(r *exchange.Request, user string) Key {
	var room [1024]byte
	text := room[:0]
	add := func(parts ...string) {
		for _, part := range parts {
			text = append(append(text, part...), 0)
		}
	}
	add(user, r.Method, r.Path, r.Query)
	for _, f := range r.Header {
		add(f.Name, f.Value)
	}
	return Key{maphash.Bytes(c.seeds[0], text), maphash.Bytes(c.seeds[1], text)}
}

// Find returns the entry of a key, whose answer holds for a session and what it began with; nil if there is none.
func (c *Cache) Find(key Key, in *state.State, base *state.View) *Entry {
	e, ok := c.entries.Get(key)
	if !ok || e.base.Value() != base || !e.Reads.Hold(in) {
		return nil
	}
	return e
}

// Begin returns an entry for an answer that is to be made.
func (c *Cache) Begin(key Key, base *state.View) *Entry {
	return &Entry{key: key, base: weak.Make(base)}
}

// Keep remembers an answer that was written. What is too large stays out.
func (c *Cache) Keep(e *Entry, a *respond.Answer) {
	e.answer.Repeat(a)
	c.entries.Put(e.key, e, e.bytes())
}
