package contracts

import (
	"context"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/stateful"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
)

// exchange takes a case the whole way: what it leaves open is filled in, it is
// sent, the answer is judged, and what was found is kept. It is nil where
// nothing could be sent any more, or the backend was away.
func (r *run) exchange(ctx context.Context, c *cases.Case, plain bool) *checks.Exchange {
	if r.hangs(c.Operation) {
		return nil
	}
	x := r.send(ctx, c)
	if x == nil {
		return nil
	}
	x.Plain = plain
	verdicts := append(r.judge.Check(x), stateful.CheckShown(r.stories, x)...)
	if r.tally.add(x, verdicts) {
		r.shrink(ctx, x, verdicts)
	}
	if (c.Phase == "coverage" || c.Phase == "examples") && len(verdicts) == 0 {
		stateful.CheckStored(ctx, r.stories, x)
	}
	return x
}

// maxShrinking bounds the requests that go into making one finding's request
// smaller.
const maxShrinking = 60

// shrink looks for smaller requests that are found the same of. The tally keeps
// the smallest.
func (r *run) shrink(ctx context.Context, x *checks.Exchange, verdicts []checks.Violation) {
	maker, sent := r.maker(x.Case.Operation), 0
	if x.Fault != nil && x.Fault.Code == wire.Timeout {
		return
	}
	for _, v := range verdicts {
		best := x.Case
		for better := best; better != nil; {
			best, better = better, nil
			for c := range maker.Smaller(best) {
				if sent++; sent > maxShrinking || r.budget.spent() {
					return
				}
				smaller := r.send(ctx, c)
				if smaller == nil {
					return
				}
				smaller.Plain = x.Plain
				found := r.judge.Check(smaller)
				r.tally.add(smaller, found)
				if slices.ContainsFunc(found, func(f checks.Violation) bool { return f.Check == v.Check && f.Cause == v.Cause }) {
					better = c
					break
				}
			}
		}
	}
}

// send fills in what a case leaves open and sends it. Where the item that it is
// about has gone meanwhile, or has come to a state in which the request is no
// longer possible, it is sent once more with another.
func (r *run) send(ctx context.Context, c *cases.Case) *checks.Exchange {
	x := r.once(ctx, c, false)
	if x != nil && x.Status() == 428 && c.Expected != cases.Unauthorized {
		if second := r.once(ctx, c, true); second != nil {
			x = second
		}
	}
	if x != nil && x.Exists && strings.Contains(c.Request.Path, "{") && (x.Status() == 404 || x.Status() == 409 || x.Status() == 410) && c.Expected != cases.NotAllowed {
		r.supply.Forget(c.Operation)
		if second := r.once(ctx, c, false); second != nil {
			return second
		}
	}
	return x
}

// once sends a case once. versioned names the version of its item also where the
// case does not.
func (r *run) once(ctx context.Context, c *cases.Case, versioned bool) *checks.Exchange {
	x := &checks.Exchange{Case: c, Request: &exchange.Request{Method: c.Request.Method, Path: c.Request.Path, Query: c.Request.Query, Body: c.Request.Body}}
	x.Request.Header = append(make(exchange.Header, 0, len(c.Request.Header)+2), c.Request.Header...)
	x.Exists = r.fill(ctx, c, x.Request)
	r.refer(ctx, c, x.Request)
	r.condition(ctx, c, x.Request, versioned)
	for name, values := range r.options.Headers {
		if _, has := x.Request.Header.Get(name); !has {
			for _, value := range values {
				x.Request.Header = append(x.Request.Header, exchange.Field{Name: name, Value: value})
			}
		}
	}
	bare := *x.Request
	if !r.transmit(ctx, x, &bare) {
		return nil
	}
	return x
}

// fill puts texts in place of the path's variables that the case leaves open.
// It reports whether all of them name items that exist.
func (r *run) fill(ctx context.Context, c *cases.Case, to *exchange.Request) bool {
	if !strings.Contains(to.Path, "{") {
		return len(c.Path) == 0
	}
	texts, exists := r.options.Setup.variables(c.Operation)
	if !exists {
		var found map[string]string
		found, exists = r.supply.Variables(ctx, c)
		for name, text := range found {
			if _, has := texts[name]; !has {
				texts[name] = text
			}
		}
	}
	for _, from := range []map[string]string{texts, c.Path} {
		for name, text := range from {
			to.Path = strings.ReplaceAll(to.Path, "{"+name+"}", text)
		}
	}
	return exists
}
