package mock

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
)

// itemKey is the key of an item's generated values: the same wherever it is
// shown.
func (x *visit) itemKey(k *keeping, collection, key string) generate.Key {
	return generate.NewKey(x.options.Seed, "item", k.Name, collection, key)
}

// unseen gives an item that nobody has made as the mock shows it: there is one
// for each key.
func (x *visit) unseen(collection, key string) map[string]any {
	k := x.operation.keeps
	if item := x.asRead(k, key); item != nil {
		return item
	}
	have := map[string]any{}
	if k.Key != nil && k.Key.Property != nil {
		if typed, fits := k.typed(k.Key.Property, x.operation.typedKey(x, key)); fits {
			have = resource.Set(have, k.Key.Property, typed).(map[string]any)
		}
	}
	if k.value == nil {
		return have
	}
	for _, v := range x.operation.binding.Scope {
		if v.Property == nil {
			continue
		}
		if typed, fits := k.typed(v.Property, x.values.Path[v.Name]); fits {
			have = resource.Set(have, v.Property, typed).(map[string]any)
		}
	}
	value, err := k.maker().Fill(x.itemKey(k, collection, key), have)
	if item, ok := value.(map[string]any); err == nil && ok {
		return item
	}
	return have
}

// asRead gives the item of a key as the operation that reads it generates it.
func (x *visit) asRead(k *keeping, key string) map[string]any {
	r := k.reader
	if r == nil {
		return nil
	}
	op := x.in.operations[r.Operation]
	status, _ := r.Success.Code()
	p := x.in.responder.Body(r.Media)
	values := x.match.Values
	reading := visit{Server: x.Server, in: x.in, request: &exchange.Request{Method: "GET"}, operation: op, preferences: x.preferences, values: x.values}
	if r.Operation.Path != x.operation.Path {
		b := x.operation.binding
		if n := len(r.Scope); k.Singleton || n > 0 && n != len(b.Scope) || n > len(x.match.Values) || strings.Count(r.Operation.Path, "{") != n+1 {
			return nil
		}
		values = append(slices.Clone(x.match.Values[:len(r.Scope)]), key)
		typed, ok := jsontext.Decode(key)
		if _, number := typed.(json.Number); ok != nil || !number {
			typed = key
		}
		reading.values.Path = map[string]any{r.Variable: typed}
		for i, v := range r.Scope {
			reading.values.Path[v.Name] = x.values.Path[b.Scope[i].Name]
		}
	}
	reading.match.Values = values
	ask := *x.ask
	ask.Request, ask.Operation, ask.Variables, ask.Values = reading.request, op.Operation, values, reading.values
	reading.ask = &ask
	var body any
	served := false
	if e := p.Example(); e != nil && !x.dynamic() {
		body, served = e.Value, true
	}
	if !served {
		var err error
		if body, err = reading.generated(p, reading.key(status, r.Media)); err != nil {
			return nil
		}
	}
	body, _ = reading.named(r.Media, body)
	value, _ := r.Response.Item(body)
	item, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	if served && k.Key != nil && k.Key.Property != nil {
		if typed, fits := k.typed(k.Key.Property, key); fits {
			item = resource.Set(item, k.Key.Property, typed).(map[string]any)
		}
	}
	return maps.Clone(item)
}

// typedKey gives the key as the path has it: a number where it is one.
func (o *operation) typedKey(x *visit, key string) any {
	if o.binding.KeyIn == resource.InPath {
		if value, ok := x.values.Path[o.binding.Variable]; ok {
			return value
		}
	}
	return key
}
