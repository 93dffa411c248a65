package contracts

import (
	"context"
	"iter"

	"github.com/coldframe/coldframe/contracts/internal/cases"
)

// Phase is a family of cases.
type Phase struct {
	ID      string
	Meaning string
	// Endless says that there is always one more case.
	Endless bool

	run func(*run, context.Context, *Phase)
	// cases are those of one operation, for phases that are run by operation; no
	// more than most are wanted.
	cases func(m *cases.Builder, ctx context.Context, have map[string]any, most int) iter.Seq[*cases.Case]
}

// phases is all phases, in the order in which they run.
var phases = []*Phase{
	{ID: "examples", Meaning: "every example that the document gives", run: (*run).operations, cases: (*cases.Builder).Examples},
	{ID: "coverage", Meaning: "each constraint at, just inside and just outside of its bound", run: (*run).operations, cases: coverageCases},
	{ID: "security", Meaning: "credentials left out, wrong, empty, nearly right, and each of several alone", run: (*run).operations, cases: (*cases.Builder).Security},
	{ID: "methods", Meaning: "methods that the document does not have", run: (*run).methods},
	{ID: "stateful", Meaning: "what is created is there, changes and goes; pages, filters, conditions", run: (*run).sequences},
	{ID: "fuzz", Meaning: "random requests, shrunk where they find something", Endless: true, run: (*run).operations, cases: (*cases.Builder).Fuzz},
}

// plainPhase is where the plain requests are counted that every run begins
// with.
var plainPhase = &Phase{ID: "plain", Meaning: "one request of each operation with which all is well"}

// coverageCases are those of each constraint, and of what answers can be chosen
// from.
func coverageCases(m *cases.Builder, ctx context.Context, have map[string]any, most int) iter.Seq[*cases.Case] {
	return func(yield func(*cases.Case) bool) {
		for c := range m.Negotiation(have) {
			if !yield(c) {
				return
			}
		}
		m.Coverage(ctx, have, most)(yield)
	}
}

// Phases gives the table of phases, in the order in which they run.
func Phases() []*Phase { return phases }
