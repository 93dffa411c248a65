// Package runner runs the phases of a contract test: it chooses the operations,
// completes and sends their cases, checks the answers, and collects what is found.
package runner

import (
	"bytes"
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/contracts/internal/stateful"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// Tester takes cases the whole way: it completes and sends them, checks the
// answers and collects what is found. It is safe for concurrent use.
type Tester struct {
	Options
	pool     *itempool.Pool
	stateful *stateful.Options
	done     atomic.Int64 // operations of the current phase
}

// Options are what a tester works with.
type Options struct {
	Contract  *spec.Contract
	Plan      *resource.Plan
	Targets   *Targets
	Transport *Transport
	Checker   *checks.Checker
	Collector *findings.Collector
	Setup     *Setup
	Headers   http.Header // sent with every request, unless a case has the field
	Seed      uint64
	FuzzCases int // of each operation
	Workers   int
	ReadOnly  bool
}

// New makes a tester.
func New(o Options) *Tester {
	t := &Tester{Options: o}
	t.pool = itempool.New(o.Plan, itempool.Options{
		Builder: o.Targets.Builder, ReadOnly: o.ReadOnly,
		Send: func(ctx context.Context, c *cases.Case) *checks.Exchange { return t.exchange(ctx, c, false) },
	})
	t.stateful = t.statefulOptions()
	return t
}

// exchange takes a case the whole way. plain says that the operation's plain
// request has been accepted. It is nil where nothing could be sent any more, or the
// backend was down.
func (t *Tester) exchange(ctx context.Context, c *cases.Case, plain bool) *checks.Exchange {
	if t.Targets.of[c.Operation].unresponsive() {
		return nil
	}
	x := t.send(ctx, c)
	if x == nil {
		return nil
	}
	x.Plain = plain
	violations := append(t.Checker.Check(x), stateful.CheckShown(t.stateful, x)...)
	if t.Collector.Add(x, violations) {
		t.shrink(ctx, x, violations)
	}
	if (c.Phase == "coverage" || c.Phase == "examples") && len(violations) == 0 {
		stateful.CheckStored(ctx, t.stateful, x)
	}
	return x
}

// maxShrinking bounds the requests that make one finding's request smaller.
const maxShrinking = 60

// shrink looks for smaller requests that show the same violations. The collector
// keeps the smallest.
func (t *Tester) shrink(ctx context.Context, x *checks.Exchange, violations []checks.Violation) {
	if x.Fault != nil && x.Fault.Code == wire.Timeout {
		return
	}
	builder, sent := t.Targets.Builder(x.Case.Operation), 0
	for _, v := range violations {
		best := x.Case
		for better := best; better != nil; {
			best, better = better, nil
			for c := range builder.Smaller(best) {
				if sent++; sent > maxShrinking || t.Transport.Budget.Spent() {
					return
				}
				smaller := t.send(ctx, c)
				if smaller == nil {
					return
				}
				smaller.Plain = x.Plain
				found := t.Checker.Check(smaller)
				t.Collector.Add(smaller, found)
				if slices.ContainsFunc(found, func(f checks.Violation) bool { return f.Check == v.Check && f.Cause == v.Cause }) {
					better = c
					break
				}
			}
		}
	}
}

// send completes and sends a case. Where its item has been deleted meanwhile, or
// no longer admits the request, it is sent once more with another.
func (t *Tester) send(ctx context.Context, c *cases.Case) *checks.Exchange {
	x := t.sendOnce(ctx, c, false)
	if x == nil {
		return nil
	}
	if x.Status() == 428 && c.Expected != cases.Unauthorized {
		if second := t.sendOnce(ctx, c, true); second != nil {
			x = second
		}
	}
	status := x.Status()
	if x.Exists && strings.Contains(c.Request.Path, "{") && (status == 404 || status == 409 || status == 410) &&
		c.Expected != cases.NotAllowed {
		t.pool.Forget(c.Operation)
		if second := t.sendOnce(ctx, c, false); second != nil {
			return second
		}
	}
	return x
}

// sendOnce completes and sends a case. versioned adds the version of its item also
// where the case has none.
func (t *Tester) sendOnce(ctx context.Context, c *cases.Case, versioned bool) *checks.Exchange {
	r := exchange.Request{Method: c.Request.Method, Path: c.Request.Path, Query: c.Request.Query, Body: c.Request.Body}
	r.Header = append(make(exchange.Header, 0, len(c.Request.Header)+2), c.Request.Header...)
	x := &checks.Exchange{Case: c, Exists: t.fillPath(ctx, c, &r)}
	t.replaceReferences(ctx, c, &r)
	t.setVersion(ctx, c, &r, versioned)
	for name, values := range t.Headers {
		if _, has := r.Header.Get(name); !has {
			for _, value := range values {
				r.Header = append(r.Header, exchange.Field{Name: name, Value: value})
			}
		}
	}
	switch t.Transport.send(ctx, x, r) {
	case ended:
		return nil
	case lost:
		t.Collector.Add(x, nil)
		return nil
	}
	if target := t.Targets.of[c.Operation]; target != nil {
		if x.Fault != nil && x.Fault.Code == wire.Timeout {
			target.timeouts.Add(1)
		} else if !target.unresponsive() {
			target.timeouts.Store(0)
		}
	}
	return x
}

// fillPath fills the path's variables that the case leaves open. It reports
// whether all of them name items that exist.
func (t *Tester) fillPath(ctx context.Context, c *cases.Case, r *exchange.Request) bool {
	if !strings.Contains(r.Path, "{") {
		return len(c.Path) == 0
	}
	texts, exists := t.Setup.variables(c.Operation)
	if !exists {
		var found map[string]string
		found, exists = t.pool.Variables(ctx, c)
		for name, text := range found {
			if _, has := texts[name]; !has {
				texts[name] = text
			}
		}
	}
	for _, from := range []map[string]string{texts, c.Path} {
		for name, text := range from {
			r.Path = strings.ReplaceAll(r.Path, "{"+name+"}", text)
		}
	}
	return exists
}

// replaceReferences puts references to other items into a body whose operation
// uses up what it refers to. Items of the pool have their own already.
func (t *Tester) replaceReferences(ctx context.Context, c *cases.Case, r *exchange.Request) {
	target := t.Targets.of[c.Operation]
	value, ok := c.Value.(map[string]any)
	if c.Phase == itempool.Phase || target == nil || !ok || !t.pool.Consumes(c.Operation) {
		return
	}
	used := map[string]any{}
	for name, reference := range target.references {
		if reflect.DeepEqual(value[name], reference) {
			used[name] = reference
		}
	}
	if len(used) == 0 {
		return
	}
	member := func(name string, value any) []byte {
		return jsontext.Append(append(jsontext.AppendString(nil, name), ':'), value)
	}
	found, _ := t.pool.References(ctx, c.Operation)
	for name, reference := range found {
		if former, ok := used[name]; ok {
			r.Body = bytes.Replace(r.Body, member(name, former), member(name, reference), 1)
		}
	}
}

// setVersion gives a request that names a version of its item, or must name one,
// the current version, unless the case is about that.
func (t *Tester) setVersion(ctx context.Context, c *cases.Case, r *exchange.Request, always bool) {
	b := t.Plan.Of(c.Operation)
	if b == nil || b.Resource == nil || b.Headers.IfMatch == "" || isAbout(c, b.Headers.IfMatch) ||
		!strings.Contains(c.Request.Path, "{") {
		return
	}
	if _, sent := r.Header.Get(b.Headers.IfMatch); !sent && !always {
		return
	}
	for _, read := range b.Resource.Bindings {
		if read.Role != resource.Read || read.KeyIn != b.KeyIn || len(read.Scope) != len(b.Scope) || read.Headers.ETag == "" {
			continue
		}
		plain, err := t.Targets.Builder(read.Operation).Plain(0, nil)
		if err != nil {
			return
		}
		plain.Phase, plain.Title = c.Phase, "the current version"
		plain.Request.Path = r.Path
		if x := t.exchange(ctx, plain, true); x != nil && x.Succeeded() {
			if tag, ok := x.Response.Header.Get(read.Headers.ETag); ok {
				r.Header.Set(b.Headers.IfMatch, tag)
			}
		}
		return
	}
}

// isAbout reports whether a case is about a header field.
func isAbout(c *cases.Case, field string) bool {
	return slices.Contains(c.Literal, field) || strings.Contains(c.Varied, field) ||
		c.Violation != nil && c.Violation.In == exchange.InHeader && strings.EqualFold(c.Violation.Name, field)
}
