package resource_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestCorpus holds the plans of real documents to those that people agreed
// with.
func TestCorpus(t *testing.T) {
	for _, d := range corpus.Test(t) {
		name, path := d.Name, d.Path
		t.Run(name, func(t *testing.T) {
			plan, findings := resource.Infer(load(t, path, spec.Options{}), resource.Overrides{})
			if len(findings) > 0 {
				t.Error(findings)
			}
			check(t, plan)
			got, file := digest(plan), filepath.Join("testdata", "corpus", name+".txt")
			if golden.Update() {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the plan changed; UPDATE_GOLDEN=1 writes it again\n%s", difference(string(want), got))
			}
		})
	}
}

// digest counts the roles and returns the table, or the first rows of a very large one.
func digest(p *resource.Plan) string {
	const most, first = 145, 60
	counts := map[string]int{}
	for _, b := range p.Bindings {
		counts[b.Role.String()]++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d operations, %d resources:", len(p.Bindings), len(p.Resources))
	for _, role := range resource.Roles() {
		if counts[role] > 0 {
			fmt.Fprintf(&b, " %s %d", role, counts[role])
		}
	}
	b.WriteString("\n\n")
	short := *p
	if strings.Count(p.Table(), "\n") > most {
		short.Bindings = p.Bindings[:min(first, len(p.Bindings))]
	}
	b.WriteString(short.Table())
	if rest := len(p.Bindings) - len(short.Bindings); rest > 0 {
		fmt.Fprintf(&b, "and %d more\n", rest)
	}
	return b.String()
}

func difference(want, got string) string {
	var b strings.Builder
	old, now := strings.Split(want, "\n"), strings.Split(got, "\n")
	for _, line := range old {
		if !slices.Contains(now, line) {
			b.WriteString("- " + line + "\n")
		}
	}
	for _, line := range now {
		if !slices.Contains(old, line) {
			b.WriteString("+ " + line + "\n")
		}
	}
	return b.String()
}

// check checks what must hold for every plan.
func check(t *testing.T, p *resource.Plan) {
	t.Helper()
	names := map[string]bool{}
	for _, r := range p.Resources {
		if r.Name == "" || names[r.Name] {
			t.Errorf("resource %q: the name is empty or taken", r.Name)
		}
		names[r.Name] = true
		if r.Singleton != (r.Key == nil) {
			t.Errorf("%s: a singleton has no key, everything else has one", r.Name)
		}
		above := 0
		for parent := r.Parent; parent != nil; parent = parent.Parent {
			if above++; above > len(p.Resources) {
				t.Fatalf("%s: its parents have no top", r.Name)
			}
		}
	}
	for _, b := range p.Bindings {
		place := b.Operation.Method + " " + b.Operation.Path
		switch {
		case p.Of(b.Operation) != b:
			t.Errorf("%s: not found", place)
		case b.Reason == "" || b.Confidence <= 0 || b.Confidence > 1:
			t.Errorf("%s: %q %g", place, b.Reason, b.Confidence)
		case b.Role != resource.Action && b.Role != resource.Unknown && b.Resource == nil:
			t.Errorf("%s: %s of nothing", place, b.Role)
		case b.Role == resource.List && (b.List == nil || !b.List.Items.Many):
			t.Errorf("%s: a list of no shape", place)
		case b.KeyIn == resource.InPath && !strings.Contains(b.Operation.Path, "{"+b.Variable+"}"):
			t.Errorf("%s: no variable %q", place, b.Variable)
		case b.Resource != nil && !slices.Contains(b.Resource.Bindings, b):
			t.Errorf("%s: its resource does not know it", place)
		}
	}
}

func BenchmarkInfer(b *testing.B) {
	c := load(b, corpus.Named(b, "github"), spec.Options{})
	b.ReportAllocs()
	for b.Loop() {
		resource.Infer(c, resource.Overrides{})
	}
}
