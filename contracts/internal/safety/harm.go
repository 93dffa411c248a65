// Package safety keeps a run from doing harm: it says in which order operations are tested, which requests are not sent
// because they would change what the run did not create, and whether the credentials of the run still work.
package safety

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/credentials"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Options are what a guard works with.
type Options struct {
	Plan       *resource.Plan
	Operations []*spec.Operation // of the contract
	Pool       *itempool.Pool
	Keyring    *credentials.Keyring
	// Destructive sends also what may change what the run did not create.
	Destructive bool
	Builder     func(*spec.Operation) *cases.Builder
	IsTested    func(*spec.Operation) bool
	// Send completes, sends and checks a case. Try neither checks the answer nor calls Guard.Watch.
	Send, Try func(context.Context, *cases.Case) *checks.Exchange
	// Note reports why nothing more is done with an operation.
	Note func(o *spec.Operation, phase, reason string)
	// Stop ends the run.
	Stop context.CancelCauseFunc
}

// Guard decides what a run may send. It is safe for concurrent use.
type Guard struct {
	Options
	groups    map[*spec.Operation]Group
	originals map[*resource.Resource]*original // of singletons
	changed   sync.Map                         // of these, those that were changed
	access    logins
}

// New makes the guard of a run.
func New(o Options) *Guard {
	g := &Guard{Options: o, groups: map[*spec.Operation]Group{}, originals: map[*resource.Resource]*original{}}
	for _, operation := range o.Operations {
		g.groups[operation] = groupOf(operation, o.Plan.Of(operation), actOf(o.Plan, operation))
	}
	return g
}

// Group says when an operation is tested.
func (g *Guard) Group(o *spec.Operation) Group { return g.groups[o] }

// Why cases are not sent.
const (
	overrule   = " (--destructive or " + destructiveExtension + ": false allows it)"
	MayEnd     = "it may end the credentials of the run" + overrule
	MayChange  = "it names no key, and may change or delete what the run did not create" + overrule
	MayReplace = "its body names an item that the run did not create, which the backend may replace"
	MayName    = "its path may name an item that the run did not create"
	MayDelete  = "a deletion that is not documented may delete what the run did not create"
	CannotUndo = "it may delete what the run can not create again" + overrule
)

// IsSpared reports whether an operation gets no request for one of these reasons, rather than a single value.
func IsSpared(reason string) bool { return strings.HasSuffix(reason, overrule) }

// Harm says why a case that names no item in its path is not sent; "" if it may be.
func (g *Guard) Harm(c *cases.Case) string {
	o := c.Operation
	b := g.Plan.Of(o)
	if b == nil {
		b = &resource.Binding{}
	}
	isDeclared, is := declaresDestructive(o)
	ends := g.groups[o] == Destructive
	switch {
	case isDeclared && !is, g.Destructive:
		return ""
	case c.Request.Method != o.Method:
		return g.harmOfMethod(c, b.Resource)
	case ends && c.Expected == cases.Unauthorized:
		return ""
	case ItemVariable(o) != "":
		return ""
	case ends && changesAccess(c.Value):
		return MayEnd
	case ends && g.endsSession(o) && g.Keyring.Renews():
		return ""
	case ends && (o.Method == "DELETE" || g.originals[b.Resource] == nil):
		return MayEnd
	}
	return g.harmOfChange(c, b)
}

// harmOfChange is Harm for requests that end nobody's access.
func (g *Guard) harmOfChange(c *cases.Case, b *resource.Binding) string {
	o := c.Operation
	words, _ := WordsOf(o)
	isWhole := !itempool.IsSafe(o.Method) && says("harm-whole", words) && b.Role != resource.Create
	switch {
	case isWhole && !g.Pool.IsOwn(b.Resource), itempool.Changes(c) && b.Resource == nil:
		return MayChange
	case !itempool.Changes(c), b.KeyIn == resource.InBody && b.Keys == nil && o.Method != "DELETE":
		return "" // ownBody looks at the key
	case b.Resource.Singleton && g.originals[b.Resource] != nil && o.Method != "DELETE":
		return "" // it is restored
	case b.Resource.Singleton && o.Method == "DELETE":
		return CannotUndo
	case !g.Pool.IsOwn(b.Resource):
		return MayChange
	}
	return ""
}

// harmOfMethod says why a method that the document does not have is not sent.
func (g *Guard) harmOfMethod(c *cases.Case, r *resource.Resource) string {
	_, last := WordsOf(c.Operation)
	isNone := r == nil || r.Singleton || !g.Pool.IsOwn(r)
	if c.Request.Method == "DELETE" && ItemVariable(c.Operation) == "" && (says("harm-access", []string{last}) || isNone) {
		return MayDelete
	}
	return ""
}

// endsSession reports whether an operation ends the caller's session and nothing else.
func (g *Guard) endsSession(o *spec.Operation) bool {
	words, _ := WordsOf(o)
	return says("harm-session", words) || actOf(g.Plan, o) == resource.LogOut
}

// changesAccess reports whether a body of the caller's own item has what may end the caller's access.
func changesAccess(body any) bool {
	members, _ := body.(map[string]any)
	for name, value := range members {
		if says("harm-own", []string{naming.Fold(name)}) || changesAccess(value) {
			return true
		}
	}
	return false
}

// NeedsOwn reports whether a case may be about an item only that the run created, or about none.
func (g *Guard) NeedsOwn(c *cases.Case) bool {
	isDeclared, is := declaresDestructive(c.Operation)
	return itempool.Changes(c) || g.groups[c.Operation] == Destructive || isDeclared && is ||
		!isDeclared && isAction(g.Plan.Of(c.Operation), c)
}

// isAction reports whether a case does something with the item of its path, as POST /tasks/{id}/finish does.
func isAction(b *resource.Binding, c *cases.Case) bool {
	_, last := WordsOf(c.Operation)
	return b != nil && b.Resource != nil && b.Role == resource.Action && b.KeyIn == resource.InPath &&
		c.Operation.Method == "POST" && c.Request.Method == "POST" && !naming.IsPlural(last) // of which it creates one
}

// Path says why a case is not sent with a path; "" if it may be. chosen says that the keys are the case's own, given
// that the user gave them.
func (g *Guard) Path(ctx context.Context, c *cases.Case, path string, chosen, given bool) string {
	variable := ItemVariable(c.Operation)
	if variable == "" || g.Destructive || given || itempool.IsSafe(c.Request.Method) || c.Phase == itempool.Phase ||
		c.Phase == "stateful" || !g.NeedsOwn(c) && !chosen || g.Pool.MayChange(ctx, c.Operation, path) {
		return ""
	}
	return MayName
}

// Body puts the key of an item that the run created into a body that names the item which it changes. It says why a
// case cannot be sent, among them creations of what is there already.
func (g *Guard) Body(ctx context.Context, c *cases.Case, r *exchange.Request) (reason string) {
	if !g.Destructive && !g.Pool.MayCreate(ctx, c, r.Path) {
		return MayReplace
	}
	b := g.Plan.Of(c.Operation)
	if b == nil || b.Resource == nil || b.KeyIn != resource.InBody || !itempool.Changes(c) || c.Phase == "stateful" ||
		g.Destructive || g.Pool.IsOwn(b.Resource) {
		return ""
	}
	body, isObject := c.Value.(map[string]any)
	key := itempool.KeyOf(b.Resource)
	if !isObject || len(key) != 1 || body[key[0]] == nil || c.IsAbout(key) {
		return MayChange // a backend may take a body that it cannot read for one that names all
	}
	own := g.Pool.Own(ctx, b.Resource, c, body[key[0]])
	if own == nil {
		return MayChange
	}
	member := func(value any) []byte {
		return jsontext.Append(append(jsontext.AppendString(nil, key[0]), ':'), value)
	}
	was := r.Body
	r.Body = []byte(strings.Replace(string(was), string(member(body[key[0]])), string(member(own)), 1))
	if string(was) == string(r.Body) {
		return MayChange
	}
	return ""
}

// original is what a singleton showed before the run.
type original struct {
	read *resource.Binding
	item any
}

// Survey looks what exists before the run changes anything: which lists are empty, and what singletons hold.
func (g *Guard) Survey(ctx context.Context) {
	for _, r := range g.Plan.Resources {
		if !slices.ContainsFunc(r.Bindings, func(b *resource.Binding) bool {
			return g.IsTested(b.Operation) && b.Operation.Method != "GET"
		}) {
			continue
		}
		if !r.Singleton {
			g.Pool.Survey(ctx, r)
			continue
		}
		at := slices.IndexFunc(r.Bindings, func(b *resource.Binding) bool {
			isQuery := func(p *spec.Parameter) bool { return p.In == exchange.InQuery && p.Required }
			return b.Role == resource.Read && ItemVariable(b.Operation) == "" &&
				!slices.ContainsFunc(b.Operation.Parameters, isQuery) // a search shows no singleton
		})
		if at < 0 {
			continue
		}
		if item, ok := g.read(ctx, r.Bindings[at]); ok {
			g.originals[r] = &original{r.Bindings[at], item}
		}
	}
}

func (g *Guard) read(ctx context.Context, read *resource.Binding) (item any, ok bool) {
	c, err := g.Builder(read.Operation).Plain(0, nil)
	if err != nil || read.Response == nil {
		return nil, false
	}
	c.Phase, c.Title = itempool.Phase, "what is there before the run"
	x := g.Send(ctx, c)
	if !x.Succeeded() {
		return nil, false
	}
	return read.Response.Item(itempool.Body(x))
}

// NoteChange notes that a singleton was changed.
func (g *Guard) NoteChange(x *checks.Exchange) {
	if b := g.Plan.Of(x.Case.Operation); b != nil && x.Succeeded() && g.originals[b.Resource] != nil &&
		x.Request.Method != "GET" && x.Request.Method != "HEAD" {
		g.changed.Store(b.Resource, true)
	}
}

// Restore writes the values from before the run into each singleton that the run changed. It must run alone.
func (g *Guard) Restore(ctx context.Context) {
	for key := range g.changed.Range {
		r := key.(*resource.Resource)
		g.changed.Delete(r)
		before := g.originals[r]
		now, ok := g.read(ctx, before.read)
		if ok && jsonvalue.Equals(now, before.item) {
			continue
		}
		restored := false
		for _, role := range []resource.Role{resource.Replace, resource.Upsert, resource.Update, resource.Create} {
			for _, b := range r.Bindings {
				if c := g.restoring(b, before.item, now); b.Role == role && c != nil && !restored {
					x := g.Try(ctx, c)
					restored = x.Succeeded()
				}
			}
		}
		if !restored && ctx.Err() == nil {
			g.Note(before.read.Operation, itempool.Phase, "what it showed before the run could not be restored")
		}
	}
}

// restoring returns the request that makes a singleton what it was; nil if none.
func (g *Guard) restoring(b *resource.Binding, was, is any) *cases.Case {
	before, ok := was.(map[string]any)
	if b.Request == nil || !ok || ItemVariable(b.Operation) != "" {
		return nil
	}
	body := map[string]any{}
	now, _ := is.(map[string]any)
	known := schema.Properties(b.Request.Value)
	for name, value := range before {
		k := known[name]
		same := b.Role == resource.Update && reflect.DeepEqual(now[name], value)
		if (k == nil && len(known) > 0) || k != nil && schema.ReadOnly(k) || same {
			continue
		}
		body[name] = value
	}
	for name := range now { // RFC 7396 section 1
		if _, had := before[name]; !had && b.Role == resource.Update {
			body[name] = nil
		}
	}
	making := cases.Making{Body: b.Request.Wrap(body), Title: "restore what was there before the run"}
	c := g.Builder(b.Operation).Make(making)
	if c != nil {
		c.Phase = itempool.Phase
	}
	return c
}
