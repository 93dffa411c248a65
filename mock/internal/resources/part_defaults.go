package resources

import (
	"iter"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// partDefaults are the defaults of the properties of a part of an item, as requests describe it; nil if none.
type partDefaults struct {
	values  map[string]any           // of properties
	members map[string]*partDefaults // of the objects and lists in the part
	items   *partDefaults            // of its elements
	choices [][]branch               // of which one is the part's, by its value
}

// branch is a branch of oneOf with the defaults in it.
type branch struct {
	schema   *schema.Keywords
	defaults *partDefaults
}

// deepestDefault is how deep in an item defaults are set.
const deepestDefault = 4

// partDefaultsOf returns the defaults in a part whose schemas are given; element is the schema of its elements, nil for
// none. The part is the item itself at depth 0.
func partDefaultsOf(
	s *spec.Schema, parts iter.Seq[*schema.Keywords], element *schema.Keywords, depth int,
) *partDefaults {
	if depth > deepestDefault {
		return nil
	}
	inside := func(k *schema.Keywords) *partDefaults {
		if k == nil {
			return nil
		}
		d := partDefaultsOf(s, schema.All(k), schema.Items(k), depth+1)
		for _, branches := range schema.OneOfs(k) {
			var choice []branch
			for _, of := range branches {
				choice = append(choice, branch{of, partDefaultsOf(s, schema.All(of), schema.Items(of), depth+1)})
			}
			if slices.ContainsFunc(choice, func(b branch) bool { return b.defaults != nil }) {
				if d == nil {
					d = &partDefaults{}
				}
				d.choices = append(d.choices, choice)
			}
		}
		return d
	}
	d := &partDefaults{values: map[string]any{}, members: map[string]*partDefaults{}, items: inside(element)}
	for part := range parts {
		for name, property := range part.Properties {
			if schema.ReadOnly(property) {
				continue
			}
			if value := s.Default(property); depth > 0 && value != nil && spec.Conforms(property, value) {
				d.values[name] = value
			}
			if inner := inside(property); inner != nil {
				d.members[name] = inner
			}
		}
	}
	if len(d.values) == 0 && len(d.members) == 0 && d.items == nil {
		return nil
	}
	return d
}

// apply returns a value with the defaults of what its parts lack, and reports whether it lacked any. The value itself
// is not changed.
func (d *partDefaults) apply(value any) (with any, lacked bool) {
	if d == nil {
		return value, false
	}
	switch value := value.(type) {
	case map[string]any:
		changed := value
		set := func(name string, member any) {
			if !lacked {
				changed, lacked = maps.Clone(value), true
			}
			changed[name] = member
		}
		for name, byDefault := range d.values {
			if _, sent := value[name]; !sent {
				set(name, byDefault)
			}
		}
		for name, inner := range d.members {
			if member, sent := value[name]; sent {
				if member, lacks := inner.apply(member); lacks {
					set(name, member)
				}
			}
		}
		for _, choice := range d.choices {
			fits := func(b branch) bool { return schema.Conforms(b.schema, value) }
			if i := slices.IndexFunc(choice, fits); i >= 0 {
				with, lacks := choice[i].defaults.apply(changed)
				changed, lacked = with.(map[string]any), lacked || lacks
			}
		}
		return changed, lacked
	case []any:
		changed := value
		for i, element := range value {
			if element, lacks := d.items.apply(element); lacks {
				if !lacked {
					changed, lacked = slices.Clone(value), true
				}
				changed[i] = element
			}
		}
		return changed, lacked
	}
	return value, false
}

// withPartDefaults returns an item with the defaults of what its parts lack.
func (s *requestItem) withPartDefaults(item map[string]any) map[string]any {
	with, _ := s.parts(item).apply(item)
	return with.(map[string]any)
}
