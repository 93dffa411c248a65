package mock

import (
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/state"
)

// seeded gives what sessions begin with: so many generated items in each
// collection that stands by itself. Items that name a parent name a seeded one.
func (c *contract) seeded(s *Server) *state.View {
	o := &s.options
	in := state.New(state.Limits{Items: o.MaxItems})
	if o.SeedItems == 0 {
		return in.View()
	}
	keys := map[*resource.Resource][]any{}
	for _, b := range c.resources {
		k := c.kept[b]
		if k == nil || k.Singleton || k.Scoped || k.value == nil {
			continue
		}
		collection := "/" + k.Name
		for i := range o.SeedItems {
			key, text := k.newKey(in, o.Seed, collection)
			have := map[string]any{}
			if k.Key != nil && k.Key.Property != nil {
				have = resource.Set(have, k.Key.Property, key).(map[string]any)
			}
			if parents := keys[k.Parent]; len(parents) > 0 && k.ParentProperty != nil {
				have = resource.Set(have, k.ParentProperty, k.typedAt(k.ParentProperty, parents[i%len(parents)])).(map[string]any)
			}
			value, err := k.maker().Fill(generate.NewKey(o.Seed, "item", k.Name, collection, text), have)
			item, ok := value.(map[string]any)
			if err != nil || !ok {
				break
			}
			if json, ok := written(item); ok {
				in.Insert(collection, text, json, state.Seeded) // a key that is taken makes one item fewer
			}
			keys[b] = append(keys[b], key)
		}
	}
	return in.View()
}
