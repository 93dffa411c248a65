// Package stateful tests what a backend stores: for each resource it creates,
// reads, lists, changes and deletes items, and compares what the backend shows
// with what it was sent.
package stateful

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// Options are what stateful tests need of a run.
type Options struct {
	Plan *resource.Plan
	Seed uint64
	// Builder gives the builder of an operation's cases; nil where the operation is not tested.
	Builder func(*spec.Operation) *cases.Builder
	// Send sends a case and checks its response by itself; nil means that nothing more can be sent.
	Send func(context.Context, *cases.Case) *checks.Exchange
	// Report records a violation by the last of some exchanges.
	Report func(v checks.Violation, sent []*checks.Exchange)
	// Check gives a check by its ID, and whether it is used.
	Check func(id string) (*checks.Check, bool)
	Pool  *itempool.Pool
	// Path gives the path of a URL below the backend's own; "" for one elsewhere.
	Path func(location string) string
	// ReadOnly skips the tests that change anything.
	ReadOnly bool
}

// Test is one stateful test, which runs on every resource.
type Test struct {
	ID      string
	Meaning string
	changes bool // it needs to change something
	run     func(*tester)
}

// table is all tests, in the order in which they run.
var table = []*Test{
	{"lifecycle", "create, read, list, replace, read, patch, read, delete, read, list, delete again", true, lifecycle},
	{"refused-creation", "a refused creation leaves nothing behind", true, refusedCreations},
	{"duplicate-creation", "a duplicate creation is a conflict where the document says so", true, duplicateCreation},
	{"idempotency-key", "two creations with the same idempotency key create one item", true, idempotencyKey},
	{"defaults", "omitted properties have their defaults", true, defaults},
	{"read-only", "readOnly properties are not taken from clients", true, readOnly},
	{"conditions", "ETag, If-None-Match, If-Match", true, conditions},
	{"parents", "items of different parents do not mix; an unknown parent is refused", true, parents},
	{"references", "references to unknown items are refused where the document says so", true, references},
	{"unknown-item", "an unknown item is not found, and changing it does not create it", true, unknownItem},
	{"pages", "a walk over the pages meets every item once; limits, totals and links are right", false, pages},
	{"filters", "filters give all items that match, and no others", false, filters},
	{"sorts", "lists are in the order that is asked for", false, sorts},
	{"upsert", "a PUT creates an item once, and replaces it then", true, upsert},
	{"actions", "a read shows what the action before it showed", true, actions},
	{"files", "an uploaded file can be downloaded until it is deleted", true, files},
	{"json-patch", "a JSON Patch is applied as a whole or not at all", true, jsonPatch},
	{"links", "the document's links lead to existing items", true, links},
}

// Tests gives the table of tests, in the order in which they run.
func Tests() []*Test { return table }

// Run runs all tests on a resource.
func Run(ctx context.Context, r *resource.Resource, o Options) {
	for i, test := range table {
		if test.changes && o.ReadOnly || ctx.Err() != nil {
			continue
		}
		t := &tester{Options: &o, ctx: ctx, resource: r, test: test, requests: i * 1000}
		t.step(func() { test.run(t) })
	}
}

// tester is what one test needs to run on one resource.
type tester struct {
	*Options
	ctx      context.Context
	resource *resource.Resource
	test     *Test // nil for a response that is checked by itself
	requests int   // that were built; each number gives other values
}

// stop ends a step of a test that cannot go on.
type stop struct{}

// step runs a step of a test, which ends where a condition does not hold that the step requires.
func (t *tester) step(run func()) {
	defer func() {
		if cause := recover(); cause != nil && cause != any(stop{}) {
			panic(cause)
		}
	}()
	run()
}

// require ends the step unless a condition holds.
func (t *tester) require(condition bool) {
	if !condition {
		panic(stop{})
	}
}

// must gives a value, and ends the step where there is none.
func must[T any](t *tester, value *T) *T {
	t.require(value != nil)
	return value
}

type exchanges = []*checks.Exchange

// reportIf reports a violation by the last of some exchanges, where there is one and the
// check is used. It gives whether there is one.
func (t *tester) reportIf(isViolated bool, check, about string, sent exchanges, message string, args ...any) bool {
	c, ok := t.Check(check)
	if !isViolated || !ok {
		return isViolated
	}
	cause := about
	if t.test != nil && !(c.Comparison == checks.ByProperty && strings.HasPrefix(about, "body.")) {
		cause = t.test.ID + " " + about
	}
	place := sent[len(sent)-1].Case.Operation.Place
	t.Report(checks.Violation{
		Check: c, Message: fmt.Sprintf(message, args...), About: about, Cause: cause, Place: place,
	}, sent)
	return true
}

// operation gives the resource's first tested operation of the first role that
// has one, nil where there is none.
func (t *tester) operation(roles ...resource.Role) *resource.Binding {
	for _, role := range roles {
		for _, b := range t.resource.Bindings {
			if b.Role == role && t.tested(b) && !b.Subset {
				return b
			}
		}
	}
	return nil
}

func (t *tester) tested(b *resource.Binding) bool {
	return b.Success != nil && t.Builder(b.Operation) != nil && (b.Role != resource.List || b.List != nil)
}

// itemOperation gives the operation of a role that names its item by its key in
// the path, or that of a singleton.
func (t *tester) itemOperation(roles ...resource.Role) *resource.Binding {
	if b := t.operation(roles...); b != nil && len(b.Lookup) == 0 && (b.KeyIn == resource.InPath || t.resource.Singleton) {
		return b
	}
	return nil
}

// keyedOperation is itemOperation without those of singletons.
func (t *tester) keyedOperation(role resource.Role) *resource.Binding {
	if b := t.itemOperation(role); b != nil && b.KeyIn == resource.InPath {
		return b
	}
	return nil
}

// documents reports whether an operation documents one of some statuses itself or by its range.
func documents(o *spec.Operation, statuses ...int) bool {
	return slices.ContainsFunc(statuses, func(status int) bool {
		r := o.Response(status)
		return r != nil && r.Status != "default"
	})
}
