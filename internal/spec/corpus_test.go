package spec

import (
	"context"
	"reflect"
	"runtime"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

func TestCorpusLoads(t *testing.T) {
	for _, d := range corpus.Test(t) {
		name, path := d.Name, d.Path
		t.Run(name, func(t *testing.T) {
			c, err := Load(context.Background(), path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			again, err := Load(context.Background(), path, Options{})
			if err != nil || !reflect.DeepEqual(c.Findings, again.Findings) {
				t.Errorf("loading again finds something else: %v", err)
			}
			codes := map[string]int{}
			for _, f := range c.Findings {
				codes[f.Code]++
			}
			t.Logf("%d operations, findings %v", len(c.Operations), codes)
			for i, f := range c.Findings {
				if i < 5 {
					t.Log(f)
				}
			}
		})
	}
}

// BenchmarkLoadGitHub loads a document of 3.7 MB beside kin-openapi's bare
// load of it, and says what stays in memory.
func BenchmarkLoadGitHub(b *testing.B) {
	path := corpus.Named(b, "github")
	run := func(name string, load func() (any, error)) {
		b.Run(name, func(b *testing.B) {
			var kept any
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if kept, err = load(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(retained(&kept))/1e6, "MB-retained")
		})
	}
	run("coldframe", func() (any, error) { return Load(context.Background(), path, Options{}) })
	run("kin-openapi", func() (any, error) { return openapi3.NewLoader().LoadFromFile(path) })
}

// retained returns the bytes of the heap that what kept holds needs.
func retained(kept *any) uint64 {
	var with, without runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&with)
	*kept = nil
	runtime.GC()
	runtime.ReadMemStats(&without)
	return with.HeapAlloc - without.HeapAlloc
}
