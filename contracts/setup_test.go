package contracts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/notes"
)

// TestSetupSent looks at what a backend is asked: items of the setup are read and never deleted, but where the setup
// names one for that very operation.
func TestSetupSent(t *testing.T) {
	for text, want := range map[string]bool{
		"path: {id: 1000000000}\noperations:\n  readNote: {path: {id: a b}}\n":            false,
		"operations: {readNote: {path: {id: a b}}, deleteNote: {path: {id: 1000000000}}}": true,
	} {
		file := filepath.Join(t.TempDir(), "setup.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		b := notes.New(t, nil)
		o := small(b)
		o.SetupFile, o.Operations = file, []string{"/notes/{id}"}
		mustRun(t, t.Context(), o)
		asked := b.Requests()
		if slices.Contains(asked, "DELETE /notes/1000000000") != want || !slices.Contains(asked, "GET /notes/a b") {
			t.Errorf("%s\n%s", text, strings.Join(asked, "\n"))
		}
	}
}
