package respond

import (
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/mock/internal/prefer"
)

// resized makes the list of a body longer, with elements like the ones in the bodies that more returns, from 1 on, or
// shorter: to as many as the request prefers. What stands around the list follows, as total and has_more in
// {items: […], total: 3}. It reports false if there is no list, or if the schema does not allow that many.
func (b *Body) resized(q *Request, key generate.Key, value any, more func(i int) any) (any, bool) {
	count := q.Preferences.Count
	path, list := b.listIn(q, value)
	if list == nil {
		return value, false
	}
	elements := b.elements(path)
	list = slices.Clone(list[:min(count, len(list))])
	for i := 1; len(list) < count; i++ {
		_, others := b.listIn(q, more(i))
		if len(others) == 0 { // an example without others shows it
			if elements == nil {
				return value, false
			}
			made, _ := elements.Value(key.Child("more").Child(strconv.Itoa(len(list))))
			others = []any{made}
		}
		for _, other := range others[:min(len(others), count-len(list))] {
			at := key.Child("more").Child(strconv.Itoa(len(list)))
			next, ok := generate.Another(elements, at, list, other)
			if !ok || q.Work.Over() {
				return value, false
			}
			list = append(list, next)
		}
	}
	sized := jsonvalue.WithProperty(value, path, list)
	if agreed := b.agree(key, path, sized); b.media.Conforms(agreed) {
		return agreed, true
	}
	if b.media.Conforms(sized) {
		return sized, true
	}
	return value, false
}

// elements returns what makes elements of the list at a path; nil if the document does not describe them.
func (b *Body) elements(path []string) *generate.Generator {
	if b.media.Item != nil {
		return b.items()
	}
	if b.media.Schema == nil {
		return nil
	}
	at := schema.At(b.media.Schema.Keywords, path)
	if at == nil {
		return nil
	}
	if at = schema.Item(schema.Resolve(at), 0); at == nil {
		return nil
	}
	return generate.New(Part(b.media.Schema, at), b.options)
}

// Agree returns a body whose members around the list at a path agree with it, if the document allows that.
func (b *Body) Agree(q *Request, path []string, body any) any {
	if agreed := b.agree(b.Key(q, 0), path, body); b.media.Conforms(agreed) {
		return agreed
	}
	return body
}

// agree returns a body whose members beside the list at a path agree with it.
func (b *Body) agree(key generate.Key, path []string, body any) any {
	if len(path) == 0 || b.media.Schema == nil {
		return body
	}
	for depth := len(path) - 1; depth >= 0; depth-- {
		g, around := b.View().generator(), path[:depth]
		if depth > 0 {
			at := schema.At(b.media.Schema.Keywords, around)
			if at == nil {
				continue
			}
			g = generate.New(Part(b.media.Schema, at), b.options)
		}
		value, _ := jsonvalue.Property(body, around)
		members, _ := value.(map[string]any)
		body = jsonvalue.WithProperty(body, around, g.Agree(key, members, map[string]any{path[depth]: members[path[depth]]}))
	}
	return body
}

// listIn returns the list of items of a body with the path to it: a resource's list, or else a body that is a list, or
// the list of an object that is the only one, the only one of objects, or named as the path or as such lists are; nil
// if none.
func (b *Body) listIn(q *Request, body any) (path []string, list []any) {
	if in := q.Operation.Item; in != nil && in.List != nil && in.Media == b.media && in.List.Items.Many {
		at, _ := jsonvalue.Property(body, in.List.Items.Path)
		list, _ = at.([]any)
		return in.List.Items.Path, list
	}
	object, ok := body.(map[string]any)
	if !ok {
		list, _ = body.([]any)
		return nil, list
	}
	var all, ofObjects, named []string
	for member, v := range object {
		list, isList := v.([]any)
		if !isList {
			continue
		}
		if strings.HasSuffix(q.Operation.Path, "/"+member) {
			return []string{member}, list
		}
		all = append(all, member)
		if generate.IsListName(member) {
			named = append(named, member)
		}
		if len(list) > 0 {
			if _, isObject := list[0].(map[string]any); isObject {
				ofObjects = append(ofObjects, member)
			}
		}
	}
	for _, members := range [][]string{all, ofObjects, named} {
		if len(members) == 1 {
			return members, object[members[0]].([]any)
		}
	}
	return nil, nil
}

// isCounted reports whether the list of a body has as many elements as the request prefers.
func (b *Body) isCounted(q *Request, body any) bool {
	_, list := b.listIn(q, body)
	return list != nil && q.Preferences.Has(prefer.Count) && len(list) == q.Preferences.Count
}
