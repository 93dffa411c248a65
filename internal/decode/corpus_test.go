package decode

import (
	"context"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

// TestCorpus binds the decoders of every operation of the documents in the
// folder COLDFRAME_CORPUS, with all that is made only when it is first needed,
// and decodes an empty request.
func TestCorpus(t *testing.T) {
	for _, d := range corpus.Test(t) {
		t.Run(d.Name, func(t *testing.T) {
			contract, err := spec.Load(context.Background(), d.Path, spec.Options{})
			if err != nil {
				t.Fatal(err)
			}
			bindAll(t, contract)
		})
	}
}

func bindAll(t *testing.T, contract *spec.Contract) {
	for _, operation := range contract.Operations {
		o := New(operation)
		required := 0
		for _, p := range operation.Parameters {
			if p.Required && p.In != exchange.InPath {
				required++
			}
		}
		if operation.Body != nil && operation.Body.Required {
			required++
		}
		var err error
		path := make([]string, len(o.path))
		for i, name := range operation.Variables() {
			for _, p := range operation.Parameters {
				if p.In != exchange.InPath || p.Name != name {
					continue
				}
				var value any = "1"
				if o.path[i].shape.kinds() == schema.Object {
					value = map[string]any{"a": "1"}
				}
				if path[i], err = Encode(p, value); err != nil {
					t.Error(err)
				}
			}
		}
		if _, findings := o.Request(&exchange.Request{Method: operation.Method}, path); len(findings) != required {
			t.Errorf("%s: %d are required, findings %s", operation.ID, required, exchange.Join(findings))
		}
		if o.body != nil {
			buildAll(o.body)
		}
		for _, response := range operation.Responses {
			buildAll(NewContent(response.Content))
			NewHeaders(response.Headers)
		}
	}
}

func buildAll(c *Content) {
	for _, e := range c.entries {
		switch {
		case isForm(e.media) || e.media.Type == "multipart":
			e.form()
		case strings.HasSuffix(e.media.Subtype, "xml"):
			e.xml()
		}
	}
}
