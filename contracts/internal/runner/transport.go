package runner

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/credentials"
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
	// Restart brings a backend back that has ended; nil if none. Restarted is called afterwards.
	Restart   func(context.Context) error
	Restarted func()

	prefixes map[string]string // of the client, by the base paths of operations; not changed while requests are sent

	slots   slots
	probing sync.Mutex // held while somebody finds out whether the backend is up; others wait

	mu            sync.Mutex
	probe         *exchange.Request  // safe, and was answered; nil if there is none yet
	recent        []*checks.Exchange // the last that were answered, at most maxSuspects
	lastCut       *checks.Exchange   // the last without an answer, though the backend was up
	answeredSince int                // after lastCut
	warmUntil     time.Time          // when the backend wants requests again
	warmed        time.Duration      // waited for in all
	waited        map[*spec.Operation]int
	waitedFor     map[*spec.Operation]time.Time // until when all waited for an operation
	limited       map[*spec.Operation]time.Time // until when an operation is not to be asked
	ready         bool                          // there was an answer other than a 503 with Retry-After
	outages       []*outage                     // appended to under both locks
	reported      int                           // outages
	restarts      int
	failed        error // why the backend could not be restarted
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
		token := t.Keyring.For(x.Case).Apply(&r, x.Case.Credentials)
		generation := t.slots.take(t.Workers)
		x.Request, x.Result = &r, bounded(t.Client.Send(wire.WithPrefix(ctx, t.Prefix(x.Case.Operation)), &r))
		t.slots.release(generation, x.Status() == 429)
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

// slots bounds the requests that are on their way. Each time that the backend answers 429, half as many are. The zero
// value is ready for use.
type slots struct {
	mu         sync.Mutex
	free       *sync.Cond
	most, used int
	generation int // how often most was halved
}

// take waits for a slot, of which there are at first so many. It returns the generation, for release.
func (s *slots) take(workers int) (generation int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free == nil {
		s.free, s.most = sync.NewCond(&s.mu), max(workers, 1)
	}
	for s.used >= s.most {
		s.free.Wait()
	}
	s.used++
	return s.generation
}

// release returns a slot. isLimited says that the backend wants fewer requests: those that were sent together with
// others that it refused so count once.
func (s *slots) release(generation int, isLimited bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used--
	if isLimited && generation == s.generation {
		s.most, s.generation = max(s.most/2, 1), s.generation+1
	}
	s.free.Signal()
}

// Prefix returns the path that comes before the paths of an operation's requests.
func (t *Transport) Prefix(o *spec.Operation) string {
	if prefix, ok := t.prefixes[basesOf(o)]; ok {
		return prefix
	}
	return t.Client.Prefix
}

// basesOf names the base paths of an operation's servers.
func basesOf(o *spec.Operation) string { return strings.Join(o.BasePaths, " ") }

// again reports whether to repeat a request: after the time that a 429 asks for, or with a new token.
func (t *Transport) again(ctx context.Context, x *checks.Exchange, token, attempt int) bool {
	switch x.Status() {
	case 401:
		if x.Case.Expected == cases.Unauthorized || attempt > 1 {
			return false
		}
		renewed, err := t.Keyring.For(x.Case).Renew(ctx, token)
		return err == nil && renewed
	case 429:
		wait := retryAfter(x.Response.Header, attempt, t.Budget.clock.Now())
		return !t.isOwnLimit(ctx, x, wait) && t.Budget.Hold(ctx, wait)
	}
	return false
}

// maxOwnWait bounds the time that all requests wait repeatedly for one operation that is asked too often.
const maxOwnWait = 5 * time.Second

// isOwnLimit reports whether a 429 with a long wait concerns its operation alone: it waited before, and the probe is
// answered otherwise. Then the operation gets no cases for that time, and the others need not wait.
func (t *Transport) isOwnLimit(ctx context.Context, x *checks.Exchange, wait time.Duration) bool {
	if wait <= maxOwnWait || x.Case == nil {
		return false
	}
	t.mu.Lock()
	now, probe := t.Budget.clock.Now(), t.probe
	if t.limited == nil {
		t.limited, t.waitedFor = map[*spec.Operation]time.Time{}, map[*spec.Operation]time.Time{}
	}
	until, waited := t.waitedFor[x.Case.Operation]
	if !waited {
		t.waitedFor[x.Case.Operation] = now.Add(wait)
	}
	t.mu.Unlock()
	if !waited || now.Before(until) || probe == nil || probe.Path == x.Request.Path || !t.Budget.Take(ctx) {
		return false
	}
	if a := t.Client.Send(ctx, probe); a.Response == nil || a.Response.Status == 429 {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.limited[x.Case.Operation] = t.Budget.clock.Now().Add(wait)
	return true
}

// isLimited reports whether an operation gets no cases for now.
func (t *Transport) isLimited(o *spec.Operation) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.Budget.clock.Now().Before(t.limited[o])
}

// maxWarmUp bounds the time that a run waits in all for a backend that answers 503 with Retry-After.
const maxWarmUp = 2 * time.Minute

// warmUp waits if an answer says when the backend will be ready (RFC 9110 section 15.6.4), and reports whether to
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

// retryAfter returns how long to wait: as Retry-After says (RFC 9110 section
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

// Clock returns the time and waits.
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

// NewBudget makes the budget of a run. perSecond 0 means no bound.
func NewBudget(maxCases int, perSecond float64, clock Clock) *Budget {
	limit := rate.Inf
	if perSecond > 0 {
		limit = rate.Limit(perSecond)
	}
	return &Budget{clock: clock, maxCases: maxCases, limiter: rate.NewLimiter(limit, 1)}
}

// Take waits until a request may be sent; false if none may any more.
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

// Hold blocks all requests for a while, and waits for as long.
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
