package stateful

import (
	"context"
	"testing"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/spec"
)

// TestSettling waits for a change that never shows: no longer than Settling.Most, and once for an operation.
func TestSettling(t *testing.T) {
	for most, wantLooks := range map[time.Duration]int{0: 2, 2 * time.Second: 7} {
		var waited time.Duration
		s := &Settling{Most: most, Wait: func(_ context.Context, wait time.Duration) bool {
			waited += wait
			return true
		}}
		tester := &tester{Options: &Options{Settling: s}, ctx: t.Context()}
		change := &checks.Exchange{Case: &cases.Case{Operation: &spec.Operation{}}}
		looks := 0
		for range 2 {
			tester.await(change, func() bool { looks++; return false })
		}
		if waited > most || waited < most/2 || looks != wantLooks {
			t.Errorf("%v: waited %v, looked %d times, want %d", most, waited, looks, wantLooks)
		}
	}
}
