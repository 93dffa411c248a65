package resources

import (
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/state"
)

func remove(q *Request) error {
	key, in := requestKey(q)
	if key == "" {
		return errNotHandled
	}
	item, deleted := find(q)
	if item.Value == nil {
		if err := missing(q, key, deleted); err != nil {
			return err
		}
	}
	if err := checkPreconditions(q, item, deleted); err != nil {
		return err
	}
	if err := checkState(q, item); err != nil {
		return err
	}
	if err := checkReferrers(q, item); err != nil {
		return err
	}
	if q.op.runtime.isEmptied() {
		return empty(q, item)
	}
	match := state.Any
	if item.Value != nil && q.op.Headers.IfMatch != "" {
		match = state.Match(item.Version)
	}
	if deleted, err := q.deleteItem(item, match); err != nil {
		return stale(q, item)
	} else if deleted {
		return noSuchItem(q.op.runtime, key, true, in, q.op.Variable)
	}
	isShown := item.Value != nil && (q.op.Response != nil || q.showsKey())
	if !isShown || len(q.Documented.Content) == 0 || exchange.IsBodiless(q.answer.Status) {
		return errNoBody
	}
	return show(q, item)
}

// showsKey reports whether the answer has the key of an item that it does not show otherwise: {id, deleted: true}.
func (q *Request) showsKey() bool {
	key := q.op.runtime.KeyProperty()
	return len(key) == 1 && q.media != nil && q.media.Schema != nil && q.media.Schema.Members()[key[0]] != nil
}

// deleteItem deletes an item with what is below it. It reports whether it was deleted before.
func (q *Request) deleteItem(item Item, match state.Match) (before bool, err error) {
	if _, before, err = q.delete(q.collection, item.Key, match); err == nil && !before {
		q.Session.ClearBelow(q.collection, item.Key)
		q.removeChildren(item.Key)
		q.countBelow(q.collection, item.Value, nil)
	}
	return before, err
}

// isEmptied reports whether a DELETE of a singleton empties it: requests add to its lists, and none creates it again.
func (k *Runtime) isEmptied() bool {
	adds := func(b *resource.Binding) bool {
		return b.Part != nil && b.Part.Many && b.Part.Change == resource.AddPart
	}
	return k.Singleton && !k.creates && slices.ContainsFunc(k.Bindings, adds)
}

// empty removes all elements of an item's lists, and what can be null.
func empty(q *Request, item Item) error {
	k := q.op.runtime
	after := maps.Clone(item.Value)
	if after == nil {
		after = maps.Clone(generatedItem(q, item.Key))
	}
	for name := range after {
		for _, nothing := range []any{[]any{}, nil} {
			if property := k.properties[name]; property != nil && spec.Conforms(property, nothing) {
				after[name] = nothing
				break
			}
		}
	}
	item, _, err := keepChange(q, item, k.recalculated(after))
	switch {
	case err != nil:
		return err
	case q.op.Response == nil || exchange.IsBodiless(q.answer.Status):
		return errNoBody
	}
	return show(q, item)
}

// removeMany removes the items that the request names, or all.
func removeMany(q *Request) error {
	var keys []any
	switch q.op.KeyIn {
	case resource.InQuery:
		keys = keysIn(q.Values.Query[q.op.Variable])
	case resource.InBody:
		keys = keysIn(q.Values.Body())
	case resource.Nowhere:
		for _, item := range initial(q).all() {
			if matchesQuery(q, item.Value) {
				keys = append(keys, item.Key)
			}
		}
		for item := range q.view().Items(q.collection, 0) {
			if q.Work.Step() {
				return errNoBody
			}
			if value := DecodeItem(item); value != nil && q.op.isBelow(q.Values.Path, value) && matchesQuery(q, value) {
				keys = append(keys, item.Key)
			}
		}
	}
	var outcome bulkOutcome
	for _, key := range keyTexts(keys) {
		if q.Work.Step() {
			return errNoBody
		}
		item, err := q.deleteExisting(key)
		if err != nil {
			return err
		}
		outcome.add(resource.Done, item)
	}
	if q.op.Bulk == nil {
		return errNoBody
	}
	return answerBulk(q, outcome)
}

// matchesQuery reports whether an item has what query parameters of the names of properties say.
func matchesQuery(q *Request, item map[string]any) bool {
	for name, wanted := range q.Values.Query {
		have, ok := item[name]
		if !ok {
			continue
		}
		values, several := wanted.([]any)
		if !several {
			values = []any{wanted}
		}
		if !slices.ContainsFunc(values, func(v any) bool { return jsonvalue.Same(have, v) }) {
			return false
		}
	}
	return true
}

// keysIn returns the keys that a value names: itself, its elements, or the keys in the one
// array that an object has.
func keysIn(value any) []any {
	switch v := value.(type) {
	case nil:
		return nil
	case []any:
		keys := slices.Clone(v)
		for i, element := range v {
			if object, ok := element.(map[string]any); ok {
				keys[i] = object["id"]
			}
		}
		return keys
	case map[string]any:
		for _, member := range v {
			if list, ok := member.([]any); ok {
				return keysIn(list)
			}
		}
		return nil
	}
	return []any{value}
}

func keyTexts(keys []any) []string {
	texts := make([]string, 0, len(keys))
	for _, key := range keys {
		if text, ok := jsonvalue.Text(key); ok {
			texts = append(texts, text)
		}
	}
	return texts
}
