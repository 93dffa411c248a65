// Package stateful tests what a backend remembers: for each resource of the
// plan it makes, reads, lists, changes and removes items, and compares what it is
// shown with what it did.
package stateful

import (
	"context"
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// Options are what stateful tests need of a run.
type Options struct {
	Plan *resource.Plan
	Seed uint64
	// Builder gives the builder of an operation's cases; nil where it is not tested.
	Builder func(*spec.Operation) *cases.Builder
	// Send sends a case and judges it by itself; nil says that nothing can be sent
	// any more.
	Send func(context.Context, *cases.Case) *checks.Exchange
	// Report records a verdict on the last of some exchanges.
	Report func(v checks.Violation, sent []*checks.Exchange)
	Check  func(id string) (*checks.Check, bool)
	Pool   *itempool.Pool
	// Path gives the path of a URL below the backend's own; "" for one elsewhere.
	Path func(location string) string
	// ReadOnly leaves out what changes anything.
	ReadOnly bool
}

// Test is one tester about a resource.
type Test struct {
	ID      string
	Meaning string
	changes bool // it needs to change something
	run     func(*tester)
}

// table is all stateful tests, in the order in which they run.
var table = []*Test{
	{"life", "create, read, list, replace, read, patch, read, delete, read, list, delete again", true, life},
	{"traces", "a creation that is refused leaves nothing behind", true, traces},
	{"twice", "the same creation twice is a conflict where that is documented", true, twice},
	{"idempotency-key", "the same creation under the same key makes one item", true, idempotencyKey},
	{"defaults", "what is left out has its default", true, defaults},
	{"read-only", "what is readOnly is not taken from clients", true, readOnly},
	{"conditions", "ETag, If-None-Match, If-Match", true, conditions},
	{"parents", "items below two parents do not mix; a parent that is missing is missed", true, parents},
	{"references", "what refers to something that does not exist is refused where that is documented", true, references},
	{"missing", "an item that does not exist is not found, and not made by changing it", true, missing},
	{"pages", "a walk over the pages meets every item once; limits, totals and links are right", false, pages},
	{"filters", "filters give what they ask for, and all of it", false, filters},
	{"sorts", "lists are in the order that is asked for", false, sorts},
	{"upsert", "a PUT makes an item once, and replaces it then", true, upsert},
	{"actions", "what an action shows of an item is what a read shows then", true, actions},
	{"contents", "what is uploaded comes back, until it is removed", true, contents},
	{"json-patch", "the steps of a JSON Patch are all taken, or none", true, jsonPatch},
	{"links", "the document's links lead somewhere", true, links},
}

// Tests gives the table, in the order in which stateful tests run.
func Tests() []*Test { return table }

// Run tells all tests about a resource.
func Run(ctx context.Context, r *resource.Resource, o Options) {
	for i, test := range table {
		if test.changes && o.ReadOnly || ctx.Err() != nil {
			continue
		}
		test.run(&tester{Options: o, ctx: ctx, resource: r, test: test, n: i * 1000})
	}
}

// tester is one test about one resource on its way.
type tester struct {
	Options
	ctx      context.Context
	resource *resource.Resource
	test     *Test
	n        int // decides the next request's values
}

// binding gives the resource's first operation of a role that is tested, nil
// where there is none.
func (t *tester) binding(role resource.Role) *resource.Binding {
	for _, b := range t.resource.Bindings {
		if b.Role == role && t.Builder(b.Operation) != nil && b.Success != nil && !b.Subset {
			return b
		}
	}
	return nil
}

// request says what is sent to an operation.
type request struct {
	scope  map[string]string // texts of the variables before the key
	key    string            // of the item; "" where none is named
	have   map[string]any
	all    bool
	body   any
	values map[string]any
	media  string // of the body; "" for that of plain requests
	title  string
	// absent says that the item is not there: whatever refuses the request is
	// right.
	absent bool
}

// send makes and sends a request; nil where it cannot be made or sent.
func (t *tester) send(b *resource.Binding, r request) *checks.Exchange {
	c := t.prepare(b, r)
	if c == nil {
		return nil
	}
	return t.Send(t.ctx, c)
}

// prepare makes a request; nil where it cannot be made.
func (t *tester) prepare(b *resource.Binding, r request) *cases.Case {
	builder := t.Builder(b.Operation)
	t.n++
	values := map[string]any{}
	for name, value := range r.values {
		values[name] = value
	}
	for i, v := range b.Scope {
		if text, ok := r.scope[v.Name]; ok {
			values[v.Name] = text
		} else if text, ok := t.scopeAt(i, r.scope); ok {
			values[v.Name] = text
		}
	}
	if b.KeyIn == resource.InPath && r.key != "" {
		values[b.Variable] = r.key
	}
	have := r.have
	if b.Role == resource.Create || b.Role == resource.Replace || b.Role == resource.Upsert {
		found, _ := t.Pool.References(t.ctx, b.Operation)
		for name, value := range r.have {
			if found == nil {
				found = map[string]any{}
			}
			found[name] = value
		}
		have = found
	}
	making := cases.Making{N: int(generate.NewKey(t.Seed, t.resource.Name, t.test.ID, fmt.Sprint(t.n)) % 1_000_000_000), Have: have, All: r.all, Body: r.body, Values: values, Media: r.media, Title: r.title}
	c, err := builder.Make(making)
	if err != nil {
		return nil
	}
	c.Phase, c.Expected = "stateful", cases.Accepted
	if r.absent {
		c.Expected = cases.Anything
	}
	for name, text := range c.Path {
		c.Request.Path = strings.ReplaceAll(c.Request.Path, "{"+name+"}", text)
	}
	return c
}

// again sends the request of an exchange once more. What it removes is not there
// any more.
func (t *tester) again(x *checks.Exchange, title string) *checks.Exchange {
	c := *x.Case
	c.Title = title
	if c.Operation.Method == "DELETE" {
		c.Expected = cases.Anything
	}
	return t.Send(t.ctx, &c)
}

// scopeAt gives the text of a scope's variable by its place, where operations of
// a resource name it differently.
func (t *tester) scopeAt(i int, scope map[string]string) (string, bool) {
	for _, b := range t.resource.Bindings {
		if i < len(b.Scope) {
			if text, ok := scope[b.Scope[i].Name]; ok {
				return text, true
			}
		}
	}
	return "", false
}

// report holds something against the last of some exchanges.
func (t *tester) report(check, about, message string, sent ...*checks.Exchange) {
	c, ok := t.Check(check)
	if !ok || len(sent) == 0 {
		return
	}
	last := sent[len(sent)-1]
	cause := t.test.ID + " " + about
	if c.Comparison == checks.ByProperty && strings.HasPrefix(about, "body.") {
		cause = about
	}
	t.Report(checks.Violation{Check: c, Message: message, About: about, Place: last.Case.Operation.Place, Cause: cause}, sent)
}

// documents reports whether an operation documents one of some statuses itself
// or by its range.
func documents(o *spec.Operation, statuses ...int) bool {
	for _, status := range statuses {
		if r := o.Response(status); r != nil && r.Status != "default" {
			return true
		}
	}
	return false
}
