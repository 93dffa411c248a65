package proxy

import (
	"errors"
	"io"
	"sync"

	"github.com/coldframe/coldframe/internal/bodies"
)

// Tap is a body that passes, and keeps its beginning. One goroutine reads it; Seen may be called at any time.
type Tap struct {
	// AtEnd is called once, before the last piece of a body that ended well is passed on. Default: nothing.
	AtEnd func()

	from  io.ReadCloser
	limit int // bytes that are kept

	mu     sync.Mutex
	share  bodies.Share
	seen   []byte
	size   int64  // bytes that have passed, including those that are held
	held   int    // bytes at the end of sent that Hold has read and Read has not returned
	sent   []byte // in place of seen, after Replace
	full   bool   // seen lacks bytes that have passed
	ended  bool
	failed error
}

// short is the number of bytes that are kept of bodies that are too long to be checked: for the journal.
const short = 64 << 10

// NewTap returns a tap on a body. announced is its length, negative if it is unknown.
func NewTap(from io.ReadCloser, announced int64, limit int, budget *bodies.Budget) *Tap {
	if announced > int64(limit) {
		limit = min(limit, short)
	}
	return &Tap{from: from, limit: limit, share: bodies.Share{Of: budget}}
}

// Read implements io.Reader.
func (t *Tap) Read(p []byte) (n int, err error) {
	t.mu.Lock()
	switch {
	case t.held > 0:
		from := t.seen
		if t.sent != nil {
			from = t.sent
		}
		n = copy(p, from[len(from)-t.held:])
		t.held -= n
	case t.ended:
		err = t.end()
	default:
		t.mu.Unlock()
		n, err = t.from.Read(p)
		t.mu.Lock()
		t.keep(p[:n], err)
	}
	isLast := t.ended && t.held == 0 && t.failed == nil
	t.mu.Unlock()
	if isLast && t.AtEnd != nil {
		t.AtEnd()
		t.AtEnd = nil
	}
	return n, err
}

// Hold reads ahead, to the end of the body or to the limit of what is kept, so that it can be checked before it is
// forwarded.
func (t *Tap) Hold() {
	buffer := make([]byte, 32<<10)
	for {
		t.mu.Lock()
		room := t.limit - len(t.seen)
		done := t.ended || t.full || room == 0
		t.mu.Unlock()
		if done {
			return
		}
		n, err := t.from.Read(buffer[:min(len(buffer), room)])
		t.mu.Lock()
		before := len(t.seen)
		t.keep(buffer[:n], err)
		if t.full && n > 0 { // without memory for it, the piece must still be sent
			t.seen = append(t.seen[:before], buffer[:n]...)
		}
		t.held += n
		t.mu.Unlock()
	}
}

// replace sends another body in place of one that Hold has read to its end. Seen still returns that one.
func (t *Tap) replace(body []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent, t.held = body, len(body)
}

// keep records a piece that has passed.
func (t *Tap) keep(piece []byte, err error) {
	t.size += int64(len(piece))
	if room := t.limit - len(t.seen); !t.full && len(piece) > 0 {
		fits := min(len(piece), room)
		if t.share.Take(fits) {
			t.seen = append(t.seen, piece[:fits]...)
		} else {
			fits = 0
		}
		if t.full = fits < len(piece); t.full && len(t.seen) > short && t.held == 0 {
			t.seen = append([]byte(nil), t.seen[:short]...) // it cannot be checked, so only the journal needs it
			t.share.Release()
			t.share.Take(short)
		}
	}
	if err != nil {
		t.ended = true
		if !errors.Is(err, io.EOF) {
			t.failed = err
		}
	}
}

func (t *Tap) end() error {
	if t.failed != nil {
		return t.failed
	}
	return io.EOF
}

// Close closes the body.
func (t *Tap) Close() error {
	if t.from == nil {
		return nil
	}
	return t.from.Close()
}

// Rewind makes Read return the body from its beginning again, and reports whether that is possible: if all of it has
// been read and kept, or if nobody has read any of it or will. unsent says the latter: a transport may go on to read a
// body after the response to it.
func (t *Tap) Rewind(unsent bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.full || t.failed != nil || !t.ended && (!unsent || t.size > int64(t.held)) {
		return false
	}
	t.held = len(t.seen)
	return true
}

// Seen returns the beginning of the body, its number of bytes so far, and whether the beginning is all of a body that
// has ended. The bytes must not be changed.
func (t *Tap) Seen() (beginning []byte, size int64, whole bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.seen[:len(t.seen):len(t.seen)], t.size, t.ended && !t.full && t.failed == nil
}

// isOver reports whether the body has ended and nothing of it is held.
func (t *Tap) isOver() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended && t.held == 0
}

// Failed returns the error that ended the body; nil if it ended well or goes on.
func (t *Tap) Failed() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed
}

// Release gives back the memory of what was kept. The body must have been closed.
func (t *Tap) Release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.full, t.limit = true, 0
	t.share.Release()
}
