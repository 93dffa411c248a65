package state

import (
	"errors"
	"sync/atomic"
	"time"
)

// Clock is the time in a session: another clock, and how far it was moved from it. It is safe for concurrent
// use; nil is one that was not moved.
type Clock struct {
	base  func() time.Time
	ahead atomic.Int64 // nanoseconds
}

// NewClock makes a Clock of one that it follows.
func NewClock(base func() time.Time) *Clock { return &Clock{base: base} }

// Now is the time.
func (c *Clock) Now() time.Time { return c.base().Add(c.Ahead()) }

// Ahead is how far the Clock was moved, negative for back.
func (c *Clock) Ahead() time.Duration {
	if c == nil {
		return 0
	}
	return time.Duration(c.ahead.Load())
}

// ErrTime is returned for times that a Clock cannot have.
var ErrTime = errors.New("the time would not be between 1970 and 2200")

var firstTime, lastTime = time.Unix(0, 0), time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// Advance moves the Clock on, or back.
func (c *Clock) Advance(by time.Duration) error {
	for {
		before := c.ahead.Load()
		at := c.base().Add(time.Duration(before)).Add(by) // which holds more than a Duration
		if at.Before(firstTime) || at.After(lastTime) {
			return ErrTime
		}
		if c.ahead.CompareAndSwap(before, before+int64(by)) {
			return nil
		}
	}
}

// Set moves the Clock to a time.
func (c *Clock) Set(at time.Time) error {
	if at.Before(firstTime) || at.After(lastTime) {
		return ErrTime
	}
	c.ahead.Store(int64(at.Sub(c.base())))
	return nil
}

// Reset takes back how far the Clock was moved.
func (c *Clock) Reset() { c.ahead.Store(0) }

// Fork makes a Clock that goes on from this one.
func (c *Clock) Fork() *Clock {
	fork := NewClock(c.base)
	fork.ahead.Store(c.ahead.Load())
	return fork
}
