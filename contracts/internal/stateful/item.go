package stateful

import (
	"maps"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// item is an item that a test has created, or that of a singleton.
type item struct {
	*itempool.Item
	sent    map[string]any   // what the requests that created and changed it said of it
	created *checks.Exchange // nil for a singleton
	by      *resource.Binding
}

// setSent notes that a change gave a property another value.
func (i *item) setSent(name string, value any) {
	if i.sent != nil {
		i.sent = maps.Clone(i.sent)
		i.sent[name] = value
	}
}

// after puts an item's creation, where there was one, in front of exchanges.
func (i *item) after(sent ...*checks.Exchange) exchanges {
	if i.created == nil {
		return sent
	}
	return append(exchanges{i.created}, sent...)
}

// create creates an item; nil where the resource has no way to, or the backend
// refuses. Without a scope it is below parents that are created for this test.
func (t *tester) create(r request) *item {
	b := t.operation(resource.Create, resource.Upsert)
	if b == nil {
		return nil
	}
	if r.scope == nil {
		r.scope = t.parentScope(b, "")
	}
	if r.scope == nil {
		return nil
	}
	if x := t.send(b, r); x.Succeeded() {
		return t.createdBy(b, x, r.scope)
	}
	return nil
}

// createdBy gives the item that an exchange has created; nil where its key is unknown.
func (t *tester) createdBy(b *resource.Binding, x *checks.Exchange, scope map[string]string) *item {
	created := itempool.Created(b, x)
	if created == nil {
		return nil
	}
	created.Scope = scope
	return &item{Item: created, sent: sentItem(b, x), created: x, by: b}
}

// parentScope gives values for the path variables before the key, of parents that
// are created for this test and owner; nil where there can be none.
func (t *tester) parentScope(b *resource.Binding, owner string) map[string]string {
	values := map[string]string{}
	for _, v := range b.Scope {
		key := ""
		if v.Parent != nil {
			key = t.Pool.Parent(t.ctx, v.Parent, values, t.resource.Name+" "+t.test.ID+owner)
		}
		if key == "" {
			return nil
		}
		values[v.Name] = key
	}
	return values
}

func (t *tester) mustScope(b *resource.Binding) map[string]string {
	scope := t.parentScope(b, "")
	t.require(scope != nil)
	return scope
}

// scopeIn gives the values of an operation's path variables before the key for an
// item: those of the path by which it was created, else what it refers to. It is
// nil where one is unknown.
func (t *tester) scopeIn(b *resource.Binding, i *item) map[string]string {
	values := maps.Clone(i.Scope)
	if values == nil {
		values = map[string]string{}
	}
	maps.Copy(values, itempool.ScopeFor(b, i.Scope))
	for _, v := range b.Scope {
		if _, ok := values[v.Name]; ok {
			continue
		}
		if values[v.Name] = parentKey(t, i, v); values[v.Name] == "" {
			return nil
		}
	}
	return values
}

// parentKey gives the key by which an item refers to its parent, "" where it does not.
func parentKey(t *tester, i *item, v resource.Variable) string {
	for _, value := range []any{i.Value, i.sent} {
		properties := [][]string{v.Property}
		if v.Parent != nil && v.Parent == t.resource.Parent {
			properties = append(properties, t.resource.ParentProperty)
		}
		for _, name := range sortedNames(object(value)) {
			if v.Parent != nil && t.Plan.Referred(name) == v.Parent {
				properties = append(properties, []string{name})
			}
		}
		for _, property := range properties {
			if key := itempool.Text(valueAt(value, property)); key != "" && len(property) > 0 {
				return key
			}
		}
	}
	return ""
}

// identity gives the properties of an item that a change must not change: the key,
// and the reference to a parent.
func (t *tester) identity(i *item) map[string]any {
	values := map[string]any{}
	for _, property := range [][]string{t.resource.key(), t.resource.ParentProperty} {
		if len(property) != 1 {
			continue
		}
		for _, from := range []any{i.sent, i.Value} {
			if value, ok := resource.Get(from, property); ok {
				values[property[0]] = value
				break
			}
		}
	}
	return values
}

// read reads an item; nil where the document has no way to.
func (t *tester) read(i *item, title string) *checks.Exchange {
	return t.readAs(i, request{title: title})
}

// readAs reads an item by a request with some more to it.
func (t *tester) readAs(i *item, r request) *checks.Exchange {
	b := t.itemOperation(resource.Read)
	if b == nil {
		return nil
	}
	r.item = i
	return t.send(b, r)
}

// sentItem gives the item in a request as it was sent; nil where there is none.
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

// readItem reads an item; nil where no item is shown.
func (t *tester) readItem(i *item, title string) *reading { return t.shown(t.read(i, title)) }

func (r *reading) get(name string) (any, bool) { return resource.Get(r.item, []string{name}) }

// shows reports whether a property of the item has a value.
func (r *reading) shows(name string, value any, k *spec.Keywords) bool {
	if r == nil {
		return false
	}
	is, has := r.get(name)
	return has && !differs(value, is, k)
}

// shown gives the item in a response; nil where there is none.
func (t *tester) shown(x *checks.Exchange) *reading {
	if !x.Succeeded() {
		return nil
	}
	b := t.Plan.Of(x.Case.Operation)
	if b == nil || b.Response == nil {
		return nil
	}
	value, ok := b.Response.Item(itempool.Body(x))
	if !ok {
		return nil
	}
	return &reading{x, value, b}
}

func object(value any) map[string]any {
	o, _ := value.(map[string]any)
	return o
}

func valueAt(value any, path []string) any {
	found, _ := resource.Get(value, path)
	return found
}

func sortedNames[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }
