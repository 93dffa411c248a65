// Package stateful tests what a backend stores: for each resource it creates, reads, lists, changes and
// deletes items, and compares what the backend shows with what it was sent.
package stateful

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// Options are what stateful tests need of a run.
type Options struct {
	Plan *resource.Plan
	Seed uint64
	// Builder returns the builder of an operation's cases; nil if the operation is not tested.
	Builder func(*spec.Operation) *cases.Builder
	// Send sends a case and checks its response by itself; nil means that nothing more can be sent.
	Send func(context.Context, *cases.Case) *checks.Exchange
	// Report records a violation by the last of some exchanges.
	Report func(v checks.Violation, sent []*checks.Exchange)
	// Check returns a check by its ID, and whether it is used.
	Check func(id string) (*checks.Check, bool)
	Pool  *itempool.Pool
	// Path returns the path of a URL below the backend's own; "" for one elsewhere.
	Path func(location string) string
	// Seen reports whether an operation has answered with a status in this run.
	Seen func(o *spec.Operation, status int) bool
	// Settling says how long a change may take to show. nil: no time.
	Settling *Settling
	// Identities are the names of other identities with credentials; see cases.Case.As.
	Identities []string
	// Private reports whether the user says that the items of an operation are their creator's alone; nil: nobody does.
	Private func(*spec.Operation) bool
	// Note notes what was not decided about an operation.
	Note func(o *spec.Operation, reason string)
	// Workers is how many requests may be sent at the same time.
	Workers int
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
	{"refused-change", "a refused change leaves the item unchanged", true, refusedChanges},
	{"duplicate-creation", "a duplicate creation is a conflict if the document says so", true, duplicateCreation},
	{"idempotency-key", "two creations with the same idempotency key create one item", true, idempotencyKey},
	{"defaults", "omitted properties have their defaults", true, defaults},
	{"read-only", "readOnly properties are not taken from clients", true, readOnly},
	{"conditions", "ETag, If-None-Match, If-Match", true, conditions},
	{"parents", "items of different parents do not mix; an unknown parent is refused", true, parents},
	{"partitions", "items with one value of a required header field are not shown with another", true, partitions},
	{"references", "references to unknown items are refused if the document says so", true, references},
	{"unknown-item", "an unknown item is not found, and changing it does not create it", true, unknownItem},
	{"pages", "a walk over the pages meets every item once; limits, totals and links are right", false, pages},
	{"filters", "filters return all items that match, and no others", false, filters},
	{"sorts", "lists are in the order that is asked for", false, sorts},
	{"order", "lists are in the order that the document states", false, orders},
	{"listed-items", "each item of a list can be read", false, listedItems},
	{"orphans", "items below a deleted parent are not found", true, orphans},
	{"upsert", "a PUT creates an item once, and replaces it then", true, upsert},
	{"actions", "a read shows what the action before it showed", true, actions},
	{"views", "the list, its filters and its tables show an item as it is after a change", true, views},
	{"at-once", "creations at the same time create items of their own", true, creationsAtOnce},
	{"keys", "items with keys that paths must encode are found", true, keys},
	{"bulk", "several items of one request are all created, or none", true, bulk},
	{"conflicts", "what the document refuses with 409 is refused: states, repeated actions, items that others refer to",
		true, conflicts},
	{"files", "an uploaded file can be downloaded until it is deleted", true, files},
	{"json-patch", "a JSON Patch is applied as a whole or not at all", true, jsonPatch},
	{"links", "the document's links lead to existing items", true, links},
	{"identities", "an item that is hidden from another identity is not shown to it or changed by it elsewhere", true,
		identities},
}

// Tests returns the table of tests, in the order in which they run.
func Tests() []*Test { return table }

// RunTest runs one test on a resource. attempt 0 is the first; another has items, parents and values of its own.
func RunTest(ctx context.Context, r *resource.Resource, test *Test, attempt int, o Options) {
	if test.changes && o.ReadOnly || ctx.Err() != nil {
		return
	}
	first := slices.Index(table, test) * 1000
	t := &tester{Options: &o, ctx: ctx, resource: r, test: test, attempt: attempt, requests: first + attempt*100_000}
	t.step(func() { test.run(t) })
}

// tester is what one test needs to run on one resource.
type tester struct {
	*Options
	ctx        context.Context
	resource   *resource.Resource
	test       *Test  // nil for a response that is checked by itself
	as         string // the identity whose credentials requests carry; "" for the run's own
	attempt    int    // of the test; 0 is the first
	requests   int    // that were built; each number makes other values
	hasChanged bool   // something since the last read
}

// stop ends a step of a test that cannot go on.
type stop struct{}

// step runs a step of a test, which ends if a condition that it requires does not hold.
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

// must returns a value, and ends the step if there is none.
func must[T any](t *tester, value *T) *T {
	t.require(value != nil)
	return value
}

type exchanges = []*checks.Exchange

// violation is a violation of a check by the last of some exchanges.
type violation struct {
	severity exchange.Severity // default: error
	doubt    string            // a sentence of the document that lowers it by one step; "" if none
	check    string            // ID
	about    string            // which part of the exchanges, such as "body.name"; "" if they as a whole
	across   string            // violations that share it are one finding; "" if each is its own
	sent     exchanges
}

// reportIf reports an error by the last of some exchanges if it is one and the check is used. It returns isViolated.
func (t *tester) reportIf(isViolated bool, check, about string, sent exchanges, message string, args ...any) bool {
	return t.report(isViolated, violation{check: check, about: about, sent: sent}, message, args...)
}

// warnIf is reportIf for what rests on a convention, or on what a name or a word suggests.
func (t *tester) warnIf(isViolated bool, check, about string, sent exchanges, message string, args ...any) bool {
	v := violation{severity: exchange.Warning, check: check, about: about, sent: sent}
	return t.report(isViolated, v, message, args...)
}

// report is reportIf for any violation. What a later read may still show is a note or a warning; see observed. A
// sentence of the document that may excuse it lowers it by one step.
func (t *tester) report(isViolated bool, v violation, message string, args ...any) bool {
	c, ok := t.Check(v.check)
	if !isViolated || !ok {
		return isViolated
	}
	failed := v.sent[len(v.sent)-1].Case.Operation
	if b := t.Plan.Of(failed); c.OfChange && b != nil && b.Role == resource.Read {
		for _, x := range slices.Backward(v.sent) {
			if x != nil && !itempool.IsSafe(x.Request.Method) {
				failed = x.Case.Operation
				break
			}
		}
	}
	v.severity = max(v.severity, c.Severity, observed(v.sent))
	for _, x := range v.sent {
		if v.doubt == "" && x != nil {
			v.doubt = t.doubtOf(doubt.Late, x.Case.Operation, "change")
		}
	}
	text := fmt.Sprintf(message, args...)
	if v.doubt != "" {
		v.severity, text = v.severity.Lower(), text+fmt.Sprintf("; the document says: %q", v.doubt)
	}
	cause := v.about
	if t.test != nil && !(c.Comparison == checks.ByProperty && strings.HasPrefix(v.about, "body.")) {
		cause = t.test.ID + " " + v.about
	}
	t.Report(checks.Violation{
		Check: c, Severity: v.severity, Message: text, About: v.about, Cause: cause,
		Of: failed, Place: failed.Place, Across: v.across, Doubt: v.doubt,
	}, v.sent)
	return true
}

// operation returns the resource's first tested operation of the first role that
// has one, nil if none.
func (t *tester) operation(roles ...resource.Role) *resource.Binding {
	for _, role := range roles {
		for _, b := range t.resource.Bindings {
			isNamed := role != resource.Read || b.KeyIn == resource.InPath && len(b.Lookup) == 0 || t.resource.Singleton
			if b.Role == role && t.tested(b) && !b.Subset && isNamed {
				return b
			}
		}
	}
	return nil
}

func (t *tester) tested(b *resource.Binding) bool {
	ends := b.Success != nil || checks.EndsInRedirect(b.Operation)
	return ends && t.Builder(b.Operation) != nil && (b.Role != resource.List || b.List != nil)
}

// itemOperation returns the operation of a role that names its item by its key in
// the path, or the operation of a singleton.
func (t *tester) itemOperation(roles ...resource.Role) *resource.Binding {
	if b := t.operation(roles...); b != nil && len(b.Lookup) == 0 && (b.KeyIn == resource.InPath || t.resource.Singleton) {
		return b
	}
	return nil
}

// keyedOperation is itemOperation without singletons.
func (t *tester) keyedOperation(role resource.Role) *resource.Binding {
	if b := t.itemOperation(role); b != nil && b.KeyIn == resource.InPath {
		return b
	}
	return nil
}

// eachOperation does something with the operation of each role that names its item by
// its key in the path, each in a step of its own.
func (t *tester) eachOperation(do func(*resource.Binding), roles ...resource.Role) {
	for _, role := range roles {
		if b := t.keyedOperation(role); b != nil {
			t.step(func() { do(b) })
		}
	}
}

// documentsMissing reports whether an operation documents its own response for a missing item: not one that it has in
// common with operations that concern no item.
func documentsMissing(t *tester, o *spec.Operation) bool {
	return slices.ContainsFunc([]int{404, 410}, func(status int) bool {
		isGeneral := func(b *resource.Binding) bool {
			r := b.Operation.Response(status)
			return r != nil && !strings.Contains(b.Operation.Path, "{") && r.Description == o.Response(status).Description
		}
		return o.DocumentsExactly(status) && !slices.ContainsFunc(t.Plan.Resources, func(r *resource.Resource) bool {
			return slices.ContainsFunc(r.Bindings, isGeneral)
		})
	})
}

// comparisons are the checks that compare what was sent with what the response
// shows, and with what a read shows then.
var comparisons = map[resource.Role]struct{ shown, stored string }{
	resource.Create:  {"created-shown", "read-back"},
	resource.Replace: {"update-shown", "updated"},
	resource.Update:  {"update-shown", "updated"},
	resource.Upsert:  {"update-shown", "read-back"},
}

// CheckShown checks what the response to any request shows: the item that the path names, and after a
// creation or a change what was sent, with defaults for what was omitted.
func CheckShown(o *Options, x *checks.Exchange) (all []checks.Violation) {
	b := o.Plan.Of(x.Case.Operation)
	if b == nil || b.Resource == nil || !x.Succeeded() || x.Case.Operation.Alternatives != nil {
		return nil // of several operations with one method and path, another may have answered
	}
	collecting := *o
	collecting.Report = func(v checks.Violation, _ []*checks.Exchange) { all = append(all, v) }
	t := &tester{Options: &collecting, resource: b.Resource}
	if t.reportEach("identity", comparePath(t, b, x), "", x); len(all) > 0 {
		return all
	}
	check, sent, shown := comparisons[b.Role].shown, acceptedItem(b, x), t.shown(x)
	if check == "" || sent == nil || shown == nil || mayShowLess(x) {
		return nil
	}
	t.reportEach(check, t.compareShown(b, sent, shown), "", x)
	if b.Role != resource.Update {
		t.reportEach("default", compareDefaults(t, b, sent, shown), "", x)
	}
	return all
}

// hasFewKeys reports whether clients choose the key of an item among a few values, so that requests which are sent at
// the same time create the same item.
func hasFewKeys(r *resource.Resource) bool {
	k := r.Key
	return k != nil && k.ChosenBy != resource.Server && k.Schema != nil && k.Schema.Enum != nil
}

// CheckStored reads the item after any accepted creation or change, and compares it with what was sent.
func CheckStored(ctx context.Context, o *Options, x *checks.Exchange) {
	b := o.Plan.Of(x.Case.Operation)
	if b == nil || b.Resource == nil {
		return
	}
	t := &tester{Options: o, ctx: ctx, resource: b.Resource, test: &Test{ID: "any"}}
	t.step(func() {
		check, sent := comparisons[b.Role].stored, acceptedItem(b, x)
		t.require(check != "" && sent != nil && !mayShowLess(x)) // a parameter may ask for a trial only
		t.require(t.itemOperation(resource.Read) != nil && !hasFewKeys(b.Resource))
		isRight := func(read *reading) bool { return read != nil && t.isSettled(b, sent, x, read) }
		i := must(t, itemOf(t, b, x))
		stored := awaitItem(t, i, "read the stored item", x, isRight)
		if stored == nil && b.Role == resource.Create {
			checkReadable(t, i)
		}
		read := must(t, stored)
		t.reportEach(check, t.compareStored(b, sent, read), "", x, read.Exchange)
		if b.Role == resource.Create || b.Role == resource.Replace {
			t.reportEach("default", compareDefaults(t, b, sent, read), "", x, read.Exchange)
		}
	})
}

// acceptedItem returns the item in a request that was rightly accepted; nil if none.
func acceptedItem(b *resource.Binding, x *checks.Exchange) map[string]any {
	if !x.Succeeded() || x.Case.Expected != cases.Accepted || x.Case.Value == nil {
		return nil
	}
	return sentItem(b, x)
}

// itemOf returns the item that a creation or a change concerns, nil if it is unknown.
func itemOf(t *tester, b *resource.Binding, x *checks.Exchange) *item {
	values, scope := pathVariables(x), map[string]string{}
	for _, v := range b.Scope {
		scope[v.Name] = values[v.Name]
	}
	switch {
	case b.Role == resource.Create:
		return t.createdBy(b, x, scope)
	case t.resource.Singleton, b.KeyIn != resource.InPath, len(b.Lookup) > 0: // others change a singleton meanwhile
		return nil
	}
	return &item{Item: &itempool.Item{Resource: t.resource, Scope: scope, Key: values[b.Variable]}, like: x}
}

// comparePath checks that a response shows the item that the path names, or items below
// the parents that it names.
func comparePath(t *tester, b *resource.Binding, x *checks.Exchange) (all []difference) {
	var items []any
	variables := b.Scope
	switch b.Role {
	case resource.Create, resource.Read, resource.Replace, resource.Update, resource.Upsert:
		if r := t.shown(x); r != nil {
			items = []any{r.item}
		}
		if b.KeyIn == resource.InPath && len(b.Lookup) == 0 && b.Role != resource.Create {
			variables = append([]resource.Variable{{Name: b.Variable, Property: t.key()}}, variables...)
		}
	case resource.List:
		if b.List != nil {
			items, _ = b.List.Items.Items(itempool.Body(x))
		}
	}
	named := pathVariables(x)
	for _, v := range variables {
		for _, item := range items {
			if value := valueAt(item, v.Property); len(v.Property) > 0 && namesAnother(named[v.Name], itempool.Text(value)) {
				message := fmt.Sprintf("is %s, and the path names %q", text(value), named[v.Name])
				all = append(all, difference{path: v.Property, message: message, severity: severity(b.Role != resource.List),
					doubt: t.doubtOf(doubt.Named, b.Operation)})
				break
			}
		}
	}
	return all
}

// namesAnother reports whether the key that a path names is another than the one that an item shows. Keys of
// different form are not compared: a name in the path may stand for a number.
func namesAnother(named, shown string) bool {
	if isDigits(named) && isDigits(shown) {
		named, shown = strings.TrimLeft(named, "0"), strings.TrimLeft(shown, "0")
	}
	sameForm := isDigits(shown) == isDigits(named) && (len(shown) == len(named) || isDigits(shown))
	return named != "" && shown != "" && sameForm && !strings.EqualFold(shown, named)
}
