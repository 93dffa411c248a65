// Package bodies reads request bodies: their memory grows with the received bytes, not with the announced length, and
// all bodies in flight share one budget.
package bodies

import (
	"bytes"
	"errors"
	"io"
	"sync/atomic"
)

const (
	// free is the memory that each request has outside the budget, in bytes, so that small requests are answered
	// while large ones use it up. The limit of connections limits it.
	free = 8 << 10
	// unannounced is the first buffer of a body of unknown length, in bytes.
	unannounced = 512
)

// Errors of Share.Read and Share.ReadValues.
var (
	ErrTooLarge = errors.New("body is over the limit")
	ErrNoRoom   = errors.New("the bodies of all requests in flight are over the budget")
	ErrValues   = errors.New("body has more values than the budget of all bodies has room for")
)

// Budget limits the memory of all bodies in flight. It is safe for concurrent use.
type Budget struct {
	most int64 // bytes
	used atomic.Int64
}

// Values estimates the number of values in a JSON text by counting separators. Separators within strings count too.
func Values(text []byte) int {
	values := 1
	for _, separator := range []string{",", "[", "{"} {
		values += bytes.Count(text, []byte(separator))
	}
	return values
}

// NewBudget returns a budget of most bytes.
func NewBudget(most int64) *Budget { return &Budget{most: most} }

// Used returns the bytes in use.
func (b *Budget) Used() int64 { return b.used.Load() }

// Share is the part of a budget that one request uses. The zero value has no limit.
type Share struct {
	Of    *Budget
	taken int64 // bytes, including the free ones
}

// Read reads a body of at most limit bytes. announced is its length, negative if unknown.
func (s *Share) Read(from io.Reader, announced int64, limit int) ([]byte, error) {
	if announced > int64(limit) {
		return nil, ErrTooLarge
	}
	most, size := max(limit, limit+1), unannounced // one byte more shows that the body is over the limit
	if announced >= 0 {
		most, size = int(announced), free
	}
	var body []byte
	for len(body) < most {
		if len(body) == cap(body) {
			size = min(max(size, 2*cap(body)), most)
			if !s.Take(size - cap(body)) {
				return nil, ErrNoRoom
			}
			body = append(make([]byte, 0, size), body...)
		}
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	switch {
	case len(body) > limit:
		return nil, ErrTooLarge
	case int64(len(body)) < announced:
		return nil, io.ErrUnexpectedEOF
	}
	return body, nil
}

// perValue is the memory of a JSON value in bytes, including its part of the array or the object around it.
const perValue = 100

// ReadValues takes the memory for the values of a JSON body. It returns ErrValues if a request with that body can
// never have room, and ErrNoRoom if other requests leave none.
func (s *Share) ReadValues(body []byte) error {
	if s.Of == nil || len(body) <= free {
		return nil
	}
	bytes := perValue * Values(body)
	switch {
	case int64(len(body)+bytes) > s.Of.most:
		return ErrValues
	case !s.Take(bytes):
		return ErrNoRoom
	}
	return nil
}

// Take takes memory for bytes more, and reports whether the budget has them.
func (s *Share) Take(bytes int) bool {
	more := max(s.taken+int64(bytes)-free, 0) - max(s.taken-free, 0)
	if s.Of != nil && more > 0 && s.Of.used.Add(more) > s.Of.most {
		s.Of.used.Add(-more)
		return false
	}
	s.taken += int64(bytes)
	return true
}

// Release returns the used memory to the budget.
func (s *Share) Release() {
	if s.Of != nil && s.taken > free {
		s.Of.used.Add(free - s.taken)
	}
	s.taken = 0
}
