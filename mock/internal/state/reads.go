package state

import (
	"slices"
	"weak"
)

// Reads is what was read of a State. What was made of it alone can be used again while Hold says that all of it is as
// it was. It keeps nothing of the State in memory. Nil notes nothing.
type Reads struct {
	items       []readItem
	collections []readCollection
	all         weak.Pointer[View] // of which all items were read; zero for none
}

type readItem struct {
	collection, key string
	found           weak.Pointer[Item] // zero for none; items never change
}

type readCollection struct {
	name  string
	found weak.Pointer[collection] // zero for none; one that a View has never changes
}

// Get is State.Get.
func (r *Reads) Get(s *State, collection, key string) (item *Item, deleted bool) {
	found := s.get(collection, key)
	r.noteItem(collection, key, found)
	return found.live()
}

// View is State.View. What is read of it is noted.
func (r *Reads) View(s *State) *View {
	v := s.View()
	if r == nil {
		return v
	}
	return &View{contents: v.contents, size: v.size, reads: r, origin: v}
}

// Hold reports whether a State has what was read of it, or of another State, as it was then.
func (r *Reads) Hold(s *State) bool {
	if r.all != (weak.Pointer[View]{}) {
		return isSame(r.all, s.frozen.Load())
	}
	if len(r.items)+len(r.collections) == 0 {
		return true
	}
	if v := s.frozen.Load(); v != nil {
		return r.hold(&v.contents)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return r.hold(&s.contents)
}

func (r *Reads) hold(c *contents) bool {
	for _, in := range r.collections {
		if !isSame(in.found, c.collection(in.name)) {
			return false
		}
	}
	for _, i := range r.items {
		if !isSame(i.found, c.get(i.collection, i.key)) {
			return false
		}
	}
	return true
}

// isSame reports whether what was found is what is there now, where nothing is nil. It takes no lock, unlike weak.Make.
func isSame[T any](found weak.Pointer[T], now *T) bool {
	if now == nil {
		return found == weak.Pointer[T]{}
	}
	return found.Value() == now
}

func (r *Reads) noteItem(collection, key string, found *Item) {
	if r == nil || slices.ContainsFunc(r.collections, func(in readCollection) bool { return in.name == collection }) {
		return
	}
	if !slices.ContainsFunc(r.items, func(i readItem) bool { return i.collection == collection && i.key == key }) {
		r.items = append(r.items, readItem{collection, key, weak.Make(found)})
	}
}

func (v *View) noteCollection(name string) {
	r := v.reads
	if r == nil || slices.ContainsFunc(r.collections, func(in readCollection) bool { return in.name == name }) {
		return
	}
	r.items = slices.DeleteFunc(r.items, func(i readItem) bool { return i.collection == name })
	r.collections = append(r.collections, readCollection{name, weak.Make(v.contents.collection(name))})
}

func (v *View) noteAll() {
	if v.reads != nil {
		v.reads.all = weak.Make(v.origin)
	}
}
