package main

import (
	"os"
	"strings"
	"testing"
)

// TestCorrectionsInDocs: the corrections that docs/resources.md shows are those that command/corrections.txtar tests.
func TestCorrectionsInDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/resources.md")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("testdata/command/corrections.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, block, found := strings.Cut(string(page), "One example of each kind;")
	_, block, begins := strings.Cut(block, "```yaml\n")
	block, _, ends := strings.Cut(block, "```")
	if !found || !begins || !ends {
		t.Fatal("docs/resources.md has no example of each kind")
	}
	for line := range strings.Lines(block) {
		if !strings.Contains(string(script), line) {
			t.Errorf("corrections.txtar has no %q", line)
		}
	}
}
