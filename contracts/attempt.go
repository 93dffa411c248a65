package contracts

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
)

// maxAttempts is how often a request is sent that is told to come back later,
// or whose token has run out.
const maxAttempts = 6

// transmit sends a request whose path is complete, as often as it takes. It
// reports whether there is something to judge: not where the run is over, nor
// where the backend was away.
func (r *run) transmit(ctx context.Context, x *checks.Exchange, bare *exchange.Request) bool {
	for attempt, absent := 0, 0; ; {
		survived := r.health.survived()
		if !r.budget.take(ctx) {
			return false
		}
		sent := *bare
		sent.Header = append(make(exchange.Header, 0, len(bare.Header)+2), bare.Header...)
		number := r.keyring.apply(&sent, x.Case.Credentials)
		x.Request, x.Answer = &sent, r.client.Send(ctx, &sent)
		switch {
		case x.Fault != nil && x.Fault.Code == wire.Stopped:
			return false
		case x.Fault != nil && x.Fault.Code == wire.Unreachable:
			r.budget.sent.Add(-1)
			if r.lost(ctx, x, survived); absent == maxAttempts {
				return false
			}
			absent++
		case unanswered(x) && r.lost(ctx, x, survived):
			r.tally.add(x, nil)
			return false
		default:
			r.health.note(r, x)
			if attempt++; attempt == maxAttempts || !r.again(ctx, x, number, attempt) {
				return true
			}
		}
	}
}

// again reports whether a request is to be sent once more: after the time that a
// 429 asks for, or with a new token.
func (r *run) again(ctx context.Context, x *checks.Exchange, number, attempt int) bool {
	switch x.Status() {
	case 401:
		if x.Case.Expected == cases.Unauthorized || attempt > 1 {
			return false
		}
		renewed, err := r.keyring.renew(ctx, number)
		return err == nil && renewed
	case 429:
		return r.budget.hold(ctx, retryAfter(x.Response.Header, attempt, r.options.Clock()))
	}
	return false
}

// maxWait is the longest that a Retry-After is waited for.
const maxWait = time.Minute

// retryAfter gives how long to wait: what Retry-After says (RFC 9110 section
// 10.2.3), else a quarter of a second, doubled each time.
func retryAfter(h exchange.Header, attempt int, now time.Time) time.Duration {
	text, _ := h.Get("Retry-After")
	text = strings.TrimSpace(text)
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, maxWait)
	}
	if at, err := time.Parse(time.RFC1123, text); err == nil {
		return min(max(at.Sub(now), 0), maxWait)
	}
	return 250 * time.Millisecond << (attempt - 1)
}
