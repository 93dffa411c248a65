// Package itempool finds or creates the items at the backend that requests are
// about: keys for the variables of paths, and references for bodies.
package itempool

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// Phase is the phase of the requests that fill the pool.
const Phase = "items"

// Options say where items come from.
type Options struct {
	// Builder gives the builder of an operation's cases; nil for an operation that is not to be used.
	Builder func(*spec.Operation) *cases.Builder
	// Send sends a case as it is; nil means that nothing more can be sent.
	Send func(context.Context, *cases.Case) *checks.Exchange
	// ReadOnly creates no items: they are taken from lists.
	ReadOnly bool
}

// Pool holds the items that are known to exist at the backend. It is safe for concurrent use.
type Pool struct {
	plan    *resource.Plan
	options Options

	// shared is held while parents and referenced items are created, which may need one another.
	shared sync.Mutex

	mu        sync.Mutex
	reserves  map[string]*reserve
	consuming map[*spec.Operation]int // operations that use up what they refer to: how often each did
}

// Item is one item at the backend.
type Item struct {
	Resource *resource.Resource
	Key      string            // as text; "" for a singleton
	Scope    map[string]string // values of the path variables before the key, by name
	Value    any               // as the backend showed it last; nil where it did not
}

// New makes a pool that creates the items it lacks by the operations of the plan.
func New(plan *resource.Plan, o Options) *Pool {
	return &Pool{plan: plan, options: o, reserves: map[string]*reserve{}, consuming: map[*spec.Operation]int{}}
}

// Variables gives percent-encoded values for variables of a case's path. A
// deletion that should succeed gets an item that no other case has. exists
// reports that all values name items that are known to exist; variables of which
// nothing is known are left out.
func (p *Pool) Variables(ctx context.Context, c *cases.Case) (values map[string]string, exists bool) {
	o := c.Operation
	b := p.plan.Of(o)
	if b == nil || b.Resource == nil {
		return nil, false
	}
	scope, exists := p.scope(ctx, b)
	values = make(map[string]string, len(scope)+1)
	for name, text := range scope {
		values[name] = url.PathEscape(text)
	}
	consumes := b.Role == resource.Delete && c.Expected == cases.Accepted
	if b.KeyIn != resource.InPath {
		creates := b.Role == resource.Create || b.Role == resource.Upsert || b.Role == resource.Replace
		if b.Resource.Singleton && !creates {
			exists = p.take(ctx, b.Resource, scope, nameOf(o), consumes) != nil && exists
		}
		return values, exists
	}
	item := p.take(ctx, b.Resource, scope, nameOf(o), consumes)
	if item == nil {
		return values, false
	}
	key := item.Key
	if len(b.Lookup) > 0 {
		value, ok := resource.Get(item.Value, b.Lookup)
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

// scope gives values of the variables before the key, of items that exist.
func (p *Pool) scope(ctx context.Context, b *resource.Binding) (values map[string]string, exists bool) {
	values, exists = map[string]string{}, true
	owner := "" // parents are shared
	if b.Role == resource.DeleteMany {
		owner = nameOf(b.Operation)
	}
	for _, v := range b.Scope {
		var item *Item
		if v.Parent != nil {
			item = p.take(ctx, v.Parent, values, owner, false)
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
	builder := p.options.Builder(o)
	return builder == nil || builder.Fits(variable, key)
}

// Parent gives the key of a parent item that is kept for an owner; "" where there
// is none to be had.
func (p *Pool) Parent(ctx context.Context, r *resource.Resource, scope map[string]string, owner string) string {
	item := p.take(ctx, r, maps.Clone(scope), owner, false)
	if item == nil {
		return ""
	}
	return item.Key
}

// Forget drops the items that an operation's requests are about: they no longer exist.
func (p *Pool) Forget(o *spec.Operation) {
	p.each(func(name string, r *reserve) {
		if strings.HasPrefix(name, nameOf(o)+"\n") {
			r.items = nil
		}
	})
}

// Retry lets the pool try again to create items where it has given up: the
// backend accepts other requests than before.
func (p *Pool) Retry() {
	p.each(func(_ string, r *reserve) { r.failed = 0 })
}

func (p *Pool) each(do func(name string, r *reserve)) {
	p.mu.Lock()
	reserves := maps.Clone(p.reserves)
	p.mu.Unlock()
	for name, r := range reserves {
		r.mu.Lock()
		do(name, r)
		r.mu.Unlock()
	}
}

// reserve is the items that one owner's requests are about, below one parent.
type reserve struct {
	mu      sync.Mutex
	items   []*Item
	created int
	failed  int // attempts in a row that gave nothing
}

// maxFailed is after how many failures in a row no more items are created for a reserve.
const maxFailed = 3

// take gives an item of a resource below the given scope: one that is kept for
// the owner, or a new one; nil where there is none to be had. consume takes it out
// of the reserve.
func (p *Pool) take(ctx context.Context, r *resource.Resource, scope map[string]string, owner string, consume bool,
) *Item {
	if r.Singleton && !r.Has(resource.Delete) {
		return &Item{Resource: r, Scope: scope}
	}
	pending := pendingIn(ctx)
	if slices.Contains(pending, r) {
		return nil
	}
	have := p.reserve(owner + "\n" + r.Name + "\n" + fmt.Sprint(scope))
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
		if item == nil && !consume {
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
	if consume {
		have.items = have.items[:last]
	}
	return item
}

func (p *Pool) reserve(name string) *reserve {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.reserves[name]
	if r == nil {
		r = &reserve{}
		p.reserves[name] = r
	}
	return r
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
