package route

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/spec"
)

// TestCorpus finds every operation of real documents, with and without the base
// paths of its servers, at its own path or beside those that share it.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("COLDFRAME_CORPUS")
	if corpus == "" {
		t.Skip("COLDFRAME_CORPUS is not set")
	}
	index, err := os.ReadFile(filepath.Join(corpus, "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(strings.TrimSpace(string(index))) {
		fields := strings.Split(line, "\t")
		if fields[0] == "name" {
			continue // the heading
		}
		t.Run(fields[0], func(t *testing.T) {
			c, err := spec.Load(context.Background(), filepath.Join(corpus, fields[1]), spec.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := New(c)
			var m Match
			for _, op := range c.Operations {
				for _, base := range op.BasePaths {
					path := base + fill(op.Path)
					result := r.Find(op.Method, path, "", &m)
					if result != Found || m.Operation != op && !slices.Contains(m.Alternatives, op) {
						t.Errorf("%s %s (%s): %v %+v", op.Method, path, op.Path, result, m.Operation)
					}
				}
			}
		})
	}
}
