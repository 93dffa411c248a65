package generate

import "github.com/coldframe/coldframe/internal/formats"

// Key decides a value: the same key gives the same value, wherever and whenever
// it is used. Keys of neighbouring places are unrelated.
type Key uint64

// NewKey gives the key of a seed and of everything that the value may depend on:
// the operation, path parameters, the status.
func NewKey(seed uint64, parts ...string) Key {
	k := Key(formats.Mix(seed ^ formats.Increment))
	for _, part := range parts {
		k = k.Child(part)
	}
	return k
}

// Child gives the key of the place that token leads to, a token of a JSON Pointer.
func (k Key) Child(token string) Key {
	h := uint64(fnvOffset)
	for i := range len(token) {
		h = (h ^ uint64(token[i])) * fnvPrime
	}
	return Key(formats.Mix(uint64(k)*formats.Increment + h))
}

// at gives the key of the n-th of several decisions at one place.
func (k Key) at(n int) Key { return Key(formats.Mix(uint64(k) + formats.Increment*uint64(n+1))) }

// intN gives a number from 0 to n-1; n must be positive.
func (k Key) intN(n int) int { return int(formats.Mix(uint64(k)^fnvOffset) % uint64(n)) }

// The constants of FNV-1a.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)
