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
		texts := named(r, b, scope)
		for _, v := range b.Scope {
			if _, ok := texts[v.Name]; ok || v.Parent == nil {
				continue
			}
			if parent := s.item(ctx, v.Parent, texts, "", false); parent != nil {
				texts[v.Name] = parent.Key
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
		scope = within(scope, b, c)
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

// within adds to a scope the texts by which a case filled variables whose parents
// the document does not describe: the item is below these alone.
func within(scope map[string]string, b *resource.Binding, c *cases.Case) map[string]string {
	for _, v := range b.Scope {
		if text, err := url.PathUnescape(c.Path[v.Name]); v.Parent == nil && err == nil && text != "" && scope[v.Name] == "" {
			with := map[string]string{v.Name: text}
			maps.Copy(with, scope)
			scope = with
		}
	}
	return scope
}

// named gives the texts of a scope by the names that an operation has for its
// variables.
func named(r *resource.Resource, b *resource.Binding, scope map[string]string) map[string]string {
	texts := map[string]string{}
	for i, v := range b.Scope {
		if text, ok := scope[v.Name]; ok {
			texts[v.Name] = text
		} else if text, ok := scopeAt(r, i, scope); ok {
			texts[v.Name] = text
		}
	}
	return texts
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
		texts := named(r, b, scope)
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

// puts reports whether an operation of a role puts its item there by itself.
func puts(role resource.Role) bool {
	return role == resource.Create || role == resource.Upsert || role == resource.Replace
}
