// Package footprint limits the resident memory of the process. It has a formula for a mock and one for a contract
// test, which docs/mock.md and docs/contract-testing.md document for setting the limit of a container. It also sets
// the limits of the garbage collector that follow from them.
package footprint

import (
	"math"
	"os"
	"runtime/debug"
)

// The terms of the formulas, in bytes or as factors. The soak test and TestHostileMemory measure them.
const (
	// perDocument is the memory for each byte of the document, including its compiled schemas and generators, while a
	// reload compiles the next contract beside the current one.
	perDocument = 64
	// perMemory is the memory for each byte of --memory: counted data, and the garbage beside it.
	perMemory = 1.25
	// perBody is the memory for each byte of --max-bodies: the text of a body, and the values read from it.
	perBody = 2
	// base is the rest of a mock: the program, its connections, and responses being written.
	base = 128 << 20
	// testBase is the rest of a contract test, including the responses and findings that it keeps.
	testBase = 384 << 20
	// perWorker is the memory of each worker of a contract test, for its current request and response.
	perWorker = 16 << 20
)

// Mock returns the maximum resident memory of a mock, in bytes: document is the size of all files of the document,
// memory is --memory and bodies is --max-bodies, in bytes.
func Mock(document, memory, bodies int64) int64 {
	return sum(perDocument*float64(document), perMemory*float64(memory), perBody*float64(bodies), base)
}

// Test returns the maximum resident memory of a contract test, in bytes: document is the size of all files of the
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

// garbagePercent is the value of GOGC: the garbage beside live data that triggers a collection, in percent. With Go's
// default of 100, the few megabytes of a small document are collected many times a second. With 400, POST /plants took
// 5 % more CPU time and half as much memory again: its objects were no longer in the processor's cache.
const garbagePercent = 200

// Begin sets GOGC, unless the environment does. A command calls it once, before it loads the document.
func Begin() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
}

// outside is the share of the resident memory that the runtime does not count, as one part in outside: the pages of
// the program's file, and the lag of the collector. The soft limit leaves it free.
const outside = 8

// Limit sets the soft limit of the runtime (GOMEMLIMIT) so that the process stays within resident bytes, unless the
// environment sets it. A command calls it once, when the document's size is known.
func Limit(resident int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(resident - resident/outside)
	}
}
