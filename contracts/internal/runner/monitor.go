package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
)

var errUnreachable = errors.New("the backend could not be reached any more")

// Monitor watches whether the backend is up. It is safe for concurrent use.
type Monitor struct {
	client  *wire.Client
	budget  *Budget
	clock   Clock
	workers int
	stop    context.CancelCauseFunc // ends the run

	probing sync.Mutex // held while somebody finds out whether the backend is up; others wait

	mu            sync.Mutex
	probe         *exchange.Request // safe, and was answered; nil where there is none yet
	lastAnswered  *checks.Exchange
	lastCut       *checks.Exchange // the last without an answer, though the backend was up
	answeredSince int              // after lastCut
	outages       []*outage        // appended to under both locks
	reported      int              // outages
}

// NewMonitor makes the monitor of a run. workers is how many requests are sent at
// once; stop ends the run.
func NewMonitor(client *wire.Client, b *Budget, clock Clock, workers int, stop context.CancelCauseFunc) *Monitor {
	return &Monitor{client: client, budget: b, clock: clock, workers: workers, stop: stop}
}

// outage is a time in which the backend answered nobody. The requests that it lost
// are one finding.
type outage struct {
	lost  []*checks.Exchange // at most maxSuspects
	count int                // of them in all
	over  bool
}

const (
	// maxSuspects is how many of the lost requests a finding shows, one of which may
	// have ended the backend.
	maxSuspects = 8
	// maxAbsence is how long the monitor waits for a backend that may be restarting.
	maxAbsence = 3 * time.Second
)

// unanswered reports whether a request got no answer, or no whole one, so that the
// backend may be down.
func unanswered(x *checks.Exchange) bool {
	return x.Fault != nil && (x.Fault.Code == wire.NoAnswer || x.Fault.Code == wire.Timeout ||
		x.Fault.Code == wire.Truncated)
}

// note notes how a request ended at a backend that is up.
func (m *Monitor) note(x *checks.Exchange) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if unanswered(x) {
		m.lastCut, m.answeredSince = x, 0
		return
	}
	m.lastAnswered = x
	m.answeredSince++
	if method := x.Request.Method; m.probe == nil && (method == "GET" || method == "HEAD") {
		m.probe = x.Request
	}
}

// past counts the outages that are over.
func (m *Monitor) past() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.outages); n > 0 && !m.outages[n-1].over {
		return n - 1
	}
	return len(m.outages)
}

// isOutage reports whether a request had no answer because the backend was down,
// and waits until it is up again. past is the number of outages when the request
// was sent. Where the backend stays down the run ends.
func (m *Monitor) isOutage(ctx context.Context, x *checks.Exchange, past int) bool {
	m.probing.Lock()
	defer m.probing.Unlock()
	if len(m.outages) == past {
		if m.isUp(ctx) {
			return false
		}
		m.mu.Lock()
		m.outages = append(m.outages, &outage{})
		m.mu.Unlock()
		over := m.await(ctx)
		m.mu.Lock()
		m.outages[past].over = over
		m.mu.Unlock()
	}
	o := m.outages[past]
	if unanswered(x) {
		if o.count++; len(o.lost) < maxSuspects {
			o.lost = append(o.lost, x)
		}
	}
	if !o.over {
		cause := errUnreachable
		if last := m.suspect(o); last != nil {
			cause = fmt.Errorf("%w after %s (%s)", errUnreachable, findings.OperationName(last.Case.Operation), last.Case.Title)
		}
		m.stop(cause)
	}
	return true
}

// isUp sends the probe; any answer counts.
func (m *Monitor) isUp(ctx context.Context) bool {
	m.mu.Lock()
	probe, seenAnswers := m.probe, m.lastAnswered != nil
	m.mu.Unlock()
	wasAnswered := probe != nil
	if !wasAnswered {
		probe = &exchange.Request{Method: "GET", Path: "/"}
	}
	if !m.budget.Take(ctx) {
		return true // the run is over
	}
	a := m.client.Send(ctx, probe)
	switch {
	case a.Response != nil:
		return true
	case a.Fault.Code == wire.Unreachable:
		m.budget.Refund()
		return false
	case a.Fault.Code == wire.NoAnswer, a.Fault.Code == wire.Timeout:
		return !wasAnswered && seenAnswers // the probe itself may be at fault
	}
	return true
}

// await waits until the backend is up; false where it stays down.
func (m *Monitor) await(ctx context.Context) bool {
	for began, wait := m.clock.Now(), 100*time.Millisecond; m.clock.Now().Sub(began) < maxAbsence; wait *= 2 {
		if m.clock.Sleep(ctx, wait) != nil || m.isUp(ctx) {
			return true
		}
	}
	return false
}

// suspect gives the request that most likely ended the backend: the first that was
// lost, else the last before it; nil where there was none.
func (m *Monitor) suspect(o *outage) *checks.Exchange {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case len(o.lost) > 0:
		return o.lost[0]
	case m.lastCut != nil && m.answeredSince < m.workers:
		return m.lastCut
	}
	return m.lastAnswered
}

// Report reports the outages that it has not reported yet. No request may be on
// its way.
func (m *Monitor) Report(checker *checks.Checker, c *findings.Collector) {
	check, used := checker.Has("answer")
	for ; m.reported < len(m.outages); m.reported++ {
		o := m.outages[m.reported]
		x := m.suspect(o)
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
