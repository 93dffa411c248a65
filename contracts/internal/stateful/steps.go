package stateful

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// request says what is sent to an operation.
type request struct {
	item   *item             // in place of scope and key
	scope  map[string]string // values of the path variables before the key
	key    string            // of the item; "" if none is named
	have   map[string]any    // values of the body's properties, besides references and the item's identity
	all    bool              // with all optional properties
	body   any               // in place of one that is generated
	values map[string]any    // of parameters
	media  string            // of the body; "" for the media type of plain requests
	title  string
	// mayFail says that a refusal is right as well, as for an unknown item.
	mayFail bool
}

// send builds and sends a request; nil if it cannot be built or sent, or there is no such operation.
func (t *tester) send(b *resource.Binding, r request) *checks.Exchange {
	c := t.build(b, r)
	if c == nil {
		return nil
	}
	t.hasChanged = t.hasChanged || !itempool.IsSafe(b.Operation.Method)
	return t.Send(t.ctx, c)
}

// mustSend sends a request that must succeed.
func (t *tester) mustSend(b *resource.Binding, r request) *checks.Exchange {
	x := t.send(b, r)
	t.require(x.Succeeded())
	return x
}

// build builds a request; nil if that is impossible.
func (t *tester) build(b *resource.Binding, r request) *cases.Case {
	if b == nil {
		return nil
	}
	t.requests++
	values, have := map[string]any{}, map[string]any{}
	replaces := b.Role == resource.Replace || b.Role == resource.Upsert
	references, _ := t.Pool.References(t.ctx, b.Operation)
	for path, value := range references {
		if b.Role == resource.Update && !strings.HasSuffix(path, "?") {
			path += "?" // a change has it only if it is sent
		}
		have[path] = value
	}
	if r.item != nil {
		r.scope, r.key = r.item.Scope, r.item.Key
		if b.Headers.IdempotencyKey == "" {
			r.item.addHeader(b.Operation, values)
		}
		if replaces || b.Role == resource.Update {
			maps.Copy(have, t.identity(r.item))
		}
	}
	maps.Copy(have, r.have)
	maps.Copy(values, r.values)
	for name, text := range itempool.ScopeFor(b, r.scope) {
		values[name] = text
	}
	if b.KeyIn == resource.InPath && r.key != "" {
		values[b.Variable] = r.key
	}
	key := generate.NewKey(t.Seed, t.resource.Name, t.test.ID, fmt.Sprint(t.requests)+t.as)
	c := t.Builder(b.Operation).Make(cases.Making{
		N: int(key % 1_000_000_000), Have: have, All: r.all, Body: r.body, Values: values, Media: r.media, Title: r.title,
	})
	if c == nil {
		return nil
	}
	c.Phase, c.Expected, c.As = "stateful", cases.Accepted, t.as
	if r.mayFail || t.as != "" { // its role may be another
		c.Expected = cases.Anything
	}
	if b.Role == resource.Upsert && r.item == nil && r.key == "" {
		t.Pool.Renew(b, c)
	}
	t.Pool.FillPath(c, nil)
	return c
}

// resend sends the request of an exchange once more. A second deletion may fail.
func (t *tester) resend(x *checks.Exchange, title string) *checks.Exchange {
	c := *x.Case
	c.Title = title
	if c.Operation.Method == "DELETE" {
		c.Expected = cases.Anything
	}
	return t.Send(t.ctx, &c)
}

// sendCase sends a case of the operation's coverage below the given scope.
func (t *tester) sendCase(c *cases.Case, b *resource.Binding, scope map[string]string) *checks.Exchange {
	c.Phase = "stateful"
	t.Pool.FillPath(c, itempool.ScopeFor(b, scope))
	return t.Send(t.ctx, c)
}

func notFound(x *checks.Exchange) bool { return x.Status() == 404 || x.Status() == 410 }

func pathVariables(x *checks.Exchange) map[string]string { return itempool.PathVariables(x) }

// item is an item that a test has created, or a singleton.
type item struct {
	*itempool.Item
	sent    map[string]any   // what the requests that created and changed it said of it
	created *checks.Exchange // nil for a singleton
	like    *checks.Exchange // whose required header fields requests about the item have; nil for the usual ones
	by      *resource.Binding
	reached *situation // by which it was created; nil for the state of new items
}

// addHeader adds the required header fields of the exchange that an item is from, such as the tenant's, to the values
// of an operation's parameters.
func (i *item) addHeader(o *spec.Operation, values map[string]any) {
	if i.like == nil {
		return
	}
	for _, p := range o.Parameters {
		if p.In != exchange.InHeader || !p.Required {
			continue
		}
		if sent, ok := i.like.Request.Header.Get(p.Name); ok && p.Schema != nil && schema.Conforms(p.Schema.Keywords, sent) {
			values[p.Name] = sent
		}
	}
}

// setSent notes that a change set a property to another value.
func (i *item) setSent(name string, value any) {
	if i.sent != nil {
		i.sent = jsonvalue.WithMember(i.sent, name, value)
	}
}

// after puts an item's creation, if there was one, in front of exchanges.
func (i *item) after(sent ...*checks.Exchange) exchanges {
	if i.created == nil {
		return sent
	}
	return append(exchanges{i.created}, sent...)
}

// create creates an item; nil if the resource has no way to, or the backend
// refuses. Without a scope it is below parents that are created for this test.
func (t *tester) create(r request) *item {
	b := t.operation(resource.Create, resource.Upsert)
	if b != nil && r.scope == nil {
		r.scope = t.parentScope(b, "")
	}
	if b == nil || r.scope == nil {
		return nil
	}
	x := t.send(b, r)
	if !x.Succeeded() {
		return nil
	}
	i := t.createdBy(b, x, r.scope)
	if i != nil {
		t.Pool.Settle(t.ctx, i.Item)
	}
	return i
}

// createSome creates n items, unless nothing may be changed; false if the backend refuses one.
func (t *tester) createSome(r request, n int) bool {
	for ; n > 0 && !t.ReadOnly; n-- {
		if t.create(r) == nil {
			return false
		}
	}
	return true
}

// createdBy returns the item that an exchange has created; nil if its key is unknown.
func (t *tester) createdBy(b *resource.Binding, x *checks.Exchange, scope map[string]string) *item {
	created := itempool.Created(b, x, scope)
	if created == nil {
		return nil
	}
	return &item{Item: created, sent: sentItem(b, x), created: x, like: x, by: b}
}

// parentScope returns values for the path variables before the key, of parents that
// are created for this test and owner; nil if there can be none.
func (t *tester) parentScope(b *resource.Binding, owner string) map[string]string {
	values := map[string]string{}
	owner = t.resource.Name + " " + t.test.ID + owner
	if t.attempt > 0 {
		owner += fmt.Sprint(" ", t.attempt)
	}
	for _, v := range b.Scope {
		if v.Parent != nil {
			values[v.Name] = t.Pool.Parent(t.ctx, v.Parent, values, owner)
		}
		if values[v.Name] == "" {
			return nil
		}
	}
	return values
}

func (t *tester) mustScope(b *resource.Binding) map[string]string {
	scope := t.parentScope(b, "")
	t.require(scope != nil)
	return scope
}

// identity returns the properties of an item that a change must not change: the key,
// and the reference to a parent.
func (t *tester) identity(i *item) map[string]any {
	values := map[string]any{}
	for _, property := range [][]string{t.key(), t.resource.ParentProperty} {
		for _, from := range []any{i.Value, i.sent} {
			if value, ok := jsonvalue.Property(from, property); ok && len(property) == 1 {
				values[property[0]] = value
			}
		}
	}
	return values
}

// read reads an item; nil if the document has no way to.
func (t *tester) read(i *item, title string) *checks.Exchange {
	return t.readBy(request{item: i, title: title})
}

// tryRead reads an item that may not exist any more.
func (t *tester) tryRead(i *item, title string) *checks.Exchange {
	return t.readBy(request{item: i, title: title, mayFail: true})
}

// readBy sends a read. If reads of the backend are behind, one after a change is sent again when it should show that.
func (t *tester) readBy(r request) *checks.Exchange {
	b := t.itemOperation(resource.Read)
	x := t.send(b, r)
	if s := t.Settling; x != nil && t.hasChanged && s != nil && s.lag.Load() > 0 {
		t.require(s.Wait(t.ctx, time.Duration(s.lag.Load())))
		x = t.send(b, r)
	}
	t.hasChanged = false
	return x
}

// sentItem returns the item in a request as it was sent; nil if none.
func sentItem(b *resource.Binding, x *checks.Exchange) map[string]any {
	if b.Request == nil {
		return nil
	}
	sent, _ := b.Request.Item(itempool.Sent(x))
	return object(sent)
}

// reading is a response that shows an item.
type reading struct {
	*checks.Exchange
	item any
	by   *resource.Binding
}

// readItem reads an item; nil if no item is shown.
func (t *tester) readItem(i *item, title string) *reading { return t.shown(t.read(i, title)) }

// Settling says how long a change may take to show, and remembers for which operations waiting has helped. It is safe
// for concurrent use.
type Settling struct {
	Most time.Duration // that is waited after one change
	Wait func(context.Context, time.Duration) bool
	seen sync.Map     // *spec.Operation → bool
	lag  atomic.Int64 // the longest time after which something was seen, in nanoseconds; 0 if nothing was late

	isSpent atomic.Bool // Wait has refused
}

// Await looks again and again, after longer and longer times, until it sees what it looks for.
func (s *Settling) Await(ctx context.Context, look func() bool) (isSeen bool) {
	const first = 32 // part of the time after which the first look comes
	var waited time.Duration
	for wait := s.Most / first; wait > 0 && wait <= s.Most/2; wait *= 2 {
		if !s.Wait(ctx, wait) {
			s.isSpent.Store(true)
			return false
		}
		if waited += wait; look() {
			s.lag.Store(max(s.lag.Load(), int64(waited)))
			return true
		}
	}
	return false
}

// late is the place of a note on changes that show late.
const late = "late"

// await looks again and again until what it looks at is right, for as long as a change may take to show. What comes
// late is a note. An operation whose first change does not come at all is not waited for again.
func (t *tester) await(change *checks.Exchange, look func() (isRight bool)) {
	if look() || t.Settling == nil || change == nil {
		return
	}
	s, o := t.Settling, change.Case.Operation
	helps, isKnown := s.seen.Load(o)
	if isKnown && helps == false {
		return
	}
	if !s.Await(t.ctx, look) {
		t.require(s.lag.Load() == 0 || !s.isSpent.Load()) // it may only be late
		s.seen.LoadOrStore(o, false)
		return
	}
	s.seen.Store(o, true)
	t.report(true, violation{severity: exchange.Info, check: "updated", about: late, sent: exchanges{change}},
		"the change shows only after a while")
}

// awaitItem is readItem, as often as await looks after a change.
func awaitItem(t *tester, i *item, title string, change *checks.Exchange, isRight func(*reading) bool) (r *reading) {
	t.await(change, func() bool {
		r = t.readItem(i, title)
		return isRight(r)
	})
	return r
}

func (r *reading) get(name string) any { return valueAt(r.item, []string{name}) }

// shows reports whether a property of the item has a value.
func (r *reading) shows(name string, value any, k *spec.Keywords) bool {
	if r == nil {
		return false
	}
	is, has := jsonvalue.Property(r.item, []string{name})
	return has && !differs(value, is, k)
}

// shown returns the item in a response; nil if none.
func (t *tester) shown(x *checks.Exchange) *reading {
	if !x.Succeeded() {
		return nil
	}
	b := t.Plan.Of(x.Case.Operation)
	if b == nil || b.Response == nil {
		return nil
	}
	if item, ok := b.Response.Item(itempool.Body(x)); ok {
		return &reading{x, item, b}
	}
	return nil
}

// key returns the way to the key in an item, nil if no property holds it.
func (t *tester) key() []string { return itempool.KeyOf(t.resource) }

func object(value any) map[string]any {
	o, _ := value.(map[string]any)
	return o
}

func valueAt(value any, path []string) any {
	found, _ := jsonvalue.Property(value, path)
	return found
}

func sortedNames[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }
