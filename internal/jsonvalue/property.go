package jsonvalue

// Property follows names down a decoded value. It reports whether each object on the way has its name.
func Property(value any, path []string) (any, bool) {
	for _, name := range path {
		object, ok := value.(map[string]any)
		if !ok {
			return nil, false
		}
		if value, ok = object[name]; !ok {
			return nil, false
		}
	}
	return value, true
}

// WithProperty returns value with another at the end of path. It copies the objects on the way: value does not change.
// A value that is not an object becomes one.
func WithProperty(value any, path []string, to any) any {
	if len(path) == 0 {
		return to
	}
	object, _ := value.(map[string]any)
	return WithMember(object, path[0], WithProperty(object[path[0]], path[1:], to))
}
