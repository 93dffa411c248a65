package mocktest_test

import (
	"fmt"
	"strings"
	"testing"
)

// fake stands in for the *testing.T of a test that may fail.
type fake struct {
	testing.TB
	cleanups []func()
	failed   bool
	text     strings.Builder // what was logged
}

func (f *fake) Helper()           {}
func (f *fake) Cleanup(do func()) { f.cleanups = append(f.cleanups, do) }
func (f *fake) Failed() bool      { return f.failed }

func (f *fake) Logf(format string, args ...any) { fmt.Fprintf(&f.text, format+"\n", args...) }

func (f *fake) Errorf(format string, args ...any) {
	f.failed = true
	f.Logf(format, args...)
}

// fatal is what Fatalf panics with.
type fatal struct{}

func (f *fake) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	panic(fatal{})
}

// end runs the cleanups of a test.
func (f *fake) end() {
	for i := len(f.cleanups) - 1; i >= 0; i-- {
		f.cleanups[i]()
	}
}
