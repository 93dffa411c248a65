package itempool

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// References gives values of the properties of an operation's JSON body that
// refer to items which exist, by the property's name: {"ownerId": 7}. unknown
// names the properties that seem to refer to something of which nothing is
// known. Where an operation uses up what it refers to, as a loan does with a
// book, every call gives other items.
func (p *Pool) References(ctx context.Context, o *spec.Operation) (references map[string]any, unknown []string) {
	if o.Body == nil {
		return nil, nil
	}
	at := slices.IndexFunc(o.Body.Content, (*spec.MediaType).IsJSON)
	if at < 0 || o.Body.Content[at].Schema == nil {
		return nil, nil
	}
	references = map[string]any{}
	properties := o.Body.Content[at].Schema.Properties()
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		r := p.plan.Referred(name)
		if r == nil || properties[name].ReadOnly || pathDerived(p.plan.Of(o), r, name) {
			continue
		}
		if value := p.reference(ctx, r, o, properties[name]); value != nil {
			references[name] = value
		} else {
			unknown = append(unknown, name)
		}
	}
	return references, unknown
}

// pathDerived reports whether a property that names a resource is no reference
// to another item: it is the item's own key, the parent that the path names, or,
// in a creation, a parent of the item's own kind, of which none is known to be
// right.
func pathDerived(b *resource.Binding, r *resource.Resource, name string) bool {
	if b == nil || b.Resource == nil {
		return false
	}
	return b.Resource.Key != nil && slices.Equal(b.Resource.Key.Property, []string{name}) ||
		b.Resource == r && b.Role == resource.Create ||
		len(b.Scope) > 0 && b.Resource.Parent == r
}

// reference gives a value of a property that refers to an item of a resource, nil
// where there is none.
func (p *Pool) reference(ctx context.Context, r *resource.Resource, o *spec.Operation, k *spec.Keywords) any {
	if len(r.Bindings) == 0 || onlyScoped(r) {
		return nil
	}
	if item := p.referred(ctx, r, o); item != nil {
		return keyAs(item, k)
	}
	return nil
}

// Consume notes that an operation uses up what it refers to.
func (p *Pool) Consume(o *spec.Operation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.consuming[o]; !ok {
		p.consuming[o] = 0
	}
}

// Consumes reports whether an operation uses up what it refers to.
func (p *Pool) Consumes(o *spec.Operation) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.consuming[o]
	return ok
}

// referred gives an item that an operation's body can refer to.
func (p *Pool) referred(ctx context.Context, r *resource.Resource, o *spec.Operation) *Item {
	p.mu.Lock()
	n, consumes := p.consuming[o]
	if consumes {
		p.consuming[o] = n + 1
	}
	p.mu.Unlock()
	if consumes {
		if slices.Contains(pendingIn(ctx), r) {
			return nil
		}
		ctx = withPending(ctx, r)
		if item := p.create(ctx, r, nil, "used by "+nameOf(o), n+1); item != nil {
			return item
		}
	}
	return p.take(ctx, r, nil, "", false)
}

// onlyScoped reports whether items of a resource are only created and listed below a parent.
func onlyScoped(r *resource.Resource) bool {
	return !slices.ContainsFunc(r.Bindings, func(b *resource.Binding) bool {
		return (b.Role == resource.Create || b.Role == resource.List) && len(b.Scope) == 0
	})
}

// keyAs gives an item's key as a property's schema wants it: alone, or as the
// only element of an array; nil where it does not fit.
func keyAs(item *Item, k *spec.Keywords) any {
	var candidates []any
	if item.Resource.Key != nil && item.Resource.Key.Property != nil {
		if value, ok := resource.Get(item.Value, item.Resource.Key.Property); ok {
			candidates = append(candidates, value)
		}
	}
	candidates = append(candidates, item.Key)
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
