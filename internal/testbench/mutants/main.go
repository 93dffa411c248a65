// Command mutants measures the contract tester: it is run against correct
// backends, in which it must find nothing, and against each of their faults, of
// which it must find 95 in a hundred.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/testbench/backends"
	"github.com/coldframe/coldframe/report"
)

// settings are the command's flags.
type settings struct {
	service, kind, only string
	seeds, every        int
	verbose             bool
}

func main() {
	var o settings
	flag.StringVar(&o.service, "service", "", "this service alone")
	flag.StringVar(&o.kind, "kind", "", "faults of families whose names contain this")
	flag.StringVar(&o.only, "only", "", "faults whose names contain this; none for none")
	flag.IntVar(&o.seeds, "seeds", 1, "how many seeds the correct services are tested with")
	flag.IntVar(&o.every, "every", 1, "of so many faults one")
	flag.BoolVar(&o.verbose, "v", false, "print what is found")
	flag.Parse()
	failed := false
	for _, s := range backends.Services() {
		if o.service != "" && s.Name != o.service {
			continue
		}
		alarms, err := o.correct(s)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		found, all := o.faulty(s, alarms)
		failed = failed || found < all*goal/100 || len(alarms) > 0
	}
	if failed {
		os.Exit(1)
	}
}

// correct tests a service without faults. It returns the fingerprints of what is
// found, which are false alarms.
func (o *settings) correct(s backends.Service) (map[string]bool, error) {
	alarms := map[string]bool{}
	for seed := range o.seeds {
		began := time.Now()
		result, err := test(context.Background(), s, uint64(seed), nil)
		if err != nil {
			return nil, err
		}
		fmt.Printf("%s, correct, seed %d: %d requests, %d findings, %v\n", s.Name, seed, result.Requests,
			len(result.Findings), time.Since(began).Round(time.Millisecond))
		for _, f := range result.Findings {
			if !alarms[f.Fingerprint] {
				fmt.Println("  false alarm: " + line(f))
			}
			alarms[f.Fingerprint] = true
		}
	}
	return alarms, nil
}

// goal is the share of faults that must be found, in percent.
const goal = 95

// faulty tests a service with each of its faults. It returns how many were found of
// the faults that its document mentions.
func (o *settings) faulty(s backends.Service, alarms map[string]bool) (found, sum int) {
	var kinds []string
	all, caught, errors := map[string]int{}, map[string]int{}, map[string]int{}
	n := 0
	for _, f := range backends.Catalogue() {
		if f.Service != s.Name || o.only == "none" || !strings.Contains(f.Name, o.only) || !strings.Contains(f.Kind, o.kind) {
			continue
		}
		if n++; (n-1)%o.every != 0 {
			continue
		}
		kind := f.Kind
		if all[kind] == 0 {
			kinds = append(kinds, kind)
		}
		all[kind]++
		r, err := test(context.Background(), s, 0, nil, f.Name)
		seen := 0
		if err != nil {
			fmt.Printf("  %s: %v\n", f.Name, err)
		} else {
			seen = len(fresh(r, alarms))
		}
		switch {
		case seen > 0:
			caught[kind]++
			isError := func(f report.Finding) bool { return f.Severity == exchange.Error }
			if slices.ContainsFunc(fresh(r, alarms), isError) {
				errors[kind]++
			} else if o.verbose {
				fmt.Println("  by a warning only: " + f.Name)
			}
			if o.verbose {
				for _, finding := range fresh(r, alarms) {
					fmt.Println("  " + f.Name + ": " + line(finding))
				}
			}
		case !f.Beyond:
			fmt.Printf("  missed: %s (%s): %s right: %s wrong: %s\n", f.Name, f.Kind, f.What, f.Right, f.Wrong)
		}
	}
	for _, kind := range kinds {
		if !strings.HasPrefix(kind, "beyond") {
			found, sum = found+caught[kind], sum+all[kind]
		}
		fmt.Printf("  %-40s %d of %d, %d as errors\n", kind, caught[kind], all[kind], errors[kind])
	}
	fmt.Printf("%s: %d of %d faults\n", s.Name, found, sum)
	return found, sum
}

// fresh returns the findings that a correct service does not have.
func fresh(r *report.Report, alarms map[string]bool) []report.Finding {
	var all []report.Finding
	for _, f := range r.Findings {
		if !alarms[f.Fingerprint] {
			all = append(all, f)
		}
	}
	return all
}
