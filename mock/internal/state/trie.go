package state

import (
	"math/bits"
	"slices"
)

const (
	fan   = 5        // bits of a hash or a position that choose the way at one node
	width = 1 << fan // ways at one node
	deep  = (64 + fan - 1) / fan
)

// owner marks the nodes that one writer has made since its contents were last frozen: it alone sees them and
// changes them in place. All others are shared and never change.
type owner struct{ _ byte }

// keyed is what a trie holds: pointers that know their key and its hash.
type keyed interface {
	comparable
	key() string
	hash() uint64
}

// trie is a map by key that shares with its earlier versions what did not change, a compressed hash array
// mapped trie (Steindorfer and Vinju, OOPSLA 2015). The zero value is empty.
type trie[E keyed] struct {
	root *branch[E]
}

// branch has an item or a lower branch for each of 32 ways, in the order of
// the ways. Below the last bits of the hash it is a plain list of items.
type branch[E keyed] struct {
	owner                *owner
	itemWays, branchWays uint32
	items                []E          // replaced, never changed
	branches             []*branch[E] // changed in place by the owner
}

// way is the bit of the way that a hash takes at a depth.
func way(hash uint64, depth int) uint32 { return 1 << (hash >> (fan * depth) & (width - 1)) }

func before(ways, way uint32) int { return bits.OnesCount32(ways & (way - 1)) }

// find returns the index of an item at a branch, and where it would stand.
func (b *branch[E]) find(depth int, way uint32, hash uint64, key string) (i int, ok bool) {
	if depth < deep {
		i = before(b.itemWays, way)
		return i, b.itemWays&way != 0 && b.items[i].hash() == hash && b.items[i].key() == key
	}
	i = slices.IndexFunc(b.items, func(e E) bool { return e.key() == key })
	return max(0, i), i >= 0
}

func (t trie[E]) get(hash uint64, key string) (item E, ok bool) {
	for b, depth := t.root, 0; b != nil; depth++ {
		w := way(hash, depth)
		if depth == deep || b.branchWays&w == 0 {
			i, ok := b.find(depth, w, hash, key)
			if ok {
				item = b.items[i]
			}
			return item, ok
		}
		b = b.branches[before(b.branchWays, w)]
	}
	return item, false
}

// set keeps an item in the place of the one of the same key, if there is one.
func (t *trie[E]) set(o *owner, item E) {
	if t.root == nil {
		t.root = &branch[E]{owner: o}
	}
	t.root = t.root.set(o, item.hash(), 0, item)
}

func (b *branch[E]) set(o *owner, hash uint64, depth int, item E) *branch[E] {
	b = b.own(o)
	w := way(hash, depth)
	if depth < deep && b.branchWays&w != 0 {
		i := before(b.branchWays, w)
		b.branches[i] = b.branches[i].set(o, hash, depth+1, item)
		return b
	}
	i, ok := b.find(depth, w, hash, item.key())
	switch {
	case ok:
		b.items = slices.Clone(b.items)
		b.items[i] = item
	case depth == deep:
		b.items = inserted(b.items, i, item)
	case b.itemWays&w == 0:
		b.itemWays |= w
		b.items = inserted(b.items, i, item)
	default: // another key in the way: both go one down
		other := b.items[i]
		lower := (&branch[E]{owner: o}).set(o, other.hash(), depth+1, other)
		b.itemWays &^= w
		b.items = removed(b.items, i)
		b.branches = inserted(b.branches, before(b.branchWays, w), lower.set(o, hash, depth+1, item))
		b.branchWays |= w
	}
	return b
}

// remove takes out the item of a key that is there.
func (t *trie[E]) remove(o *owner, item E) {
	t.root = t.root.remove(o, item.hash(), 0, item.key())
}

// remove returns nil if nothing is left. A branch with one item is left only
// at the root: others give it to the branch above.
func (b *branch[E]) remove(o *owner, hash uint64, depth int, key string) *branch[E] {
	b = b.own(o)
	w := way(hash, depth)
	if depth == deep || b.branchWays&w == 0 {
		i, _ := b.find(depth, w, hash, key)
		b.items = removed(b.items, i)
		b.itemWays &^= w
	} else {
		i := before(b.branchWays, w)
		lower := b.branches[i].remove(o, hash, depth+1, key)
		b.branches[i] = lower
		if len(lower.branches) == 0 && len(lower.items) == 1 {
			b.branches = removed(b.branches, i)
			b.branchWays &^= w
			b.items = inserted(b.items, before(b.itemWays, w), lower.items[0])
			b.itemWays |= w
		}
	}
	if len(b.items) == 0 && len(b.branches) == 0 {
		return nil
	}
	return b
}

// own returns the branch itself if it is the owner's, else a copy that is.
func (b *branch[E]) own(o *owner) *branch[E] {
	if b.owner == o {
		return b
	}
	c := *b
	c.owner = o
	c.branches = slices.Clone(b.branches)
	return &c
}

func (b *branch[E]) each(yield func(E) bool) bool {
	if b == nil {
		return true
	}
	for _, item := range b.items {
		if !yield(item) {
			return false
		}
	}
	for _, lower := range b.branches {
		if !lower.each(yield) {
			return false
		}
	}
	return true
}

// inserted copies, so that lists are as long as they must be: most have few
// elements and there are many of them.
func inserted[T any](list []T, i int, value T) []T {
	return slices.Concat(list[:i], []T{value}, list[i:])
}

func removed[T any](list []T, i int) []T { return slices.Concat(list[:i], list[i+1:]) }
