package runner

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Clock tells the time and waits.
type Clock struct {
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
}

// Sleep waits until a time has passed or the context ends.
func Sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Budget bounds the requests of a run and their rate. It is safe for concurrent
// use.
type Budget struct {
	clock    Clock
	maxCases int
	limiter  *rate.Limiter // nil: no bound
	sent     atomic.Int64

	mu        sync.Mutex
	heldUntil time.Time // when the backend wants no requests before
}

// NewBudget makes the budget of a run. perSecond 0 is no bound.
func NewBudget(maxCases int, perSecond float64, clock Clock) *Budget {
	b := &Budget{clock: clock, maxCases: maxCases}
	if perSecond > 0 {
		b.limiter = rate.NewLimiter(rate.Limit(perSecond), 1)
	}
	return b
}

// Take waits until a request may be sent; false where none may any more.
func (b *Budget) Take(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	if wait := b.wait(); wait > 0 && b.clock.Sleep(ctx, wait) != nil {
		return false
	}
	b.sent.Add(1)
	return true
}

// Refund takes a request back that could not be sent.
func (b *Budget) Refund() { b.sent.Add(-1) }

func (b *Budget) wait() time.Duration {
	b.mu.Lock()
	until := b.heldUntil
	b.mu.Unlock()
	if b.limiter == nil && until.IsZero() {
		return 0
	}
	now := b.clock.Now()
	wait := time.Duration(0)
	if !until.IsZero() {
		wait = until.Sub(now)
	}
	if b.limiter != nil {
		wait = max(wait, b.limiter.ReserveN(now, 1).DelayFrom(now))
	}
	return wait
}

// Hold lets no requests be sent for a while, and waits for as long.
func (b *Budget) Hold(ctx context.Context, wait time.Duration) bool {
	b.mu.Lock()
	if until := b.clock.Now().Add(wait); until.After(b.heldUntil) {
		b.heldUntil = until
	}
	b.mu.Unlock()
	return b.clock.Sleep(ctx, wait) == nil
}

// Sent counts the requests so far. Spent reports whether there may be no more.
func (b *Budget) Sent() int   { return int(b.sent.Load()) }
func (b *Budget) Spent() bool { return b.Sent() >= b.maxCases }

// Share gives how many cases of a phase an operation may have: its part of a
// fraction of all.
func (b *Budget) Share(fraction float64, operations int) int {
	return max(1, int(float64(b.maxCases)/float64(max(operations, 1))*fraction))
}
