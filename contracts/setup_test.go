package contracts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/notes"
)

// TestSetupSent looks at what a backend is asked.
func TestSetupSent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "setup.yaml")
	text := "path: {id: 1000000000}\nbody: {text: the one}\noperations:\n  readNote: {path: {id: a b}}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b := notes.New(t, nil)
	o := small(b)
	o.SetupFile, o.Operations, o.Phases = file, []string{"/notes/{id}"}, []string{"examples"}
	mustRun(t, t.Context(), o)
	asks := strings.Join(b.Requests(), "\n")
	if !strings.Contains(asks, "DELETE /notes/1000000000") || !strings.Contains(asks, "GET /notes/a b") {
		t.Error(asks)
	}
}
