// Package race makes tests that take minutes smaller where the race detector slows them down. .ci/run has all of their
// cases without it.
package race

// Every returns n with the race detector and 1 without: of so many cases a test takes one.
func Every(n int) int {
	if enabled {
		return n
	}
	return 1
}
