package jsontext

import (
	"encoding/binary"
	"maps"
	"slices"
	"sync"
)

const (
	few  = 24  // up to this many members are sorted on the stack
	many = 256 // up to this many members are sorted by numbers: their indexes are bytes
)

// room is a buffer for sorting the members of an object with more than few.
type room struct {
	names  [many]string
	values [many]any
	order  [many]uint64
}

var rooms = sync.Pool{New: func() any { return new(room) }}

func appendObject(dst []byte, object map[string]any) []byte {
	n := len(object)
	switch {
	case n <= few:
		var names [few]string
		var values [few]any
		var order [few]uint64
		return appendOrdered(dst, object, names[:n], values[:n], order[:n])
	case n <= many:
		r := rooms.Get().(*room)
		dst = appendOrdered(dst, object, r.names[:n], r.values[:n], r.order[:n])
		clear(r.names[:n])
		clear(r.values[:n])
		rooms.Put(r)
		return dst
	}
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(object)) {
		dst = appendMember(dst, i, name, object[name])
	}
	return append(dst, '}')
}

// appendOrdered writes an object sorted by names. It sorts numbers: the beginning of each name, with the member's
// index in the lowest byte. So values need no further lookup, and an object of twenty members takes half the time of
// sorting and looking up its names (BenchmarkAppendObject).
func appendOrdered(dst []byte, object map[string]any, names []string, values []any, order []uint64) []byte {
	n := 0
	for name, value := range object {
		names[n], values[n], order[n] = name, value, beginning(name)|uint64(n)
		n++
	}
	slices.Sort(order)
	for i := range order { // names with the same beginning
		for ; i > 0 && order[i]>>8 == order[i-1]>>8 && names[byte(order[i])] < names[byte(order[i-1])]; i-- {
			order[i], order[i-1] = order[i-1], order[i]
		}
	}
	dst = append(dst, '{')
	for i, at := range order {
		dst = appendMember(dst, i, names[byte(at)], values[byte(at)])
	}
	return append(dst, '}')
}

func appendMember(dst []byte, i int, name string, value any) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return Append(append(AppendString(dst, name), ':'), value)
}

// beginning returns the first seven bytes of a name as a number that sorts like them, with a zero lowest byte.
func beginning(name string) uint64 {
	var first [8]byte
	copy(first[:7], name)
	return binary.BigEndian.Uint64(first[:])
}
