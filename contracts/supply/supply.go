// Package supply finds or makes the items at the backend that requests are
// about: keys for the variables of paths, and references for bodies.
package supply

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/cases"
	"github.com/coldframe/coldframe/contracts/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// Send sends a case as it is; nil says that nothing can be sent any more.
type Send func(context.Context, *cases.Case) *checks.Exchange

// Options say where items come from.
type Options struct {
	// Maker gives the maker of an operation's cases; nil where it is not to be
	// used.
	Maker func(*spec.Operation) *cases.Maker
	Send  Send
	// ReadOnly makes no items: they are taken from lists.
	ReadOnly bool
}

// Supply knows what exists at the backend. It is safe for concurrent use.
type Supply struct {
	plan    *resource.Plan
	options Options

	// shared is held while parents and what bodies refer to are made, which may
	// need one another.
	shared sync.Mutex

	mu        sync.Mutex
	pools     map[string]*pool
	consuming map[*spec.Operation]int // operations that use up what they refer to, and how often they have
}

// pool is the items that one operation's requests are about, below one parent.
type pool struct {
	mu     sync.Mutex
	items  []*Item
	made   int
	failed int // attempts in a row that gave nothing
}

// Item is one item at the backend.
type Item struct {
	Resource *resource.Resource
	Key      string            // as text; "" for a singleton
	Scope    map[string]string // the texts of the variables before the key, by name
	Value    any               // as the backend showed it last; nil where it did not
}

// New makes a supply that creates what it lacks by the operations of the plan.
func New(plan *resource.Plan, o Options) *Supply {
	return &Supply{plan: plan, options: o, pools: map[string]*pool{}, consuming: map[*spec.Operation]int{}}
}

// maxFailed is after how many failures in a row a pool makes no more items.
const maxFailed = 3

// Variables gives texts, percent-encoded, for variables of a case's path. Where
// the case is a removal that should come to pass, no other case has been given
// that item. exists says that all of them name items that are known to be
// there; variables of which nothing is known are left out.
func (s *Supply) Variables(ctx context.Context, c *cases.Case) (texts map[string]string, exists bool) {
	o := c.Operation
	b := s.plan.Of(o)
	if b == nil || b.Resource == nil {
		return nil, false
	}
	scope, exists := s.scope(ctx, b, o)
	texts = escaped(scope)
	consumes := b.Role == resource.Delete && c.Want == cases.Accepted
	if b.KeyIn != resource.InPath {
		if b.Resource.Singleton && !puts(b.Role) {
			exists = s.item(ctx, b.Resource, scope, nameOf(o), consumes) != nil && exists
		}
		return texts, exists
	}
	item := s.item(ctx, b.Resource, scope, nameOf(o), consumes)
	if item == nil {
		return texts, false
	}
	key := item.Key
	if len(b.Lookup) > 0 {
		value, ok := resource.Get(item.Value, b.Lookup)
		if !ok {
			return texts, false
		}
		key = Text(value)
	}
	if !s.fits(o, b.Variable, key) {
		return texts, false
	}
	texts[b.Variable] = url.PathEscape(key)
	return texts, exists
}

// puts reports whether an operation of a role puts its item there by itself.
func puts(role resource.Role) bool {
	return role == resource.Create || role == resource.Upsert || role == resource.Replace
}

// fits reports whether a key can stand in an operation's path.
func (s *Supply) fits(o *spec.Operation, variable, key string) bool {
	maker := s.options.Maker(o)
	return maker == nil || maker.Fits(variable, key)
}

// Parent gives the key of an item that other items are made below, kept for an
// owner; "" where there is none to be had.
func (s *Supply) Parent(ctx context.Context, r *resource.Resource, scope map[string]string, owner string) string {
	item := s.item(ctx, r, maps.Clone(scope), owner, false)
	if item == nil {
		return ""
	}
	return item.Key
}

// Forget drops the item that an operation's requests are about: it has gone.
func (s *Supply) Forget(o *spec.Operation) {
	var own []*pool
	s.mu.Lock()
	for name, p := range s.pools {
		if strings.HasPrefix(name, nameOf(o)+"\n") {
			own = append(own, p)
		}
	}
	s.mu.Unlock()
	for _, p := range own {
		p.mu.Lock()
		p.items = nil
		p.mu.Unlock()
	}
}

// scope gives texts of the variables before the key, of items that exist. for
// names the operation for which they are wanted.
func (s *Supply) scope(ctx context.Context, b *resource.Binding, o *spec.Operation) (map[string]string, bool) {
	texts := map[string]string{}
	exists := true
	for _, v := range b.Scope {
		if v.Parent == nil {
			exists = false
			continue
		}
		owner := "" // parents are shared
		if b.Role == resource.DeleteMany {
			owner = nameOf(o)
		}
		item := s.item(ctx, v.Parent, texts, owner, false)
		if item == nil || !s.fits(o, v.Name, item.Key) {
			exists = false
			continue
		}
		texts[v.Name] = item.Key
	}
	return texts, exists
}

// item gives an item of a resource below the given scope: one that is kept for
// the owner, or a new one; nil where there is none to be had. consumes takes it
// out of the pool.
func (s *Supply) item(ctx context.Context, r *resource.Resource, scope map[string]string, owner string, consumes bool) *Item {
	if r.Singleton && !r.Has(resource.Delete) {
		return &Item{Resource: r, Scope: scope}
	}
	chain := chainOf(ctx)
	if slices.Contains(chain, r) {
		return nil
	}
	p := s.pool(owner + "\n" + r.Name + "\n" + fmt.Sprint(scope))
	switch {
	case owner != "":
		p.mu.Lock()
		defer p.mu.Unlock()
	case len(chain) == 0:
		s.shared.Lock()
		defer s.shared.Unlock()
	}
	if owner == "" {
		ctx = context.WithValue(ctx, chainKey{}, append(slices.Clip(chain), r))
	}
	if len(p.items) == 0 {
		if p.failed >= maxFailed {
			return nil
		}
		p.made++
		item := s.make(ctx, r, scope, owner, p.made)
		if item == nil && !consumes {
			item = s.listed(ctx, r, scope)
		}
		if item == nil {
			p.failed++
			return nil
		}
		p.failed = 0
		p.items = append(p.items, item)
	}
	item := p.items[len(p.items)-1]
	if consumes {
		p.items = p.items[:len(p.items)-1]
	}
	return item
}

// chainKey is the key of the shared resources that are being made, the outermost
// first: what needs itself cannot be made.
type chainKey struct{}

func chainOf(ctx context.Context) []*resource.Resource {
	chain, _ := ctx.Value(chainKey{}).([]*resource.Resource)
	return chain
}

func (s *Supply) pool(name string) *pool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pools[name]
	if p == nil {
		p = &pool{}
		s.pools[name] = p
	}
	return p
}

// make creates an item; nil where the document has no way to do so, or the
// backend does not. owner and n decide what it is like.
func (s *Supply) make(ctx context.Context, r *resource.Resource, scope map[string]string, owner string, n int) *Item {
	if s.options.ReadOnly {
		return nil
	}
	for _, b := range r.Bindings {
		if b.Role != resource.Create && b.Role != resource.Upsert && !(r.Singleton && b.Role == resource.Replace) {
			continue
		}
		maker := s.options.Maker(b.Operation)
		if maker == nil {
			continue
		}
		have, _ := s.References(ctx, b.Operation)
		c, err := maker.Plain(int(generate.NewKey(uint64(n), owner, r.Name)%1_000_000_000), have)
		if err != nil {
			continue
		}
		c.Phase, c.Title = "supply", "an item for other requests"
		texts := map[string]string{}
		for i, v := range b.Scope {
			// The creating operation may name its variables otherwise.
			if text, ok := scope[v.Name]; ok {
				texts[v.Name] = text
			} else if text, ok := scopeAt(r, i, scope); ok {
				texts[v.Name] = text
			} else if v.Parent != nil {
				if parent := s.item(ctx, v.Parent, texts, "", false); parent != nil {
					texts[v.Name] = parent.Key
				}
			}
		}
		key := ""
		if b.KeyIn == resource.InPath {
			key, _ = url.PathUnescape(c.Path[b.Variable])
			texts[b.Variable] = key
		}
		s.fill(c, texts)
		x := s.options.Send(ctx, c)
		if x != nil && x.Status() == 409 && len(have) > 0 && !s.Consumes(b.Operation) {
			s.Consume(b.Operation)
			return s.make(ctx, r, scope, owner, n)
		}
		if x == nil {
			return nil
		}
		if !x.Succeeded() {
			continue
		}
		if r.Singleton {
			return &Item{Resource: r, Scope: scope}
		}
		if item := Shown(b, x); item != nil {
			item.Scope = scope
			if key != "" {
				item.Key = key
			}
			return item
		}
		if key != "" {
			return &Item{Resource: r, Key: key, Scope: scope}
		}
	}
	return nil
}

// scopeAt gives the text of a scope's variable by its place, where the
// operations of a resource name it differently.
func scopeAt(r *resource.Resource, i int, scope map[string]string) (string, bool) {
	for _, b := range r.Bindings {
		if i < len(b.Scope) {
			if text, ok := scope[b.Scope[i].Name]; ok {
				return text, true
			}
		}
	}
	return "", false
}

// listed takes an item that the backend lists.
func (s *Supply) listed(ctx context.Context, r *resource.Resource, scope map[string]string) *Item {
	for _, b := range r.Bindings {
		if b.Role != resource.List || b.List == nil || b.Subset {
			continue
		}
		maker := s.options.Maker(b.Operation)
		if maker == nil {
			continue
		}
		c, err := maker.Plain(0, nil)
		if err != nil {
			continue
		}
		c.Phase, c.Title = "supply", "a list of what there is"
		texts := map[string]string{}
		for i, v := range b.Scope {
			if text, ok := scope[v.Name]; ok {
				texts[v.Name] = text
			} else if text, ok := scopeAt(r, i, scope); ok {
				texts[v.Name] = text
			}
		}
		s.fill(c, texts)
		x := s.options.Send(ctx, c)
		if x == nil || !x.Succeeded() {
			continue
		}
		items, ok := b.List.Items.Items(Body(x))
		if !ok || len(items) == 0 || r.Key == nil || r.Key.Property == nil {
			continue
		}
		if key, ok := resource.Get(items[0], r.Key.Property); ok {
			return &Item{Resource: r, Key: Text(key), Scope: scope, Value: items[0]}
		}
	}
	return nil
}

// fill puts texts in place of variables of a case's path, and the case's own
// texts in place of the rest.
func (s *Supply) fill(c *cases.Case, texts map[string]string) {
	for name, text := range texts {
		if !s.fits(c.Operation, name, text) {
			continue
		}
		c.Request.Path = strings.ReplaceAll(c.Request.Path, "{"+name+"}", url.PathEscape(text))
	}
	for name, text := range c.Path {
		c.Request.Path = strings.ReplaceAll(c.Request.Path, "{"+name+"}", text)
	}
}

func escaped(texts map[string]string) map[string]string {
	all := make(map[string]string, len(texts)+1)
	for name, text := range texts {
		all[name] = url.PathEscape(text)
	}
	return all
}

func nameOf(o *spec.Operation) string { return o.Method + " " + o.Path }

// Body gives the JSON body of an answer, nil where it has none.
func Body(x *checks.Exchange) any { return decoded(x.Response) }

// locationKey gives the key at the end of the answer's Location, where that is the
// path of an item.
func locationKey(h exchange.Header) string {
	location, ok := h.Get("Location")
	if !ok {
		return ""
	}
	u, err := url.Parse(location)
	if err != nil {
		return ""
	}
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	key, err := url.PathUnescape(path[strings.LastIndexByte(path, '/')+1:])
	if err != nil {
		return ""
	}
	return key
}
