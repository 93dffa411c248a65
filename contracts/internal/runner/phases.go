package runner

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/safety"
	"github.com/coldframe/coldframe/contracts/internal/stateful"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/report"
)

// Phase is a family of cases.
type Phase struct {
	ID      string
	Meaning string // what is sent
	// Endless says that there is always one more case.
	Endless bool

	readBack bool    // accepted cases are read again, to compare what the backend stored
	share    float64 // of the budget, divided between the operations; 0: the whole of it for each
	run      func(context.Context, *Tester, *Phase)
	// cases returns the cases of one operation, for phases that run by operation.
	cases func(b *cases.Builder, ctx context.Context, references map[string]any, limit int) iter.Seq[*cases.Case]
}

// phases is the table, in the order in which phases run.
var phases = []*Phase{
	{ID: "examples", Meaning: "every example and every default of the document", readBack: true, run: byOperation, cases: (*cases.Builder).Examples},
	{ID: "coverage", Meaning: "each constraint at, just inside and just outside of its bound", readBack: true, share: 0.6, run: byOperation, cases: coverageCases},
	{ID: "security", Meaning: "missing, wrong, empty and nearly right credentials, and each of several alone", run: byOperation, cases: (*cases.Builder).Security},
	{ID: "methods", Meaning: "methods that the document does not have", run: methods},
	{ID: "stateful", Meaning: "sequences that create, read, list, change and delete items; pages, filters, conditions", run: statefulTests},
	{ID: "fuzz", Meaning: "random requests, made smaller where they find something", Endless: true, share: 0.2, run: byOperation, cases: (*cases.Builder).Fuzz},
}

// Phases returns the table of phases, in the order in which they run.
func Phases() []*Phase { return phases }

// coverageCases are the cases of each constraint, and of each choice between answers.
func coverageCases(b *cases.Builder, ctx context.Context, references map[string]any, limit int) iter.Seq[*cases.Case] {
	return func(yield func(*cases.Case) bool) {
		for c := range b.Negotiation(references) {
			if !yield(c) {
				return
			}
		}
		b.Coverage(ctx, references, limit)(yield)
	}
}

// Run runs a phase of the current round.
func (t *Tester) Run(ctx context.Context, p *Phase) {
	t.beginPhase(ctx, p.ID, p.Meaning)
	p.run(ctx, t, p)
	t.endPhase(ctx)
}

// endPhase does what needs that no request is on its way.
func (t *Tester) endPhase(ctx context.Context) {
	for _, s := range t.Collector.Suspicions() { // nobody knows whose fault the refusals are
		last := s.Sent[0][len(s.Sent[0])-1]
		if (t.guard.LockedOut() || t.guard.HaveEnded(last.Case.Credentials)) && safety.IsRefusal(last.Response) {
			t.Collector.Refute(s)
		}
	}
	confirm(ctx, t)
	t.guard.Restore(ctx)
}

// LastRound begins the round of the destructive operations; false if none.
func (t *Tester) LastRound() bool {
	t.last = slices.ContainsFunc(t.Targets, func(target *Target) bool { return target.group == safety.Destructive })
	return t.last
}

func (t *Tester) beginPhase(ctx context.Context, id, meaning string) {
	reportOutages(ctx, t)
	t.done.Store(0)
	t.Collector.BeginPhase(id, meaning)
}

// Done counts the operations that the current phase has finished.
func (t *Tester) Done() int { return int(t.done.Load()) }

// maxPlain is how many plain requests are tried before an operation counts as one that refuses them.
const maxPlain = 3

// maxIntroductions is how often operations without an accepted request are tried: items below items are needed.
const maxIntroductions = 3

// Introduce sends each operation a plain request: a refusal means less if the operation refuses everything. If it turns
// out what the backend accepts, other credentials or a property that the document does not require, operations that had
// no items for want of it are tried again. So are operations without items if another has been accepted, which may have
// created some.
func (t *Tester) Introduce(ctx context.Context) {
	t.beginPhase(ctx, findings.PlainPhase, "one plain request of each operation")
	defer t.endPhase(ctx)
	if !t.last {
		t.guard.Survey(ctx)
	}
	t.eachTarget(ctx, func(target *Target) { t.learnVersion(ctx, target) })
	t.pool.Retry()
	isFirst, hasLearned := true, false
	for range maxIntroductions {
		var learned, accepted atomic.Bool
		t.eachTarget(ctx, func(target *Target) {
			if target.Accepted || target.Skipped != "" || !isFirst && !hasLearned && len(target.lacking) == 0 {
				return
			}
			if t.introduce(ctx, target) {
				learned.Store(true)
			}
			if target.Accepted {
				accepted.Store(true)
			}
		})
		isFirst, hasLearned = false, learned.Load()
		if !hasLearned && !accepted.Load() {
			return
		}
		t.pool.Retry()
	}
}

// introduce reports whether it has learned what may let requests of other operations succeed.
func (t *Tester) introduce(ctx context.Context, target *Target) (hasLearned bool) {
	found, unknown := t.pool.References(ctx, target.Operation)
	target.references, target.unknown = found, strings.Join(unknown, ", ")
	for n := range maxPlain {
		x, err := t.plain(ctx, target, n)
		if accepted := t.learn(ctx, target, x, n); accepted != nil {
			x, hasLearned = accepted, true
		}
		switch {
		case err != nil:
			target.Skipped = err.Error()
			return hasLearned
		case x == nil:
			return hasLearned
		case x.Status() == 426:
			target.Skipped = upgrades
			return hasLearned
		case x.Succeeded():
			target.Accepted = true
			target.builder.Adopt(x.Case)
			if len(found) > 0 && target.Method == "POST" { // does it use up what its body refers to?
				if again, _ := t.plain(ctx, target, maxPlain); again.Status() == 409 {
					t.pool.Consume(target.Operation)
				}
			}
			return hasLearned
		case x.Status() == 401 && !hasLearned:
			hasLearned = t.findCredentials(ctx, target)
		case x.Status() == 409 && len(found) > 0:
			t.pool.Consume(target.Operation)
			found, _ = t.pool.References(ctx, target.Operation)
			target.references = found
		case x.Status()/100 == 4:
			if t.learnReference(ctx, target, x, n) {
				found, unknown = t.pool.References(ctx, target.Operation)
				target.references, target.unknown = found, strings.Join(unknown, ", ")
			}
			if n == maxPlain-1 {
				t.prepare(ctx, target, x)
			}
		}
	}
	return hasLearned
}

// plain sends a plain request; nil if nothing could be sent.
func (t *Tester) plain(ctx context.Context, target *Target, n int) (*checks.Exchange, error) {
	c, err := target.builder.Plain(n, target.references)
	if err != nil {
		return nil, err
	}
	c.Phase, target.tried = findings.PlainPhase, c
	target.markUncertain(c)
	return t.exchange(ctx, c, target.Accepted), nil
}

// findCredentials looks for the alternative of an operation's security that is
// accepted if the preferred one is refused: each alone, then all at once.
func (t *Tester) findCredentials(ctx context.Context, target *Target) bool {
	first := target.builder.Preferred()
	var others []int
	for i, alternative := range target.Security {
		if i != first && t.Transport.Keyring.HasAll(alternative) {
			others = append(others, i)
		}
	}
	if len(others) == 0 {
		return false
	}
	for _, i := range append(others, cases.All) {
		target.builder.Prefer(i)
		if x, _ := t.plain(ctx, target, maxPlain); x != nil && x.Status() != 401 {
			return true
		}
	}
	target.builder.Prefer(first)
	return false
}

// byOperation sends the cases of a phase, operation by operation.
func byOperation(ctx context.Context, t *Tester, p *Phase) {
	limit := t.Transport.Budget.maxCases
	if p.share > 0 {
		limit = max(1, int(float64(limit)/float64(max(len(t.Targets), 1))*p.share))
	}
	if p.Endless {
		limit = min(limit, t.FuzzCases)
	}
	t.eachTarget(ctx, func(target *Target) {
		workers := max(1, t.Workers/max(1, len(t.Targets)))
		if target.group != safety.Ordinary {
			workers = 1
		}
		if target.Skipped == "" {
			parallel(workers, func(work chan<- *cases.Case) { t.produce(ctx, p, target, limit, work) },
				func(c *cases.Case) { t.exchange(ctx, c, target.Accepted) })
		}
	})
}

// produce completes the cases of an operation and hands them to the workers. How many there are beyond the
// limit is not found out: making them can take longer than the run.
func (t *Tester) produce(ctx context.Context, p *Phase, target *Target, limit int, work chan<- *cases.Case) {
	keyring, n := t.Transport.Keyring, 0
	for c := range p.cases(target.builder, ctx, target.references, limit) {
		if ctx.Err() != nil {
			return
		}
		if n++; n > limit {
			if !p.Endless {
				t.skip(target.Operation, p.ID, 0, fmt.Sprintf("more than %d cases (Options.Limits.MaxCases)", limit))
			}
			return
		}
		if reason := t.skipReason(target.Operation); reason != "" {
			if t.skip(target.Operation, p.ID, 1, reason); p.Endless {
				return
			}
			continue
		}
		if scheme := keyring.Missing(c); scheme != "" {
			t.skip(target.Operation, p.ID, 1, "no credential for "+scheme+" was given, of which a wrong one could be made")
			continue
		}
		if t.guard.HaveEnded(c.Credentials) {
			t.skip(target.Operation, p.ID, 1, "its credentials do not work any more")
			continue
		}
		if !keyring.Complete(c) {
			continue
		}
		c.Phase = p.ID
		target.markUncertain(c)
		keyring.MarkUncertain(c)
		work <- c
	}
}

func (t *Tester) skip(o *spec.Operation, phase string, n int, reason string) {
	t.Collector.Skip(report.Skipped{Operation: findings.OperationName(o), Phase: phase, Cases: n, Reason: reason})
}

// skipReason says why no more cases of an operation are sent; "" if they are.
func (t *Tester) skipReason(o *spec.Operation) string {
	switch {
	case t.guard.EndedAccess(o):
		return "it ended the credentials of the run"
	case t.of[o].givenUp() != "":
		return t.of[o].givenUp()
	case t.Transport.isLimited(o):
		return "the backend limits how often it is asked (429 with Retry-After)"
	case t.Transport.Budget.Spent():
		return fmt.Sprintf("the run has had its %d requests (Options.Limits.MaxCases)", t.Transport.Budget.maxCases)
	}
	return ""
}

// methods sends methods that the paths do not document.
func methods(ctx context.Context, t *Tester, p *Phase) {
	if t.ReadOnly {
		return
	}
	for c := range cases.Methods(t.Contract, t.Seed) {
		if ctx.Err() != nil {
			return
		}
		target := t.of[c.Operation]
		if target == nil || target.Skipped != "" || !t.isNow(target) {
			continue
		}
		if reason := t.skipReason(c.Operation); reason != "" {
			t.skip(c.Operation, p.ID, 1, reason)
			continue
		}
		c.Credentials = target.builder.Credentials()
		c.Phase = p.ID
		t.exchange(ctx, c, true)
	}
}

// statefulTests runs the stateful tests of the resources, one after the other, as they count items.
func statefulTests(ctx context.Context, t *Tester, p *Phase) {
	for _, r := range t.Plan.Resources {
		if ctx.Err() != nil {
			return
		}
		if endsAccess(t, r) != t.last {
			continue
		}
		if t.Transport.Budget.Spent() {
			t.Collector.Skip(report.Skipped{Phase: p.ID,
				Reason: "the stateful tests of " + r.Name + ": " + t.skipReason(nil)})
			continue
		}
		for _, test := range stateful.Tests() {
			stateful.RunTest(ctx, r, test, 0, *t.stateful)
			confirmTest(ctx, t, r, test)
		}
	}
}

// statefulOptions are what stateful tests need of the run.
func (t *Tester) statefulOptions() *stateful.Options {
	return &stateful.Options{
		Plan: t.Plan, Seed: t.Seed, Pool: t.pool, Check: t.Checker.Has, Path: t.Transport.Client.Path, ReadOnly: t.ReadOnly,
		Seen: t.Collector.Seen, Workers: t.Workers,
		Settling: &stateful.Settling{Most: t.Settle, Wait: t.waitForLag}, Identities: t.Transport.Keyring.Identities(),
		Private: t.Private,
		Note:    func(o *spec.Operation, reason string) { t.skip(o, "stateful", 0, reason) },
		Builder: func(o *spec.Operation) *cases.Builder {
			if target := t.of[o]; target == nil || target.Skipped != "" {
				return nil
			}
			return t.builder(o)
		},
		Send: func(ctx context.Context, c *cases.Case) *checks.Exchange {
			if reason := t.skipReason(c.Operation); reason != "" {
				t.skip(c.Operation, "stateful", 0, reason)
				return nil
			}
			target := t.of[c.Operation]
			return t.exchange(ctx, c, target != nil && target.Accepted)
		},
		Report: func(v checks.Violation, sent []*checks.Exchange) {
			last := len(sent) - 1
			t.Collector.Report(sent[last], []checks.Violation{v}, sent[:last]...)
		},
	}
}

// endsAccess reports whether an operation of a resource that is tested is destructive.
func endsAccess(t *Tester, r *resource.Resource) bool {
	return slices.ContainsFunc(r.Bindings, func(b *resource.Binding) bool {
		return t.of[b.Operation] != nil && t.of[b.Operation].group == safety.Destructive
	})
}

// isNow reports whether an operation is tested in the current round: the destructive ones in the last.
func (t *Tester) isNow(target *Target) bool { return (target.group == safety.Destructive) == t.last }

// batches returns the targets of the current round: those that are tested at once, and then each that is alone.
func (t *Tester) batches() [][]*Target {
	var all [][]*Target
	var together []*Target
	for _, target := range t.Targets {
		switch {
		case !t.isNow(target):
		case target.group == safety.Ordinary:
			together = append(together, target)
		default:
			all = append(all, []*Target{target})
		}
	}
	return append([][]*Target{together}, all...)
}

// eachTarget does something for each operation of the round: several ordinary ones at once, then the others.
func (t *Tester) eachTarget(ctx context.Context, do func(*Target)) {
	for _, batch := range t.batches() {
		parallel(t.Workers, func(work chan<- *Target) {
			for _, target := range batch {
				if ctx.Err() != nil {
					return
				}
				work <- target
			}
		}, func(target *Target) {
			do(target)
			t.done.Add(1)
		})
	}
}

// parallel does something with all that is produced, several at once.
func parallel[T any](workers int, produce func(work chan<- T), do func(T)) {
	work := make(chan T)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for value := range work {
				do(value)
			}
		})
	}
	produce(work)
	close(work)
	wg.Wait()
}

// maxLags bounds the time that a run waits for backends whose reads may be behind.
const maxLags = 2 * time.Minute

// waitForLag waits, unless the run has waited for long enough already.
func (t *Tester) waitForLag(ctx context.Context, wait time.Duration) bool {
	return t.waited.Add(int64(wait)) <= int64(maxLags) && t.Transport.Budget.clock.Sleep(ctx, wait) == nil
}
