package stateful

import (
	"maps"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
)

// item is an item that a tester has made.
type item struct {
	*itempool.Item
	sent any              // what the creating request said of it
	made *checks.Exchange // that request
	by   *resource.Binding
}

// says notes that a change gave a property another value.
func (i *item) says(name string, value any) {
	sent, ok := i.sent.(map[string]any)
	if !ok {
		return
	}
	sent = maps.Clone(sent)
	sent[name] = value
	i.sent = sent
}

// create makes an item; nil where the resource has no way to, or the backend
// refuses.
func (t *tester) create(scope map[string]string, r request) *item {
	for _, role := range []resource.Role{resource.Create, resource.Upsert} {
		b := t.binding(role)
		if b == nil {
			continue
		}
		if scope == nil {
			scope = t.scope(b, "")
		}
		if scope == nil {
			return nil
		}
		r.scope = scope
		if b.KeyIn == resource.InPath {
			r.key = ""
		}
		x := t.send(b, r)
		if x == nil || !x.Succeeded() {
			return nil
		}
		if made := t.shown(b, x, scope); made != nil {
			return made
		}
		return nil
	}
	return nil
}

// shown gives the item that a creating exchange has made.
func (t *tester) shown(b *resource.Binding, x *checks.Exchange, scope map[string]string) *item {
	made := &item{made: x, by: b}
	if b.Request != nil {
		made.sent, _ = b.Request.Item(itempool.Sent(x))
	}
	made.Item = itempool.Shown(b, x)
	if b.KeyIn == resource.InPath {
		if made.Item == nil {
			made.Item = &itempool.Item{Resource: t.resource}
		}
		made.Key = unescape(x.Case.Path[b.Variable])
		if at := strings.LastIndexByte(x.Request.Path, '/'); made.Key == "" && at >= 0 {
			made.Key = unescape(x.Request.Path[at+1:])
		}
	}
	if made.Item == nil || made.Key == "" {
		return nil
	}
	made.Scope = scope
	return made
}

// scope gives texts for the variables before the key, of parents made for this
// tester; nil where there can be none.
func (t *tester) scope(b *resource.Binding, owner string) map[string]string {
	texts := map[string]string{}
	for _, v := range b.Scope {
		if v.Parent == nil {
			return nil
		}
		key := t.Pool.Parent(t.ctx, v.Parent, texts, t.resource.Name+" "+t.test.ID+owner)
		if key == "" {
			return nil
		}
		texts[v.Name] = key
	}
	return texts
}

// read reads an item; nil where the document has no way to.
func (t *tester) read(i *item, title string) *checks.Exchange {
	return t.look(i, request{title: title})
}

func (t *tester) look(i *item, r request) *checks.Exchange {
	b := t.binding(resource.Read)
	if b == nil || !t.resource.Singleton && b.KeyIn != resource.InPath || len(b.Lookup) > 0 {
		return nil
	}
	r.scope, r.key = i.Scope, i.Key
	return t.send(b, r)
}

// value gives the item in an answer of an operation that shows one.
func (t *tester) value(x *checks.Exchange) (any, bool) {
	if x == nil || !x.Succeeded() {
		return nil, false
	}
	b := t.Plan.Of(x.Case.Operation)
	if b == nil || b.Response == nil {
		return nil, false
	}
	return b.Response.Item(itempool.Body(x))
}

// fillScope puts a scope's texts into the path of a case that this package has
// not made.
func fillScope(c *cases.Case, t *tester, b *resource.Binding, scope map[string]string) {
	for i, v := range b.Scope {
		text, ok := scope[v.Name]
		if !ok {
			text, ok = t.scopeAt(i, scope)
		}
		if ok {
			c.Request.Path = strings.ReplaceAll(c.Request.Path, "{"+v.Name+"}", url.PathEscape(text))
		}
	}
	for name, text := range c.Path {
		c.Request.Path = strings.ReplaceAll(c.Request.Path, "{"+name+"}", text)
	}
}
