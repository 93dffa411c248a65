package lint

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/coldframe/coldframe/internal/values"
)

// TestCases runs testdata/*.txtar: openapi.yaml and the findings on it, a line each. values.yaml is the section values
// of coldframe.yaml.
func TestCases(t *testing.T) {
	golden.Cases(t, "testdata/*.txtar", func(t *testing.T, archive *txtar.Archive) {
		var said values.Overrides
		last := &archive.Files[len(archive.Files)-1]
		if second := archive.Files[1]; len(archive.Files) == 3 && second.Name == "values.yaml" {
			var err error
			if said, err = values.ReadOverrides(second.Name, second.Data); err != nil {
				t.Fatal(err)
			}
		} else if len(archive.Files) != 2 {
			t.Fatal("want the files openapi.yaml and findings")
		}
		if archive.Files[0].Name != "openapi.yaml" || last.Name != "findings" {
			t.Fatal("want the files openapi.yaml and findings")
		}
		c, err := spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: archive.Files[0].Data})
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, f := range Document(c, resource.Overrides{}, said) {
			got.WriteString(f.Severity.String() + ": " + f.String() + " [" + f.Code + "]\n")
		}
		if golden.Update() {
			last.Data = []byte(got.String())
		}
		if want := string(last.Data); got.String() != want {
			t.Errorf("got\n%swant\n%s", got.String(), want)
		}
	})
}
