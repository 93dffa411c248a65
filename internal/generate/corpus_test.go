package generate_test

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
	"github.com/coldframe/coldframe/internal/testbench/sample"
)

// impossibles are the schemas of the corpus that no value conforms to: allOf of a string and an integer.
var impossibles = map[string]bool{
	"readme-schema-types-31.yaml /paths/~1anything~1quirks~1polymorphism/put/requestBody/content/application~1json/schema":   true,
	"readme-schema-types-31.yaml /paths/~1anything~1quirks~1polymorphism/patch/requestBody/content/application~1json/schema": true,
}

// corpusKeys is the number of values made of each schema of the corpus: 30, or a part of them.
func corpusKeys() uint64 { return uint64(30 / sample.Every(5, 10)) }

// TestCorpus makes values for every schema that the operations of real documents use, and fills others with half of
// what those have.
func TestCorpus(t *testing.T) {
	var total, right, impossible atomic.Int64
	t.Cleanup(func() {
		t.Logf("%d schemas: %d right, %d without a value", total.Load(), right.Load(), impossible.Load())
	})
	for _, d := range corpus.Test(t) {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			c, err := spec.Load(t.Context(), d.Path, spec.Options{})
			if err != nil {
				t.Errorf("load: %v", err)
				return
			}
			var slowest time.Duration
			for _, s := range schemasOf(c) {
				total.Add(1)
				if impossibles[filepath.Base(d.Path)+" "+s.Place.Pointer] {
					impossible.Add(1)
					if v, err := generate.New(s, generate.Options{}).Value(generate.NewKey(1)); err == nil {
						t.Errorf("%s: made %s", s.Place.Pointer, bytes(v))
					}
					continue
				}
				g := generate.New(s, generate.Options{})
				good := true
				var sent map[string]any
				for i := range corpusKeys() {
					start := time.Now()
					v, err := g.Value(generate.NewKey(i))
					slowest = max(slowest, time.Since(start))
					if err == nil {
						err = s.Keywords.Validate(v)
					}
					if err == nil && i > 0 {
						filled, _ := g.Fill(generate.NewKey(i), sent)
						err = s.Keywords.Validate(filled)
					}
					sent = half(v)
					if err != nil {
						t.Errorf("%s %s, key %d: %v", s.Place, s.Place.Pointer, i, err)
						good = false
						break
					}
				}
				if good {
					right.Add(1)
				}
			}
			t.Logf("slowest value: %v", slowest)
		})
	}
}

// half returns every other member of an object.
func half(v any) map[string]any {
	object, _ := v.(map[string]any)
	kept := map[string]any{}
	for i, name := range slices.Sorted(maps.Keys(object)) {
		if i%2 == 0 {
			kept[name] = object[name]
		}
	}
	return kept
}

// schemasOf returns every schema that the operations lead to, once.
func schemasOf(c *spec.Contract) []*spec.Schema {
	seen := map[*spec.Schema]bool{}
	var list []*spec.Schema
	add := func(s *spec.Schema) {
		if s != nil && !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	media := func(content []*spec.MediaType) {
		for _, m := range content {
			add(m.Schema)
			add(m.Item)
			for _, e := range m.Encoding {
				for _, h := range e.Headers {
					add(h.Schema)
				}
			}
		}
	}
	parameters := func(list []*spec.Parameter) {
		for _, p := range list {
			add(p.Schema)
			if p.Content != nil {
				media([]*spec.MediaType{p.Content})
			}
		}
	}
	for _, o := range c.Operations {
		parameters(o.Parameters)
		if o.Body != nil {
			media(o.Body.Content)
		}
		for _, r := range o.Responses {
			parameters(r.Headers)
			media(r.Content)
		}
	}
	slices.SortStableFunc(list, func(a, b *spec.Schema) int { return cmp.Compare(a.Place.Pointer, b.Place.Pointer) })
	return list
}
