package tree

// slab allocates values in large arrays, and lists with exactly their length. It leaves a hundredth of the
// allocations, and 8.7 MB instead of 12.4 (BenchmarkRead).
type slab[T any] struct{ free []T }

// slabSize is the number of values in an array, unless a list needs more.
const slabSize = 128

func (s *slab[T]) new() *T { return &s.take(1)[0] }

// take returns a slice of count zero values.
func (s *slab[T]) take(count int) []T {
	if count > len(s.free) {
		if count > slabSize/4 { // otherwise the rest of the array would be lost
			return make([]T, count)
		}
		s.free = make([]T, slabSize)
	}
	taken := s.free[:count:count]
	s.free = s.free[count:]
	return taken
}

// copy returns a copy of values, nil if none.
func (s *slab[T]) copy(values []T) []T {
	if len(values) == 0 {
		return nil
	}
	taken := s.take(len(values))
	copy(taken, values)
	return taken
}
