package main

import (
	"sync"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/testbench/backends"
	"github.com/coldframe/coldframe/internal/testbench/sample"
)

// TestFigures holds the tester to find the least shares of the faults of all services. go run
// ./internal/testbench/mutants prints the figures of all faults, and names those that are missed.
func TestFigures(t *testing.T) {
	services := map[string]backends.Service{}
	for _, s := range backends.Services() {
		services[s.Name] = s
	}
	var all figures
	var mu sync.Mutex
	t.Run("faults", func(t *testing.T) {
		n := 0
		for _, f := range backends.Catalogue() {
			if f.Beyond {
				continue
			}
			if n++; n%sample.Every(90, 180) != 0 {
				continue
			}
			t.Run(f.Name, func(t *testing.T) {
				t.Parallel()
				r, err := test(t.Context(), services[f.Service], 0, nil, f.Name)
				if err != nil {
					t.Fatal(err)
				}
				mu.Lock()
				defer mu.Unlock()
				if all.count(r); worstOf(r) == exchange.Info {
					t.Logf("missed: %s (%s): %s", f.Name, f.Kind, f.What)
				}
			})
		}
	})
	t.Log(all)
	if all.faults == 0 || all.areLow() {
		t.Errorf("%v: want %d %% and %d %%", all, leastFound, leastErrors)
	}
}
