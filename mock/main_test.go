package mock

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs more tests in parallel than there are cores: most of the time they wait, for files to be noticed and for
// slow bodies. As the second process of TestSessionFiles the program runs no tests.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	if folder := os.Getenv("COLDFRAME_SESSIONS"); folder != "" {
		os.Exit(continueSessions(folder))
	}
	os.Exit(m.Run())
}
