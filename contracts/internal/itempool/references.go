package itempool

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// References gives values of the properties of an operation's JSON body that
// refer to items which exist, by the property's name: {"ownerId": 7}. unknown
// names the properties that seem to refer to something of which nothing is
// known. Where an operation uses up what it refers to, as a loan does with a
// book, every call gives other items.
func (s *Supply) References(ctx context.Context, o *spec.Operation) (have map[string]any, unknown []string) {
	if o.Body == nil {
		return nil, nil
	}
	at := slices.IndexFunc(o.Body.Content, (*spec.MediaType).IsJSON)
	if at < 0 || o.Body.Content[at].Schema == nil {
		return nil, nil
	}
	own := s.plan.Of(o)
	have = map[string]any{}
	properties := o.Body.Content[at].Schema.Properties()
	for _, name := range sortedNames(properties) {
		r := s.plan.Referred(name)
		if r == nil || own != nil && own.Resource != nil && own.Resource.Key != nil && slices.Equal(own.Resource.Key.Property, []string{name}) {
			continue
		}
		if own != nil && own.Resource == r && own.Role == resource.Create { // a parent of its own kind: none is known to be right
			continue
		}
		if k := properties[name]; k.ReadOnly || own != nil && len(own.Scope) > 0 && own.Resource != nil && own.Resource.Parent == r {
			continue // the path says it
		}
		if len(r.Bindings) == 0 || s.scoped(r) {
			unknown = append(unknown, name)
			continue
		}
		item := s.referred(ctx, r, o)
		if item == nil {
			unknown = append(unknown, name)
			continue
		}
		value := typed(item, properties[name])
		if value == nil {
			unknown = append(unknown, name)
			continue
		}
		have[name] = value
	}
	return have, unknown
}

// Consume notes that an operation uses up what it refers to.
func (s *Supply) Consume(o *spec.Operation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.consuming[o]; !ok {
		s.consuming[o] = 0
	}
}

// Consumes reports whether an operation uses up what it refers to.
func (s *Supply) Consumes(o *spec.Operation) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.consuming[o]
	return ok
}

// referred gives an item that an operation's body can refer to.
func (s *Supply) referred(ctx context.Context, r *resource.Resource, o *spec.Operation) *Item {
	s.mu.Lock()
	n, consumes := s.consuming[o]
	if consumes {
		s.consuming[o] = n + 1
	}
	s.mu.Unlock()
	if !consumes {
		return s.item(ctx, r, nil, "", false)
	}
	if slices.Contains(chainOf(ctx), r) {
		return nil
	}
	ctx = context.WithValue(ctx, chainKey{}, append(slices.Clip(chainOf(ctx)), r))
	if item := s.make(ctx, r, nil, "used by "+nameOf(o), n+1); item != nil {
		return item
	}
	return s.item(ctx, r, nil, "", false)
}

// scoped reports whether items of a resource can only be made below a parent.
func (s *Supply) scoped(r *resource.Resource) bool {
	for _, b := range r.Bindings {
		if (b.Role == resource.Create || b.Role == resource.List) && len(b.Scope) == 0 {
			return false
		}
	}
	return true
}

// typed gives an item's key as a property's schema wants it: alone, or as the
// only element of an array; nil where it does not fit.
func typed(item *Item, k *spec.Keywords) any {
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
		if spec.Conforms(k, value) {
			return value
		}
		if list := []any{value}; spec.Conforms(k, list) {
			return list
		}
	}
	return nil
}

func sortedNames(of map[string]*spec.Keywords) []string {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
