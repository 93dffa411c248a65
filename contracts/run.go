package contracts

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/contracts/internal/stateful"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// run is one test of one backend.
type run struct {
	options  *Options
	contract *spec.Contract
	plan     *resource.Plan
	subjects []*subject
	of       map[*spec.Operation]*subject
	phases   []*Phase
	client   *wire.Client
	judge    *checks.Checker
	keyring  *keyring
	supply   *itempool.Pool
	stories  *stateful.Options
	budget   *budget
	tally    *tally
	stop     context.CancelCauseFunc // ends the run early
	makers   struct {
		sync.Mutex
		of map[*spec.Operation]*cases.Builder
	}
	health health
	done   atomic.Int64 // operations of the phase at hand
	began  time.Time
}

// begin begins a phase.
func (r *run) begin(p *Phase) {
	r.health.accuse(r)
	r.done.Store(0)
	r.tally.begin(p)
}

// Run tests a backend: phase by phase the cases of every operation are made,
// sent, and their answers held to the checks. An error says that nothing could
// be tested: the document, the options or the backend cannot be used. Faults of
// the backend are findings of the report, which is whole also where the
// context's end, or the backend's, cut the run short.
func Run(ctx context.Context, o Options) (*Report, error) {
	r, err := prepare(ctx, &o)
	if err != nil {
		return nil, err
	}
	defer r.client.Close()
	ctx, done := r.start(ctx)
	defer done()
	if err := r.reach(ctx); err != nil {
		return nil, err
	}
	r.introduce(ctx)
	if err := r.admitted(); err != nil {
		return nil, err
	}
	for _, phase := range r.phases {
		if ctx.Err() == nil {
			r.begin(phase)
			phase.run(r, ctx, phase)
			if ctx.Err() != nil {
				r.tally.leave(Skipped{Phase: phase.ID, Reason: "the run ended before the phase did"})
			}
			continue
		}
		r.tally.leave(Skipped{Phase: phase.ID, Reason: "the run ended before the phase began"})
	}
	r.health.accuse(r)
	return r.report(context.Cause(ctx)), nil
}
