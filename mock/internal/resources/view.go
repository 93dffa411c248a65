package resources

import (
	"maps"
	"slices"
	"sync"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
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
func (k *Runtime) listed(item map[string]any, properties map[string]*schema.Keywords) (map[string]any, []string) {
	var unsent []string
	have := make(map[string]any, len(properties))
	for name := range properties {
		if value, ok := item[name]; ok {
			have[name] = value
		} else if k.properties[name] != nil {
			unsent = append(unsent, name)
		}
	}
	return have, unsent
}

// requestItem is what a request can say of an item. Nil says nothing.
type requestItem struct {
	media    *spec.MediaType             // that this is of
	sendable map[string]*schema.Keywords // under the names of the request and of the item
	open     bool                        // the schema allows other members
	defaults func() defaults
}

// defaults are the values of properties where nobody gives them: what the document
// says and, for those that only the server sets, the first of the values that it lists
// (draft, pending, open).
type defaults struct {
	sendable map[string]any
	readOnly map[string]any
}

func (k *Runtime) requestItem(b *resource.Binding) *requestItem {
	s := &requestItem{sendable: map[string]*schema.Keywords{}}
	s.defaults = sync.OnceValue(func() defaults { return k.defaults(s.sendable) })
	i := slices.IndexFunc(b.Operation.Body.Content, func(m *spec.MediaType) bool { return m.Schema != nil })
	if i < 0 || b.Request.Value == nil {
		return s
	}
	s.media = b.Operation.Body.Content[i]
	sent := respond.Part(s.media.Schema, b.Request.Value)
	s.open = sent.Undeclared() != nil
	for name, property := range sent.Members() {
		if schema.ReadOnly(property) {
			continue
		}
		s.sendable[name] = property
		if renamed, ok := b.Rename[name]; ok {
			s.sendable[renamed] = property
		}
	}
	s.defaults = sync.OnceValue(func() defaults { return k.defaults(s.sendable, sent) })
	return s
}

func (s *requestItem) sends(name string) bool { return s != nil && s.sendable[name] != nil }

// defaults gives those of an item by the schema of what is sent and that of the item:
// of properties that every value has, not those of one branch among several.
func (k *Runtime) defaults(sendable map[string]*schema.Keywords, sent ...*spec.Schema) defaults {
	d := defaults{map[string]any{}, map[string]any{}}
	if k.Item != nil {
		sent = append(sent, k.Item)
	}
	for _, s := range sent {
		for part := range schema.All(s.Keywords) {
			for name, property := range part.Properties {
				listed, known := k.properties[name], d.sendable[name] != nil || d.readOnly[name] != nil
				if known || k.isCounted(name) || listed == nil && sendable[name] == nil {
					continue
				}
				value, to := s.Default(property), d.sendable
				if sendable[name] == nil {
					to = d.readOnly
					if values := schema.Values(property); value == nil && len(values) > 0 {
						value = values[0]
					}
				}
				if value != nil && spec.Conforms(property, value) && (listed == nil || spec.Conforms(listed, value)) {
					to[name] = value
				}
			}
		}
	}
	return d
}

// isCounted reports whether the mock itself counts a property's values.
func (k *Runtime) isCounted(name string) bool {
	return k.Key != nil && slices.Equal(k.Key.Property, []string{name}) ||
		name == k.Created || name == k.Updated || name == k.Version
}

// sentItem gives what a request says of the item, under the item's names. Nothing, or
// a file, creates one that says nothing of itself.
func sentItem(q *Request) (map[string]any, bool) {
	if q.op.Request != nil && q.Values.HasBody {
		if sent, ok := q.op.Request.Item(q.Values.Body); ok {
			if object, ok := sent.(map[string]any); ok {
				return respond.Rename(q.op.Binding, object), true
			}
		}
	}
	return map[string]any{}, q.op.Role == resource.Upsert
}

// isDescribed reports whether the request's schema has all properties that were
// sent. It has allowed them then, whatever the schema of answers says.
func isDescribed(q *Request, sent map[string]any) bool {
	var properties map[string]*schema.Keywords
	switch s, media := q.op.request, q.Values.MediaType; {
	case s != nil && s.media == media:
		properties = s.sendable
	case media != nil && media.Schema != nil && len(q.op.Request.Path) == 0:
		properties = media.Schema.Properties()
	}
	for name := range sent {
		if properties[name] == nil {
			return false
		}
	}
	return len(properties) > 0
}

// withoutReadOnly gives what was sent without what only the server sets.
func (op *Operation) withoutReadOnly(sent map[string]any) map[string]any {
	sent = maps.Clone(sent)
	for _, p := range op.runtime.Properties {
		if p.ReadOnly && !op.request.sends(p.Name) {
			delete(sent, p.Name)
		}
	}
	return sent
}
