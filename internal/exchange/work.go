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
	// Gone gives why nobody waits for an answer any more, nil if somebody does. It is not asked in the first 100 ms.
	Gone func() error

	ends, asks time.Duration // since start; 0: never
	steps      uint
	ended      error
}

// start is what times are measured from: asking for one that passed takes half of what asking for the time takes.
var start = time.Now()

// Begin returns the work a time from now on; 0 is none.
func (w *Work) Begin(limit time.Duration) {
	now := time.Since(start)
	w.ends, w.asks, w.ended = now+limit, now+patience, nil
	if limit == 0 {
		w.ends = 0
	}
}

// Over reports whether the work must end. Where it once must, it stays so.
func (w *Work) Over() bool {
	if w == nil || w.ended != nil || w.asks == 0 {
		return w.Ended() != nil
	}
	now := time.Since(start)
	if w.ends > 0 && now > w.ends {
		w.ended = ErrDeadline
	} else if w.Gone != nil && now > w.asks {
		w.asks = now + patience
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

// Ended returns why the work was ended, nil if it was not.
func (w *Work) Ended() error {
	if w == nil {
		return nil
	}
	return w.ended
}
