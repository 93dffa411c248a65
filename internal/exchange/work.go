package exchange

import (
	"errors"
	"time"
)

// The reasons why work on a response ends early.
var (
	ErrDeadline   = errors.New("the time for an answer is over")
	ErrClientLeft = errors.New("the client has left")
	ErrStopping   = errors.New("the server stops")
)

// patience is the time before Work first asks whether the client still waits, and between two questions.
const patience = 100 * time.Millisecond

// Work limits the work for one response. Steps whose cost depends on a document or a request call Over and stop if it
// returns true; their results are then discarded. Nil, and the zero value, mean no limit. It is not safe for
// concurrent use.
type Work struct {
	// Gone returns the reason why nobody waits for a response any more, nil if somebody does. It is not called in the
	// first 100 ms.
	Gone func() error

	ends, asks time.Duration // since start; 0: never
	steps      uint
	ended      error
}

// start is the reference of all times: computing the time since start takes half of the time of time.Now.
var start = time.Now()

// Begin starts the work with a time limit; 0 means none.
func (w *Work) Begin(limit time.Duration) {
	now := time.Since(start)
	w.ends, w.asks, w.ended = now+limit, now+patience, nil
	if limit == 0 {
		w.ends = 0
	}
}

// Over reports whether the work must end. Once true, it stays true.
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

// Step is Over for many small steps: it checks at every 64th call.
func (w *Work) Step() bool {
	if w == nil {
		return false
	}
	if w.steps++; w.steps%64 == 0 {
		return w.Over()
	}
	return w.ended != nil
}

// Ended returns the reason why the work was ended, nil if it was not.
func (w *Work) Ended() error {
	if w == nil {
		return nil
	}
	return w.ended
}
