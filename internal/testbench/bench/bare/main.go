// Command bare loads a document with kin-openapi alone, from its start, and
// prints how long that took and the memory it has then: what coldframe's own
// start (internal/testbench/bench/startup) is held beside. Linux only.
//
//	go run ./internal/testbench/bench/bare DOCUMENT
package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

func main() {
	began := time.Now()
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "bare: name one document")
		os.Exit(2)
	}
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed = true
	document, err := loader.LoadFromFile(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
	took := time.Since(began)
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
	fmt.Printf("kin-openapi alone: %d paths in %d ms", document.Paths.Len(), took.Milliseconds())
	for line := range strings.Lines(string(status)) {
		if name, size, ok := strings.Cut(line, ":"); ok && (name == "VmRSS" || name == "VmHWM") {
			fmt.Printf(", %s %s", name, strings.TrimSpace(size))
		}
	}
	fmt.Println()
}
