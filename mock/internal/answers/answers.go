// Package answers remembers answers to requests that change nothing, as they were written, until an item changes that
// they were made of. An answer is made from the contract, the request and items: the contract has the cache, the
// request is the key, and the items are noted while the answer is made.
package answers

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Key stands for a request with all its fields. It keeps none of them: they may be credentials. That two requests have
// one is as likely as that two hashes of 64 bits by secret seeds agree at a time.
type Key [2]uint64

// Entry is an answer with what it was made of.
type Entry struct {
	Reads  state.Reads       // of the session's items
	Body   coverage.Repeated // of the answer
	key    Key
	base   weak.Pointer[state.View]
	answer respond.Answer
}

// Repeat answers as the entry does.
func (e *Entry) Repeat(a *respond.Answer) { a.Repeat(&e.answer) }

func (e *Entry) bytes() int64 {
	const rest = 600 // of the entry and what it has read
	size := rest + len(e.answer.Body)
	for _, f := range e.answer.Header {
		size += len(f.Name) + len(f.Value)
	}
	return int64(size)
}

const shards = 16 // so that requests seldom wait for each other

// Cache has the answers of one contract in two generations: the older is dropped when the younger has half of the
// bytes. It is safe for concurrent use.
type Cache struct {
	seeds  [2]maphash.Seed
	limit  int64
	bytes  atomic.Int64 // of the younger
	shards [shards]shard
}

type shard struct {
	mu             sync.RWMutex
	younger, older map[Key]*Entry
}

// New makes a cache of at most so many bytes.
func New(bytes int) *Cache {
	c := &Cache{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, limit: int64(bytes) / 2}
	for i := range c.shards {
		c.shards[i].younger = map[Key]*Entry{}
	}
	return c
}

// Key gives the key of a request of a user, "" for none.
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

// Find gives the entry of a key, whose answer holds for a session and what it began with; nil where there is none.
func (c *Cache) Find(key Key, in *state.State, base *state.View) *Entry {
	s := &c.shards[key[0]%shards]
	s.mu.RLock()
	e, isOlder := s.younger[key], false
	if e == nil {
		e = s.older[key]
		isOlder = e != nil
	}
	s.mu.RUnlock()
	if e == nil || e.base != weak.Make(base) || !e.Reads.Hold(in) {
		return nil
	}
	if isOlder {
		c.keep(e)
	}
	return e
}

// Begin gives an entry for an answer that is to be made.
func (c *Cache) Begin(key Key, base *state.View) *Entry {
	return &Entry{key: key, base: weak.Make(base)}
}

// Keep remembers an answer that was written. What is too large stays out.
func (c *Cache) Keep(e *Entry, a *respond.Answer) {
	e.answer.Repeat(a)
	c.keep(e)
}

func (c *Cache) keep(e *Entry) {
	size := e.bytes()
	if size > c.limit {
		return
	}
	if s := &c.shards[e.key[0]%shards]; c.bytes.Add(size-s.put(e)) > c.limit && c.bytes.Swap(0) > c.limit {
		for i := range c.shards {
			c.shards[i].age()
		}
	}
}

// put gives how many bytes the entry had that it replaces.
func (s *shard) put(e *Entry) (replaced int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if before := s.younger[e.key]; before != nil {
		replaced = before.bytes()
	}
	s.younger[e.key] = e
	return replaced
}

func (s *shard) age() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.younger, s.older = map[Key]*Entry{}, s.younger
}
