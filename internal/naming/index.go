package naming

import "iter"

// Index maps names to values, in the order of adding. It serves tables of thousands of rows that are built at start:
// one map and one slice of sufficient size take half the time and the memory of a map of slices (BenchmarkIndex).
type Index[T any] struct {
	lists   map[string]list
	entries []indexed[T]
}

type list struct{ first, last int32 }

type indexed[T any] struct {
	value T
	next  int32 // 0 if none: the first value has no predecessor
}

// NewIndex returns an index for about so many names and values.
func NewIndex[T any](names, values int) *Index[T] {
	return &Index[T]{make(map[string]list, names), make([]indexed[T], 0, values)}
}

// Add adds a value to a name.
func (x *Index[T]) Add(name string, value T) {
	at := int32(len(x.entries))
	x.entries = append(x.entries, indexed[T]{value: value})
	l, known := x.lists[name]
	if known {
		x.entries[l.last].next = at
	} else {
		l.first = at
	}
	l.last = at
	x.lists[name] = l
}

// Has reports whether a name has values.
func (x *Index[T]) Has(name string) bool {
	_, ok := x.lists[name]
	return ok
}

// All returns the values of a name.
func (x *Index[T]) All(name string) iter.Seq[T] {
	return func(yield func(T) bool) {
		l, ok := x.lists[name]
		for at := l.first; ok; {
			e := &x.entries[at]
			if !yield(e.value) {
				return
			}
			at, ok = e.next, e.next > 0
		}
	}
}
