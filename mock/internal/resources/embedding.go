package resources

import (
	"maps"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// embeddedBy returns the resource of whose items a property shows a part with the key, as customer: {id, name}; nil if
// none.
func (k *Runtime) embeddedBy(p resource.Property) *resource.Resource {
	if p.Kind != schema.Object {
		return nil
	}
	to := k.plan.Referred(p.Name + "Id")
	if to == nil || len(to.Key.Property) != 1 || schema.Properties(k.properties[p.Name])[to.Key.Property[0]] == nil {
		return nil
	}
	return to
}

// findEmbedded notes which items of other resources the items of a resource show.
func (s *Set) findEmbedded(k *Runtime) {
	for _, p := range k.Properties {
		if of := s.runtimes[k.embeddedBy(p)]; of != nil && of != k && of.Item != nil && !of.Singleton {
			k.embeds = append(k.embeds, embedding{p.Name, of})
			of.embeddedIn = append(of.embeddedIn, child{k, []string{p.Name, of.Key.Property[0]}})
		}
	}
}

// embedding is a property that shows a part of an item of a resource.
type embedding struct {
	property string
	of       *Runtime
}

// withEmbedded returns an item whose objects that name other items by their keys have what those items say. What was
// sent stays. old is the item before; nil for a new one.
func (q *Request) withEmbedded(item, old map[string]any) map[string]any {
	for _, e := range q.op.runtime.embeds {
		object, _ := item[e.property].(map[string]any)
		key := e.of.keyOf(object)
		before, _ := old[e.property].(map[string]any)
		if key == "" || e.of.keyOf(before) == key {
			continue
		}
		property := q.op.runtime.properties[e.property]
		shown := maps.Clone(respond.Listed(q.set.itemOf(q, e.of.Resource, key), schema.Properties(property)))
		if shown == nil {
			continue
		}
		maps.Copy(shown, object)
		if spec.Conforms(property, shown) {
			item = jsonvalue.WithMember(item, e.property, shown)
		}
	}
	return item
}

// renewEmbedded changes what other items show of an item that was changed. What they said otherwise before stays.
func (q *Request) renewEmbedded(old, item map[string]any) {
	for _, c := range q.op.runtime.embeddedIn {
		name := c.property[0]
		members := schema.Properties(c.runtime.properties[name])
		before, now := respond.Listed(WithoutHidden(old), members), respond.Listed(WithoutHidden(item), members)
		if jsonvalue.Equals(before, now) {
			continue
		}
		for _, kept := range q.namedBy(c, q.op.runtime.keyOf(item)) {
			value := DecodeItem(kept)
			object, _ := value[name].(map[string]any)
			object = maps.Clone(object)
			for member, was := range object {
				if value, has := now[member]; has && jsonvalue.Equals(was, before[member]) {
					object[member] = value
				}
			}
			text, ok := EncodeItem(jsonvalue.WithMember(value, name, object))
			if !ok || !spec.Conforms(c.runtime.properties[name], object) {
				continue
			}
			if _, _, err := q.put(kept.Collection, kept.Key, text, kept.Flags, state.Any); err != nil {
				q.set.options.StoreFull()
			}
		}
	}
}
