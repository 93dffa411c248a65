package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
)

var errUnreachable = errors.New("the backend could not be reached any more")

// outage is a time in which the backend answered nobody. The requests that it lost are one finding.
type outage struct {
	lost   []*checks.Exchange // at most maxLost
	count  int                // of them in all
	before []*checks.Exchange // the last that were answered
	over   bool
}

const (
	// maxSuspects is how many of the lost requests a finding shows, one of which may have ended the backend.
	maxSuspects = 8
	maxLost     = 64
	// afterthought is how long a request that was answered may take to end the backend.
	afterthought = 200 * time.Millisecond
	// maxAbsence is how long the tester waits for a backend that may be restarting.
	maxAbsence = 3 * time.Second
	// soon is how long it waits before it has the backend restarted.
	soon = 500 * time.Millisecond
)

// unanswered reports whether a request got no answer, or no whole one, so that the backend may be down.
func unanswered(x *checks.Exchange) bool {
	return x.Fault != nil && slices.Contains([]string{wire.NoAnswer, wire.Timeout, wire.Truncated}, x.Fault.Code)
}

// note notes how a request ended at a backend that is up.
func (t *Transport) note(x *checks.Exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if unanswered(x) {
		t.lastCut, t.answeredSince = x.Kept(), 0
		return
	}
	t.recent = append(t.recent[max(0, len(t.recent)-maxSuspects+1):], x.Kept())
	t.answeredSince++
	if method := x.Request.Method; t.probe == nil && (method == "GET" || method == "HEAD") {
		t.probe = x.Request
	}
}

// pastOutages counts the outages that are over.
func (t *Transport) pastOutages() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.outages); n > 0 && !t.outages[n-1].over {
		return n - 1
	}
	return len(t.outages)
}

// isOutage reports whether a request had no answer because the backend was down, and waits until it is up
// again. past is the number of outages when the request was sent. If the backend stays down the run ends.
func (t *Transport) isOutage(ctx context.Context, x *checks.Exchange, past int) bool {
	t.probing.Lock()
	defer t.probing.Unlock()
	if len(t.outages) == past {
		if t.isUp(ctx) {
			return false
		}
		t.mu.Lock()
		o := &outage{before: slices.Clone(t.recent)}
		t.mu.Unlock()
		o.over = t.isBack(ctx)
		t.mu.Lock()
		t.outages = append(t.outages, o)
		t.mu.Unlock()
	}
	o := t.outages[past]
	if unanswered(x) {
		if o.count++; len(o.lost) < maxLost {
			o.lost = append(o.lost, x)
		}
	}
	if !o.over {
		cause := errUnreachable
		if last := t.suspect(o); last != nil {
			cause = fmt.Errorf("%w after %s (%s)", errUnreachable, findings.OperationName(last.Case.Operation), last.Case.Title)
		}
		if t.failed != nil {
			cause = fmt.Errorf("%w; it could not be restarted: %w", cause, t.failed)
		}
		t.Stop(cause)
	}
	return true
}

// isUp sends the probe; any answer counts.
func (t *Transport) isUp(ctx context.Context) bool {
	t.mu.Lock()
	probe, seenAnswers := t.probe, len(t.recent) > 0
	t.mu.Unlock()
	wasAnswered := probe != nil
	if !wasAnswered {
		probe = &exchange.Request{Method: "GET", Path: "/"}
	}
	if !t.Budget.Take(ctx) {
		return true // the run is over
	}
	a := t.Client.Send(ctx, probe)
	switch {
	case a.Response != nil:
		return true
	case a.Fault.Code == wire.Unreachable:
		t.Budget.Refund()
		return false
	case a.Fault.Code == wire.NoAnswer, a.Fault.Code == wire.Timeout:
		return !wasAnswered && seenAnswers // the probe itself may be at fault
	}
	return true
}

// isBack waits until the backend is up again, or has it restarted; false if it stays down.
func (t *Transport) isBack(ctx context.Context) bool {
	if t.Restart == nil || t.restarts >= maxRestarts {
		return t.await(ctx, maxAbsence)
	}
	return t.await(ctx, soon) || t.restart(ctx)
}

// await waits for a time until the backend is up; false if it stays down.
func (t *Transport) await(ctx context.Context, most time.Duration) bool {
	clock, wait := t.Budget.clock, 100*time.Millisecond
	for began := clock.Now(); clock.Now().Sub(began) < most; wait *= 2 {
		if clock.Sleep(ctx, wait) != nil || t.isUp(ctx) {
			return true
		}
	}
	return false
}

// maxRestarts bounds how often a run restarts its backend.
const maxRestarts = 20

// restart brings the backend back; false if that is impossible.
func (t *Transport) restart(ctx context.Context) bool {
	if t.Restart == nil || t.restarts >= maxRestarts || ctx.Err() != nil {
		return false
	}
	t.restarts++
	if t.failed = t.Restart(ctx); t.failed == nil && !t.await(ctx, maxAbsence) {
		t.failed = fmt.Errorf("it does not answer within %v", maxAbsence)
	}
	if t.failed != nil || ctx.Err() != nil {
		return false
	}
	if t.Restarted != nil {
		t.Restarted()
	}
	return true
}

// suspect returns the request that most likely ended the backend: of those that were lost one with a large body, else
// one that should be refused, else the first; else the last before it; nil if none.
func (t *Transport) suspect(o *outage) *checks.Exchange {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case len(o.lost) > 0:
		slices.SortStableFunc(o.lost, func(a, b *checks.Exchange) int { return harmless(a) - harmless(b) })
		return o.lost[0]
	case t.lastCut != nil && t.answeredSince < t.Workers:
		return t.lastCut
	}
	if len(t.recent) == 0 {
		return nil
	}
	return t.recent[len(t.recent)-1]
}

// largeBody is from how many bytes a body is one that few clients send: long texts and deep values.
const largeBody = 8 << 10

// harmless ranks requests by how seldom such a one ends a backend.
func harmless(x *checks.Exchange) int {
	switch {
	case len(x.Request.Body) >= largeBody:
		return 0
	case x.Case.Expected == cases.Refused:
		return 1
	}
	return 2
}

// reportOutages reports the outages that it has not reported yet. No request may be on its way.
func reportOutages(ctx context.Context, t *Tester) {
	check, used := t.Checker.Has("answer")
	for link := t.Transport; link.reported < len(link.outages); link.reported++ {
		o := link.outages[link.reported]
		if link.Restart != nil && o.over && o.count > 0 {
			attribute(ctx, t, o)
		}
		x := link.suspect(o)
		if !used || x == nil || o.count == 0 && (o.over || unanswered(x)) { // nothing was lost, or it is a finding already
			continue
		}
		v := checks.Violation{Check: check, Message: o.message(x), Place: x.Case.Operation.Place, Cause: wire.Unreachable}
		for range max(o.count, 1) {
			t.Collector.Report(x, []checks.Violation{v}, o.lost[min(1, len(o.lost)):min(len(o.lost), maxSuspects)]...)
		}
	}
}

// attribute finds out which request ends the backend, of those that an outage lost and then of those before it: each is
// sent alone, as it was and about items that exist now. The outage has that one then.
func attribute(ctx context.Context, t *Tester, o *outage) {
	for i, x := range slices.Concat(o.lost, o.before) {
		wasLost := i < len(o.lost)
		if !wasLost && (itempool.IsSafe(x.Request.Method) || o.count == 1) {
			continue
		}
		again := &checks.Exchange{Case: x.Case, Request: x.Request, Exists: x.Exists}
		if bare, _, reason := t.complete(ctx, x.Case, false); reason == "" {
			t.Transport.Keyring.For(x.Case).Apply(&bare, x.Case.Credentials)
			again.Request = &bare
		}
		if ctx.Err() != nil {
			return
		}
		again.Result = t.Transport.Client.Send(wire.WithPrefix(ctx, t.Transport.Prefix(x.Case.Operation)), again.Request)
		if !wasLost { // it was answered before the backend ended
			t.Transport.Budget.clock.Sleep(ctx, afterthought)
		}
		if (unanswered(again) || !wasLost) && !t.Transport.isUp(ctx) {
			if t.Transport.isBack(ctx) {
				o.lost, o.count = []*checks.Exchange{again}, 1
			}
			return
		}
	}
}

func (o *outage) message(x *checks.Exchange) string {
	if o.count == 0 {
		return errUnreachable.Error() + " after this request"
	}
	if x.Fault == nil { // it was answered
		return "the backend could not be reached for a while after this request"
	}
	text := x.Fault.Message + ", and " + errUnreachable.Error()
	if o.over {
		text = x.Fault.Message + ", and the backend could not be reached for a while"
	}
	if o.count > 1 {
		text += fmt.Sprintf("; this is one of %d requests that were on their way, any of which may have been the cause",
			o.count)
	}
	return text
}
