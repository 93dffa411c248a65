package stateful

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/scripted"
)

// TestStateful runs testdata/*.txtar. Each names a test in its file "run", with
// "read-only" behind it if nothing may be changed, and has a document, the
// backend's script (see scripted), and as "want" the requests that matter and the
// violations that are reported: "!" begins an error, "?" a warning.
func TestStateful(t *testing.T) {
	scripted.Transcripts(t, true, func(t *testing.T, files map[string]string) string {
		id, rest, _ := strings.Cut(strings.TrimSpace(files["run"]), " ")
		return transcript(t, id, rest == "read-only", files["openapi.yaml"], files["backend"])
	})
}

// transcript runs one test on every resource.
func transcript(t *testing.T, id string, readOnly bool, document, script string) string {
	c, err := spec.Load(t.Context(), "openapi.yaml", spec.Options{Text: []byte(document)})
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
	marks := map[exchange.Severity]string{exchange.Error: "!", exchange.Warning: "?", exchange.Info: "-"}
	o := Options{
		Plan: plan, Check: judge.Has, ReadOnly: readOnly, Workers: 2,
		Seen:    func(*spec.Operation, int) bool { return false },
		Builder: func(o *spec.Operation) *cases.Builder { return builders[o] },
		Send: func(_ context.Context, c *cases.Case) *checks.Exchange {
			return &checks.Exchange{Case: c, Request: c.Request, Result: wire.Result{Response: backend.Answer(c.Request)}}
		},
		Report: func(v checks.Violation, sent []*checks.Exchange) {
			asked()
			fmt.Fprintf(&b, "%s %s %s: %s (%d exchanges)\n", marks[v.Severity], v.Check.ID, v.About, v.Message, len(sent))
		},
		Path: func(location string) string {
			u, err := url.Parse(location)
			if err != nil {
				return ""
			}
			return u.EscapedPath()
		},
	}
	o.Pool = &itempool.Pool{Plan: plan, Builder: o.Builder, Send: o.Send, ReadOnly: readOnly}
	for _, r := range plan.Resources {
		tester := &tester{Options: &o, ctx: t.Context(), resource: r, test: table[at]}
		tester.step(func() { table[at].run(tester) })
	}
	asked()
	return b.String()
}
