package backends

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// maxKept is how many items a collection keeps; the oldest go first.
const maxKept = 50_000

// item is one thing that a service keeps. Its values are never changed, only
// replaced.
type item struct {
	id     string
	values map[string]any
	blob   []byte
}

// collection is items in the order in which they were made.
type collection struct {
	items []*item
	byID  map[string]*item
}

func (s *Server) collection(name string) *collection {
	c := s.collections[name]
	if c == nil {
		c = &collection{byID: map[string]*item{}}
		s.collections[name] = c
	}
	return c
}

func (c *collection) add(id string, values map[string]any) *item {
	if len(c.items) >= maxKept {
		c.remove(c.items[0].id)
	}
	i := &item{id: id, values: values}
	c.items = append(c.items, i)
	c.byID[id] = i
	return i
}

func (c *collection) remove(id string) {
	delete(c.byID, id)
	c.items = slices.DeleteFunc(c.items, func(i *item) bool { return i.id == id })
}

// find returns the first item with the value, nil if none.
func (c *collection) find(name string, value any) *item {
	for _, i := range c.items {
		if same(i.values[name], value) {
			return i
		}
	}
	return nil
}

// serial makes identities that are the same in every run.
type serial struct{ numbers map[string]int }

func (s *serial) next(kind string) int {
	if s.numbers == nil {
		s.numbers = map[string]int{}
	}
	s.numbers[kind]++
	return s.numbers[kind]
}

// uuid returns a UUID of version 8 (RFC 9562 section 5.8).
func (s *serial) uuid(kind string) string {
	sum := sha256.Sum256(fmt.Append(nil, kind, s.next(kind)))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	h := hex.EncodeToString(sum[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
