// Command plausible judges the answers of the mock to real documents, from the folder
// COLDFRAME_CORPUS: whether people would believe them. Its rules and its knowledge of the world are its own; none
// is the generator's.
//
//	plausible [-v] [-rule NAME] [DOCUMENT]
//
// It prints, for each rule, how many values it judged, and which shares it believes, finds neutral ("Subject C", which
// claims nothing), and finds wrong. -v prints values that are wrong.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

func main() {
	verbose := flag.Bool("v", false, "print values that are wrong")
	rule := flag.String("rule", "", "judge by one rule only")
	flag.Parse()
	documents, err := corpus.Documents()
	if err != nil {
		fmt.Fprintln(os.Stderr, "plausible: "+err.Error())
		os.Exit(2)
	}
	all := tally{}
	for _, d := range documents {
		if !strings.Contains(d.Name, flag.Arg(0)) {
			continue
		}
		if err := all.judge(context.Background(), d); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", d.Name, err)
		}
	}
	all.print(os.Stdout, *rule, *verbose)
}
