package mock

import (
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// stored is an item of the store with its key and version.
type stored struct {
	key     string
	version uint64 // 0: it was never stored
	value   map[string]any
}

// decodeItem reads an item as it is kept; nil where it is no object.
func decodeItem(item *state.Item) map[string]any {
	value, err := jsontext.Decode(string(item.JSON))
	if err != nil {
		return nil
	}
	object, _ := value.(map[string]any)
	return object
}

// lookup looks for the item that the request names. Where it finds none, the
// stored has the key only, and gone says that it was deleted.
func (x *visit) lookup(collection string) (found stored, gone bool) {
	b := x.operation.binding
	key, _ := x.namedKey()
	if b.Lookup != nil && key != "" {
		named := query.Filter{Property: b.Lookup, Values: []any{key}}
		for item := range x.session.State.View().Items(collection, 0) {
			if !named.ShowsText(item.JSON) {
				continue
			}
			value := decodeItem(item)
			if have, ok := resource.Get(value, b.Lookup); ok {
				if text, ok := jsonvalue.Text(have); ok && text == key {
					return stored{item.Key, item.Version, value}, false
				}
			}
		}
		// Two paths that differ in a variable's name only are one to a router: the
		// key may be meant.
	}
	return x.lookupKey(collection, key)
}

// lookupKey is lookup by a key.
func (x *visit) lookupKey(collection, key string) (found stored, gone bool) {
	item, gone := x.session.State.Get(collection, key)
	if item == nil {
		return stored{key: key}, gone
	}
	value := decodeItem(item)
	if value == nil || !x.inScope(x.operation.keeps, value) {
		return stored{key: key}, value != nil
	}
	return stored{key, item.Version, value}, false
}

// inScope reports whether an item belongs to the parents that the path names.
func (x *visit) inScope(k *keeping, value map[string]any) bool {
	for _, v := range k.extra[x.operation.binding] {
		if have := scopeIn(value, v); have != nil && !jsonvalue.Same(have, x.values.Path[v.Name]) {
			return false
		}
	}
	return true
}

// namedKey gives the key by which the request names its item, and where that
// stands.
func (x *visit) namedKey() (key, in string) {
	b, k := x.operation.binding, x.operation.keeps
	switch {
	case k.Singleton:
		return theOne, exchange.InPath
	case b.KeyIn == resource.InPath:
		return x.pathText(b.Variable), exchange.InPath
	case b.KeyIn == resource.InQuery:
		key, _ = jsonvalue.Text(x.values.Query[b.Variable])
		return key, exchange.InQuery
	case b.KeyIn == resource.InBody && b.Keys == nil && k.Key != nil && k.Key.Property != nil && b.Request != nil:
		if item, ok := b.Request.Item(x.values.Body); ok {
			value, _ := resource.Get(item, k.Key.Property)
			key, _ = jsonvalue.Text(value)
		}
	}
	return key, exchange.InBody
}

// typedAt gives a text as the property at a path of an item takes it.
func (k *keeping) typedAt(path []string, value any) any {
	typed, _ := k.typed(path, value)
	return typed
}

// typed is typedAt; it reports false where the property takes it in no way.
func (k *keeping) typed(path []string, value any) (any, bool) {
	if len(path) == 0 || k.value == nil {
		return value, true
	}
	listed := k.listed
	for i, name := range path {
		schema := listed[name]
		if schema == nil {
			return value, true
		}
		if i == len(path)-1 {
			if typed, ok := asTyped(value, schema); ok {
				return typed, true
			}
			return value, false
		}
		listed = part(k.value, schema).Properties()
	}
	return value, true
}

// written gives an item as it is kept, false where it is nested too deep to be
// read again.
func written(item map[string]any) ([]byte, bool) {
	text := jsontext.Append(nil, item)
	_, err := jsontext.Decode(string(text))
	return text, err == nil
}
