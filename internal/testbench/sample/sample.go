// Package sample makes tests smaller that would take minutes: go test ./... runs a part of their cases, and an even
// smaller part with the race detector, which takes several times as long. .ci/run also runs a larger part, without the
// race detector.
package sample

import (
	"os"
	"strconv"
)

// Every returns n, or underRace with the race detector, if a test runs one of so many of its cases. The environment
// variable COLDFRAME_CASES asks for more: with "all" Every returns 1, with a number the number if it is smaller.
func Every(n, underRace int) int {
	if Race {
		n = underRace
	}
	wanted := os.Getenv("COLDFRAME_CASES")
	if wanted == "all" {
		return 1
	}
	if one, err := strconv.Atoi(wanted); err == nil && one > 0 {
		return min(n, one)
	}
	return n
}
