package runner

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
)

// Why cases are not sent.
const (
	overrule   = " (" + destructiveExtension + ": false says that it does not)"
	mayEnd     = "it may end the credentials of the run, or change what the run did not create" + overrule
	mayChange  = "it may change items that the run did not create" + overrule
	mayName    = "its path may name an item that the run did not create"
	mayDelete  = "a deletion that is not documented may delete what the run did not create"
	cannotUndo = "it may delete what the run can not create again" + overrule
)

// ownAccess are properties of the caller's own item whose change may end the caller's access.
var ownAccess = naming.LazySet(`password newpassword passphrase secret token apikey username login email role roles scope scopes
permissions active isactive enabled disabled locked status state`)

// harmOf says why a case that names no item in its path is not sent: it would change what the run did not create;
// "" for others.
func (t *Tester) harmOf(c *cases.Case) string {
	o := c.Operation
	isDeclared, is := declaresDestructive(o)
	b := t.Plan.Of(o)
	if isDeclared && !is || itemVariable(o) != "" {
		return ""
	}
	if b == nil {
		b = &resource.Binding{}
	}
	ends := t.groups[o] == destructive
	switch {
	case c.Request.Method != o.Method:
		return harmOfMethod(t, c, b.Resource)
	case ends && (c.Expected == cases.Unauthorized || endsSession(o) && t.Transport.Keyring.Renews()):
		return ""
	case ends && (o.Method == "DELETE" || t.originals[b.Resource] == nil || changesAccess(c.Value)):
		return mayEnd
	}
	return t.harmOfChange(c, b)
}

// harmOfChange is harmOf for requests that end nobody's access.
func (t *Tester) harmOfChange(c *cases.Case, b *resource.Binding) string {
	switch o := c.Operation; {
	case !itempool.Changes(c), b.Resource == nil && o.Method != "DELETE", b.KeyIn == resource.InBody:
		return ""
	case b.Resource != nil && b.Resource.Singleton:
		if o.Method == "DELETE" && t.originals[b.Resource] == nil {
			return cannotUndo
		}
		return ""
	case !t.pool.IsOwn(b.Resource):
		return mayChange
	}
	return ""
}

// harmOfMethod says why a method that the document does not have is not sent.
func harmOfMethod(t *Tester, c *cases.Case, r *resource.Resource) string {
	_, last := wordsOf(c.Operation)
	if c.Request.Method == "DELETE" && (accessNouns.Has(last) || r == nil || r.Singleton || !t.pool.IsOwn(r)) {
		return mayDelete
	}
	return ""
}

// changesAccess reports whether a body of the caller's own item has what may end the caller's access.
func changesAccess(body any) bool {
	members, _ := body.(map[string]any)
	for name, value := range members {
		if ownAccess.Has(naming.Fold(name)) || changesAccess(value) {
			return true
		}
	}
	return false
}

// needsOwn reports whether a case may be about an item only that the run created, or about none.
func (t *Tester) needsOwn(c *cases.Case) bool {
	isDeclared, is := declaresDestructive(c.Operation)
	return itempool.Changes(c) || t.groups[c.Operation] == destructive || isDeclared && is ||
		!isDeclared && isAction(t.Plan.Of(c.Operation), c)
}

// isAction reports whether a case does something with the item of its path, as POST /tasks/{id}/finish does, rather
// than ask something about it.
func isAction(b *resource.Binding, c *cases.Case) bool {
	words, last := wordsOf(c.Operation)
	return b != nil && b.Resource != nil && b.Role == resource.Action && b.KeyIn == resource.InPath &&
		c.Operation.Method == "POST" && c.Request.Method == "POST" && !slices.ContainsFunc(words, questions.Has) &&
		!naming.IsPlural(last) // what is below the item is created there
}

// ownKey returns the variable of a path that names what a case changes, with a text that no item has if none of
// the run's is in found: "" if the case must not be sent.
func ownKey(t *Tester, c *cases.Case, found map[string]string) (reason string) {
	variable := itemVariable(c.Operation)
	if variable == "" || c.Phase == itempool.Phase || c.Phase == "stateful" || found[variable] != "" {
		return ""
	}
	var r *resource.Resource
	if b := t.Plan.Of(c.Operation); b != nil {
		if r = b.Resource; b.KeyIn != resource.InPath && len(b.Scope) > 0 {
			r = b.Scope[len(b.Scope)-1].Parent
		}
	}
	if !strings.Contains(c.Request.Path, "{"+variable+"}") { // the case is about it
		if t.pool.IsAbsent(r, c.Operation, variable, c.Path[variable]) {
			return ""
		}
		return mayName
	}
	if found[variable] = t.pool.Absent(r, c.Operation, variable); found[variable] == "" {
		return mayName
	}
	return ""
}

// ownBody puts the key of an item that the run created into a body that names the item which it changes. It says
// why a case cannot be sent.
func ownBody(ctx context.Context, t *Tester, c *cases.Case, r *exchange.Request) (reason string) {
	b := t.Plan.Of(c.Operation)
	if b == nil || b.Resource == nil || b.KeyIn != resource.InBody || !itempool.Changes(c) || c.Phase == "stateful" ||
		t.pool.IsOwn(b.Resource) {
		return ""
	}
	body, isObject := c.Value.(map[string]any)
	key := itempool.KeyOf(b.Resource)
	switch {
	case !isObject && c.Expected == cases.Refused:
		return ""
	case len(key) != 1 || body[key[0]] == nil:
		return mayChange
	}
	if text := itempool.Text(body[key[0]]); t.pool.IsAbsent(b.Resource, c.Operation, key[0], text) {
		return ""
	}
	own := t.pool.Own(ctx, b.Resource, c, body[key[0]])
	if own == nil {
		return mayChange
	}
	member := func(value any) []byte {
		return jsontext.Append(append(jsontext.AppendString(nil, key[0]), ':'), value)
	}
	was := r.Body
	r.Body = []byte(strings.Replace(string(was), string(member(body[key[0]])), string(member(own)), 1))
	if string(was) == string(r.Body) {
		return mayChange
	}
	return ""
}

// original is what a singleton showed before the run.
type original struct {
	read *resource.Binding
	item any
}

// survey looks what exists before the run changes anything: which lists are empty, and what singletons hold.
func survey(ctx context.Context, t *Tester) {
	for _, r := range t.Plan.Resources {
		if !slices.ContainsFunc(r.Bindings, func(b *resource.Binding) bool {
			return t.of[b.Operation] != nil && b.Operation.Method != "GET"
		}) {
			continue
		}
		if !r.Singleton {
			t.pool.Survey(ctx, r)
			continue
		}
		at := slices.IndexFunc(r.Bindings, func(b *resource.Binding) bool {
			return b.Role == resource.Read && itemVariable(b.Operation) == ""
		})
		if at < 0 {
			continue
		}
		if item, ok := readSingleton(ctx, t, r.Bindings[at]); ok {
			t.originals[r] = &original{r.Bindings[at], item}
		}
	}
}

func readSingleton(ctx context.Context, t *Tester, read *resource.Binding) (item any, ok bool) {
	c, err := t.builder(read.Operation).Plain(0, nil)
	if err != nil || read.Response == nil {
		return nil, false
	}
	c.Phase, c.Title = itempool.Phase, "what is there before the run"
	x := t.exchange(ctx, c, false)
	if !x.Succeeded() {
		return nil, false
	}
	return read.Response.Item(itempool.Body(x))
}

// noteChange notes that a singleton was changed.
func noteChange(t *Tester, x *checks.Exchange) {
	if b := t.Plan.Of(x.Case.Operation); b != nil && x.Succeeded() && t.originals[b.Resource] != nil &&
		x.Request.Method != "GET" && x.Request.Method != "HEAD" {
		t.changed.Store(b.Resource, true)
	}
}

// restore returns the singletons that were changed what they held before the run. No request may be on its way.
func restore(ctx context.Context, t *Tester) {
	for key := range t.changed.Range {
		r := key.(*resource.Resource)
		t.changed.Delete(r)
		before := t.originals[r]
		now, ok := readSingleton(ctx, t, before.read)
		if ok && jsonvalue.Equals(now, before.item) {
			continue
		}
		restored := false
		for _, role := range []resource.Role{resource.Replace, resource.Upsert, resource.Update, resource.Create} {
			for _, b := range r.Bindings {
				if c := restoring(t, b, before.item, now); b.Role == role && c != nil && !restored {
					x := t.send(ctx, c)
					restored = x.Succeeded()
				}
			}
		}
		if !restored && ctx.Err() == nil {
			t.skip(before.read.Operation, itempool.Phase, 0, "what it showed before the run could not be restored")
		}
	}
}

// restoring returns the request that makes a singleton what it was; nil if there is none.
func restoring(t *Tester, b *resource.Binding, was, is any) *cases.Case {
	before, ok := was.(map[string]any)
	if b.Request == nil || !ok || itemVariable(b.Operation) != "" {
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
	c := t.builder(b.Operation).Make(making)
	if c != nil {
		c.Phase = itempool.Phase
	}
	return c
}
