package tree

// slab gives values out of arrays of many, and lists of just their length. A hundredth of the allocations are left by
// it, and 8.7 MB instead of 12.4 (BenchmarkRead).
type slab[T any] struct{ free []T }

// slabSize is how many values the arrays have, but for those that need more.
const slabSize = 128

func (s *slab[T]) new() *T { return &s.take(1)[0] }

// take returns so many zero values in a row.
func (s *slab[T]) take(count int) []T {
	if count > len(s.free) {
		if count > slabSize/4 { // else what is free would be lost
			return make([]T, count)
		}
		s.free = make([]T, slabSize)
	}
	taken := s.free[:count:count]
	s.free = s.free[count:]
	return taken
}

// copy returns a copy of values, nil for none.
func (s *slab[T]) copy(values []T) []T {
	if len(values) == 0 {
		return nil
	}
	taken := s.take(len(values))
	copy(taken, values)
	return taken
}
