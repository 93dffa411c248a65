// Package recent is a cache of recently used values, limited in bytes.
package recent

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

const shards = 16 // so that requests seldom contend for a lock

// Cache stores values in two generations: the older is dropped when the younger has half of the bytes. It is safe for
// concurrent use.
type Cache[K comparable, V any] struct {
	seed   maphash.Seed
	limit  int64
	bytes  atomic.Int64 // of the younger generation
	shards [shards]shard[K, V]
}

type shard[K comparable, V any] struct {
	mu             sync.RWMutex
	younger, older map[K]entry[V]
}

type entry[V any] struct {
	value V
	bytes int64
}

// New returns a cache of at most so many bytes.
func New[K comparable, V any](bytes int) *Cache[K, V] {
	c := &Cache[K, V]{seed: maphash.MakeSeed(), limit: int64(bytes) / 2}
	for i := range c.shards {
		c.shards[i].younger = map[K]entry[V]{}
	}
	return c
}

// Get returns the value of a key.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	s := c.shard(key)
	s.mu.RLock()
	e, isYoung := s.younger[key]
	if ok = isYoung; !ok {
		e, ok = s.older[key]
	}
	s.mu.RUnlock()
	if ok && !isYoung {
		c.Put(key, e.value, e.bytes)
	}
	return e.value, ok
}

// Put stores a value of a size in bytes. It returns false if the value is too large.
func (c *Cache[K, V]) Put(key K, value V, bytes int64) bool {
	if bytes > c.limit {
		return false
	}
	replaced := c.shard(key).put(key, entry[V]{value, bytes})
	if c.bytes.Add(bytes-replaced) > c.limit && c.bytes.Swap(0) > c.limit {
		for i := range c.shards {
			c.shards[i].age()
		}
	}
	return true
}

// Clear drops all values.
func (c *Cache[K, V]) Clear() {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		s.younger, s.older = map[K]entry[V]{}, nil
		s.mu.Unlock()
	}
	c.bytes.Store(0)
}

// Bytes is how many bytes the values have.
func (c *Cache[K, V]) Bytes() (bytes int64) {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.RLock()
		for _, generation := range []map[K]entry[V]{s.younger, s.older} {
			for _, e := range generation {
				bytes += e.bytes
			}
		}
		s.mu.RUnlock()
	}
	return bytes
}

func (c *Cache[K, V]) shard(key K) *shard[K, V] {
	return &c.shards[maphash.Comparable(c.seed, key)%shards]
}

// put returns the size of the replaced value.
func (s *shard[K, V]) put(key K, e entry[V]) (replaced int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	replaced = s.younger[key].bytes
	s.younger[key] = e
	return replaced
}

func (s *shard[K, V]) age() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.younger, s.older = map[K]entry[V]{}, s.younger
}
