package spec

import (
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
)

// TestConcurrentReads reads one contract from many sides: what is looked up
// late, the places of findings among it, is safe.
func TestConcurrentReads(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/documents/references.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if f.Name != "pointers through references/openapi.yaml" && f.Name != "identifiers and anchors/openapi.yaml" {
			continue
		}
		c, err := Load(t.Context(), "openapi.yaml", Options{Text: f.Data})
		if err != nil {
			t.Fatal(err)
		}
		s := c.Operations[0].Body.Content[0].Schema
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				for range 20 {
					s.Check(map[string]any{"a": "x", "b": []any{}, "c": "y"}, exchange.InBody, "")
					s.Resolve(s.Node(s.Keywords))
				}
			})
		}
		wait.Wait()
	}
}
