package mock

import (
	"maps"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
)

// said gives what was sent of an item, under the response's names.
func (s *shape) said(sent map[string]any) map[string]any {
	if s.says == nil {
		return sent
	}
	if s.says.Request != nil && len(s.says.Request.Path) > 0 {
		inner, _ := resource.Get(sent, s.says.Request.Path)
		sent, _ = inner.(map[string]any)
	}
	return renamed(s.says, sent)
}

// withParents adds the keys of the parents that the path names.
func (x *visit) withParents(s *shape, have map[string]any) map[string]any {
	if s.says == nil {
		return have
	}
	for _, v := range s.says.Scope {
		if len(v.Property) != 1 || s.listed[v.Property[0]] == nil {
			continue
		}
		if value, ok := asTyped(x.values.Path[v.Name], s.listed[v.Property[0]]); ok {
			have = resource.Set(have, v.Property, value).(map[string]any)
		}
	}
	return have
}

// fill makes a body around what it is to say.
func (s *shape) fill(key generate.Key, have map[string]any, unsent []string) (any, error) {
	if s.place == nil {
		return s.whole.generator().Fill(key, have, unsent...)
	}
	item, err := s.generator().Fill(key, have, unsent...)
	if err != nil {
		return nil, err
	}
	around, err := s.whole.value(key)
	if body := s.place.Put(around, item); err == nil && s.whole.conforms(body) {
		return body, nil
	}
	return around, err
}

// onExample gives the documented example that answers by itself, with what the
// request says of it. It reports false where there is none, or none that takes
// that.
func (x *visit) onExample(s *shape, have map[string]any, unsent []string) (any, bool) {
	if x.dynamic() {
		return nil, false
	}
	for _, e := range s.whole.media.Examples {
		if !servable(e, x.options.Examples) {
			continue
		}
		shown := e.Value
		if s.place != nil {
			shown, _ = s.place.Item(e.Value)
		}
		item, ok := shown.(map[string]any)
		if !ok {
			return nil, false
		}
		less := maps.Clone(item)
		for _, name := range unsent {
			if !s.required[name] {
				delete(less, name)
			}
		}
		for _, rest := range []map[string]any{less, maps.Clone(item)} {
			maps.Copy(rest, have)
			body := any(rest)
			if s.place != nil {
				body = s.place.Put(e.Value, rest)
			}
			if s.whole.conforms(body) {
				return body, true
			}
		}
		return nil, false
	}
	return nil, false
}

// changedExample gives it where it answers a change of what is not kept.
func (x *visit) changedExample(status int, p *producer) (any, bool) {
	if x.operation.keeps != nil || status >= 300 || x.preferences.example != "" || len(p.media.Examples) == 0 {
		return nil, false
	}
	changes, ok := x.changes()
	if !ok {
		return nil, false
	}
	s := p.shape(x.values.MediaType, x.operation.says)
	sent := s.said(changes)
	have := s.project(sent)
	if len(have) == 0 || len(s.listed) == 0 {
		return nil, false
	}
	var unsent []string
	if x.request.Method == "PUT" {
		begun(have, s.begins)
		unsent = s.unsent(sent)
	}
	return x.onExample(s, x.withParents(s, have), unsent)
}
