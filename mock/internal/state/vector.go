package state

import "slices"

// vector is a list of items by position that shares with its earlier versions what did not change: a radix
// tree whose nodes count what is below them. Items are added at the end and removed anywhere; positions never
// change and are not used again. The zero value is empty.
type vector struct {
	root   *span
	height int    // of branches above the leaves
	next   uint64 // the position of the next item
}

// span is the items of 32 positions (a leaf) or 32 spans.
type span struct {
	owner *owner
	count int     // items in it
	items []*Item // nil where there is none
	spans []*span
}

func (v *vector) len() int {
	if v == nil || v.root == nil {
		return 0
	}
	return v.root.count
}

func (v *vector) append(o *owner, item *Item) {
	for ; v.next>>(fan*(v.height+1)) > 0; v.height++ {
		if v.root != nil {
			v.root = &span{owner: o, count: v.root.count, spans: []*span{v.root}}
		}
	}
	v.root = v.root.put(o, v.height, v.next, item, 1)
	v.next++
}

func (v *vector) set(o *owner, position uint64, item *Item) {
	v.root = v.root.put(o, v.height, position, item, 0)
}

// get gives the item at a position, nil where there is none.
func (v *vector) get(position uint64) *Item {
	if position >= v.next {
		return nil
	}
	s := v.root
	for height := v.height; s != nil && height > 0; height-- {
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

func (v *vector) remove(o *owner, position uint64) {
	v.root = v.root.put(o, v.height, position, nil, -1)
}

// put sets what is at a position, which changes the count by more. It gives nil where nothing is left.
func (s *span) put(o *owner, height int, position uint64, item *Item, more int) *span {
	if s == nil {
		s = &span{owner: o}
	} else if s.owner != o {
		s = &span{owner: o, count: s.count, items: slices.Clone(s.items), spans: slices.Clone(s.spans)}
	}
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
	v.each(0, false, func(item *Item) bool {
		first = item
		return false
	})
	return first
}

func (v *vector) rank(position uint64) (n int) {
	for s, height := v.root, v.height; s != nil; height-- {
		i := int(position >> (fan * height) & (width - 1))
		for _, item := range s.items[:min(i, len(s.items))] {
			if item != nil {
				n++
			}
		}
		for _, lower := range s.spans[:min(i, len(s.spans))] {
			if lower != nil {
				n += lower.count
			}
		}
		if i >= len(s.spans) {
			break
		}
		s = s.spans[i]
	}
	return n
}

// each goes over the items in their order, or from the last to the first, without the first skip.
func (v *vector) each(skip int, backwards bool, yield func(*Item) bool) {
	if skip < v.len() {
		v.root.each(max(0, skip), backwards, yield)
	}
}

// each skips less than all items.
func (s *span) each(skip int, backwards bool, yield func(*Item) bool) bool {
	at := func(i, n int) int {
		if backwards {
			return n - 1 - i
		}
		return i
	}
	for i := range s.items {
		item := s.items[at(i, len(s.items))]
		if item == nil {
			continue
		}
		if skip--; skip < 0 && !yield(item) {
			return false
		}
	}
	for i := range s.spans {
		lower := s.spans[at(i, len(s.spans))]
		switch {
		case lower == nil:
		case skip >= lower.count:
			skip -= lower.count
		case !lower.each(skip, backwards, yield):
			return false
		default:
			skip = 0
		}
	}
	return true
}
