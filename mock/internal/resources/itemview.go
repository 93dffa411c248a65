package resources

import (
	"maps"
	"sync"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// itemView is how a response shows an item. Nil shows all of it.
type itemView struct {
	runtime    *Runtime
	keywords   *schema.Keywords
	properties map[string]*schema.Keywords
	undeclared *schema.Keywords // of other members; nil where the schema has none
	generator  generator
	mask       func() *respond.Mask
}

// view gives how a part of a schema shows items; nil where there is no such part.
func (k *Runtime) view(in *spec.Schema, part *schema.Keywords, o Options) *itemView {
	if part == nil {
		return nil
	}
	v := k.views[part]
	if v == nil {
		s := respond.Part(in, part)
		v = &itemView{
			k, part, s.Members(), s.Undeclared(), generatorOf(s, o.Generate),
			sync.OnceValue(func() *respond.Mask { return respond.NewMask(s) }),
		}
		k.views[part] = v
	}
	return v
}

func (v *itemView) conforms(item any) bool { return v == nil || spec.Conforms(v.keywords, item) }

// project gives the part of an item that the response lists.
func (v *itemView) project(item map[string]any) map[string]any {
	if v == nil || len(v.properties) == 0 {
		return item
	}
	item = v.mask().Object(item)
	have, _ := v.runtime.listed(item, v.properties)
	return v.addUndeclared(v.conforming(have), item)
}

// fill gives an item with what the response requires of it.
func (v *itemView) fill(key generate.Key, item map[string]any) (any, bool) {
	if v == nil {
		return nil, false
	}
	item = v.mask().Object(item)
	have, unsent := v.runtime.listed(item, v.properties)
	value, err := v.generator().Fill(key, v.addUndeclared(have, item), unsent...)
	return value, err == nil
}

// conforming leaves out what does not conform to its property's schema. Where a
// schema has alternatives, another than the listed one may allow the value: an object
// that conforms as a whole stays as it is.
func (v *itemView) conforming(object map[string]any) map[string]any {
	have := object
	for name, value := range object {
		if spec.Conforms(v.properties[name], value) {
			continue
		}
		if len(have) == len(object) {
			if v.conforms(object) {
				return object
			}
			have = maps.Clone(object)
		}
		delete(have, name)
	}
	return have
}

// addUndeclared adds the members of an item that no schema declares, where the
// response allows such. What requests declare and responses do not is left out,
// a password, say.
func (v *itemView) addUndeclared(have, item map[string]any) map[string]any {
	if v.undeclared == nil || len(item) == len(have) {
		return have
	}
	for name, value := range item {
		if v.properties[name] == nil && !v.runtime.declares(name) && spec.Conforms(v.undeclared, value) {
			have[name] = value
		}
	}
	return have
}

// listed gives the properties of an item that are listed, and the names of those
// that it could have and does not.
func (k *Runtime) listed(item map[string]any, properties map[string]*schema.Keywords) (have map[string]any, unsent []string) {
	have = make(map[string]any, len(properties))
	for name := range properties {
		if value, ok := item[name]; ok {
			have[name] = value
		} else if k.properties[name] != nil {
			unsent = append(unsent, name)
		}
	}
	return have, unsent
}
