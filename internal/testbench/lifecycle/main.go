// Command lifecycle takes the resources of real documents through their lifecycle:
// whatever the plan of a document of the folder COLDFRAME_CORPUS claims can be
// created is created, read, listed, changed and deleted at the mock, and every
// answer is held to the document and to what was sent.
package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

func main() {
	documents, err := corpus.Documents()
	if err != nil {
		fmt.Fprintln(os.Stderr, "lifecycle: "+err.Error())
		os.Exit(2)
	}
	only := ""
	if len(os.Args) > 1 {
		only = os.Args[1]
	}
	fmt.Println("| document | resources | lifecycles | create | read | list | update | delete | deleted | passed |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	total := newResult("all")
	for _, d := range documents {
		if only != "" && !strings.Contains(d.Name, only) {
			continue
		}
		r, err := measure(context.Background(), d)
		if err != nil {
			r.Failures = append(r.Failures, err.Error())
		}
		if r.Resources > 0 {
			fmt.Println(r.row())
		}
		for _, failure := range r.Failures {
			fmt.Fprintln(os.Stderr, "  "+d.Name+": "+failure)
		}
		total.add(r)
	}
	fmt.Println(total.row())
	fmt.Println()
	for _, e := range skipReasons {
		places := total.Skipped[e]
		slices.Sort(places)
		if places = slices.Compact(places); len(places) > 0 {
			fmt.Printf("%s (%d):\n", e, len(places))
			for _, place := range places {
				fmt.Println("- " + place)
			}
			fmt.Println()
		}
	}
	if len(total.Failures) > 0 {
		os.Exit(1)
	}
}
