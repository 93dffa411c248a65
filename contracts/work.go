package contracts

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/stateful"
	"github.com/coldframe/coldframe/internal/spec"
)

// subject is one operation under test.
type subject struct {
	*spec.Operation
	name    string // POST /plants
	maker   *cases.Builder
	plain   bool           // a plain request has been accepted
	have    map[string]any // what its bodies can refer to
	doubt   string         // properties of its bodies that refer to what is not known
	skipped string         // why it is not tested
	hangs   atomic.Int64   // requests in a row that had no answer in time
}

// question doubts that the operation's requests must be accepted as long as none
// has been, where they refer to what may not exist.
func (s *subject) question(c *cases.Case) {
	if !s.plain && c.Uncertainty == "" && s.doubt != "" {
		c.Uncertainty = s.doubt + " refers to something that may not exist"
	}
}

func nameOf(o *spec.Operation) string { return o.Method + " " + o.Path }

// plainAttempts is how many plain requests are tried before an operation counts
// as one that refuses them.
const plainAttempts = 3

// introduce sends each operation a plain request, so that a refusal later on can
// be told from that of an operation which refuses everything. Where other
// credentials than those of the first requests were found to be taken, operations
// that had no items for want of them are sent some once more.
func (r *run) introduce(ctx context.Context) {
	r.tally.begin(plainPhase)
	if r.plains(ctx) {
		r.supply.Retry()
		r.plains(ctx)
	}
}

// plains sends plain requests to each operation that has accepted none. It reports
// whether other credentials were found for one.
func (r *run) plains(ctx context.Context) bool {
	var others atomic.Bool
	r.parallel(ctx, func(s *subject) {
		if s.plain || s.skipped != "" {
			return
		}
		found, unknown := r.supply.References(ctx, s.Operation)
		s.have = r.options.Setup.properties(s.Operation, found)
		s.doubt = strings.Join(slices.DeleteFunc(unknown, func(name string) bool { return s.have[name] != nil }), ", ")
		for n, admitted := 0, false; n < plainAttempts; n++ {
			switch x, err := r.plain(ctx, s, n); {
			case err != nil:
				s.skipped = err.Error()
				return
			case x == nil:
				return
			case x.Succeeded():
				s.plain = true
				r.consuming(ctx, s, found)
				return
			case x.Status() == 401 && !admitted:
				if admitted = r.admit(ctx, s); admitted {
					others.Store(true)
				}
			case x.Status() == 409 && len(found) > 0:
				r.supply.Consume(s.Operation)
				found, _ = r.supply.References(ctx, s.Operation)
				s.have = r.options.Setup.properties(s.Operation, found)
			}
		}
	})
	return others.Load()
}

// plain sends a plain request.
func (r *run) plain(ctx context.Context, s *subject, n int) (*checks.Exchange, error) {
	c, err := s.maker.Plain(n, s.have)
	if err != nil {
		return nil, err
	}
	c.Phase = plainPhase.ID
	s.question(c)
	return r.exchange(ctx, c, s.plain), nil
}

// consuming finds out whether an operation uses up what its body refers to: the
// same references are not taken twice, and others are.
func (r *run) consuming(ctx context.Context, s *subject, found map[string]any) {
	if len(found) == 0 || s.Method != "POST" {
		return
	}
	x, err := r.plain(ctx, s, plainAttempts)
	if err == nil && x != nil && x.Status() == 409 {
		r.supply.Consume(s.Operation)
	}
}

// operations sends the cases of a phase, operation by operation.
func (r *run) operations(ctx context.Context, phase *Phase) {
	inner := max(1, r.options.Workers/max(1, len(r.subjects)))
	share := r.budget.share(phase, len(r.subjects))
	r.parallel(ctx, func(s *subject) {
		if s.skipped != "" {
			return
		}
		left := func(n int, reason string) {
			r.tally.leave(Skipped{Operation: s.name, Phase: phase.ID, Cases: n, Reason: reason})
		}
		made := some(ctx, share, phase, phase.cases(s.maker, ctx, s.have, share), func() {
			left(0, fmt.Sprintf("more than %d cases (--max-cases)", share))
		})
		work := make(chan *cases.Case)
		var wg sync.WaitGroup
		for range inner {
			wg.Go(func() {
				for c := range work {
					r.exchange(ctx, c, s.plain)
				}
			})
		}
		for c := range made {
			if ctx.Err() != nil {
				break
			}
			if reason := r.barred(s.Operation); reason != "" {
				if left(1, reason); phase.Endless {
					break
				}
				continue
			}
			if scheme := r.keyring.lacks(c); scheme != "" {
				left(1, "no credential for "+scheme+" was given, of which a wrong one could be made")
				continue
			}
			if !r.keyring.spoil(c) {
				continue
			}
			c.Phase = phase.ID
			s.question(c)
			r.keyring.question(c)
			work <- c
		}
		close(work)
		wg.Wait()
	})
}

// barred says why no more cases of an operation are sent; "" where they are.
func (r *run) barred(o *spec.Operation) string {
	switch {
	case r.hangs(o):
		return fmt.Sprintf("%d requests in a row had no answer in time (--timeout)", maxHangs)
	case r.budget.spent():
		return fmt.Sprintf("the run has had its %d requests (--max-cases)", r.options.MaxCases)
	}
	return ""
}

// methods sends what the paths do not document.
func (r *run) methods(ctx context.Context, phase *Phase) {
	if r.options.ReadOnly {
		return
	}
	for c := range cases.Methods(r.contract, r.options.Seed) {
		if ctx.Err() != nil {
			return
		}
		s := r.of[c.Operation]
		if s == nil {
			continue
		}
		if reason := r.barred(c.Operation); reason != "" {
			r.tally.leave(Skipped{Operation: s.name, Phase: phase.ID, Cases: 1, Reason: reason})
			continue
		}
		c.Credentials = s.maker.Credentials()
		c.Phase = phase.ID
		r.exchange(ctx, c, true)
	}
}

// sequences tells the stories of the resources, one after the other, as they
// count what there is.
func (r *run) sequences(ctx context.Context, phase *Phase) {
	for _, resource := range r.plan.Resources {
		if ctx.Err() != nil {
			return
		}
		if r.budget.spent() {
			r.tally.leave(Skipped{Phase: phase.ID, Reason: "the stories of " + resource.Name + ": " + r.barred(nil)})
			continue
		}
		stateful.Run(ctx, resource, *r.stories)
	}
}

// storyOptions are what sequences need of the run.
func (r *run) storyOptions() *stateful.Options {
	return &stateful.Options{
		Plan: r.plan, Seed: r.options.Seed, Pool: r.supply, Check: r.judge.Has, Path: r.client.Path, ReadOnly: r.options.ReadOnly,
		Builder: func(o *spec.Operation) *cases.Builder {
			if s := r.of[o]; s == nil || s.skipped != "" {
				return nil
			}
			return r.maker(o)
		},
		Send: func(ctx context.Context, c *cases.Case) *checks.Exchange {
			if reason := r.barred(c.Operation); reason != "" {
				r.tally.leave(Skipped{Operation: nameOf(c.Operation), Phase: "stateful", Reason: reason})
				return nil
			}
			return r.exchange(ctx, c, r.of[c.Operation] != nil && r.of[c.Operation].plain)
		},
		Report: func(v checks.Violation, sent []*checks.Exchange) {
			r.tally.accuse(sent[len(sent)-1], []checks.Violation{v}, sent[:len(sent)-1]...)
		},
	}
}

// parallel does something for each operation, several at once.
func (r *run) parallel(ctx context.Context, do func(*subject)) {
	work := make(chan *subject)
	var wg sync.WaitGroup
	for range r.options.Workers {
		wg.Go(func() {
			for s := range work {
				do(s)
				r.done.Add(1)
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
