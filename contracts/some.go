package contracts

import (
	"context"
	"iter"

	"github.com/coldframe/coldframe/contracts/internal/cases"
)

// some gives up to n cases, and calls rest where there are more. How many more
// is not found out: for that they would have to be made, which can take longer
// than the run. Of a phase without end there is no rest.
func some(ctx context.Context, n int, phase *Phase, all iter.Seq[*cases.Case], rest func()) iter.Seq[*cases.Case] {
	return func(yield func(*cases.Case) bool) {
		i := 0
		for c := range all {
			if ctx.Err() != nil {
				return
			}
			if i++; i > n {
				if !phase.Endless {
					rest()
				}
				return
			}
			if !yield(c) {
				return
			}
		}
	}
}
