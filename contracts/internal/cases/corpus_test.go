package cases

import (
	"context"
	"testing"

	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
	"github.com/coldframe/coldframe/internal/testbench/sample"
	"github.com/coldframe/coldframe/internal/validate"
)

// perOperation is the most cases of an operation that the test looks at: 120, or a part of them.
func perOperation() int { return 120 / sample.Every(3, 10) }

// TestCorpus validates the cases of real documents: requests to be accepted conform, requests to be refused do not.
func TestCorpus(t *testing.T) {
	for _, document := range corpus.Test(t) {
		t.Run(document.Name, func(t *testing.T) {
			t.Parallel()
			contract, err := spec.Load(context.Background(), document.Path, spec.Options{AllowExternal: true})
			if err != nil {
				t.Fatal(err)
			}
			var tally struct{ operations, plain, cases, accepted, refused int }
			for i, o := range contract.Operations {
				if testing.Short() && i%20 != 0 {
					continue
				}
				tally.operations++
				m := New(o, 1)
				v := validate.New(o)
				if _, err := m.Plain(0, nil); err == nil {
					tally.plain++
				}
				left := perOperation()
				for c := range m.Coverage(t.Context(), nil, 0) {
					tally.cases++
					path := make([]string, len(m.variables))
					for i, name := range m.variables {
						path[i] = c.Path[name]
					}
					_, findings := v.Request(c.Request, path)
					switch {
					case c.Expected == Accepted:
						tally.accepted++
						if len(findings) > 0 {
							t.Errorf("%s %s: %s: %v", o.Method, o.Path, c.Title, findings)
						}
					case c.Expected == Refused:
						tally.refused++
						if len(findings) == 0 || c.Violation == nil {
							t.Errorf("%s %s: %s conforms", o.Method, o.Path, c.Title)
						}
					}
					if left--; left == 0 {
						break
					}
				}
			}
			t.Logf("%d operations, %d with a plain request, %d cases: %d accepted, %d refused", tally.operations, tally.plain, tally.cases, tally.accepted, tally.refused)
		})
	}
}
