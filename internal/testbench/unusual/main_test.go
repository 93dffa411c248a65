package unusual

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs many variants at once: most of a run's time is waiting, such as between items whose times of
// creation are in seconds.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
