package resources

import (
	"maps"
	"slices"
	"sync"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

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
				listed := k.properties[name]
				if k.isCounted(name) || listed == nil && sendable[name] == nil || d.sendable[name] != nil || d.readOnly[name] != nil {
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
