package resource_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestRulesPage compares the page of the docs with the tables.
func TestRulesPage(t *testing.T) {
	page := filepath.Join("..", "..", "docs", "inference.md")
	want := "# Rules of the inference\n\nThis page is printed from the tables of `internal/resource`. [resources.md](resources.md) explains them;\n" +
		"`coldframe plan --explain FILE` prints the rules that decided for a document.\n" + resource.Rules()
	if golden.Update() {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != want {
		t.Errorf("docs/inference.md is not what the tables say; UPDATE_GOLDEN=1 writes it again (%v)", err)
	}
}
