// Package footprint bounds the resident memory of the process. It has one formula for a mock and one for a contract
// test, which docs/mock.md and docs/contract-testing.md give to whoever sets the limit of a container, and sets the
// limits of the garbage collector that follow from them.
package footprint

import (
	"math"
	"os"
	"runtime/debug"
)

// The terms of the formulas, in bytes or as factors. The soak test and TestHostileMemory measure them.
const (
	// perDocument is what one byte of the document takes, with its compiled schemas and generators, while a reload
	// compiles the next contract beside the one in use.
	perDocument = 64
	// perMemory is what one byte of --memory takes: what is counted there, and the garbage beside it.
	perMemory = 1.25
	// perBody is what one byte of --max-bodies takes: the text of a body, and the values read from it.
	perBody = 2
	// base is the rest of a mock: the program, its connections, the responses that are being written.
	base = 128 << 20
	// testBase is the same for a contract test, with the responses and findings that it keeps.
	testBase = 384 << 20
	// perWorker is what a worker of a contract test takes for the request and the response that it works on.
	perWorker = 16 << 20
)

// Mock returns the most resident memory of a mock, in bytes: document is the size of all files of the document,
// memory is --memory and bodies is --max-bodies, in bytes.
func Mock(document, memory, bodies int64) int64 {
	return sum(perDocument*float64(document), perMemory*float64(memory), perBody*float64(bodies), base)
}

// Test returns the most resident memory of a contract test, in bytes: document is the size of all files of the
// document, workers is --workers.
func Test(document int64, workers int) int64 {
	return sum(perDocument*float64(document), perWorker*float64(workers), testBase)
}

func sum(terms ...float64) int64 {
	total := 0.0
	for _, term := range terms {
		total += term
	}
	return int64(min(total, math.MaxInt64/2))
}

// garbagePercent is how much garbage may lie beside what is in use before it is collected, in percent. Go's 100
// collects the few megabytes of a small document many times a second.
const garbagePercent = 400

// Begin sets how often garbage is collected, unless GOGC is set in the environment. A command calls it once, before it
// loads the document.
func Begin() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
}

// outside is the share of the resident memory that the runtime does not count, as one part of so many: the pages of the
// program's file, and what the collector's lag adds. The soft limit leaves it free.
const outside = 8

// Limit sets the soft limit of the runtime (GOMEMLIMIT) so that the process stays within resident bytes, unless the
// environment sets one. A command calls it once, when the document's size is known.
func Limit(resident int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(resident - resident/outside)
	}
}
