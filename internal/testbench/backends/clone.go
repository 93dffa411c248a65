package backends

import "maps"

// changed returns a copy of an object with one property set.
func changed(object map[string]any, name string, value any) map[string]any {
	copied := maps.Clone(object)
	copied[name] = value
	return copied
}

// without returns a copy of an object that lacks properties.
func without(object map[string]any, names ...string) map[string]any {
	copied := maps.Clone(object)
	for _, name := range names {
		delete(copied, name)
	}
	return copied
}

// merged is a merge patch (RFC 7396) applied.
func merged(target, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	result := map[string]any{}
	if object, ok := target.(map[string]any); ok {
		maps.Copy(result, object)
	}
	for name, value := range changes {
		if value == nil {
			delete(result, name)
		} else {
			result[name] = merged(result[name], value)
		}
	}
	return result
}
