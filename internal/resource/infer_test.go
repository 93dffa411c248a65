package resource_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/coldframe/coldframe/internal/tree"
)

// TestInfer checks the inference on documents of every shape. A case has the
// files openapi.yaml, perhaps coldframe.yaml, and what comes out: plan (the
// table), details (what the table leaves out), findings (on the overrides).
func TestInfer(t *testing.T) {
	golden.Cases(t, "testdata/*.txtar", func(t *testing.T, archive *txtar.Archive) {
		c := load(t, "openapi.yaml", spec.Options{Text: part(archive, "openapi.yaml")})
		plan, findings := resource.Infer(c, overrides(t, part(archive, "coldframe.yaml")))
		check(t, plan)
		outcome := []txtar.File{{Name: "plan", Data: []byte(plan.Table())}, {Name: "details", Data: []byte(details(plan))}}
		if len(findings) > 0 {
			outcome = append(outcome, txtar.File{Name: "findings", Data: []byte(lines(findings))})
		}
		if golden.Update() {
			archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return !strings.HasSuffix(f.Name, ".yaml") })
			archive.Files = append(archive.Files, outcome...)
			return
		}
		for _, f := range outcome {
			if want := part(archive, f.Name); string(want) != string(f.Data) {
				t.Errorf("%s: got\n%s\nwant\n%s", f.Name, f.Data, want)
			}
		}
		if len(findings) == 0 && part(archive, "findings") != nil {
			t.Error("no findings")
		}
	})
}

func lines(findings []exchange.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintln(&b, f)
	}
	return b.String()
}

func part(archive *txtar.Archive, name string) []byte {
	for _, f := range archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func load(t testing.TB, name string, o spec.Options) *spec.Contract {
	t.Helper()
	c, err := spec.Load(context.Background(), name, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func overrides(t *testing.T, text []byte) resource.Overrides {
	t.Helper()
	if text == nil {
		return resource.Overrides{}
	}
	root, _, err := tree.Read("coldframe.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	return resource.Overrides{Resources: root.Get("resources")}
}

// details writes what the table leaves out, a line for a resource and one for
// an operation if there is something to say.
func details(p *resource.Plan) string {
	var b strings.Builder
	for _, r := range p.Resources {
		fmt.Fprintf(&b, "resource %s:", r.Name)
		if r.Singleton {
			b.WriteString(" one")
		}
		if k := r.Key; k != nil {
			fmt.Fprintf(&b, " key %s %s by %s", join(k.Property), strings.TrimSpace(k.Kind.String()+" "+k.Format), k.ChosenBy)
		}
		if r.Scoped {
			b.WriteString(", scoped")
		}
		if r.Parent != nil {
			fmt.Fprintf(&b, ", below %s by %s", r.Parent.Name, join(r.ParentProperty))
		}
		for _, property := range []string{r.Created, r.Updated, r.Version} {
			if property != "" {
				b.WriteString(", keeps " + property)
			}
		}
		b.WriteByte('\n')
	}
	for _, binding := range p.Bindings {
		var said []string
		for _, v := range binding.Scope {
			said = append(said, "in {"+v.Name+"}="+join(v.Property))
		}
		if binding.Request != nil {
			said = append(said, "sent "+binding.Request.String())
		}
		for from, to := range binding.Rename {
			said = append(said, from+" is "+to)
		}
		if l := binding.List; l != nil {
			for _, f := range l.Fields {
				text := f.Role.String() + " " + join(f.Path)
				if f.Link {
					text += " (link)"
				}
				said = append(said, text)
			}
			for _, h := range l.Header {
				said = append(said, h.Role.String()+" in "+h.Name)
			}
			for _, p := range l.Params {
				text := "?" + p.Parameter.Name
				if p.Member != "" {
					text += "." + p.Member
				}
				text += " " + p.Role.String()
				switch p.Role {
				case resource.Filter:
					text += " " + join(p.Property) + p.Compare.String()
				case resource.Sort:
					text += " " + p.Sort.String()
				}
				said = append(said, text)
			}
		}
		h := binding.Headers
		for _, name := range []string{h.IfMatch, h.IfNoneMatch, h.IfModifiedSince, h.IfUnmodifiedSince, h.IdempotencyKey, h.ETag, h.Location, h.LastModified} {
			if name != "" {
				said = append(said, name)
			}
		}
		if len(said) > 0 {
			fmt.Fprintf(&b, "%s %s: %s\n", binding.Operation.Method, binding.Operation.Path, strings.Join(said, ", "))
		}
	}
	return b.String()
}

func join(path []string) string {
	if len(path) == 0 {
		return "?"
	}
	return strings.Join(path, ".")
}
