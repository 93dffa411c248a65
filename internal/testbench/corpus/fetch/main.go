// Command fetch completes a folder of the real documents that tests and measurements use, from the public repositories
// that the committed index names (internal/testbench/corpus/index.tsv). They are never part of this repository.
//
//	go run ./internal/testbench/corpus/fetch FOLDER
//
// A file that is there with the right SHA-256 is kept. It ends with 0 if the folder is complete, with 1 if a file has
// another content than the index says, or cannot be written, and with 3 if a file cannot be had.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

func main() {
	base := flag.String("from", "https://raw.githubusercontent.com", "`URL` below which OWNER/NAME/COMMIT/PATH is")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: fetch [-from URL] FOLDER")
		os.Exit(2)
	}
	files, err := corpus.Files()
	if err == nil {
		from := source{base: *base, client: &http.Client{Timeout: time.Minute}}
		err = complete(context.Background(), from, flag.Arg(0), files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fetch:", err)
		if _, ok := errors.AsType[*unreachableError](err); ok {
			os.Exit(3)
		}
		os.Exit(1)
	}
}
