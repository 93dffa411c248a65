// Package itempool finds or makes the items at the backend that requests are
// about: keys for the variables of paths, and references for bodies.
package itempool

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// Send sends a case as it is; nil says that nothing can be sent any more.
type Send func(context.Context, *cases.Case) *checks.Exchange

// Options say where items come from.
type Options struct {
	// Maker gives the maker of an operation's cases; nil where it is not to be
	// used.
	Maker func(*spec.Operation) *cases.Builder
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
	consumes := b.Role == resource.Delete && c.Expected == cases.Accepted
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
	for _, v := range b.Scope {
		if text := item.Scope[v.Name]; v.Parent == nil && text != "" && s.fits(o, v.Name, text) {
			texts[v.Name] = url.PathEscape(text)
		}
	}
	texts[b.Variable] = url.PathEscape(key)
	return texts, exists
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

// Retry lets pools make items again that have given up: the backend takes other
// requests than before.
func (s *Supply) Retry() {
	s.mu.Lock()
	all := slices.Collect(maps.Values(s.pools))
	s.mu.Unlock()
	for _, p := range all {
		p.mu.Lock()
		p.failed = 0
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
