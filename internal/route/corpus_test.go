package route

import (
	"context"
	"slices"
	"testing"

	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

// TestCorpus finds every operation of real documents, with and without the base
// paths of its servers, at its own path or beside those that share it.
func TestCorpus(t *testing.T) {
	for _, d := range corpus.Test(t) {
		t.Run(d.Name, func(t *testing.T) {
			c, err := spec.Load(context.Background(), d.Path, spec.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := New(c)
			var m Match
			for _, op := range c.Operations {
				for _, base := range op.BasePaths {
					path := base + fill(op.Template())
					result := r.Find(op.Method, path, &m)
					if result != Found || m.Operation != op && !slices.Contains(m.Alternatives, op) {
						t.Errorf("%s %s (%s): %v %+v", op.Method, path, op.Path, result, m.Operation)
					}
				}
			}
		})
	}
}
