package mock

import (
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// sentObject gives what was sent of the item. Nothing, or a file, makes one
// that says nothing of itself.
func (x *visit) sentObject() (map[string]any, bool) {
	b := x.operation.binding
	if b.Request != nil && x.values.HasBody {
		if sent, ok := b.Request.Item(x.values.Body); ok {
			if object, ok := sent.(map[string]any); ok {
				return renamed(b, object), true
			}
		}
	}
	return map[string]any{}, b.Role == resource.Upsert
}

// renamed gives what was sent under the names of the item.
func renamed(b *resource.Binding, sent map[string]any) map[string]any {
	if len(b.Rename) == 0 {
		return sent
	}
	item := make(map[string]any, len(sent))
	for name, value := range sent {
		if own, ok := b.Rename[name]; ok {
			name = own
		}
		item[name] = value
	}
	return item
}

// describes reports whether the request's schema has all properties that were
// sent. It has allowed them then, whatever the schema of answers says.
func (x *visit) describes(sent map[string]any) bool {
	b, k := x.operation.binding, x.operation.keeps
	var listed map[string]*spec.Keywords
	switch s, media := k.sent[b], x.values.MediaType; {
	case s != nil && s.media == media:
		listed = s.sendable
	case media != nil && media.Schema != nil && len(b.Request.Path) == 0:
		listed = media.Schema.Properties()
	}
	for name := range sent {
		if listed[name] == nil {
			return false
		}
	}
	return len(listed) > 0
}

// servers reports whether a property is the server's to say.
func (k *keeping) servers(name string) bool {
	for i := range k.Properties {
		if p := &k.Properties[i]; p.Name == name {
			return p.ReadOnly
		}
	}
	return false
}

// sends reports whether an operation's body has a property for the client to say,
// which may be readOnly where the item is shown.
func (k *keeping) sends(b *resource.Binding, name string) bool {
	s := k.sent[b]
	return s != nil && s.sendable[name] != nil
}

// withoutServers gives what was sent without what is the server's to say.
func withoutServers(k *keeping, b *resource.Binding, sent map[string]any) map[string]any {
	kept := maps.Clone(sent)
	for i := range k.Properties {
		if p := &k.Properties[i]; p.ReadOnly && !k.sends(b, p.Name) {
			delete(kept, p.Name)
		}
	}
	return kept
}

// withScope adds the keys of the parents that the path names.
func (x *visit) withScope(item map[string]any) map[string]any {
	b, k := x.operation.binding, x.operation.keeps
	for _, v := range b.Scope {
		value, ok := x.values.Path[v.Name]
		if !ok || k.Scoped && v.Property == nil && !slices.ContainsFunc(k.extra[b], func(e resource.Variable) bool { return e.Name == v.Name }) {
			continue
		}
		item = resource.Set(item, scopeProperty(v), k.typedAt(v.Property, value)).(map[string]any)
	}
	return item
}
