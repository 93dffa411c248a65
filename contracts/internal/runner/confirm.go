package runner

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/safety"
	"github.com/coldframe/coldframe/contracts/internal/stateful"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/resource"
)

// maxRepeats is how often a stateful test is repeated to see its faults again, each time with items of its own.
const maxRepeats = 3

// repeatGrace is how long requests are repeated after the time of a run is up.
const repeatGrace = 2 * time.Second

// seen is a violation that a repeated request shows.
type seen struct {
	checks.Violation
	sent []*checks.Exchange
}

// shows reports whether what was seen is the fault that is suspected.
func shows(s *findings.Suspicion) func(seen) bool {
	return func(v seen) bool {
		last := v.sent[len(v.sent)-1]
		return v.Check.ID == s.Check && v.Cause == s.Cause && findings.OperationName(v.Operation(last)) == s.Operation
	}
}

// confirm sends what shows each new fault once more, while nothing else is sent. What does not come again is flaky.
// It runs also if the time of the run is up, and then has a grace: what was seen while several requests were on their
// way is not certain.
func confirm(ctx context.Context, t *Tester) {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), repeatGrace)
		defer cancel()
	}
	for _, s := range t.Collector.Suspicions() {
		if ctx.Err() != nil {
			return
		}
		repeat(ctx, t, s)
	}
}

// confirmTest repeats a stateful test that has found something.
func confirmTest(ctx context.Context, t *Tester, r *resource.Resource, test *stateful.Test) {
	left := t.Collector.Suspicions()
	for attempt := 1; attempt <= maxRepeats && len(left) > 0 && ctx.Err() == nil; attempt++ {
		var again []seen
		stateful.RunTest(ctx, r, test, attempt, repeating(t, &again))
		left = slices.DeleteFunc(left, func(s *findings.Suspicion) bool {
			at := slices.IndexFunc(again, shows(s))
			if at >= 0 {
				t.Collector.Confirm(s, experiment(ctx, t, &again[at]), withCreations(t, again[at].sent))
			}
			return at >= 0
		})
	}
	for _, s := range left {
		if ctx.Err() == nil {
			repeat(ctx, t, s)
		}
	}
}

// maxExperiments is how many experiments a run makes.
const maxExperiments = 100

// experiment returns a violation with the severity that an experiment decides on.
func experiment(ctx context.Context, t *Tester, v *seen) checks.Violation {
	isRefusal := isRefusalOfValid(v.Violation)
	if v.Check.Comparison == checks.NoComparison && !isRefusal || t.experiments >= maxExperiments ||
		t.Transport.Budget.Spent() {
		return v.Violation
	}
	t.experiments++
	if isRefusal {
		return tryOthers(ctx, t, v)
	}
	o := *t.stateful
	o.Send = t.send
	return stateful.Experiment(ctx, &o, v.Violation, v.sent)
}

// withCreations puts before the exchanges that show a fault the creations of the items that they name, without which a
// fresh backend does not show it.
func withCreations(t *Tester, sent []*checks.Exchange) []*checks.Exchange {
	var all []*checks.Exchange
	for _, x := range sent {
		for _, by := range t.pool.Origins(x) {
			if !slices.ContainsFunc(all, by.Is) && !slices.ContainsFunc(sent, by.Is) {
				all = append(all, by)
			}
		}
	}
	return append(all, sent...)
}

// repeating returns the options of stateful tests whose violations are noted and not collected. A test may send several
// requests at the same time.
func repeating(t *Tester, all *[]seen) stateful.Options {
	var mutex sync.Mutex
	o := *t.stateful
	o.Report = func(v checks.Violation, sent []*checks.Exchange) {
		mutex.Lock()
		defer mutex.Unlock()
		*all = append(*all, seen{v, sent})
	}
	o.Send = func(ctx context.Context, c *cases.Case) *checks.Exchange {
		x := t.send(ctx, c)
		if x != nil {
			target := t.of[c.Operation]
			x.Plain = target != nil && target.Accepted
			judge(t, &o, x)
		}
		return x
	}
	return o
}

// judge notes the violations of one exchange.
func judge(t *Tester, o *stateful.Options, x *checks.Exchange) {
	for _, v := range append(t.Checker.Check(x), stateful.CheckShown(t.stateful, x)...) {
		o.Report(v, []*checks.Exchange{x})
	}
}

// repeat sends the requests of a suspicion again, each first with other values if no two items may have the same, and
// confirms the fault if it comes again.
func repeat(ctx context.Context, t *Tester, s *findings.Suspicion) {
	open := false
	for _, sent := range s.Sent {
		x := sent[len(sent)-1]
		if s.Cause == wire.Unreachable {
			open = true
			break
		}
		if len(sent) > 1 && x.Request.Method == "GET" { // a read of what the request before it has stored
			x = sent[len(sent)-2]
		}
		ways := []*cases.Case{x.Case}
		if other := t.builder(x.Case.Operation).Again(x.Case, 0); other != nil {
			ways = []*cases.Case{other, x.Case}
		}
		for _, c := range ways {
			v, again := repeatCase(ctx, t, s, c, x.Plain)
			switch {
			case v != nil:
				v = reduce(ctx, t, s, v)
				t.Collector.Confirm(s, experiment(ctx, t, v), withCreations(t, v.sent))
				return
			case again == nil, isInconclusive(x, again, len(ways) > 1):
				open = true
			}
		}
	}
	if !open {
		t.Collector.Refute(s)
	} else if ctx.Err() == nil {
		t.Collector.Confirm(s, checks.Violation{}, nil)
	}
}

// The requests that are sent to show faults by less: of one fault, and of a run.
const (
	maxReductions    = 20
	maxAllReductions = 1000
)

// reduce looks for a smaller request that shows a fault. Random ones were made smaller when they were found. An
// operation that can do harm is not asked more often than it must be.
func reduce(ctx context.Context, t *Tester, s *findings.Suspicion, found *seen) *seen {
	x := found.sent[0]
	if x.Case.Random || t.guard.Group(x.Case.Operation) != safety.Ordinary ||
		x.Fault != nil && x.Fault.Code == wire.Timeout {
		return found
	}
	left := min(maxReductions, maxAllReductions-t.reductions)
	cases.Reduce(t.builder(x.Case.Operation), x.Case, func(c *cases.Case) bool {
		if left--; left < 0 || t.Transport.Budget.Spent() || ctx.Err() != nil {
			return false
		}
		t.reductions++
		v, again := repeatCase(ctx, t, s, c, x.Plain)
		if again == nil {
			left = 0
		}
		shown := v != nil && v.Severity == found.Severity
		if shown {
			found = v
		}
		return shown
	})
	return found
}

// repeatCase sends a case, and returns the violation of the suspicion in what comes; nil if none.
func repeatCase(ctx context.Context, t *Tester, s *findings.Suspicion, c *cases.Case, plain bool) (*seen,
	*checks.Exchange) {
	var all []seen
	o := repeating(t, &all)
	x := t.send(ctx, c)
	if x == nil {
		return nil, nil
	}
	x.Plain = plain
	if judge(t, &o, x); len(all) == 0 {
		stateful.CheckStored(ctx, &o, x)
	}
	if at := slices.IndexFunc(all, shows(s)); at >= 0 {
		return &all[at], x
	}
	return nil, x
}

// isInconclusive reports whether a repeated request is refused for what the first has done, if it had no other
// values if no two items may have the same.
func isInconclusive(first, again *checks.Exchange, hadOthers bool) bool {
	mayConflict := (first.Request.Method == "POST" || first.Request.Method == "PUT") && first.Succeeded() &&
		(!hadOthers || first.Case.IsAboutNaturalKey())
	return again.Status() != first.Status() && (slices.Contains([]int{404, 409, 410, 412, 423, 429}, again.Status()) ||
		mayConflict && again.Status() >= 400)
}
