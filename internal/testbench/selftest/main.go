// Command itself runs the contract tester against the mock of the same
// document. The two halves must agree on what a document says, so that every
// finding is a fault of one of them.
//
//	COLDFRAME_CORPUS=DIR go run ./internal/testbench/selftest
//	go run ./internal/testbench/selftest -verbose openapi.yaml
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

func main() {
	only := flag.String("only", "", "documents of the corpus whose names contain this")
	seeds := flag.Int("seeds", 1, "how many seeds each document is tested with")
	unknownItems := flag.String("unknown-items", "generate", "what the mock does about unknown items: generate or refuse")
	phases := flag.String("phases", "", "phases, separated by commas; all by default")
	operations := flag.String("operations", "", "operations, separated by commas; all by default")
	most := flag.Int("max-cases", 0, "cases of a run")
	limit := flag.Duration("max-time", 5*time.Minute, "time of a run")
	verbose := flag.Bool("verbose", false, "print each finding with what was sent and what came")
	flag.Parse()
	documents := make([]corpus.Document, flag.NArg())
	for i, path := range flag.Args() {
		documents[i] = corpus.Document{Name: filepath.Base(path), Path: path}
	}
	if len(documents) == 0 {
		all, err := corpus.Documents()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		documents = all
	}
	fmt.Printf("%-24s %4s %10s %10s %7s %8s %8s %8s %9s ended\n", "document", "seed", "operations", "not tested",
		"refused", "requests", "left out", "findings", "took")
	status := 0
	for _, d := range documents {
		if !strings.Contains(d.Name, *only) {
			continue
		}
		for seed := range *seeds {
			began := time.Now()
			report, err := against(context.Background(), *unknownItems, contracts.Options{
				Document: d.Path, Seed: uint64(seed),
				Select: contracts.Selection{Phases: list(*phases), Operations: list(*operations)},
				Limits: contracts.Limits{MaxCases: *most, MaxTime: *limit},
			})
			if err != nil {
				fmt.Printf("%-24s %4d %v\n", d.Name, seed, err)
				status = 1
				continue
			}
			skipped, refused := 0, 0
			for _, o := range report.Operations {
				if o.Skipped != "" {
					skipped++
				} else if !o.Accepted {
					refused++
				}
			}
			left := 0
			for _, l := range report.Skipped {
				left += l.Cases
			}
			fmt.Printf("%-24s %4d %10d %10d %7d %8d %8d %8d %9v %s\n", d.Name, seed, len(report.Operations), skipped, refused,
				report.Requests, left, len(report.Findings), time.Since(began).Round(time.Millisecond), report.Ended)
			for _, f := range report.Findings {
				status = 1
				if *verbose {
					fmt.Fprintln(os.Stderr, d.Name+": "+describe(f))
				}
			}
		}
	}
	os.Exit(status)
}

func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}
