package httpserver

import (
	"testing"
	"time"
)

func TestDeadlineMoves(t *testing.T) {
	const slack = time.Second
	var d deadline
	start := time.Unix(1_800_000_000, 0)
	for _, step := range []struct {
		to    time.Time
		moves bool
	}{
		{time.Time{}, false}, // there is none yet
		{start, true},
		{start, false},
		{start.Add(slack - 1), false},
		{start.Add(slack), true}, // counted from the one that was set
		{start, true},            // sooner
		{time.Time{}, true},
		{time.Time{}, false},
		{start, true},
	} {
		if moves := d.move(step.to, slack); moves != step.moves {
			t.Errorf("to %v: moves %v, want %v", step.to, moves, step.moves)
		}
	}
}
