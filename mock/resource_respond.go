package mock

import (
	"slices"

	"github.com/coldframe/coldframe/internal/jsonvalue"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// outcome is what the state makes of a request.
type outcome uint8

const (
	passed   outcome = iota // nothing: the mock answers as it would without
	changed                 // something, and the answer does not show it
	answered                // the answer
)

// keep lets a request do what it does to what is kept.
func (x *visit) keep(status int, documented *spec.Response) outcome {
	b, k := x.operation.binding, x.operation.keeps
	if k == nil || status >= 300 || x.preferences.Example != "" {
		return passed
	}
	if len(documented.Content) > 0 && !bodiless(status) && x.negotiate(documented.Content) == nil {
		return passed
	}
	if !x.parents() {
		return answered
	}
	switch b.Role {
	case resource.Create:
		return x.createItems(status, documented)
	case resource.Read:
		return x.read(status, documented)
	case resource.Action:
		return x.act(status, documented)
	case resource.List:
		return x.list(status, documented)
	case resource.Replace, resource.Update, resource.Upsert:
		return x.change(status, documented)
	case resource.Delete:
		return x.remove(status, documented)
	case resource.DeleteMany:
		return x.removeMany()
	}
	return passed
}

// missing refuses a request for an item that is not there, where it was deleted
// or unknown items are refused.
func (x *visit) missing(key string, gone bool) outcome {
	k := x.operation.keeps
	if !gone && !(x.closed() && (k.creates || x.options.SeedItems > 0)) {
		return passed
	}
	_, in := x.namedKey()
	x.refuse(noItem, []exchange.Finding{noSuch(k, key, gone, in, x.operation.binding.Variable)})
	return answered
}

func (x *visit) read(status int, documented *spec.Response) outcome {
	b := x.operation.binding
	if b.KeyIn != resource.InPath && !x.operation.keeps.Singleton {
		return passed
	}
	collection := x.collection()
	item, gone := x.lookup(collection)
	if item.value == nil {
		return x.missing(item.key, gone)
	}
	if x.unmodified(item) {
		return answered
	}
	return x.show(status, documented, collection, item)
}

// act answers an action that shows the item it is about, and refuses one on an
// item that is not there.
func (x *visit) act(status int, documented *spec.Response) outcome {
	b := x.operation.binding
	if b.KeyIn != resource.InPath {
		return passed
	}
	collection := x.collection()
	item, gone := x.lookup(collection)
	if item.value == nil {
		return x.missing(item.key, gone)
	}
	if !b.Reads || b.Response == nil {
		return passed
	}
	return x.show(status, documented, collection, item)
}

func (x *visit) remove(status int, documented *spec.Response) outcome {
	b, k := x.operation.binding, x.operation.keeps
	key, in := x.namedKey()
	if key == "" {
		return passed
	}
	collection := x.collection()
	item, gone := x.lookup(collection)
	if item.value == nil {
		if result := x.missing(key, gone); result != passed {
			return result
		}
	}
	if !x.current(item, gone) {
		return answered
	}
	match := state.Any
	if item.value != nil && b.Headers.IfMatch != "" {
		match = state.Match(item.version)
	}
	_, gone, err := x.session.State.Delete(collection, item.key, match)
	switch {
	case err != nil:
		x.stale(item)
		return answered
	case gone:
		x.refuse(noItem, []exchange.Finding{noSuch(k, key, true, in, b.Variable)})
		return answered
	}
	x.session.State.ClearBelow(collection, item.key)
	if item.value == nil || b.Response == nil || len(documented.Content) == 0 || bodiless(status) {
		return changed
	}
	return x.show(status, documented, collection, item)
}

// removeMany removes the items that the request names, or all.
func (x *visit) removeMany() outcome {
	b, k := x.operation.binding, x.operation.keeps
	collection := x.collection()
	var named []any
	switch b.KeyIn {
	case resource.InQuery:
		value, ok := x.values.Query[b.Variable]
		if !ok {
			return changed // none is named
		}
		named = keysIn(value)
	case resource.InBody:
		named = keysIn(x.values.Body)
		if named == nil {
			return changed
		}
	}
	if b.KeyIn == resource.Nowhere {
		for _, u := range x.opening(collection).items {
			if x.asked(u.value) {
				named = append(named, u.key)
			}
		}
		for item := range x.session.State.View().Items(collection, 0) {
			if value := decodeItem(item); value != nil && x.inScope(k, value) && x.asked(value) {
				named = append(named, item.Key)
			}
		}
	}
	for _, text := range keyTexts(named) {
		if _, gone, _ := x.session.State.Delete(collection, text, state.Any); !gone {
			x.session.State.ClearBelow(collection, text)
		}
	}
	return changed
}

// asked reports whether an item has what query parameters of the names of
// properties say.
func (x *visit) asked(item map[string]any) bool {
	for name, wanted := range x.values.Query {
		have, ok := item[name]
		if !ok {
			continue
		}
		values := []any{wanted}
		if several, ok := wanted.([]any); ok {
			values = several
		}
		if !slices.ContainsFunc(values, func(v any) bool { return jsonvalue.Same(have, v) }) {
			return false
		}
	}
	return true
}

// keysIn gives the keys that a value names: itself, its elements, or those of
// the one array that an object has.
func keysIn(value any) []any {
	switch v := value.(type) {
	case []any:
		var keys []any
		for _, element := range v {
			if object, ok := element.(map[string]any); ok {
				element = object["id"]
			}
			keys = append(keys, element)
		}
		return keys
	case map[string]any:
		for _, member := range v {
			if list, ok := member.([]any); ok {
				return keysIn(list)
			}
		}
		return nil
	case nil:
		return nil
	}
	return []any{value}
}

// keyTexts gives keys as texts, without what can be none.
func keyTexts(keys []any) []string {
	texts := make([]string, 0, len(keys))
	for _, key := range keys {
		if text, ok := jsonvalue.Text(key); ok {
			texts = append(texts, text)
		}
	}
	return texts
}
