package draft

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/loading"
	"github.com/coldframe/coldframe/internal/spec"
)

// FuzzForeign reads any file as each tool's: it ends, and what it writes can be loaded.
func FuzzForeign(f *testing.F) {
	archive, err := txtar.ParseFile("../../../cmd/coldframe/testdata/command/import.txtar")
	if err != nil {
		f.Fatal(err)
	}
	var document []byte
	for _, file := range archive.Files {
		switch {
		case file.Name == "garden.yaml":
			document = file.Data
		case filepath.Ext(file.Name) == ".json":
			f.Add(file.Data)
		}
	}
	contract, err := spec.Load(context.Background(), "garden.yaml", spec.Options{Text: document})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file := filepath.Join(t.TempDir(), "a.json")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, tool := range Tools {
			read, err := Foreign(contract, tool, file, loading.NewBudget(1<<20, "none"))
			if err != nil {
				continue
			}
			var names []string
			for _, s := range read.Scenarios {
				if s.Name == "" || filepath.Base(s.Name) != s.Name || slices.Contains(names, s.Name) {
					t.Errorf("a file is called %q", s.Name)
				}
				names = append(names, s.Name)
			}
		}
	})
}
