package contracts

import (
	"context"

	"github.com/coldframe/coldframe/contracts/cases"
	"github.com/coldframe/coldframe/contracts/checks"
	"github.com/coldframe/coldframe/contracts/supply"
	"github.com/coldframe/coldframe/contracts/wire"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// run is one test of one backend.
type run struct {
	options  *Options
	contract *spec.Contract
	plan     *resource.Plan
	subjects []*subject
	client   *wire.Client
	judge    *checks.Judge
	keyring  *keyring
	supply   *supply.Supply
	budget   *budget
	tally    *tally
}

// subject is one operation under test.
type subject struct {
	*spec.Operation
	index   int // in the document's order
	maker   *cases.Maker
	plain   bool           // a plain request has been accepted
	have    map[string]any // what its bodies can refer to
	skipped string
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
	ctx, stop := r.budget.start(ctx)
	defer stop()
	if err := r.reach(ctx); err != nil {
		return nil, err
	}
	r.introduce(ctx)
	for _, phase := range r.phases() {
		if ctx.Err() != nil {
			break
		}
		r.tally.begin(phase)
		switch phase.ID {
		case "methods":
			r.each(ctx, phase, cases.Methods(r.contract, o.Seed))
		case "stateful":
			r.sequences(ctx, phase)
		default:
			r.operations(ctx, phase)
		}
	}
	return r.report(), nil
}

// exchange takes a case the whole way: variables filled, credentials added,
// sent, judged, and what was found kept.
func (r *run) exchange(ctx context.Context, c *cases.Case) *checks.Exchange {
	x := r.send(ctx, c)
	if x != nil {
		r.tally.add(x, r.judge.Exchange(x))
	}
	return x
}
