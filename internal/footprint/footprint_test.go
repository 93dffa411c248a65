package footprint

import (
	"math"
	"runtime/debug"
	"testing"
)

const mib = 1 << 20

// TestFormulas pins the numbers that docs/mock.md, docs/contract-testing.md and examples/kubernetes have.
func TestFormulas(t *testing.T) {
	for _, test := range []struct {
		name      string
		got, want int64
	}{
		{"a mock of 1 MiB with the defaults", Mock(mib, 512*mib, 64*mib), 960 * mib},
		{"the mock of the Kubernetes example", Mock(mib, 128*mib, 64*mib), 480 * mib},
		{"a test of 1 MiB with 8 workers", Test(mib, 8), 576 * mib},
		{"no overflow", Mock(mib, math.MaxInt64, 64*mib), 1 << 62},
	} {
		if test.got != test.want {
			t.Errorf("%s: %d MiB, want %d", test.name, test.got/mib, test.want/mib)
		}
	}
}

// TestEnvironmentWins leaves the limits of the runtime alone if the environment sets them.
func TestEnvironmentWins(t *testing.T) {
	percent, limit := debug.SetGCPercent(77), debug.SetMemoryLimit(math.MaxInt64)
	defer debug.SetGCPercent(percent)
	defer debug.SetMemoryLimit(limit)
	for _, test := range []struct {
		gogc, limit string
		percent     int
		bytes       int64
	}{
		{"77", "1GiB", 77, math.MaxInt64},
		{"", "", garbagePercent, 700 * mib},
	} {
		t.Setenv("GOGC", test.gogc)
		t.Setenv("GOMEMLIMIT", test.limit)
		Begin()
		Limit(800 * mib)
		percent := debug.SetGCPercent(77)
		if bytes := debug.SetMemoryLimit(-1); percent != test.percent || bytes != test.bytes {
			t.Errorf("GOGC=%s GOMEMLIMIT=%s: %d %%, %d bytes", test.gogc, test.limit, percent, bytes)
		}
	}
}
