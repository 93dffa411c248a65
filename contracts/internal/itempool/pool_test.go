package itempool

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
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

// TestCreationsTogether creates three items by their paths at the same time, for which the document allows three keys:
// each creation gets its own.
func TestCreationsTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool, operations := poolOf(t)
		var created sync.Map
		pool.Send = func(_ context.Context, c *cases.Case) *checks.Exchange {
			status := 404
			if c.Request.Method == "PUT" {
				time.Sleep(time.Second) // until the other has chosen
				if _, isThere := created.LoadOrStore(c.Request.Path, true); isThere {
					t.Errorf("%s is created twice", c.Request.Path)
				}
				status = 201
			}
			x := &checks.Exchange{Case: c, Request: c.Request, Result: wire.Result{Response: &exchange.Response{Status: status}}}
			pool.See(x)
			return x
		}
		for _, method := range []string{"GET", "PUT", "DELETE"} {
			go func() {
				c := &cases.Case{Operation: operations[method+" /labels/{name}"], Expected: cases.Accepted}
				if _, exists := pool.Variables(t.Context(), c, true); !exists {
					t.Errorf("no item for %s", method)
				}
			}()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
	})
}

// ask makes the calls and returns the transcript.
func ask(t *testing.T, script, calls string) string {
	backend, err := scripted.Parse(script)
	if err != nil {
		t.Fatal(err)
	}
	pool, operations := poolOf(t)
	pool.ReadOnly = strings.HasPrefix(calls, "read-only\n")
	pool.Send = func(_ context.Context, c *cases.Case) *checks.Exchange {
		x := &checks.Exchange{Case: c, Request: c.Request, Result: wire.Result{Response: backend.Answer(c.Request)}}
		pool.See(x)
		return x
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

// poolOf returns a pool for testdata/openapi.yaml, and the document's operations by name.
func poolOf(t *testing.T) (*Pool, map[string]*spec.Operation) {
	c, err := spec.Load(t.Context(), "testdata/openapi.yaml", spec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, findings := resource.Infer(c, resource.Overrides{})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	builders, operations := map[*spec.Operation]*cases.Builder{}, map[string]*spec.Operation{}
	for _, o := range c.Operations {
		builders[o], operations[nameOf(o)] = cases.New(o, 0), o
	}
	return &Pool{Plan: plan, Builder: func(o *spec.Operation) *cases.Builder { return builders[o] }}, operations
}
