package contracts

import (
	"context"
	"iter"
	"sync/atomic"

	"golang.org/x/time/rate"

	"github.com/coldframe/coldframe/contracts/cases"
)

// budget bounds a run: its time, its cases, its rate. It is safe for concurrent
// use.
type budget struct {
	options *Options
	limiter *rate.Limiter // nil: no bound
	sent    atomic.Int64
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
	b.sent.Add(1)
	return b.limiter == nil || b.limiter.Wait(ctx) == nil
}

// Shares of MaxCases that the phases of many cases have.
const (
	coverageShare = 0.6
	fuzzShare     = 0.2
	leastShare    = 20 // cases of an operation, however many operations there are
)

// share gives how many cases of a phase an operation may have: its part of the
// run's.
func (b *budget) share(phase *Phase, operations int) int {
	all := float64(b.options.MaxCases) / float64(max(operations, 1))
	switch phase.ID {
	case "coverage":
		return max(leastShare, int(all*coverageShare))
	case "fuzz":
		return min(b.options.FuzzCases, max(leastShare, int(all*fuzzShare)))
	}
	return b.options.MaxCases
}

// first gives the first n cases, and calls rest with the number of those that
// it left out. A phase without end has none left out.
func first(n int, phase *Phase, all iter.Seq[*cases.Case], rest func(int)) iter.Seq[*cases.Case] {
	return func(yield func(*cases.Case) bool) {
		i := 0
		for c := range all {
			if i++; i > n {
				if phase.Endless {
					return
				}
				continue
			}
			if !yield(c) {
				return
			}
		}
		if i > n {
			rest(i - n)
		}
	}
}
