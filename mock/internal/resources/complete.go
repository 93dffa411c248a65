package resources

import (
	"encoding/json"
	"maps"
	"strconv"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// extends reports whether a value has everything that another has: the members of an object, and each element of a list
// at the same place.
func extends(value, other any) bool {
	switch other := other.(type) {
	case map[string]any:
		object, ok := value.(map[string]any)
		if !ok {
			return false
		}
		for name, member := range other {
			own, has := object[name]
			if !has || !extends(own, member) {
				return false
			}
		}
		return true
	case []any:
		list, ok := value.([]any)
		if !ok || len(list) != len(other) {
			return false
		}
		for i := range other {
			if !extends(list[i], other[i]) {
				return false
			}
		}
		return true
	}
	return jsonvalue.Equals(value, other)
}

// withCompleteParts returns a changed item whose objects and lists have what their schemas require: the key of an
// object that was sent without one, say. What was sent is never dropped. old is the item before.
func withCompleteParts(q *Request, key string, item, old map[string]any) map[string]any {
	k := q.op.runtime
	if k.Item == nil {
		return item
	}
	changed, isCopy := item, false
	for name, value := range item {
		switch value.(type) {
		case map[string]any, []any:
		default:
			continue
		}
		property := k.properties[name]
		if before, had := old[name]; had && jsonvalue.Equals(before, value) {
			continue
		}
		if property == nil || spec.Conforms(property, value) {
			continue
		}
		if completed, ok := k.completeValue(q.valueKey(key), name, value); ok {
			if !isCopy {
				changed, isCopy = maps.Clone(item), true
			}
			changed[name] = completed
		}
	}
	return changed
}

// withCounters returns a changed item whose numbers of elements follow its lists, if only the server sets them.
func (k *Runtime) withCounters(item map[string]any) map[string]any {
	for name, counted := range k.counters() {
		list, isList := item[counted].([]any)
		if _, has := item[name]; !has || !isList || !k.isComputable(name) || k.sums().Computes(name) {
			continue
		}
		n := json.Number(strconv.Itoa(len(list)))
		if !jsonvalue.Equals(item[name], n) && spec.Conforms(k.properties[name], n) {
			item = jsonvalue.WithMember(item, name, n)
		}
	}
	return item
}

// completeValue returns the value of a property with what its schema requires; false if no such value has all of it.
func (k *Runtime) completeValue(key generate.Key, name string, value any) (any, bool) {
	filled, ok := k.Generate(key, respond.Listed(map[string]any{name: value}, k.properties))
	if !ok {
		return nil, false
	}
	made, has := filled[name]
	return made, has && extends(made, value)
}
