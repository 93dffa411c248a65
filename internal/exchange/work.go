package exchange

import (
	"errors"
	"time"
)

// Why work on an answer ends before there is one.
var (
	ErrDeadline   = errors.New("the time for an answer is over")
	ErrClientLeft = errors.New("the client has left")
	ErrStopping   = errors.New("the server stops")
)

// patience is how long work goes on before it is asked whether anybody still waits for it, and between two askings.
const patience = 100 * time.Millisecond

// Work is what answering one request may still take. Steps whose cost a document or a request decides ask Over and
// leave off where it holds; their results are then thrown away. Nil, and the zero value, are without a bound. It
// serves one goroutine.
type Work struct {
	// Gone gives why nobody waits for an answer any more, nil where somebody does. It is not asked in the first 100 ms.
	Gone func() error

	ends, asks time.Time
	steps      uint
	ended      error
}

// Begin gives the work a time from now on; 0 is none.
func (w *Work) Begin(limit time.Duration) {
	now := time.Now()
	w.ends, w.asks, w.ended = now.Add(limit), now.Add(patience), nil
	if limit == 0 {
		w.ends = time.Time{}
	}
}

// Over reports whether the work must end. Where it once must, it stays so.
func (w *Work) Over() bool {
	if w == nil || w.ended != nil || w.asks.IsZero() {
		return w.Ended() != nil
	}
	now := time.Now()
	if !w.ends.IsZero() && now.After(w.ends) {
		w.ended = ErrDeadline
	} else if w.Gone != nil && now.After(w.asks) {
		w.asks = now.Add(patience)
		w.ended = w.Gone()
	}
	return w.ended != nil
}

// Step is Over for many small steps: it looks at every 64th.
func (w *Work) Step() bool {
	if w == nil {
		return false
	}
	if w.steps++; w.steps%64 == 0 {
		return w.Over()
	}
	return w.ended != nil
}

// Ended gives why the work was ended, nil where it was not.
func (w *Work) Ended() error {
	if w == nil {
		return nil
	}
	return w.ended
}
