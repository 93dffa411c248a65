//go:build !race

package sample

// Race tells whether the race detector is on.
const Race = false
