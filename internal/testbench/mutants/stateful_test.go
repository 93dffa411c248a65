package main

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/testbench/backends"
	"github.com/coldframe/coldframe/internal/testbench/sample"
	"github.com/coldframe/coldframe/report"
)

// TestStateful checks that each check of stateful tests finds a fault:
// testdata/stateful.txt has a line for each with the service, its fault and the
// check, and "warning" if only a convention makes it a fault.
func TestStateful(t *testing.T) {
	file, err := os.Open("testdata/stateful.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	services := map[string]backends.Service{}
	for _, s := range backends.Services() {
		services[s.Name] = s
	}
	var caught []string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) < 3 {
			t.Fatalf("%q: want service, fault and check", lines.Text())
		}
		severity := "error"
		if len(words) > 3 {
			severity = words[3]
		}
		service, fault, check := words[0], words[1], words[2]
		if caught = append(caught, check); len(caught)%sample.Every(64, 64) != 0 {
			continue
		}
		t.Run(fault+"/"+check, func(t *testing.T) {
			t.Parallel()
			result, err := test(t.Context(), services[service], 0, []string{"stateful"}, fault)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(result.Findings, func(f report.Finding) bool {
				return f.Check == check && f.Severity.String() == severity
			}) {
				t.Errorf("not found by an %s of %s", severity, check)
				for _, f := range result.Findings {
					t.Log(line(f))
				}
			}
		})
	}
	for _, c := range contracts.Checks() {
		isOfIdentities := slices.Contains([]string{"private", "private-change", "owner"}, c.ID) // see contracts.TestIdentitiesFindHoles
		if c.Stateful && !isOfIdentities && !slices.Contains(caught, c.ID) {
			t.Errorf("no line has the check %s", c.ID)
		}
	}
}

// TestCorrect holds the tester to find nothing in services without faults, and to reach all their operations.
func TestCorrect(t *testing.T) {
	for i, s := range backends.Services() {
		if (i+1)%sample.Every(2, 3) != 0 {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			result, err := test(t.Context(), s, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range result.Findings {
				t.Error(line(f))
			}
			for _, o := range result.Operations {
				if !o.Accepted || len(o.Weak) > 0 {
					t.Errorf("%s: accepted %t, weak %q", o.Name, o.Accepted, o.Weak)
				}
			}
		})
	}
}
