package mock

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs many tests in parallel: most of their time they wait for files to be noticed and for slow bodies.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
