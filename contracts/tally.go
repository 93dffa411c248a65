package contracts

import (
	"sync"

	"github.com/coldframe/coldframe/contracts/checks"
)

// tally keeps what a run has found. It is safe for concurrent use.
type tally struct {
	mu sync.Mutex
}

func newTally(r *run) *tally { return &tally{} }

func (t *tally) begin(p *Phase) {}

// add counts an exchange and keeps what was found in it.
func (t *tally) add(x *checks.Exchange, verdicts []checks.Verdict) {}

// report gives what has been found so far.
func (r *run) report() *Report { return &Report{} }
