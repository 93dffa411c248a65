package mock

import (
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// seed makes generated items: so many in each collection that data does not
// name, below each item where it stands below others, and what there is one of.
// Items that name a parent name one that is there.
func (p *planting) seed() {
	if p.options.SeedItems == 0 {
		return
	}
	done := map[*resource.Resource]bool{}
	for r := range p.collections {
		done[r] = true
	}
	for _, r := range p.resources {
		p.seedResource(r, done)
	}
}

// seedResource seeds the resource above first.
func (p *planting) seedResource(r *resource.Resource, done map[*resource.Resource]bool) {
	k := p.kept[r]
	if k == nil || k.value == nil || done[r] {
		return
	}
	done[r] = true
	if r.Parent != nil {
		p.seedResource(r.Parent, done)
	}
	scope := k.nested()
	if len(scope) == 0 {
		p.seedCollection(k, "/"+k.Name, map[string]any{}, nil)
		return
	}
	last := scope[len(scope)-1]
	if last.Parent == nil {
		return // there are no items that it could stand below
	}
	for _, above := range p.collections[last.Parent] {
		for item := range p.in.View().Items(above.name, 0) {
			collection, keys := "/"+k.Name, append(slices.Clone(above.above), item.Key)
			if k.Scoped {
				collection = state.Below(above.name, item.Key, k.Name)
			}
			p.seedCollection(k, collection, k.under(scope, keys, item), keys)
		}
	}
}

// nested gives the variables below whose items alone a resource's own stand,
// none where there is a way to them without.
func (k *keeping) nested() []resource.Variable {
	var scope []resource.Variable
	for _, b := range k.Bindings {
		if !k.Scoped && b.Role != resource.List && b.Role != resource.Create {
			continue
		}
		if len(b.Scope) == 0 {
			return nil
		}
		if scope == nil {
			scope = b.Scope
		}
	}
	return scope
}

// under gives what an item has of the items that it stands below, by their keys.
// above is the last of them, which may know the keys of those above itself.
func (k *keeping) under(scope []resource.Variable, keys []string, above *state.Item) map[string]any {
	have := map[string]any{}
	for i, v := range scope {
		if k.Scoped && v.Property == nil {
			continue
		}
		var value any
		switch at := len(keys) - len(scope) + i; {
		case at >= 0:
			value = keys[at]
		default:
			var ok bool
			if value, ok = resource.Get(decodeItem(above), scopeProperty(v)); !ok {
				continue
			}
		}
		have = resource.Set(have, scopeProperty(v), k.typedAt(v.Property, value)).(map[string]any)
	}
	return have
}

// seedCollection makes items that have what they are given. Generated items take
// up to half of the room, so that none must go for what clients create.
func (p *planting) seedCollection(k *keeping, collection string, given map[string]any, above []string) {
	items := p.options.SeedItems
	if k.Singleton {
		items = 1
	}
	var parents []*state.Item
	if k.ParentProperty != nil && len(given) == 0 {
		for _, above := range p.collections[k.Parent] {
			parents = append(parents, p.in.View().List(above.name, 0, items)...)
		}
	}
	for i := range items {
		if p.count >= p.options.MaxItems/2 {
			return
		}
		have, text := maps.Clone(given), theOne
		if !k.Singleton {
			var key any
			key, text = k.newKey(p.in, p.options.Seed, collection)
			if k.Key != nil && k.Key.Property != nil {
				have = resource.Set(have, k.Key.Property, key).(map[string]any)
			}
		}
		if len(parents) > 0 {
			have = resource.Set(have, k.ParentProperty, k.typedAt(k.ParentProperty, parents[i%len(parents)].Key)).(map[string]any)
		}
		value, err := k.maker().Fill(generate.NewKey(p.options.Seed, "item", k.Name, collection, text), have)
		item, ok := value.(map[string]any)
		if err != nil || !ok {
			return
		}
		for name, value := range given {
			if strings.HasPrefix(name, hidden) {
				item[name] = value
			}
		}
		if json, ok := written(item); ok {
			p.keep(p.in.Insert(collection, text, json, state.Seeded)) // a key that is taken makes one item fewer
			p.note(k.Resource, collection, func() []string { return above })
		}
	}
}
