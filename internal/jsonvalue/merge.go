package jsonvalue

import "maps"

// Merge applies a merge patch (RFC 7396). Neither value is changed; the result
// may share parts with both.
func Merge(target, patch any) any {
	members, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	object, _ := target.(map[string]any)
	if object = maps.Clone(object); object == nil {
		object = map[string]any{}
	}
	for name, member := range members {
		if member == nil {
			delete(object, name)
			continue
		}
		object[name] = Merge(object[name], member)
	}
	return object
}
