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
	limiter  *rate.Limiter
	sent     atomic.Int64

	mu        sync.Mutex
	heldUntil time.Time // when the backend wants no requests before
}

// NewBudget makes the budget of a run. perSecond 0 is no bound.
func NewBudget(maxCases int, perSecond float64, clock Clock) *Budget {
	limit := rate.Inf
	if perSecond > 0 {
		limit = rate.Limit(perSecond)
	}
	return &Budget{clock: clock, maxCases: maxCases, limiter: rate.NewLimiter(limit, 1)}
}

// Take waits until a request may be sent; false where none may any more.
func (b *Budget) Take(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	b.mu.Lock()
	until := b.heldUntil
	b.mu.Unlock()
	now := b.clock.Now()
	wait := max(until.Sub(now), b.limiter.ReserveN(now, 1).DelayFrom(now))
	if wait > 0 && b.clock.Sleep(ctx, wait) != nil {
		return false
	}
	b.sent.Add(1)
	return true
}

// Refund takes a request back that could not be sent.
func (b *Budget) Refund() { b.sent.Add(-1) }

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
