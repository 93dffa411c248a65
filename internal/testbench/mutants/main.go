// Command mutants measures the contract tester: it is run against correct backends, in which it must find nothing, and
// against each of their faults. It prints how many are found, and how many of them as errors, and fails below 95 % and
// 85 %.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/testbench/backends"
	"github.com/coldframe/coldframe/report"
)

// settings are the command's flags.
type settings struct {
	service, kind, only string
	seeds, every, jobs  int
	verbose             bool
}

func main() {
	var o settings
	flag.StringVar(&o.service, "service", "", "this service alone")
	flag.StringVar(&o.kind, "kind", "", "faults of families whose names contain this")
	flag.StringVar(&o.only, "only", "", "faults whose names contain this; none for none")
	flag.IntVar(&o.seeds, "seeds", 1, "how many seeds the correct services are tested with")
	flag.IntVar(&o.every, "every", 1, "of so many faults one")
	flag.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "how many faults are tested at the same time")
	flag.BoolVar(&o.verbose, "v", false, "print what is found")
	flag.Parse()
	var all figures
	alarms := 0
	for _, s := range backends.Services() {
		if o.service != "" && s.Name != o.service {
			continue
		}
		n, err := o.correct(s)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		alarms += n
		found := o.faulty(s)
		fmt.Printf("%s: %v\n", s.Name, found)
		all.add(found)
	}
	fmt.Printf("%v; %d findings on correct services\n", all, alarms)
	if all.areLow() || alarms > 0 {
		os.Exit(1)
	}
}

// correct tests a service without faults. It returns how many findings it has, which are false.
func (o *settings) correct(s backends.Service) (alarms int, err error) {
	for seed := range o.seeds {
		began := time.Now()
		result, err := test(context.Background(), s, uint64(seed), nil)
		if err != nil {
			return 0, err
		}
		fmt.Printf("%s, correct, seed %d: %d requests, %d findings, %v\n", s.Name, seed, result.Requests,
			len(result.Findings), time.Since(began).Round(time.Millisecond))
		for _, f := range result.Findings {
			fmt.Println("  false alarm: " + line(f))
		}
		alarms += len(result.Findings)
	}
	return alarms, nil
}

// faulty tests a service with each of its faults. It returns the figures of the faults that its document mentions.
func (o *settings) faulty(s backends.Service) (all figures) {
	var kinds []string
	of := map[string]*figures{}
	var mu sync.Mutex
	var group sync.WaitGroup
	free, n := make(chan bool, o.jobs), 0
	for _, f := range backends.Catalogue() {
		if f.Service != s.Name || o.only == "none" || !strings.Contains(f.Name, o.only) || !strings.Contains(f.Kind, o.kind) {
			continue
		}
		if n++; (n-1)%o.every != 0 {
			continue
		}
		if of[f.Kind] == nil {
			kinds, of[f.Kind] = append(kinds, f.Kind), &figures{}
		}
		free <- true
		group.Go(func() {
			defer func() { <-free }()
			r, err := test(context.Background(), s, 0, nil, f.Name)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				fmt.Printf("  %s: %v\n", f.Name, err)
				return
			}
			o.tell(f, r)
			of[f.Kind].count(r)
			if !f.Beyond {
				all.count(r)
			}
		})
	}
	group.Wait()
	for _, kind := range kinds {
		fmt.Printf("  %-40s %v\n", kind, of[kind])
	}
	return all
}

// tell prints what a run said of a fault if it is not found as an error.
func (o *settings) tell(f backends.Fault, r *report.Report) {
	switch worst := worstOf(r); {
	case worst == exchange.Info && !f.Beyond:
		fmt.Printf("  missed: %s (%s): %s right: %s wrong: %s\n", f.Name, f.Kind, f.What, f.Right, f.Wrong)
	case worst == exchange.Warning && !f.Beyond:
		fmt.Printf("  by a warning only: %s\n", f.Name)
	}
	for _, finding := range r.Findings {
		if o.verbose {
			fmt.Println("  " + f.Name + ": " + line(finding))
		}
	}
}
