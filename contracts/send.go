package contracts

import (
	"context"
	"iter"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/cases"
	"github.com/coldframe/coldframe/contracts/checks"
	"github.com/coldframe/coldframe/internal/exchange"
)

// plainAttempts is how many plain requests are tried before an operation counts
// as one whose requests are refused.
const plainAttempts = 3

// introduce sends each operation its plain request, so that later refusals can
// be told from an operation that refuses everything.
func (r *run) introduce(ctx context.Context) {
	r.parallel(ctx, func(s *subject) {
		s.have = r.supply.References(ctx, s.Operation)
		for n := range plainAttempts {
			c, err := s.maker.Plain(n, s.have)
			if err != nil {
				s.skipped = err.Error()
				return
			}
			if x := r.exchange(ctx, c); x != nil && x.Succeeded() {
				s.plain = true
				return
			}
		}
	})
}

// operations sends the cases of a phase, operation by operation.
func (r *run) operations(ctx context.Context, phase *Phase) {
	r.parallel(ctx, func(s *subject) {
		if s.skipped != "" {
			return
		}
		for c := range r.budget.share(phase, s, phase.cases(s.maker, s.have)) {
			if ctx.Err() != nil {
				return
			}
			r.exchange(ctx, c)
		}
	})
}

// each sends cases one after the other.
func (r *run) each(ctx context.Context, phase *Phase, all iter.Seq[*cases.Case]) {
	for c := range all {
		if ctx.Err() != nil {
			return
		}
		r.exchange(ctx, c)
	}
}

// sequences runs the sequences of the resources.
func (r *run) sequences(ctx context.Context, phase *Phase) {}

// parallel does something for each operation, several at once.
func (r *run) parallel(ctx context.Context, do func(*subject)) {
	work := make(chan *subject)
	var wg sync.WaitGroup
	for range r.options.Workers {
		wg.Go(func() {
			for s := range work {
				do(s)
			}
		})
	}
	for _, s := range r.subjects {
		if ctx.Err() != nil {
			break
		}
		work <- s
	}
	close(work)
	wg.Wait()
}

// send fills in what a case leaves open and sends it; nil where the budget is
// used up.
func (r *run) send(ctx context.Context, c *cases.Case) *checks.Exchange {
	if !r.budget.take(ctx) {
		return nil
	}
	x := &checks.Exchange{Case: c, Request: copyOf(c.Request), Exists: true}
	if strings.Contains(x.Request.Path, "{") {
		texts, exists := r.supply.Variables(ctx, c.Operation)
		x.Exists = exists
		for name, text := range texts {
			x.Request.Path = strings.ReplaceAll(x.Request.Path, "{"+name+"}", text)
		}
	}
	r.keyring.apply(x.Request, c.Credentials)
	x.Answer = r.client.Send(ctx, x.Request)
	return x
}

func copyOf(r *exchange.Request) *exchange.Request {
	copied := *r
	copied.Header = append(exchange.Header(nil), r.Header...)
	return &copied
}
