package stateful

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/coldframe/coldframe/internal/testbench/scripted"
)

// TestStateful runs testdata/*.txtar. Each names a test in its file "run",
// with "read-only" behind it where nothing may be changed, and has a document,
// the backend's script (see internal/scripted), and as "want" what the backend is
// asked and what is held against it. UPDATE_GOLDEN=1 writes that.
func TestStateful(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]*txtar.File{}
			for i := range archive.Files {
				parts[archive.Files[i].Name] = &archive.Files[i]
			}
			id, rest, _ := strings.Cut(strings.TrimSpace(string(parts["run"].Data)), " ")
			got := tell(t, id, rest == "read-only", parts["openapi.yaml"].Data, string(parts["backend"].Data))
			if golden.Update() {
				parts["want"].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if want := parts["want"].Data; !bytes.Equal(want, []byte(got)) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// tell tells one test of every resource.
func tell(t *testing.T, id string, readOnly bool, document []byte, script string) string {
	c, err := spec.Load(t.Context(), "openapi.yaml", spec.Options{Text: document})
	if err != nil {
		t.Fatal(err)
	}
	plan, findings := resource.Infer(c, resource.Overrides{})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	backend, err := scripted.Parse(script)
	if err != nil {
		t.Fatal(err)
	}
	builders := map[*spec.Operation]*cases.Builder{}
	for _, o := range c.Operations {
		builders[o] = cases.New(o, 0)
	}
	at := slices.IndexFunc(table, func(test *Test) bool { return test.ID == id })
	if at < 0 {
		t.Fatalf("%q is no test", id)
	}
	var b strings.Builder
	asked := func() {
		for _, line := range backend.Asked() {
			b.WriteString(line + "\n")
		}
	}
	judge := checks.New(c, checks.Options{})
	o := Options{
		Plan: plan, Check: judge.Has, ReadOnly: readOnly,
		Builder: func(o *spec.Operation) *cases.Builder { return builders[o] },
		Send: func(_ context.Context, c *cases.Case) *checks.Exchange {
			return &checks.Exchange{Case: c, Request: c.Request, Answer: wire.Answer{Response: backend.Answer(c.Request)}}
		},
		Report: func(v checks.Violation, sent []*checks.Exchange) {
			asked()
			fmt.Fprintf(&b, "! %s %s: %s (%d exchanges)\n", v.Check.ID, v.About, v.Message, len(sent))
		},
		Path: func(location string) string {
			u, err := url.Parse(location)
			if err != nil {
				return ""
			}
			return u.EscapedPath()
		},
	}
	o.Pool = itempool.New(plan, itempool.Options{Builder: o.Builder, Send: o.Send, ReadOnly: readOnly})
	for _, r := range plan.Resources {
		tester := &tester{Options: &o, ctx: t.Context(), resource: r, test: table[at]}
		tester.step(func() { table[at].run(tester) })
	}
	asked()
	return b.String()
}
