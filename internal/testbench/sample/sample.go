// Package sample makes tests smaller that would take minutes: go test ./... runs a part of their cases, and an even
// smaller part with the race detector, which takes several times as long. .ci/run also runs all cases, without the race
// detector.
package sample

import "os"

// Every returns n, or underRace with the race detector, if a test runs one of so many of its cases. It returns 1 if the
// environment variable COLDFRAME_CASES is "all".
func Every(n, underRace int) int {
	switch {
	case os.Getenv("COLDFRAME_CASES") == "all":
		return 1
	case Race:
		return underRace
	}
	return n
}
