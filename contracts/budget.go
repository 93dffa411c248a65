package contracts

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// budget bounds a run: its time, its cases, its rate. It is safe for concurrent
// use.
type budget struct {
	options *Options
	limiter *rate.Limiter // nil: no bound
	sent    atomic.Int64

	mu   sync.Mutex
	held time.Time // when the backend wants no requests before
}

func newBudget(o *Options) *budget {
	b := &budget{options: o}
	if o.Rate > 0 {
		b.limiter = rate.NewLimiter(rate.Limit(o.Rate), 1)
	}
	return b
}

// start begins the run's time.
func (b *budget) start(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, b.options.MaxTime, errOutOfTime)
}

// take waits until a request may be sent; false where none may any more.
func (b *budget) take(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	if wait := b.wait(); wait > 0 && b.options.sleep(ctx, wait) != nil {
		return false
	}
	b.sent.Add(1)
	return true
}

// wait gives how long a request has to wait.
func (b *budget) wait() time.Duration {
	var wait time.Duration
	b.mu.Lock()
	held := b.held
	b.mu.Unlock()
	if b.limiter == nil && held.IsZero() {
		return 0
	}
	now := b.options.Clock()
	if !held.IsZero() {
		wait = held.Sub(now)
	}
	if b.limiter != nil {
		wait = max(wait, b.limiter.ReserveN(now, 1).DelayFrom(now))
	}
	return wait
}

// hold lets no requests be sent for a while, and waits for as long.
func (b *budget) hold(ctx context.Context, wait time.Duration) bool {
	b.mu.Lock()
	if until := b.options.Clock().Add(wait); until.After(b.held) {
		b.held = until
	}
	b.mu.Unlock()
	return b.options.sleep(ctx, wait) == nil
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// spent reports whether the run's cases are used up.
func (b *budget) spent() bool { return b.sent.Load() >= int64(b.options.MaxCases) }

// Shares of MaxCases that the phases of many cases have.
const (
	coverageShare = 0.6
	fuzzShare     = 0.2
)

// share gives how many cases of a phase an operation may have: its part of the
// run's.
func (b *budget) share(phase *Phase, operations int) int {
	all := float64(b.options.MaxCases) / float64(max(operations, 1))
	switch phase.ID {
	case "coverage":
		return max(1, int(all*coverageShare))
	case "fuzz":
		return min(b.options.FuzzCases, max(1, int(all*fuzzShare)))
	}
	return b.options.MaxCases
}
