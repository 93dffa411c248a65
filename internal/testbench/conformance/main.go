// Command conformance measures the mock on real documents: it starts each
// document of the folder COLDFRAME_CORPUS, sends every operation conforming and
// faulty requests and prints what share was answered as the document says.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == serveArgument {
		if err := serve(context.Background(), os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	documents, err := corpus.Documents()
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance: "+err.Error())
		os.Exit(2)
	}
	only := ""
	if len(os.Args) > 1 {
		only = os.Args[1]
	}
	fmt.Println("| document | operations | answered | conforming | invalid refused | explained | anonymous " +
		"refused | same bytes | slowest (ms) | start (ms) | peak (MiB) |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	total := result{Name: "all; slowest, largest"}
	for _, d := range documents {
		if only != "" && !strings.Contains(d.Name, only) {
			continue
		}
		r, err := measure(context.Background(), d, apart)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", d.Name, err)
			r.Failures = append(r.Failures, err.Error())
		}
		fmt.Println(r.row())
		total.add(r)
		for _, failure := range r.Failures {
			fmt.Fprintln(os.Stderr, "  "+d.Name+": "+failure)
		}
	}
	fmt.Println(total.row())
	for _, operation := range total.Impossible {
		fmt.Println("\nwithout a conforming request: " + operation)
	}
	if len(total.Failures) > 0 {
		os.Exit(1)
	}
}
