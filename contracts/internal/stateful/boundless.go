package stateful

import (
	"encoding/json"

	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
)

// boundless reports whether the backend has an item for whatever key it is asked
// for, as one may whose items are computed, so that none can be missing: what
// a made-up key reads is an item of that key, and it can be removed once. Where
// the document has no way to find out, or nothing more can be sent, it may be so.
func (t *tester) boundless(r *resource.Resource, scope map[string]string, key string) bool {
	other := *t
	other.resource = r
	read, remove := other.binding(resource.Read), other.binding(resource.Delete)
	if read != nil && (read.KeyIn != resource.InPath || len(read.Lookup) > 0) {
		read = nil
	}
	if remove != nil && (remove.KeyIn != resource.InPath || len(remove.Lookup) > 0) {
		remove = nil
	}
	title := "an item of which nothing is known"
	if read != nil {
		x := other.send(read, request{scope: scope, key: key, title: title, absent: true})
		if x == nil {
			return true
		}
		if !x.Succeeded() {
			return false
		}
		if property := keyProperty(r); property != nil {
			if value, ok := other.value(x); ok {
				if shown, ok := resource.Get(value, property); ok && itempool.Text(shown) != key {
					object, is := value.(map[string]any)
					return is && len(property) == 1 && !showable(read, object, property[0], keyLike(shown, key))
				}
			}
		}
	}
	if remove == nil {
		return true
	}
	first := other.send(remove, request{scope: scope, key: key, title: title, absent: true})
	if first == nil {
		return true
	}
	if !first.Succeeded() {
		return false
	}
	second := other.again(first, title)
	return second == nil || !second.Succeeded()
}

// keyLike gives a key of a path as the kind of value that another is.
func keyLike(other any, key string) any {
	if _, is := other.(json.Number); is && digits(key) {
		return json.Number(key)
	}
	return key
}
