package generate

// Key decides a value: the same key gives the same value, wherever and whenever
// it is used. Keys of neighbouring places are unrelated.
type Key uint64

// NewKey makes a key of a seed and of everything that the value may depend on:
// the operation, path parameters, the status.
func NewKey(seed uint64, parts ...string) Key {
	k := Key(mix(seed ^ golden))
	for _, part := range parts {
		k = k.Child(part)
	}
	return k
}

// Child gives the key of the place that token leads to, a token of a JSON
// Pointer.
func (k Key) Child(token string) Key {
	h := uint64(offset64)
	for i := range len(token) {
		h = (h ^ uint64(token[i])) * prime64
	}
	return Key(mix(uint64(k)*golden + h))
}

// at gives the key of the n-th of several choices made at one place.
func (k Key) at(n int) Key { return Key(mix(uint64(k) + golden*uint64(n+1))) }

// below gives a number under n, which must be positive.
func (k Key) below(n int) int { return int(mix(uint64(k)^offset64) % uint64(n)) }

// The constants of FNV-1a and of splitmix64.
const (
	offset64 = 14695981039346656037
	prime64  = 1099511628211
	golden   = 0x9e3779b97f4a7c15
)

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// stream is a sequence of numbers that a key begins. It is a rand.Source.
type stream struct{ state uint64 }

func (s *stream) Uint64() uint64 {
	s.state += golden
	return mix(s.state)
}

// below gives a number under n, which must be positive.
func (s *stream) below(n int) int { return int(s.Uint64() % uint64(n)) }
