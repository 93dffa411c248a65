package mock

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs more tests in parallel than there are cores: most of the time they wait, for files to be noticed and for
// slow bodies.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
