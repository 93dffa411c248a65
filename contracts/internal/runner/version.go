package runner

import (
	"context"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/contracts/internal/safety"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// learnVersion finds out whether an operation refuses a change without the current version of its item in the body:
// sent twice, the change is a conflict; it is accepted as often as one likes if a property has the value that a read
// shows, and that value is another one after each change.
func (t *Tester) learnVersion(ctx context.Context, target *Target) {
	b := t.Plan.Of(target.Operation)
	if b == nil || b.Resource == nil || b.Role != resource.Replace && b.Role != resource.Update ||
		target.group != safety.Ordinary || b.KeyIn != resource.InPath || b.Request == nil || b.Request.Value == nil ||
		!target.Documents(409, 412) {
		return
	}
	references, _ := t.pool.References(ctx, target.Operation)
	send := func() *checks.Exchange { // with the version in place of what is generated
		c, err := target.builder.Plain(0, references)
		if err != nil {
			return nil
		}
		c.Phase, c.Expected = findings.PlainPhase, cases.Anything
		return t.sendOnce(ctx, c, false)
	}
	isConflict := func(x *checks.Exchange) bool { return x.Status() == 409 || x.Status() == 412 }
	if first, second := send(), send(); !isConflict(first) && !isConflict(second) {
		return
	}
	for _, p := range b.Resource.Properties {
		if !isVersion(p, b) {
			continue
		}
		t.pool.NoteVersion(target.Operation, p.Name)
		first, second := send(), send()
		if first.Succeeded() && second.Succeeded() &&
			!jsonvalue.Equals(sentAs(b, first, p.Name), sentAs(b, second, p.Name)) {
			return
		}
	}
	t.pool.NoteVersion(target.Operation, "")
}

// isVersion reports whether a property of items may be their version: it is no part of the key, and the body of a
// change has it.
func isVersion(p resource.Property, change *resource.Binding) bool {
	isKey := slices.Equal(itempool.KeyOf(change.Resource), []string{p.Name})
	return !isKey && schema.Property(change.Request.Value, p.Name) != nil &&
		(p.Kind == schema.String || p.Kind == schema.Integer)
}

// sentAs returns the value of a property of the item in a request.
func sentAs(b *resource.Binding, x *checks.Exchange, name string) any {
	sent, _ := b.Request.Item(itempool.Sent(x))
	value, _ := jsonvalue.Property(sent, []string{name})
	return value
}

// setVersion puts the current version of an item into the header fields and the body of a request that names a version,
// or must name one, unless the case is about that.
func (t *Tester) setVersion(ctx context.Context, c *cases.Case, r *exchange.Request, always bool) {
	b := t.Plan.Of(c.Operation)
	if b == nil || b.Resource == nil {
		return
	}
	if name := t.pool.Version(c.Operation); name != "" {
		t.setVersionInBody(ctx, c, r, b, name)
	}
	if b.Headers.IfMatch == "" || isAbout(c, b.Headers.IfMatch) || !strings.Contains(c.Request.Path, "{") {
		return
	}
	if _, sent := r.Header.Get(b.Headers.IfMatch); !sent && !always {
		return
	}
	isTagged := func(read *resource.Binding) bool { return read.Headers.ETag != "" }
	if x := t.currentItem(ctx, c, r.Path, b, isTagged); x != nil {
		read := t.Plan.Of(x.Case.Operation)
		if tag, ok := x.Response.Header.Get(read.Headers.ETag); ok {
			r.Header.Set(b.Headers.IfMatch, tag)
		}
	}
}

// setVersionInBody is setVersion for a property of a JSON body.
func (t *Tester) setVersionInBody(ctx context.Context, c *cases.Case, r *exchange.Request, b *resource.Binding,
	name string) {
	place := exchange.InBody + "." + name
	if strings.HasPrefix(c.Varied, place) || c.Violation != nil && strings.HasPrefix(c.Violation.Where(), place) {
		return
	}
	body, fault := jsontext.Decode(string(r.Body))
	sent, isItem := b.Request.Item(body)
	item, isObject := sent.(map[string]any)
	x := t.currentItem(ctx, c, r.Path, b, func(read *resource.Binding) bool { return read.Response != nil })
	if fault != nil || !isItem || !isObject || x == nil {
		return
	}
	shown, _ := t.Plan.Of(x.Case.Operation).Response.Item(itempool.Body(x))
	if current, has := jsonvalue.Property(shown, []string{name}); has {
		r.Body = jsontext.Append(nil, b.Request.Put(body, jsonvalue.WithMember(item, name, current)))
	}
}

// currentItem reads the item that a request names, by an operation that is fit; nil if nothing is read.
func (t *Tester) currentItem(ctx context.Context, c *cases.Case, path string, b *resource.Binding,
	isFit func(*resource.Binding) bool) *checks.Exchange {
	at := slices.IndexFunc(b.Resource.Bindings, func(read *resource.Binding) bool {
		return read.Role == resource.Read && read.KeyIn == b.KeyIn && len(read.Scope) == len(b.Scope) &&
			isFit(read)
	})
	if at < 0 {
		return nil
	}
	read := b.Resource.Bindings[at]
	plain, err := t.builder(read.Operation).Plain(0, nil)
	if err != nil {
		return nil
	}
	plain.Phase, plain.Title = c.Phase, "the current version"
	if plain.Request.Path = itemPath(path, c.Operation, read.Operation); plain.Request.Path == "" {
		return nil
	}
	if x := t.exchange(ctx, plain, true); x.Succeeded() {
		return x
	}
	return nil
}

// itemPath returns the path of the item that a request to an operation concerns, as the operation that reads it names
// it: an action has a path below its item's. It is "" if that cannot be said.
func itemPath(path string, about, read *spec.Operation) string {
	segments, own := strings.Split(path, "/"), strings.Split(about.Template(), "/")
	template := strings.Split(read.Template(), "/")
	if len(own) < len(template) || len(segments) != len(own) {
		return ""
	}
	for i, want := range template {
		if own[i] != want && !(strings.HasPrefix(want, "{") && strings.HasPrefix(own[i], "{")) {
			return ""
		}
	}
	return strings.Join(segments[:len(template)], "/")
}
