package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestSettings lists what a file beside a document can set. A new flag changes the list: decide whether it widens
// who reaches the mock or what it reaches, sends credentials elsewhere, runs something or names a file to write;
// then it belongs into notInFile or outputFlags. UPDATE_GOLDEN=1 writes the list again.
func TestSettings(t *testing.T) {
	var b strings.Builder
	for _, flag := range settingsOf((&program{}).rootCommand()) {
		if flag.Refused == "" {
			b.WriteString(flag.Name + "\n")
		}
	}
	file := filepath.Join("testdata", "settings.txt")
	if golden.Update() {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Error(diff)
	}
}
