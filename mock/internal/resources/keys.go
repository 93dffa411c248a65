package resources

import (
	"encoding/json"
	"hash/fnv"
	"strconv"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

const (
	// SingletonKey is the key of a singleton.
	SingletonKey = "1"
	// KeyAttempts is how many keys are made until one is free.
	KeyAttempts = 32
)

// KeyProperty is the way to the key in an item; nil where no property holds it.
func (k *Runtime) KeyProperty() []string {
	if k.Key == nil {
		return nil
	}
	return k.Key.Property
}

func (k *Runtime) keyOf(item any) string {
	if k.KeyProperty() == nil {
		return ""
	}
	value, _ := resource.Get(item, k.Key.Property)
	text, _ := jsonvalue.Text(value)
	return text
}

// setProperty gives an object with a value at the end of a path, nil for nowhere.
func setProperty(object map[string]any, path []string, value any) map[string]any {
	if path == nil {
		return object
	}
	return resource.Set(object, path, value).(map[string]any)
}

// SetKey gives an item with its key.
func (k *Runtime) SetKey(item map[string]any, key any) map[string]any {
	return setProperty(item, k.KeyProperty(), key)
}

// setTypedKey is SetKey for a text, where the property allows it.
func (k *Runtime) setTypedKey(item map[string]any, key any) map[string]any {
	if typed, ok := k.typed(k.KeyProperty(), key); ok {
		return k.SetKey(item, typed)
	}
	return item
}

// Typed gives a value as the property at the end of a path allows it; nil or the
// value itself where it does not.
func (k *Runtime) Typed(path []string, value any) any {
	typed, _ := k.typed(path, value)
	return typed
}

// typed is Typed; it reports whether the property allows the value.
func (k *Runtime) typed(path []string, value any) (any, bool) {
	if len(path) == 0 || k.Item == nil {
		return value, true
	}
	at := k.properties[path[0]]
	for _, name := range path[1:] {
		at = schema.Property(at, name)
	}
	if at == nil {
		return value, true
	}
	if typed, ok := respond.Typed(value, at); ok {
		return typed, true
	}
	return value, false
}

// NewKey makes a key: the next integer, or by the format and the pattern that the
// document gives. It gives it as it is in an item and as a text.
func (k *Runtime) NewKey(in *state.State, seed uint64, collection string) (value any, text string) {
	text = strconv.FormatInt(in.NextInteger(collection, 1), 10)
	if k.Key == nil || k.Key.Schema == nil {
		if !k.isPathKey(text) {
			if value, written, ok := k.generateKey(k.pathKeys, seed, "key", collection, text); ok {
				return value, written
			}
		}
		return text, text
	}
	number := json.Number(text)
	switch {
	case !k.isPathKey(text):
	case k.Key.Kind != resource.String && spec.Conforms(k.Key.Schema, number):
		return number, text
	case k.Key.Format == "" && spec.Conforms(k.Key.Schema, text):
		return text, text
	}
	value, written, ok := k.generateKey(k.keys, seed, "key", collection, text)
	if ok && k.isPathKey(written) {
		return value, written
	}
	if other, inPath, ok := k.generateKey(k.pathKeys, seed, "key", collection, text); ok {
		if typed, ok := respond.Typed(other, k.Key.Schema); ok {
			return typed, inPath
		}
	}
	if ok {
		return value, written // the document has no key that paths can name
	}
	return text, text
}

// generateKey makes a key, by its purpose, the collection and a text.
func (k *Runtime) generateKey(by generator, seed uint64, purpose, in, text string) (key any, written string, ok bool) {
	if by == nil {
		return nil, "", false
	}
	key, err := by().Value(generate.NewKey(seed, purpose, k.Name, in, text))
	if err != nil {
		return nil, "", false
	}
	written, ok = jsonvalue.Text(key)
	return key, written, ok && written != ""
}

// isPathKey reports whether a path can name an item by a key.
func (k *Runtime) isPathKey(key string) bool {
	if k.keySchema == nil {
		return true
	}
	_, ok := respond.Typed(key, k.keySchema.Keywords)
	return ok
}

// allowsKey reports whether an item can have a key that was sent: the server may
// write keys otherwise than its clients do.
func (k *Runtime) allowsKey(value any) bool {
	if k.Key.Schema == nil {
		return true
	}
	_, ok := respond.Typed(value, k.Key.Schema)
	return ok
}

// replacementKey makes what an item shows as its key where paths name it by a key that
// the property does not allow. Integers are larger than those that are counted.
func (k *Runtime) replacementKey(seed uint64, collection, key string) (any, bool) {
	if k.Key.Kind == resource.Integer {
		const beyond = 1_000_000_000
		h := fnv.New32a()
		h.Write([]byte(collection + " " + key))
		if n := json.Number(strconv.Itoa(beyond + int(h.Sum32())%beyond)); spec.Conforms(k.Key.Schema, n) {
			return n, true
		}
	}
	value, _, ok := k.generateKey(k.keys, seed, "key", collection, "named "+key)
	return value, ok
}

// keyOfElement makes the key of a list's nth item, where the list does not show it.
func (k *Runtime) keyOfElement(seed uint64, collection string, n int) string {
	text := strconv.Itoa(n)
	const purpose = "unmade" // generated keys depend on the word
	if _, key, ok := k.generateKey(k.keys, seed, purpose, collection, text); ok {
		return key
	}
	return text
}

// ValueKey is the key of an item's generated values: the same wherever it is shown.
func (k *Runtime) ValueKey(seed uint64, collection, key string) generate.Key {
	return generate.NewKey(seed, "item", k.Name, collection, key)
}
