package itempool

import (
	"context"
	"maps"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
)

// create creates an item; nil where the document has no way to do so, or the
// backend refuses. owner and n decide its values.
func (p *Pool) create(ctx context.Context, r *resource.Resource, scope map[string]string, owner string, n int) *Item {
	for _, b := range r.Bindings {
		creates := b.Role == resource.Create || b.Role == resource.Upsert || r.Singleton && b.Role == resource.Replace
		if !creates || p.options.ReadOnly {
			continue
		}
		seed := int(generate.NewKey(uint64(n), owner, r.Name) % 1_000_000_000)
		c, refers := p.creation(ctx, b, scope, seed)
		if c == nil {
			continue
		}
		x := p.options.Send(ctx, c)
		if x.Status() == 409 && refers && !p.Consumes(b.Operation) {
			p.Consume(b.Operation)
			if c, _ = p.creation(ctx, b, scope, seed); c == nil {
				continue
			}
			x = p.options.Send(ctx, c)
		}
		switch {
		case x == nil:
			return nil
		case !x.Succeeded():
			continue
		case r.Singleton:
			return &Item{Resource: r, Scope: scope}
		}
		scope = withPathDerived(scope, b, c)
		if item := Created(b, x); item != nil {
			item.Scope = scope
			return item
		}
	}
	return nil
}

// creation gives a plain request that creates an item; nil where there is none.
// refers reports whether its body refers to other items.
func (p *Pool) creation(ctx context.Context, b *resource.Binding, scope map[string]string, seed int,
) (c *cases.Case, refers bool) {
	builder := p.options.Builder(b.Operation)
	if builder == nil {
		return nil, false
	}
	references, _ := p.References(ctx, b.Operation)
	c, err := builder.Plain(seed, references)
	if err != nil {
		return nil, false
	}
	c.Phase, c.Title = Phase, "an item for other requests"
	values := ScopeFor(b, scope)
	for _, v := range b.Scope {
		if _, ok := values[v.Name]; ok || v.Parent == nil {
			continue
		}
		if parent := p.take(ctx, v.Parent, values, "", false); parent != nil {
			values[v.Name] = parent.Key
		}
	}
	p.FillPath(c, values)
	return c, len(references) > 0
}

// withPathDerived adds to a scope the values that a case has for variables whose
// parents the document does not describe: the item is below these alone.
func withPathDerived(scope map[string]string, b *resource.Binding, c *cases.Case) map[string]string {
	for _, v := range b.Scope {
		text, err := url.PathUnescape(c.Path[v.Name])
		if v.Parent == nil && err == nil && text != "" && scope[v.Name] == "" {
			with := map[string]string{v.Name: text}
			maps.Copy(with, scope)
			scope = with
		}
	}
	return scope
}

// ScopeFor gives the values of a scope by the names that an operation has for its
// variables. Where operations of a resource name a variable differently, its
// place in the path counts.
func ScopeFor(b *resource.Binding, scope map[string]string) map[string]string {
	values := map[string]string{}
	for at, v := range b.Scope {
		if text, ok := scope[v.Name]; ok {
			values[v.Name] = text
			continue
		}
		for _, other := range b.Resource.Bindings {
			if at >= len(other.Scope) {
				continue
			}
			if text, ok := scope[other.Scope[at].Name]; ok {
				values[v.Name] = text
				break
			}
		}
	}
	return values
}

// fromList takes an item that the backend lists.
func (p *Pool) fromList(ctx context.Context, r *resource.Resource, scope map[string]string) *Item {
	for _, b := range r.Bindings {
		builder := p.options.Builder(b.Operation)
		if b.Role != resource.List || b.List == nil || b.Subset || builder == nil {
			continue
		}
		c, err := builder.Plain(0, nil)
		if err != nil {
			continue
		}
		c.Phase, c.Title = Phase, "a list of the items that exist"
		p.FillPath(c, ScopeFor(b, scope))
		x := p.options.Send(ctx, c)
		if !x.Succeeded() || r.Key == nil || r.Key.Property == nil {
			continue
		}
		if items, _ := b.List.Items.Items(Body(x)); len(items) > 0 {
			if key, ok := resource.Get(items[0], r.Key.Property); ok {
				return &Item{Resource: r, Key: Text(key), Scope: scope, Value: items[0]}
			}
		}
	}
	return nil
}

// FillPath puts values in place of variables of a case's path, and the case's own
// values in place of the rest.
func (p *Pool) FillPath(c *cases.Case, values map[string]string) {
	for name, text := range values {
		if p.fits(c.Operation, name, text) {
			c.Request.Path = strings.ReplaceAll(c.Request.Path, "{"+name+"}", url.PathEscape(text))
		}
	}
	for name, text := range c.Path {
		c.Request.Path = strings.ReplaceAll(c.Request.Path, "{"+name+"}", text)
	}
}
