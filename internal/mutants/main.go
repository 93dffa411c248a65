// Command mutants measures the contract tester: it is run against correct
// backends, where it must find nothing, and against each of their faults, which
// it must find.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/library"
)

func main() {
	only := flag.String("only", "", "faults whose names contain this")
	service := flag.String("service", "", "this service alone")
	seeds := flag.Int("seeds", 1, "how many seeds the correct services are tested with")
	flag.Parse()
	ctx := context.Background()
	failed := false
	for _, s := range library.Services() {
		if *service != "" && s.Name != *service {
			continue
		}
		if *only == "" {
			for seed := range *seeds {
				began := time.Now()
				report, err := test(ctx, s, uint64(seed))
				if err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(2)
				}
				fmt.Printf("%s, correct, seed %d: %d requests, %d findings, %v\n", s.Name, seed, report.Requests, len(report.Findings), time.Since(began).Round(time.Millisecond))
				for _, f := range report.Findings {
					failed = true
					fmt.Println("  false alarm: " + line(f))
				}
			}
		}
		caught := map[string]int{}
		all := map[string]int{}
		var kinds []string
		for _, f := range library.Catalogue() {
			if f.Service != s.Name || !strings.Contains(f.Name, *only) {
				continue
			}
			if all[f.Kind] == 0 {
				kinds = append(kinds, f.Kind)
			}
			all[f.Kind]++
			report, err := test(ctx, s, 0, f.Name)
			switch {
			case err != nil:
				fmt.Printf("  %s: %v\n", f.Name, err)
			case len(report.Findings) == 0:
				fmt.Printf("  missed: %s (%s): %s right: %s wrong: %s\n", f.Name, f.Kind, f.What, f.Right, f.Wrong)
			default:
				caught[f.Kind]++
				if *only != "" {
					for _, found := range report.Findings {
						fmt.Println("  " + f.Name + ": " + line(found))
					}
				}
				continue
			}
			failed = true
		}
		found, sum := 0, 0
		for _, kind := range kinds {
			found, sum = found+caught[kind], sum+all[kind]
			fmt.Printf("  %-40s %d of %d\n", kind, caught[kind], all[kind])
		}
		fmt.Printf("%s: %d of %d faults\n", s.Name, found, sum)
	}
	if failed {
		os.Exit(1)
	}
}
