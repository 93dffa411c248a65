package runner

import (
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
)

// withCreations puts before the exchanges that show a fault the creations of the items that they name, without which they
// do not show it at a fresh backend.
func withCreations(t *Tester, sent []*checks.Exchange) []*checks.Exchange {
	var all []*checks.Exchange
	for _, x := range sent {
		for _, by := range t.pool.Origins(x) {
			if !slices.ContainsFunc(all, by.Is) && !slices.ContainsFunc(sent, by.Is) {
				all = append(all, by)
			}
		}
	}
	return append(all, sent...)
}
