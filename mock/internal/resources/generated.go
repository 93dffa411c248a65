package resources

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// generatedItem gives an item that nobody created as the mock shows it: each key has
// one where unknown items are generated.
func generatedItem(q *Request, collection, key string) map[string]any {
	k := q.op.runtime
	if item := itemAsRead(q, key); item != nil {
		return item
	}
	have := map[string]any{}
	if k.KeyProperty() != nil {
		have = k.setTypedKey(have, q.sentKey(key))
	}
	if k.Item == nil {
		return have
	}
	for _, v := range q.op.Scope {
		if typed, ok := k.typed(v.Property, q.Values.Path[v.Name]); ok {
			have = setProperty(have, v.Property, typed)
		}
	}
	if item, ok := k.Generate(k.ValueKey(q.set.options.Seed, collection, key), have); ok {
		return item
	}
	return have
}

// itemAsRead gives the item of a key as the operation that reads it answers from the
// document; nil where there is none.
func itemAsRead(q *Request, key string) map[string]any {
	k, op := q.op.runtime, q.op.Binding
	r := k.reader
	if r == nil {
		return nil
	}
	variables, path := q.Variables, q.Values.Path
	if r.Operation.Path != op.Operation.Path {
		n := len(r.Scope)
		if k.Singleton || n > 0 && n != len(op.Scope) || n > len(variables) || strings.Count(r.Operation.Path, "{") != n+1 {
			return nil
		}
		variables = append(slices.Clone(variables[:n]), key)
		path = map[string]any{r.Variable: numberOrText(key)}
		for i, v := range r.Scope {
			path[v.Name] = q.Values.Path[op.Scope[i].Name]
		}
	}
	read := getRequest(q, r.Operation, variables, path)
	read.Preferences, read.Seed, read.Dynamic = q.Preferences, q.Seed, q.Dynamic
	status, _ := r.Success.Code()
	body, example, err := q.set.documentBody(read, status, r.Media)
	if err != nil {
		return nil
	}
	if op := q.set.operations[r.Operation]; op != nil {
		body, _ = withPathKeys(op.Binding, true, path, r.Media, body)
	}
	value, _ := r.Response.Item(body)
	item, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	if example && k.KeyProperty() != nil {
		item = k.setTypedKey(item, key)
	}
	return maps.Clone(item)
}

// getRequest is a GET of the values of a path, without preferences.
func getRequest(q *Request, o *spec.Operation, variables []string, path map[string]any) *respond.Request {
	return &respond.Request{
		Request: &exchange.Request{Method: "GET"}, Operation: q.set.responder.Operation(o),
		Variables: variables, Values: decode.Values{Path: path}, Seed: q.set.options.Seed, Dynamic: q.set.options.Dynamic,
		Secrets: q.Secrets,
	}
}

// documentBody gives the body with which an operation answers where nothing is kept:
// the documented example, or a generated one.
func (s *Set) documentBody(q *respond.Request, status int, media *spec.MediaType) (body any, example bool, err error) {
	b := s.responder.Body(media)
	if e := b.Example(); e != nil && !q.Dynamic {
		return e.Value, true, nil
	}
	body, _, err = b.Generate(q, q.BodyKey(status, media))
	return body, false, err
}

func numberOrText(text string) any {
	value, err := jsontext.Decode(text)
	if number, ok := value.(json.Number); err == nil && ok {
		return number
	}
	return text
}

// adjust fits an example or a generated body to the request: the keys that the path
// has stand in it, and a list is filtered, sorted and cut as the query asks for.
func (q *Request) adjust(a *respond.Answer, media *spec.MediaType, body any) (any, bool) {
	binding := q.Operation.Item
	if q.op != nil && q.op.showsKey() {
		binding = q.op.Binding
	}
	body, changed := withPathKeys(binding, q.op != nil, q.Values.Path, media, body)
	if q.asks == nil || media != q.op.Media {
		return body, changed
	}
	return excerpt(q, a, media, body), true
}

// showsKey reports whether the answer shows the item that the path names.
func (op *Operation) showsKey() bool {
	if op.runtime.Singleton || op.KeyIn != resource.InPath || op.Response == nil {
		return false
	}
	switch op.Role {
	case resource.Read, resource.Replace, resource.Update, resource.Upsert:
		return true
	}
	return op.Role == resource.Action && op.Reads
}

// withPathKeys gives a body that was not made of kept items with the keys that the path
// has, of parents and of the item itself, where its items have such properties: as they
// are shown once they are kept. It reports whether that changes the body.
func withPathKeys(b *resource.Binding, kept bool, path map[string]any, media *spec.MediaType, body any) (any, bool) {
	if b == nil || media != b.Media {
		return body, false
	}
	in, keys := keysInPath(b, kept)
	if in == nil || len(keys) == 0 {
		return body, false
	}
	items, ok := in.Items(body)
	if !ok {
		return body, false
	}
	changed := false
	for _, v := range keys {
		with := slices.Clone(items)
		for i, item := range items {
			have, _ := resource.Get(item, v.Property)
			if key := ofSameType(path[v.Name], have); v.Property != nil && key != nil {
				with[i] = resource.Set(item, v.Property, key)
			}
		}
		if other := in.PutItems(body, with); !jsonvalue.Same(items, with) && media.Conforms(other) {
			items, body, changed = with, other, true
		}
	}
	return body, changed
}

// keysInPath gives where a body has items, and the variables of the path that are keys
// of them and of their parents.
func keysInPath(b *resource.Binding, kept bool) (*resource.Shape, []resource.Variable) {
	key := resource.Variable{Name: b.Variable, Property: b.Lookup}
	if b.Lookup == nil && b.Resource.Key != nil {
		key.Property = b.Resource.Key.Property
	}
	switch {
	case b.Role == resource.List && b.List == nil:
		return nil, nil
	case b.Role == resource.List:
		return &b.List.Items, b.Scope
	case kept && b.KeyIn == resource.InPath && b.Role != resource.Create:
		return b.Response, append(slices.Clip(b.Scope), key)
	}
	return b.Response, b.Scope
}

// ofSameType gives a value of a path as a text or a number, whichever the other is;
// nil where it cannot be that.
func ofSameType(value, other any) any {
	text, _ := jsonvalue.Text(value)
	switch other.(type) {
	case string:
		if text != "" {
			return text
		}
	case json.Number:
		if number, ok := numberOrText(text).(json.Number); ok {
			return number
		}
	}
	return nil
}
