package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/credentials"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"golang.org/x/time/rate"
)

// Transport sends complete requests with their credentials, repeats those that the backend wants later or
// with a new token, and watches whether the backend is up. It is safe for concurrent use.
type Transport struct {
	Client  *wire.Client
	Keyring *credentials.Keyring
	Budget  *Budget
	Workers int                     // how many requests are sent at once
	Stop    context.CancelCauseFunc // ends the run
	// Restart brings a backend back that has ended; nil for none. Restarted is called afterwards.
	Restart   func(context.Context) error
	Restarted func()

	probing sync.Mutex // held while somebody finds out whether the backend is up; others wait

	mu            sync.Mutex
	probe         *exchange.Request // safe, and was answered; nil where there is none yet
	lastAnswered  *checks.Exchange
	lastCut       *checks.Exchange // the last without an answer, though the backend was up
	answeredSince int              // after lastCut
	warmUntil     time.Time        // when the backend wants requests again
	warmed        time.Duration    // waited for in all
	waited        map[*spec.Operation]int
	ready         bool      // there was an answer other than a 503 with Retry-After
	outages       []*outage // appended to under both locks
	reported      int       // outages
	restarts      int
}

// maxAttempts is how often one request is sent.
const maxAttempts = 6

// result is what became of a request.
type result uint8

const (
	answered result = iota // there is an answer, or a fault, to check
	lost                   // the backend was down
	ended                  // the run is over
)

// send sends a request, as often as it takes, and sets the request and the answer of x.
func (t *Transport) send(ctx context.Context, x *checks.Exchange, bare exchange.Request) result {
	for attempt, absent := 0, 0; ; {
		outages := t.pastOutages()
		if !t.Budget.Take(ctx) {
			return ended
		}
		r := bare
		r.Header = append(make(exchange.Header, 0, len(bare.Header)+2), bare.Header...)
		token := t.Keyring.Apply(&r, x.Case.Credentials)
		x.Request, x.Answer = &r, t.Client.Send(ctx, &r)
		switch {
		case x.Fault != nil && x.Fault.Code == wire.Stopped:
			return ended
		case x.Fault != nil && x.Fault.Code == wire.Unreachable:
			t.Budget.Refund()
			if t.isOutage(ctx, x, outages); absent == maxAttempts {
				return ended
			}
			absent++
		case unanswered(x) && t.isOutage(ctx, x, outages):
			return lost
		default:
			t.note(x)
			if t.warmUp(ctx, x) {
				continue
			}
			if attempt++; attempt == maxAttempts || !t.again(ctx, x, token, attempt) {
				return answered
			}
		}
	}
}

// again reports whether to repeat a request: after the time that a 429 asks for, or with a new token.
func (t *Transport) again(ctx context.Context, x *checks.Exchange, token, attempt int) bool {
	switch x.Status() {
	case 401:
		if x.Case.Expected == cases.Unauthorized || attempt > 1 {
			return false
		}
		renewed, err := t.Keyring.Renew(ctx, token)
		return err == nil && renewed
	case 429:
		return t.Budget.Hold(ctx, retryAfter(x.Response.Header, attempt, t.Budget.clock.Now()))
	}
	return false
}

// maxWarmUp bounds the time that a run waits in all for a backend that answers 503 with Retry-After.
const maxWarmUp = 2 * time.Minute

// warmUp waits where an answer says when the backend will be ready (RFC 9110 section 15.6.4), and reports whether to
// send the request again. It waits maxAttempts times for one operation once the backend has answered others.
func (t *Transport) warmUp(ctx context.Context, x *checks.Exchange) bool {
	if !checks.IsUnavailable(x) {
		t.mu.Lock()
		t.ready = t.ready || x.Response != nil
		t.mu.Unlock()
		return false
	}
	var o *spec.Operation
	if x.Case != nil {
		o = x.Case.Operation
	}
	t.mu.Lock()
	if t.waited == nil {
		t.waited = map[*spec.Operation]int{}
	}
	t.waited[o]++
	now := t.Budget.clock.Now()
	wait := retryAfter(x.Response.Header, min(t.waited[o], maxAttempts), now)
	if until := now.Add(wait); until.After(t.warmUntil) {
		t.warmed += until.Sub(later(now, t.warmUntil))
		t.warmUntil = until
	}
	isLong := t.warmed > maxWarmUp || t.ready && t.waited[o] >= maxAttempts
	t.mu.Unlock()
	return !isLong && t.Budget.Hold(ctx, wait)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// maxWait bounds the time that Retry-After can ask for.
const maxWait = time.Minute

// retryAfter gives how long to wait: as Retry-After says (RFC 9110 section
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

// wantsTLS reports whether a server says in the words of Go or nginx that it speaks TLS only.
func wantsTLS(body string) bool {
	return strings.Contains(body, "HTTP request to an HTTPS server") ||
		strings.Contains(body, "plain HTTP request was sent to HTTPS port")
}

var errUnreachable = errors.New("the backend could not be reached any more")

// outage is a time in which the backend answered nobody. The requests that it lost are one finding.
type outage struct {
	lost  []*checks.Exchange // at most maxSuspects
	count int                // of them in all
	over  bool
}

const (
	// maxSuspects is how many of the lost requests a finding shows, one of which may have ended the backend.
	maxSuspects = 8
	// maxAbsence is how long the tester waits for a backend that may be restarting.
	maxAbsence = 3 * time.Second
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
		t.lastCut, t.answeredSince = x, 0
		return
	}
	t.lastAnswered = x
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
// again. past is the number of outages when the request was sent. Where the backend stays down the run ends.
func (t *Transport) isOutage(ctx context.Context, x *checks.Exchange, past int) bool {
	t.probing.Lock()
	defer t.probing.Unlock()
	if len(t.outages) == past {
		if t.isUp(ctx) {
			return false
		}
		o := &outage{over: t.await(ctx) || t.restart(ctx)}
		t.mu.Lock()
		t.outages = append(t.outages, o)
		t.mu.Unlock()
	}
	o := t.outages[past]
	if unanswered(x) {
		if o.count++; len(o.lost) < maxSuspects {
			o.lost = append(o.lost, x)
		}
	}
	if !o.over {
		cause := errUnreachable
		if last := t.suspect(o); last != nil {
			cause = fmt.Errorf("%w after %s (%s)", errUnreachable, findings.OperationName(last.Case.Operation), last.Case.Title)
		}
		t.Stop(cause)
	}
	return true
}

// isUp sends the probe; any answer counts.
func (t *Transport) isUp(ctx context.Context) bool {
	t.mu.Lock()
	probe, seenAnswers := t.probe, t.lastAnswered != nil
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

// await waits until the backend is up; false where it stays down.
func (t *Transport) await(ctx context.Context) bool {
	clock, wait := t.Budget.clock, 100*time.Millisecond
	for began := clock.Now(); clock.Now().Sub(began) < maxAbsence; wait *= 2 {
		if clock.Sleep(ctx, wait) != nil || t.isUp(ctx) {
			return true
		}
	}
	return false
}

// maxRestarts bounds how often a run restarts its backend.
const maxRestarts = 20

// restart brings the backend back; false where that is impossible.
func (t *Transport) restart(ctx context.Context) bool {
	if t.Restart == nil || t.restarts >= maxRestarts || ctx.Err() != nil {
		return false
	}
	t.restarts++
	if err := t.Restart(ctx); err != nil || !t.await(ctx) || ctx.Err() != nil {
		return false
	}
	if t.Restarted != nil {
		t.Restarted()
	}
	return true
}

// restartNow restarts a backend that is up. No request may be on its way.
func (t *Transport) restartNow(ctx context.Context) bool {
	t.probing.Lock()
	defer t.probing.Unlock()
	return t.restart(ctx)
}

// attribute finds out which of the requests that an outage lost ends the backend, where it can be restarted: each
// is sent alone.
func (t *Transport) attribute(ctx context.Context, o *outage) {
	if t.Restart == nil || !o.over || o.count < 2 {
		return
	}
	for _, x := range o.lost {
		if ctx.Err() != nil {
			return
		}
		again := &checks.Exchange{Case: x.Case, Request: x.Request, Answer: t.Client.Send(ctx, x.Request)}
		if unanswered(again) && !t.isUp(ctx) {
			if t.await(ctx) || t.restart(ctx) {
				o.lost, o.count = []*checks.Exchange{again}, 1
			}
			return
		}
	}
}

// suspect gives the request that most likely ended the backend: the first that was
// lost, else the last before it; nil where there was none.
func (t *Transport) suspect(o *outage) *checks.Exchange {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case len(o.lost) > 0:
		return o.lost[0]
	case t.lastCut != nil && t.answeredSince < t.Workers:
		return t.lastCut
	}
	return t.lastAnswered
}

// ReportOutages reports the outages that it has not reported yet. No request may be on its way.
func (t *Transport) ReportOutages(ctx context.Context, checker *checks.Checker, c *findings.Collector) {
	check, used := checker.Has("answer")
	for ; t.reported < len(t.outages); t.reported++ {
		o := t.outages[t.reported]
		t.attribute(ctx, o)
		x := t.suspect(o)
		if !used || x == nil || o.count == 0 && (o.over || unanswered(x)) { // nothing was lost, or it is a finding already
			continue
		}
		v := checks.Violation{Check: check, Message: o.message(x), Place: x.Case.Operation.Place, Cause: wire.Unreachable}
		for range max(o.count, 1) {
			c.Report(x, []checks.Violation{v}, o.lost[min(1, len(o.lost)):]...)
		}
	}
}

func (o *outage) message(x *checks.Exchange) string {
	if o.count == 0 {
		return errUnreachable.Error() + " after this request"
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

// Budget bounds the requests of a run and their rate. It is safe for concurrent use.
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
