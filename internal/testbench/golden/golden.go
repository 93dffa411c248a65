// Package golden runs tests whose cases are files of testdata, and says whether they rewrite the expectations there
// in place of comparing with them.
package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/coldframe/coldframe/internal/testbench/sample" // collects garbage less often
	"golang.org/x/tools/txtar"
)

// Update reports whether UPDATE_GOLDEN is set. UPDATE_GOLDEN=1 go test ./... makes
// the current results the expected ones; git diff then shows what changed.
func Update() bool { return os.Getenv("UPDATE_GOLDEN") != "" }

// Cases runs a test for each file that a pattern names. Where expectations are rewritten, and the test has not failed,
// it then writes what the test has made of the file's archive.
func Cases(t *testing.T, pattern string, test func(t *testing.T, archive *txtar.Archive)) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no file is named %s", pattern)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			test(t, archive)
			if !Update() || t.Failed() {
				return
			}
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}
