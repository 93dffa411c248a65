package runner

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/stateful"
	"github.com/coldframe/coldframe/internal/spec"
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
	// cases are those of one operation, for phases that run by operation.
	cases func(b *cases.Builder, ctx context.Context, references map[string]any, limit int) iter.Seq[*cases.Case]
}

// phases is the table, in the order in which phases run.
var phases = []*Phase{
	{ID: "examples", Meaning: "every example that the document gives", readBack: true, run: byOperation, cases: (*cases.Builder).Examples},
	{ID: "coverage", Meaning: "each constraint at, just inside and just outside of its bound", readBack: true, share: 0.6, run: byOperation, cases: coverageCases},
	{ID: "security", Meaning: "missing, wrong, empty and nearly right credentials, and each of several alone", run: byOperation, cases: (*cases.Builder).Security},
	{ID: "methods", Meaning: "methods that the document does not have", run: methods},
	{ID: "stateful", Meaning: "sequences that create, read, list, change and delete items; pages, filters, conditions", run: statefulTests},
	{ID: "fuzz", Meaning: "random requests, made smaller where they find something", Endless: true, share: 0.2, run: byOperation, cases: (*cases.Builder).Fuzz},
}

// Phases gives the table of phases, in the order in which they run.
func Phases() []*Phase { return phases }

// coverageCases are those of each constraint, and of what answers can be chosen
// from.
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

// Run runs a phase.
func (t *Tester) Run(ctx context.Context, p *Phase) {
	t.beginPhase(p.ID, p.Meaning)
	p.run(ctx, t, p)
}

func (t *Tester) beginPhase(id, meaning string) {
	t.Transport.ReportOutages(t.Checker, t.Collector)
	t.done.Store(0)
	t.Collector.BeginPhase(id, meaning)
}

// Done counts the operations that the current phase has finished.
func (t *Tester) Done() int { return int(t.done.Load()) }

// byOperation sends the cases of a phase, operation by operation.
func byOperation(ctx context.Context, t *Tester, p *Phase) {
	limit := t.Transport.Budget.maxCases
	if p.share > 0 {
		limit = max(1, int(float64(limit)/float64(max(len(t.Targets.All), 1))*p.share))
	}
	if p.Endless {
		limit = min(limit, t.FuzzCases)
	}
	workers := max(1, t.Workers/max(1, len(t.Targets.All)))
	t.parallel(ctx, func(target *Target) {
		if target.Skipped != "" {
			return
		}
		work := make(chan *cases.Case)
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for c := range work {
					t.exchange(ctx, c, target.Accepted)
				}
			})
		}
		t.produce(ctx, p, target, limit, work)
		close(work)
		wg.Wait()
	})
}

// produce completes the cases of an operation and hands them to the workers. How
// many there are beyond the limit is not found out: making them can take longer
// than the run.
func (t *Tester) produce(ctx context.Context, p *Phase, target *Target, limit int, work chan<- *cases.Case) {
	keyring, n := t.Transport.Keyring, 0
	for c := range p.cases(target.builder, ctx, target.references, limit) {
		if ctx.Err() != nil {
			return
		}
		if n++; n > limit {
			if !p.Endless {
				t.skip(target.Operation, p.ID, 0, fmt.Sprintf("more than %d cases (Options.MaxCases)", limit))
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
	t.Collector.Skip(findings.Skipped{Operation: findings.OperationName(o), Phase: phase, Cases: n, Reason: reason})
}

// skipReason says why no more cases of an operation are sent; "" where they are.
func (t *Tester) skipReason(o *spec.Operation) string {
	switch {
	case t.Targets.of[o].unresponsive():
		return fmt.Sprintf("%d requests in a row had no answer in time (Options.Timeout)", maxTimeouts)
	case t.Transport.Budget.Spent():
		return fmt.Sprintf("the run has had its %d requests (Options.MaxCases)", t.Transport.Budget.maxCases)
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
		target := t.Targets.of[c.Operation]
		if target == nil {
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

// statefulTests runs the stateful tests of the resources, one after the other, as
// they count items.
func statefulTests(ctx context.Context, t *Tester, p *Phase) {
	for _, resource := range t.Plan.Resources {
		if ctx.Err() != nil {
			return
		}
		if t.Transport.Budget.Spent() {
			t.Collector.Skip(findings.Skipped{Phase: p.ID,
				Reason: "the stateful tests of " + resource.Name + ": " + t.skipReason(nil)})
			continue
		}
		stateful.Run(ctx, resource, *t.stateful)
	}
}

// statefulOptions are what stateful tests need of the run.
func (t *Tester) statefulOptions() *stateful.Options {
	return &stateful.Options{
		Plan: t.Plan, Seed: t.Seed, Pool: t.pool, Check: t.Checker.Has, Path: t.Transport.Client.Path, ReadOnly: t.ReadOnly,
		Builder: func(o *spec.Operation) *cases.Builder {
			if target := t.Targets.of[o]; target == nil || target.Skipped != "" {
				return nil
			}
			return t.Targets.Builder(o)
		},
		Send: func(ctx context.Context, c *cases.Case) *checks.Exchange {
			if reason := t.skipReason(c.Operation); reason != "" {
				t.skip(c.Operation, "stateful", 0, reason)
				return nil
			}
			target := t.Targets.of[c.Operation]
			return t.exchange(ctx, c, target != nil && target.Accepted)
		},
		Report: func(v checks.Violation, sent []*checks.Exchange) {
			last := len(sent) - 1
			t.Collector.Report(sent[last], []checks.Violation{v}, sent[:last]...)
		},
	}
}

// parallel does something for each operation, several at once.
func (t *Tester) parallel(ctx context.Context, do func(*Target)) {
	work := make(chan *Target)
	var wg sync.WaitGroup
	for range t.Workers {
		wg.Go(func() {
			for target := range work {
				do(target)
				t.done.Add(1)
			}
		})
	}
	for _, target := range t.Targets.All {
		if ctx.Err() != nil {
			break
		}
		work <- target
	}
	close(work)
	wg.Wait()
}
