package mock

import (
	"testing"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
)

// TestCorpusOutgoing makes the request of every callback and webhook of the
// corpus and holds it to its own description.
func TestCorpusOutgoing(t *testing.T) {
	o := Options{}
	if err := o.prepare(); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, d := range corpus.Test(t) {
		c, err := spec.Load(t.Context(), d.Path, spec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, sent := range callbacks.Compile(c, o.Values.Fill, o.Values.Examples, nil) {
			count++
			for _, have := range []map[string]any{nil, {"id": "7", "name": "Rose", "status": "open", "data": map[string]any{"id": "7"}}} {
				r, err := sent.Request(generate.NewKey(1, sent.Operation.ID), have)
				if err != nil {
					t.Errorf("%s: %s: %v", d.Name, sent.Operation.ID, err)
					continue
				}
				if _, findings := validate.New(sent.Operation).Request(r, nil); len(findings) > 0 {
					t.Errorf("%s: %s: %v", d.Name, sent.Operation.ID, findings)
				}
			}
		}
	}
	if count == 0 {
		t.Error("the corpus has neither callbacks nor webhooks")
	}
	t.Logf("%d operations", count)
}
