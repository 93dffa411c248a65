package state

import "slices"

// vector is a list of items by position that shares with its earlier versions what did not change: a radix
// tree whose nodes count what is below them. Items are added at the end and removed anywhere; positions never
// change and are not used again. The zero value is empty.
//
// The last leaf stands beside the tree until its positions are used up, so adding an item writes to one node in place
// of one a level. After a View it copies 1 kB less (BenchmarkInsertRead: 3.9 → 2.6 µs), and where writers on two cores
// take turns, fewer cache lines go from core to core: POST /plants takes 3 % less CPU.
type vector struct {
	root   *span  // nil where only tail has items
	height int    // of branches above the leaves
	next   uint64 // the position of the next item
	tail   *span  // the leaf of the position before next; nil where it is empty
}

// span is the items of 32 positions (a leaf) or 32 spans.
type span struct {
	owner *owner
	count int     // items in it
	items []*Item // nil where there is none
	spans []*span
}

// len is how many items there are, of those that are selected; nil selects all.
func (v *vector) len(only *Selection) int {
	if v == nil {
		return 0
	}
	root, tail := only.parts()
	return v.root.len(root) + v.tail.len(tail)
}

func (s *span) len(only *selected) int {
	switch {
	case s == nil:
		return 0
	case only == nil:
		return s.count
	}
	return only.count
}

// inTail reports whether the leaf of a position is the last one.
func (v *vector) inTail(position uint64) bool { return position >= (v.next-1)&^(width-1) }

func (v *vector) append(o *owner, item *Item) {
	if v.next > 0 && v.next&(width-1) == 0 {
		v.attachTail(o)
	}
	v.tail = v.tail.put(o, 0, v.next, item, 1)
	v.next++
}

// attachTail makes room for the last leaf in the tree and puts it there.
func (v *vector) attachTail(o *owner) {
	for ; (v.next-1)>>(fan*(v.height+1)) > 0; v.height++ {
		if v.root != nil {
			v.root = &span{owner: o, count: v.root.count, spans: []*span{v.root}}
		}
	}
	if v.tail != nil {
		v.root, v.tail = v.root.attach(o, v.height, v.next-1, v.tail), nil
	}
}

func (v *vector) set(o *owner, position uint64, item *Item) { v.put(o, position, item, 0) }

func (v *vector) remove(o *owner, position uint64) { v.put(o, position, nil, -1) }

func (v *vector) put(o *owner, position uint64, item *Item, more int) {
	if v.inTail(position) {
		v.tail = v.tail.put(o, 0, position, item, more)
		return
	}
	v.root = v.root.put(o, v.height, position, item, more)
}

// get returns the item at a position, nil if there is none.
func (v *vector) get(position uint64) *Item {
	if position >= v.next {
		return nil
	}
	s, height := v.root, v.height
	if v.inTail(position) {
		s, height = v.tail, 0
	}
	for ; s != nil && height > 0; height-- {
		i := int(position >> (fan * height) & (width - 1))
		if i >= len(s.spans) {
			return nil
		}
		s = s.spans[i]
	}
	if i := int(position & (width - 1)); s != nil && i < len(s.items) {
		return s.items[i]
	}
	return nil
}

// put sets what is at a position, which changes the count by more. It returns nil if nothing is left.
func (s *span) put(o *owner, height int, position uint64, item *Item, more int) *span {
	s = s.own(o)
	s.count += more
	if s.count == 0 {
		return nil
	}
	i := int(position >> (fan * height) & (width - 1))
	if height == 0 {
		s.items = reach(s.items, i)
		s.items[i] = item
		return s
	}
	s.spans = reach(s.spans, i)
	s.spans[i] = s.spans[i].put(o, height-1, position, item, more)
	return s
}

// attach puts a leaf at its position.
func (s *span) attach(o *owner, height int, position uint64, leaf *span) *span {
	if height == 0 {
		return leaf
	}
	s = s.own(o)
	s.count += leaf.count
	i := int(position >> (fan * height) & (width - 1))
	s.spans = reach(s.spans, i)
	s.spans[i] = s.spans[i].attach(o, height-1, position, leaf)
	return s
}

// own returns the span to change in place: itself, a copy, or a new one for nil.
func (s *span) own(o *owner) *span {
	switch {
	case s == nil:
		return &span{owner: o}
	case s.owner == o:
		return s
	}
	return &span{owner: o, count: s.count, items: slices.Clone(s.items), spans: slices.Clone(s.spans)}
}

func reach[T any](list []*T, i int) []*T {
	if i < len(list) {
		return list
	}
	if i < cap(list) {
		return list[:i+1]
	}
	longer := make([]*T, i+1, min(width, max(i+1, 2*cap(list))))
	copy(longer, list)
	return longer
}

func (v *vector) first() *Item {
	var first *Item
	v.each(nil, 0, false, func(item *Item) bool {
		first = item
		return false
	})
	return first
}

// rank is how many items stand before a position.
func (v *vector) rank(only *Selection, position uint64) int {
	root, tail := only.parts()
	if v.inTail(position) {
		return v.root.len(root) + v.tail.rank(tail, 0, position)
	}
	return v.root.rank(root, v.height, position)
}

func (s *span) rank(only *selected, height int, position uint64) (n int) {
	for ; s != nil; height-- {
		at := int(position >> (fan * height) & (width - 1))
		for i, item := range s.items[:min(at, len(s.items))] {
			if item != nil && only.has(i) {
				n++
			}
		}
		for i, lower := range s.spans[:min(at, len(s.spans))] {
			n += lower.len(only.below(i))
		}
		if at >= len(s.spans) {
			break
		}
		s, only = s.spans[at], only.below(at)
	}
	return n
}

// each goes over the items in their order, or from the last to the first, without the first skip.
func (v *vector) each(only *Selection, skip int, backwards bool, yield func(*Item) bool) {
	if v == nil {
		return
	}
	skip = max(0, skip)
	root, tail := only.parts()
	parts := [2]struct {
		all  *span
		only *selected
	}{{v.root, root}, {v.tail, tail}}
	if backwards {
		parts[0], parts[1] = parts[1], parts[0]
	}
	for _, part := range parts {
		if n := part.all.len(part.only); skip >= n {
			skip -= n
		} else if !part.all.each(part.only, skip, backwards, yield) {
			return
		} else {
			skip = 0
		}
	}
}

// each skips less than all items.
func (s *span) each(only *selected, skip int, backwards bool, yield func(*Item) bool) bool {
	at := func(i, n int) int {
		if backwards {
			return n - 1 - i
		}
		return i
	}
	for i := range s.items {
		i = at(i, len(s.items))
		if s.items[i] == nil || !only.has(i) {
			continue
		}
		if skip--; skip < 0 && !yield(s.items[i]) {
			return false
		}
	}
	for i := range s.spans {
		i = at(i, len(s.spans))
		lower, some := s.spans[i], only.below(i)
		switch n := lower.len(some); {
		case skip >= n:
			skip -= n
		case !lower.each(some, skip, backwards, yield):
			return false
		default:
			skip = 0
		}
	}
	return true
}
