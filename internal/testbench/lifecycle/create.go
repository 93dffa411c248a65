package main

import (
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// created is an item that was just made.
type created struct {
	key    any // nil where it is not known
	want   map[string]any
	answer *answer
}

// createItem makes an item. why says what is wrong with the answer; without either,
// no request can be made.
func (t *lifecycle) createItem(r *resource.Resource, b *resource.Binding) (item *created, why string) {
	have := map[string]any{}
	if err := t.parents(b); err != nil {
		return nil, err.Error()
	}
	if err := t.chooseKey(r, b, have); err != nil {
		return nil, err.Error()
	}
	for _, v := range b.Scope {
		if len(v.Property) != 1 {
			continue
		}
		value, ok := t.keys[v.Parent]
		if !ok || v.Parent == nil {
			value = t.variables[v.Name]
		}
		if value != nil {
			have[v.Property[0]] = value
		}
	}
	if t.unknownItems == "refuse" && r == t.resource {
		for _, other := range r.Bindings {
			t.createParent(b, other, have)
		}
	}
	a, err := t.ask(b, requestOptions{seed: "create", have: have})
	switch {
	case err != nil && impossibleRequest(err):
		return nil, ""
	case err != nil:
		return nil, err.Error()
	case a.wrong != "":
		return nil, a.wrong
	}
	generateValue := &created{answer: a, want: expected(r, b, a.values.Body())}
	if !r.Singleton {
		generateValue.key = t.keyOf(r, b, generateValue)
	}
	return generateValue, ""
}

// chooseKey generates the key of an item whose client names it.
func (t *lifecycle) chooseKey(r *resource.Resource, b *resource.Binding, have map[string]any) error {
	single := r.Key != nil && len(r.Key.Property) == 1
	isChosen := single && (r.Key.ChosenBy == resource.Client || b.Role == resource.Upsert ||
		r.Key.ChosenBy == resource.Either && t.sendsKey(b))
	if p := keyParameter(r); p != nil && isChosen {
		if value, err := generateValue(p); err == nil {
			if p.Schema != nil && r.Key.Schema != nil && !spec.Conforms(r.Key.Schema, value) {
				value = typed(value, r.Key.Schema)
			}
			have[r.Key.Property[0]] = value
		}
	}
	if b.Role != resource.Upsert || b.KeyIn != resource.InPath || b.Lookup != nil {
		return nil
	}
	for _, p := range b.Operation.Parameters {
		if p.In != exchange.InPath || p.Name != b.Variable {
			continue
		}
		value, err := generateValue(p)
		if err != nil {
			return err
		}
		t.keys[r] = value
		if single {
			have[r.Key.Property[0]] = typed(value, r.Key.Schema)
		}
	}
	return nil
}

// sendsKey reports whether a request to make an item says its key.
func (t *lifecycle) sendsKey(b *resource.Binding) bool {
	if t.fill == "all" {
		return true
	}
	body, err := t.body(b, t.fill, nil)
	if err != nil || b.Request == nil {
		return false
	}
	item, _ := b.Request.Item(body)
	_, ok := resource.Get(item, b.Resource.Key.Property)
	return ok
}

// createParent makes the parent below which another operation shows an item, where the
// item says itself which it is.
func (t *lifecycle) createParent(creator, other *resource.Binding, have map[string]any) {
	for _, v := range other.Scope {
		if v.Parent == nil || len(v.Property) != 1 || slices.ContainsFunc(creator.Scope,
			func(w resource.Variable) bool { return w.Parent == v.Parent }) {
			continue
		}
		if err := t.parents(other); err == nil && t.keys[v.Parent] != nil {
			have[v.Property[0]] = t.keys[v.Parent]
		}
	}
}

// expected returns what an item must show of a body that was sent.
func expected(r *resource.Resource, b *resource.Binding, body any) map[string]any {
	want := map[string]any{}
	if b.Request == nil {
		return want
	}
	value, _ := b.Request.Item(body)
	item, _ := value.(map[string]any)
	if b.Role != resource.Create {
		item = maps.Clone(item)
		delete(item, r.Created) // the server keeps its times
		delete(item, r.Updated)
	}
	for name, member := range item {
		if own, ok := b.Rename[name]; ok {
			name = own
		}
		want[name] = member
	}
	maps.DeleteFunc(want, func(name string, _ any) bool { return isSetByServer(r, b, name) })
	return want
}

// isSetByServer reports whether a property is not the client's to say: it is
// readOnly, the key that the path names, or a parent's.
func isSetByServer(r *resource.Resource, b *resource.Binding, name string) bool {
	for i := range r.Properties {
		if p := &r.Properties[i]; p.Name == name && p.ReadOnly {
			return true
		}
	}
	if r.Key != nil && len(r.Key.Property) > 0 && r.Key.Property[0] == name &&
		(b.KeyIn == resource.InPath || r.Key.ChosenBy == resource.Server) {
		return true
	}
	for _, v := range b.Scope {
		if len(v.Property) > 0 && v.Property[0] == name {
			return true
		}
	}
	return false
}

// keyOf finds the key as a client would: in the answer, in its Location, in
// what it has sent itself; else, where some property holds it, in the session.
func (t *lifecycle) keyOf(r *resource.Resource, b *resource.Binding, generateValue *created) any {
	if b.Role == resource.Upsert && b.KeyIn == resource.InPath && b.Lookup == nil {
		return t.keys[r]
	}
	property := r.Key.Property
	if b.Response != nil && property != nil && generateValue.answer.body != nil {
		if item, ok := b.Response.Item(generateValue.answer.body); ok {
			if key, ok := resource.Get(item, property); ok && key != nil {
				return key
			}
		}
	}
	if location, ok := generateValue.answer.response.Header.Get("Location"); ok {
		if key := keyIn(location, r); key != "" {
			return key
		}
	}
	if b.Request != nil && property != nil {
		if item, ok := b.Request.Item(generateValue.answer.values.Body()); ok && r.Key.ChosenBy != resource.Server {
			if key, ok := resource.Get(item, property); ok && key != nil {
				return key
			}
		}
	}
	if property == nil {
		return nil
	}
	return t.keptKey(r)
}

// keyIn reads the key from an item's address.
func keyIn(location string, r *resource.Resource) string {
	path := location
	if u, err := url.Parse(location); err == nil {
		path = u.EscapedPath()
	}
	segments := strings.Split(strings.Trim(path, "/"), "/")
	for _, b := range r.Bindings {
		if b.KeyIn != resource.InPath || b.Lookup != nil {
			continue
		}
		template := strings.Split(strings.Trim(b.Operation.Template(), "/"), "/")
		if len(template) != len(segments) || template[len(template)-1] != "{"+b.Variable+"}" {
			continue
		}
		if key, err := url.PathUnescape(segments[len(segments)-1]); err == nil {
			return key
		}
	}
	return ""
}

// keptKey asks the control API for the key of the item that was made last.
func (t *lifecycle) keptKey(r *resource.Resource) any {
	answer, err := t.send(&exchange.Request{Method: "GET", Path: "/__coldframe/state"})
	if err != nil {
		return nil
	}
	value, err := jsontext.Decode(string(answer.Body))
	if err != nil {
		return nil
	}
	collections, _ := resource.Get(value, []string{"collections"})
	namedVariables, _ := collections.(map[string]any)
	for name, items := range namedVariables {
		list, _ := items.([]any)
		if (name == "/"+r.Name || strings.HasSuffix(name, "/"+r.Name)) && len(list) > 0 {
			if key, ok := resource.Get(list[len(list)-1], r.Key.Property); ok {
				return key
			}
		}
	}
	return nil
}

// keyParameter returns the parameter of a path that holds the key.
func keyParameter(r *resource.Resource) *spec.Parameter {
	if r.Key == nil {
		return nil
	}
	for _, b := range r.Bindings {
		if b.KeyIn != resource.InPath || b.Lookup != nil {
			continue
		}
		for _, p := range b.Operation.Parameters {
			if p.In == exchange.InPath && p.Name == b.Variable {
				return p
			}
		}
	}
	return nil
}

// parents makes the items below which an operation works, where the mock has
// only what was made.
func (t *lifecycle) parents(b *resource.Binding) error {
	for _, v := range b.Scope {
		if v.Parent == nil || v.Parent == t.resource || t.keys[v.Parent] != nil || t.unknownItems != "refuse" {
			continue
		}
		address := itemBinding(v.Parent)
		for _, creator := range creatorsOf(v.Parent, address) {
			generateValue, why := t.createItem(v.Parent, creator)
			if generateValue == nil || generateValue.key == nil {
				if why != "" {
					return errors.New("the parent: " + why)
				}
				continue
			}
			t.keys[v.Parent] = generateValue.key
			if address != nil && len(address.Scope) == len(creator.Scope) {
				for i, own := range address.Scope { // it is below what its creation's path says
					if own.Parent == nil {
						t.variables[own.Name] = t.scopeValue(creator.Scope[i])
					}
				}
			}
			break
		}
	}
	return nil
}

// itemBinding returns an operation whose path names an item.
func itemBinding(r *resource.Resource) *resource.Binding {
	for _, b := range r.Bindings {
		if b.KeyIn == resource.InPath && b.Lookup == nil {
			return b
		}
	}
	return nil
}

// creatorsOf returns the operations that make a resource's items, those first
// whose paths say as much of its parents as the item's own.
func creatorsOf(r *resource.Resource, address *resource.Binding) []*resource.Binding {
	var generateValue, others []*resource.Binding
	for _, b := range r.Bindings {
		switch {
		case b.Role != resource.Create && b.Role != resource.Upsert || b.Success == nil:
		case address != nil && len(b.Scope) == len(address.Scope):
			generateValue = append(generateValue, b)
		default:
			others = append(others, b)
		}
	}
	return append(generateValue, others...)
}
