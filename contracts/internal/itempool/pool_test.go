package itempool

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/scripted"
)

// TestPool runs testdata/*.txtar on testdata/openapi.yaml. Each has the
// backend's script (see internal/scripted), and what is asked of the pool, one
// call a line:
//
//	variables METHOD PATH     for a plain request
//	anything METHOD PATH      for a request that may be refused
//	references METHOD PATH    for the operation's body
//	forget METHOD PATH
//
// after a line "read-only" where nothing may be made.
//
// What comes, and below each call what the backend was asked for it, is the file
// "want".
func TestPool(t *testing.T) {
	scripted.Transcripts(t, false, func(t *testing.T, files map[string]string) string {
		return ask(t, files["backend"], files["ask"])
	})
}

// ask makes the calls and returns the transcript.
func ask(t *testing.T, script, calls string) string {
	c, err := spec.Load(t.Context(), "testdata/openapi.yaml", spec.Options{})
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
	builders, operations := map[*spec.Operation]*cases.Builder{}, map[string]*spec.Operation{}
	for _, o := range c.Operations {
		builders[o], operations[nameOf(o)] = cases.New(o, 0), o
	}
	var pool *Pool
	pool = &Pool{
		Plan:    plan,
		Builder: func(o *spec.Operation) *cases.Builder { return builders[o] },
		Send: func(_ context.Context, c *cases.Case) *checks.Exchange {
			x := &checks.Exchange{Case: c, Request: c.Request, Result: wire.Result{Response: backend.Answer(c.Request)}}
			pool.See(x)
			return x
		},
		ReadOnly: strings.HasPrefix(calls, "read-only\n"),
	}
	var b strings.Builder
	for line := range strings.Lines(strings.TrimPrefix(calls, "read-only\n")) {
		line = strings.TrimSpace(line)
		call, name, _ := strings.Cut(line, " ")
		o := operations[name]
		if o == nil {
			t.Fatalf("%q is no operation", name)
		}
		switch call {
		case "variables", "anything":
			want := map[string]cases.Outcome{"variables": cases.Accepted, "anything": cases.Anything}[call]
			texts, exists := pool.Variables(t.Context(), &cases.Case{Operation: o, Expected: want}, o.Method == "DELETE")
			b.WriteString(line + ":")
			for _, name := range slices.Sorted(maps.Keys(texts)) {
				b.WriteString(" " + name + "=" + texts[name])
			}
			fmt.Fprintf(&b, " exists=%v\n", exists)
		case "references":
			have, unknown := pool.References(t.Context(), o)
			fmt.Fprintf(&b, "%s: %s unknown=%v\n", line, jsontext.Append(nil, any(have)), unknown)
		case "forget":
			pool.Forget(o)
			fmt.Fprintln(&b, line)
		default:
			t.Fatalf("%q is no call", call)
		}
		for _, asked := range backend.Asked() {
			b.WriteString("  " + asked + "\n")
		}
	}
	return b.String()
}
