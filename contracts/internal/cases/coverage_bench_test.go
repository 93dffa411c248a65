package cases

import (
	"context"
	"testing"

	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

// BenchmarkCoverage makes the cases of whole documents; an operation is one
// case.
func BenchmarkCoverage(b *testing.B) {
	documents := map[string]string{"plants": "../../../openapi.yaml"}
	for _, name := range []string{"petstore3", "github", "museum", "spotify"} {
		documents[name] = corpus.Named(b, name)
	}
	for name, path := range documents {
		contract, err := spec.Load(context.Background(), path, spec.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			left := b.N
			for left > 0 {
				for _, o := range contract.Operations {
					for range New(o, 1).Coverage(b.Context(), nil, 0) {
						if left--; left == 0 {
							return
						}
					}
				}
			}
		})
	}
}

// BenchmarkNew makes the makers of a document with a thousand operations.
func BenchmarkNew(b *testing.B) {
	contract, err := spec.Load(context.Background(), corpus.Named(b, "github"), spec.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, o := range contract.Operations {
			New(o, 1)
		}
	}
}
