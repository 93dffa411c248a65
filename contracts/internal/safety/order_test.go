package safety

import (
	"testing"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/access"
)

// TestGroups has operations of each group.
func TestGroups(t *testing.T) {
	c, err := spec.Load(t.Context(), "access.yaml", spec.Options{Text: []byte(access.Document)})
	if err != nil {
		t.Fatal(err)
	}
	plan, _ := resource.Infer(c, resource.Overrides{})
	names := map[Group]string{Ordinary: "ordinary", Bulk: "bulk", Destructive: "destructive"}
	for _, o := range c.Operations {
		if got, want := names[groupOf(o, plan.Of(o), actOf(plan, o))], o.Extension("x-want").Str(); got != want {
			t.Errorf("%s %s is %s, want %s", o.Method, o.Path, got, want)
		}
	}
}
