package main

import (
	"fmt"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/report"
)

// The least shares of faults that must be found, and that must be found as errors, in percent.
const (
	leastFound  = 95
	leastErrors = 85
)

// fewest is of how many faults on the share of errors is held: of fewer it is chance.
const fewest = 100

// figures are how many faults were tested, found, and found as errors.
type figures struct{ faults, found, errors int }

// count adds a run on a fault. Correct services have no findings, so that any error or warning is the fault.
func (g *figures) count(r *report.Report) {
	g.faults++
	switch worstOf(r) {
	case exchange.Error:
		g.found, g.errors = g.found+1, g.errors+1
	case exchange.Warning:
		g.found++
	}
}

func (g *figures) add(of figures) {
	g.faults, g.found, g.errors = g.faults+of.faults, g.found+of.found, g.errors+of.errors
}

// areLow reports whether a share is below the least.
func (g figures) areLow() bool {
	return g.found < g.faults*leastFound/100 || g.faults >= fewest && g.errors < g.faults*leastErrors/100
}

func (g figures) String() string {
	percent := func(n int) float64 { return 100 * float64(n) / float64(max(1, g.faults)) }
	return fmt.Sprintf("%d of %d faults found (%.1f %%), %d as errors (%.1f %%)", g.found, g.faults, percent(g.found),
		g.errors, percent(g.errors))
}

// worstOf returns the highest severity of a run's findings, Info if none.
func worstOf(r *report.Report) exchange.Severity {
	worst := exchange.Info
	for _, f := range r.Findings {
		worst = min(worst, f.Severity)
	}
	return worst
}
