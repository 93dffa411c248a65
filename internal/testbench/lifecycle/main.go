// Command lifecycle runs client flows on real documents: it creates, reads, lists, changes and deletes items of a mock,
// and expects to find what was sent. It reads by itself in the types and paths of a document what its operations keep,
// so it judges the inference of the mock:
//
//	COLDFRAME_CORPUS=FOLDER go run ./internal/testbench/lifecycle [NAME]
//
// NAME is a part of the documents' names.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/coldframe/coldframe/internal/testbench/corpus"
	"github.com/coldframe/coldframe/mock"
)

func main() {
	documents, err := corpus.Documents()
	if err != nil {
		fmt.Fprintln(os.Stderr, "lifecycle: "+err.Error())
		os.Exit(2)
	}
	only := strings.Join(os.Args[1:], " ")
	fmt.Print("| document | items | operations |")
	for k := range kinds {
		fmt.Printf(" %v |", k)
	}
	fmt.Println(" held |\n|---|---:|---:|" + strings.Repeat("---:|", int(kinds)+1))
	total := newResult("all")
	for _, d := range documents {
		if !strings.Contains(d.Name, only) {
			continue
		}
		r, err := measure(context.Background(), d, mock.StateOptions{})
		if err != nil {
			r.failed = append(r.failed, err.Error())
		}
		if len(r.judged) > 0 {
			fmt.Println(r.row())
		}
		for _, failed := range r.failed {
			fmt.Fprintln(os.Stderr, "  "+d.Name+": "+failed)
		}
		total.add(r)
	}
	fmt.Println(total.row())
	for _, skipped := range total.skipped {
		fmt.Println("not judged: " + skipped)
	}
}
