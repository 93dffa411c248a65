// Package itempool finds or creates the items at the backend that requests are
// about: keys for the variables of paths, and references for bodies.
package itempool

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Phase is the phase of the requests that fill the pool.
const Phase = "items"

// Pool holds the items that are known to exist at the backend, and creates by the
// operations of the plan those that it lacks. It is safe for concurrent use.
type Pool struct {
	Plan *resource.Plan
	// Builder returns the builder of an operation's cases; nil for an operation that is not to be used.
	Builder func(*spec.Operation) *cases.Builder
	// Send sends a case unchanged; nil means that nothing more can be sent.
	Send func(context.Context, *cases.Case) *checks.Exchange
	// Await looks again and again for as long as a change may take to show; nil if it shows at once.
	Await func(ctx context.Context, look func() bool) (isSeen bool)
	// ReadOnly creates no items: they are taken from lists.
	ReadOnly bool

	// shared is held while parents and referenced items are created, which may need one another.
	shared sync.Mutex

	seeing  sync.Mutex                   // guards what follows
	known   map[*resource.Resource]*keys // that the backend has shown
	created []*Item                      // by the run, and not deleted since
	origins map[origin]*checks.Exchange  // the creations of the run's items

	late      sync.Map // by resource: whether new items can be read after a while only
	claimed   sync.Map // paths of items that a request under way creates
	standings sync.Map // by path: what a read found there
	learned   sync.Map // resources by operation and path of a property that refers to their items
	reserves  sync.Map // of *reserve, by owner, resource and scope
	consuming sync.Map // of *atomic.Int64: how often each *spec.Operation did that uses up what it refers to
	versions  sync.Map // by operation: see NoteVersion
	prepared  sync.Map // of []*resource.Binding by owner: see Prepare
}

// Item is one item at the backend.
type Item struct {
	Resource *resource.Resource
	Key      string            // as text; "" for a singleton
	Scope    map[string]string // values of the path variables before the key, by name
	Value    any               // as the backend showed it last; nil if it did not
	As       string            // the other identity that created it; "" for the run's own
}

// Variables returns percent-encoded values for variables of a case's path. A deletion that should succeed gets
// an item that no other case has; own asks for one that the run created. exists reports that all values name
// items that are known to exist; variables of which nothing is known are left out.
func (p *Pool) Variables(ctx context.Context, c *cases.Case, own bool) (values map[string]string, exists bool) {
	o := c.Operation
	b := p.Plan.Of(o)
	if b == nil || b.Resource == nil {
		return nil, false
	}
	owner := ownerOf(c)
	scope, exists := p.scope(ctx, b, own, owner)
	values = make(map[string]string, len(scope)+1)
	for name, text := range scope {
		values[name] = url.PathEscape(text)
	}
	consumes := b.Role == resource.Delete && c.Expected == cases.Accepted
	if b.KeyIn != resource.InPath {
		creates := b.Role == resource.Create || b.Role == resource.Upsert || b.Role == resource.Replace
		if b.Resource.Singleton && !creates {
			exists = p.take(ctx, b.Resource, scope, wanted{owner, consumes, own}) != nil && exists
		}
		return values, exists
	}
	item := p.take(ctx, b.Resource, scope, wanted{owner, consumes, own})
	if item == nil {
		return values, false
	}
	key := item.Key
	if len(b.Lookup) > 0 {
		value, ok := jsonvalue.Property(item.Value, b.Lookup)
		if !ok {
			return values, false
		}
		key = Text(value)
	}
	if !p.fits(o, b.Variable, key) {
		return values, false
	}
	for _, v := range b.Scope {
		if text := item.Scope[v.Name]; v.Parent == nil && text != "" && p.fits(o, v.Name, text) {
			values[v.Name] = url.PathEscape(text)
		}
	}
	values[b.Variable] = url.PathEscape(key)
	return values, exists
}

// scope returns values of the variables before the key, of items that exist. Parents are shared, except for what is
// changed if no key follows: that is one that the run created.
func (p *Pool) scope(ctx context.Context, b *resource.Binding, own bool, owner string) (values map[string]string,
	exists bool) {
	values, exists = map[string]string{}, true
	for i, v := range b.Scope {
		var item *Item
		if v.Parent != nil {
			w := wanted{}
			if own && b.KeyIn != resource.InPath && i == len(b.Scope)-1 {
				w = wanted{owner: owner, own: true}
			}
			item = p.take(ctx, v.Parent, values, w)
		}
		if item == nil || !p.fits(b.Operation, v.Name, item.Key) {
			exists = false
			continue
		}
		values[v.Name] = item.Key
	}
	return values, exists
}

// fits reports whether a key can stand in an operation's path.
func (p *Pool) fits(o *spec.Operation, variable, key string) bool {
	builder := p.Builder(o)
	return builder == nil || builder.Fits(variable, key)
}

// Parent returns the key of a parent item that is kept for an owner; "" if none is available.
func (p *Pool) Parent(ctx context.Context, r *resource.Resource, scope map[string]string, owner string) string {
	if item := p.take(ctx, r, maps.Clone(scope), wanted{owner: owner}); item != nil {
		return item.Key
	}
	return ""
}

// Forget drops the items that an operation's requests concern: they no longer exist.
func (p *Pool) Forget(o *spec.Operation) {
	for name, value := range p.reserves.Range {
		if r := value.(*reserve); strings.HasPrefix(name.(string), nameOf(o)+"\n") {
			r.mu.Lock()
			r.items = nil
			r.mu.Unlock()
		}
	}
}

// Clear forgets all items: the backend may have lost them.
func (p *Pool) Clear() { p.reserves.Clear() }

// Retry lets the pool try again to create items if it has given up: the
// backend accepts other requests than before.
func (p *Pool) Retry() {
	for _, value := range p.reserves.Range {
		r := value.(*reserve)
		r.mu.Lock()
		r.failed = 0
		r.mu.Unlock()
	}
}

// reserve is the items that one owner's requests concern, below one parent.
type reserve struct {
	mu      sync.Mutex
	items   []*Item
	created int
	failed  int // attempts in a row without an item
}

// maxFailed is after how many failures in a row no more items are created for a reserve.
const maxFailed = 3

// wanted says which item is taken.
type wanted struct {
	owner   string // for whom it is kept; "" for all
	consume bool   // it is taken out of the reserve
	own     bool   // the run must have created it
}

// take returns an item of a resource below the given scope: one that is kept for the owner, or a new one; nil
// if none is available.
func (p *Pool) take(ctx context.Context, r *resource.Resource, scope map[string]string, w wanted) *Item {
	owner := w.owner
	if r.Singleton && !r.Has(resource.Delete) {
		return &Item{Resource: r, Scope: scope}
	}
	pending := pendingIn(ctx)
	if slices.Contains(pending, r) {
		return nil
	}
	value, _ := p.reserves.LoadOrStore(owner+"\n"+r.Name+"\n"+fmt.Sprint(scope), &reserve{})
	have := value.(*reserve)
	switch {
	case owner != "":
		have.mu.Lock()
		defer have.mu.Unlock()
	case len(pending) == 0:
		p.shared.Lock()
		defer p.shared.Unlock()
	}
	if owner == "" {
		ctx = withPending(ctx, r)
	}
	if len(have.items) == 0 {
		if have.failed >= maxFailed {
			return nil
		}
		have.created++
		item := p.create(ctx, r, scope, owner, have.created)
		if item != nil && w.own && p.wasThere(item) {
			item = nil
		}
		if item == nil && !w.consume && !w.own {
			item = p.fromList(ctx, r, scope)
		}
		if item == nil {
			have.failed++
			return nil
		}
		have.failed = 0
		have.items = append(have.items, item)
	}
	last := len(have.items) - 1
	item := have.items[last]
	if w.consume {
		have.items = have.items[:last]
	}
	return item
}

// pendingKey is the context key of the resources whose shared items are being
// created, the outermost first: what needs itself cannot be created.
type pendingKey struct{}

func pendingIn(ctx context.Context) []*resource.Resource {
	pending, _ := ctx.Value(pendingKey{}).([]*resource.Resource)
	return pending
}

func withPending(ctx context.Context, r *resource.Resource) context.Context {
	return context.WithValue(ctx, pendingKey{}, append(slices.Clip(pendingIn(ctx)), r))
}

func nameOf(o *spec.Operation) string { return o.Method + " " + o.Path }

// ownerOf names the owner of a case's items. What changes them has its own.
func ownerOf(c *cases.Case) string {
	if c.Request != nil && c.Request.Method != c.Operation.Method {
		return c.Request.Method + " " + c.Operation.Path
	}
	return nameOf(c.Operation)
}

// References returns values of the properties of an operation's JSON body that refer to items which exist, by the path
// of the property: {"ownerId": 7, "lines.*.productId?": 3}; "?" says that the property gets the value if it is sent.
// unknown names the properties that seem to refer to something of which nothing is known. If an operation uses up what
// it refers to, as a loan does with a book, every call returns other items.
func (p *Pool) References(ctx context.Context, o *spec.Operation) (references map[string]any, unknown []string) {
	k := bodyOf(o)
	if k == nil {
		return nil, nil
	}
	references = map[string]any{}
	builder := p.Builder(o)
	p.visit(k, "", maxReferenceDepth, func(name, path string, property *spec.Keywords) {
		r := p.referred(o, name, path, property)
		if r == nil || schema.ReadOnly(property) || path == name && pathDerived(p.Plan.Of(o), r, name) ||
			builder != nil && builder.HasValue(name) {
			return
		}
		value := p.reference(ctx, r, o, property)
		switch {
		case value == nil:
			unknown = append(unknown, path)
		case path == name:
			references[path] = value
		default:
			references[path+"?"] = value
		}
	})
	return references, unknown
}

// maxReferenceDepth is how deep in a body references are looked for.
const maxReferenceDepth = 3

// bodyOf returns the schema of an operation's JSON body, nil if it has none.
func bodyOf(o *spec.Operation) *spec.Keywords {
	if o.Body == nil {
		return nil
	}
	at := slices.IndexFunc(o.Body.Content, (*spec.MediaType).IsJSON)
	if at < 0 || o.Body.Content[at].Schema == nil {
		return nil
	}
	return o.Body.Content[at].Schema.Keywords
}

// visit visits the properties of a schema in all its branches, and those inside of them.
func (p *Pool) visit(k *spec.Keywords, prefix string, depth int, do func(name, path string, property *spec.Keywords)) {
	properties := schema.Properties(k)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		property := properties[name]
		if strings.Contains(name, ".") {
			continue
		}
		do(name, prefix+name, property)
		if depth > 1 {
			p.visit(property, prefix+name+".", depth-1, do)
			if items := schema.Items(property); items != nil {
				p.visit(items, prefix+name+".*.", depth-1, do)
			}
		}
	}
}

// Referred returns the resource to which a property of an operation's JSON body refers, by the path that References has
// for it; nil if none.
func (p *Pool) Referred(o *spec.Operation, path string) (found *resource.Resource) {
	if k := bodyOf(o); k != nil {
		p.visit(k, "", maxReferenceDepth, func(name, at string, property *spec.Keywords) {
			if at == strings.TrimSuffix(path, "?") {
				found = p.referred(o, name, at, property)
			}
		})
	}
	return found
}

// referred returns the resource to which a property refers: what a refusal has taught, what its name says, or the
// collection that is named like a property which may hold a key; nil if none.
func (p *Pool) referred(o *spec.Operation, name, path string, property *spec.Keywords) *resource.Resource {
	if r, ok := p.learned.Load(o.Method + o.Path + " " + path); ok {
		return r.(*resource.Resource)
	}
	if r := p.Plan.Referred(name); r != nil {
		return r
	}
	types := slices.DeleteFunc(slices.Clone(schema.AllowedTypes(property)), func(t string) bool { return t == "null" })
	if len(types) != 1 || types[0] != "string" && types[0] != "integer" || property.Enum != nil {
		return nil
	}
	b := p.Plan.Of(o)
	at := slices.IndexFunc(p.Plan.Resources, func(r *resource.Resource) bool {
		last := r.Name[strings.LastIndexByte(r.Name, '/')+1:]
		return !r.Singleton && r.Key != nil && naming.IsPlural(last) && naming.SingularName(last) == naming.Fold(name) &&
			(b == nil || b.Resource != r) && keyHasType(r, types[0])
	})
	if at < 0 {
		return nil
	}
	return p.Plan.Resources[at]
}

// keyHasType reports whether the keys of a resource are of a type, as its items show them.
func keyHasType(r *resource.Resource, want string) bool {
	if r.Value == nil || len(KeyOf(r)) != 1 {
		return false
	}
	property := schema.Property(r.Value, KeyOf(r)[0])
	return property != nil && slices.Equal(schema.AllowedTypes(property), []string{want})
}

// Learn tries keys of the resources for a property that a refusal names: try sends a request with a value for it, and
// reports whether the refusal is gone. It reports whether one was found.
func (p *Pool) Learn(ctx context.Context, o *spec.Operation, path string, try func(value any) bool) bool {
	k := bodyOf(o)
	if k == nil {
		return false
	}
	tokens := strings.Split(path, ".")
	for i, token := range tokens {
		if strings.Trim(token, "0123456789") == "" { // of a list
			k, tokens[i] = schema.Items(k), "*"
		} else {
			k = schema.Property(k, token)
		}
		if k == nil {
			return false
		}
	}
	path = strings.Join(tokens, ".")
	for _, r := range p.Plan.Resources {
		if b := p.Plan.Of(o); r.Singleton || b != nil && b.Resource == r {
			continue
		}
		if value := p.reference(ctx, r, o, k); value != nil && try(value) {
			p.learned.Store(o.Method+o.Path+" "+path, r)
			return true
		}
	}
	return false
}

// pathDerived reports whether a property that names a resource is not a reference to another item: it is the
// item's own key, the parent that the path names, or, in a creation, a parent of the item's own kind, of
// which none is known to be right.
func pathDerived(b *resource.Binding, r *resource.Resource, name string) bool {
	if b == nil || b.Resource == nil {
		return false
	}
	return slices.Equal(KeyOf(b.Resource), []string{name}) ||
		b.Resource == r && b.Role == resource.Create ||
		len(b.Scope) > 0 && b.Resource.Parent == r
}

// reference returns a value of a property that refers to an item of a resource, nil if none.
func (p *Pool) reference(ctx context.Context, r *resource.Resource, o *spec.Operation, k *spec.Keywords) any {
	if len(r.Bindings) == 0 || onlyScoped(r) {
		return nil
	}
	var item *Item
	if n, ok := p.consuming.Load(o); ok {
		if slices.Contains(pendingIn(ctx), r) {
			return nil
		}
		ctx = withPending(ctx, r)
		item = p.create(ctx, r, nil, "used by "+nameOf(o), int(n.(*atomic.Int64).Add(1)))
	}
	if item == nil {
		item = p.take(ctx, r, nil, wanted{})
	}
	return keyAs(item, k)
}

// Consume notes that an operation uses up what it refers to.
func (p *Pool) Consume(o *spec.Operation) { p.consuming.LoadOrStore(o, &atomic.Int64{}) }

// NoteVersion notes the property of an item whose current value the body of a change must have; "" for none.
func (p *Pool) NoteVersion(o *spec.Operation, property string) { p.versions.Store(o, property) }

// Version returns the property that NoteVersion noted last; "" if none.
func (p *Pool) Version(o *spec.Operation) string {
	name, _ := p.versions.Load(o)
	text, _ := name.(string)
	return text
}

// Consumes reports whether an operation uses up what it refers to.
func (p *Pool) Consumes(o *spec.Operation) bool {
	_, ok := p.consuming.Load(o)
	return ok
}

// onlyScoped reports whether items of a resource are only created and listed below a parent.
func onlyScoped(r *resource.Resource) bool {
	return !slices.ContainsFunc(r.Bindings, func(b *resource.Binding) bool {
		return (b.Role == resource.Create || b.Role == resource.List) && len(b.Scope) == 0
	})
}

// keyAs returns an item's key as a property's schema wants it: alone, or as the
// only element of an array; nil if it does not fit, or there is no item.
func keyAs(item *Item, k *spec.Keywords) any {
	if item == nil {
		return nil
	}
	candidates := []any{item.Key}
	if value, ok := jsonvalue.Property(item.Value, KeyOf(item.Resource)); ok && KeyOf(item.Resource) != nil {
		candidates = []any{value, item.Key}
	}
	if strings.Trim(item.Key, "0123456789") == "" {
		candidates = append(candidates, json.Number(item.Key))
	}
	for _, value := range candidates {
		for _, form := range []any{value, []any{value}} {
			if schema.Conforms(k, form) {
				return form
			}
		}
	}
	return nil
}

// KeyOf returns the way to the key in an item of a resource, nil if no property holds it.
func KeyOf(r *resource.Resource) []string {
	if r.Key == nil {
		return nil
	}
	return r.Key.Property
}
