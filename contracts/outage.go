package contracts

import (
	"context"
	"fmt"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
)

// outage is a time in which the backend answered nobody. The requests that were
// on their way, or came in it, are one finding.
type outage struct {
	lost []*checks.Exchange // no more than maxSuspects
	n    int                // of them in all
	over bool               // it was there again
}

// maxSuspects is how many of the requests a finding shows of which one may have
// ended the backend.
const maxSuspects = 8

// maxAbsence is how long a backend is waited for, and asked again and again,
// until it counts as gone: it may be starting again.
const maxAbsence = 3 * time.Second

// survived gives how many outages are over.
func (h *health) survived() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := len(h.outages); n > 0 && !h.outages[n-1].over {
		return n - 1
	}
	return len(h.outages)
}

// lost reports whether a request had no answer because the backend was away, and
// waits until it is there again. survived is how many outages were over when the
// request was sent. Where the backend stays away the run is over.
func (r *run) lost(ctx context.Context, x *checks.Exchange, survived int) bool {
	h := &r.health
	h.asking.Lock()
	defer h.asking.Unlock()
	if len(h.outages) == survived {
		if r.knock(ctx) {
			return false
		}
		h.mu.Lock()
		h.outages = append(h.outages, &outage{})
		h.mu.Unlock()
		back := r.await(ctx)
		h.mu.Lock()
		h.outages[survived].over = back
		h.mu.Unlock()
	}
	o := h.outages[survived]
	if unanswered(x) {
		if o.n++; len(o.lost) < maxSuspects {
			o.lost = append(o.lost, x)
		}
	}
	if !o.over {
		h.end(r, o)
	}
	return true
}

// knock asks for something to see whether there is an answer, whatever it is.
func (r *run) knock(ctx context.Context) bool {
	r.health.mu.Lock()
	request, answered := r.health.knock, r.health.answered != nil
	r.health.mu.Unlock()
	known := request != nil
	if !known {
		request = &exchange.Request{Method: "GET", Path: "/"}
	}
	if !r.budget.take(ctx) {
		return true // nobody asks any more
	}
	a := r.client.Send(ctx, request)
	switch {
	case a.Response != nil:
		return true
	case a.Fault.Code == wire.Unreachable:
		r.budget.sent.Add(-1)
		return false
	case a.Fault.Code == wire.NoAnswer, a.Fault.Code == wire.Timeout:
		return !known && answered // what is asked for may be at fault
	}
	return true
}

// await waits until the backend is there; false where it stays away.
func (r *run) await(ctx context.Context) bool {
	clock := r.options.Clock
	for began, wait := clock(), 100*time.Millisecond; clock().Sub(began) < maxAbsence; wait *= 2 {
		if r.options.sleep(ctx, wait) != nil || r.knock(ctx) {
			return true
		}
	}
	return false
}

// end ends the run for an outage that does not.
func (h *health) end(r *run, o *outage) {
	if last := h.suspect(r, o); last != nil {
		r.stop(fmt.Errorf("%w after %s (%s)", errUnreachable, nameOf(last.Case.Operation), last.Case.Title))
		return
	}
	r.stop(errUnreachable)
}

// suspect gives the request that an outage is held against: the first that was
// lost, else the last before it; nil where there was none.
func (h *health) suspect(r *run, o *outage) *checks.Exchange {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case len(o.lost) > 0:
		return o.lost[0]
	case h.cut != nil && h.since < r.options.Workers:
		return h.cut
	}
	return h.answered
}

// accuse makes the findings of the outages that have none yet. Nothing may be on
// its way.
func (h *health) accuse(r *run) {
	check, has := r.judge.Has("answer")
	for ; h.told < len(h.outages); h.told++ {
		o := h.outages[h.told]
		x := h.suspect(r, o)
		if !has || x == nil || o.n == 0 && (o.over || unanswered(x)) { // nothing was lost, or it is accused already
			continue
		}
		v := checks.Violation{Check: check, Message: o.message(x), Place: x.Case.Operation.Place, Cause: wire.Unreachable}
		for range max(o.n, 1) {
			r.tally.accuse(x, []checks.Violation{v}, o.others()...)
		}
	}
}

// others gives the requests that were lost beside the first.
func (o *outage) others() []*checks.Exchange {
	if len(o.lost) == 0 {
		return nil
	}
	return o.lost[1:]
}

func (o *outage) message(x *checks.Exchange) string {
	if o.n == 0 {
		return errUnreachable.Error() + " after this request"
	}
	text := x.Fault.Message + ", and " + errUnreachable.Error()
	if o.over {
		text = x.Fault.Message + ", and the backend could not be reached for a while"
	}
	if o.n > 1 {
		text += fmt.Sprintf("; this is one of %d requests that were on their way, any of which may have been the cause", o.n)
	}
	return text
}
