package resource_test

import (
	"context"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// FuzzInfer infers from any document and any corrections: what comes out must
// be a plan, and the same one each time.
func FuzzInfer(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(part(archive, "openapi.yaml")), string(part(archive, "coldframe.yaml")))
	}
	f.Add(`{"openapi":"3.0.0","info":{"title":"t","version":"1"},"paths":{"/{a}/{b}":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}}}}}},
"components":{"schemas":{"A":{"properties":{"data":{"$ref":"#/components/schemas/A"},"items":{"type":"array","items":{"$ref":"#/components/schemas/A"}}}}}}}`, "resources: {/{a}/{b}: {name: x, role: list, items: /items, parent: x}}")
	f.Fuzz(func(t *testing.T, document, corrections string) {
		c, err := spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: []byte(document)})
		if err != nil {
			return
		}
		o := resource.Overrides{}
		if root, _, err := tree.Read("coldframe.yaml", []byte(corrections)); err == nil {
			o.Resources = root.Get("resources")
		}
		plan, _ := resource.Infer(c, o)
		check(t, plan)
		if again, _ := resource.Infer(c, o); again.Table() != plan.Table() {
			t.Fatalf("two plans of one document:\n%s\n%s", plan.Table(), again.Table())
		}
		if _, err := plan.MarshalJSON(); err != nil {
			t.Fatal(err)
		}
	})
}
