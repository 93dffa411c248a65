package resource

import "github.com/coldframe/coldframe/internal/spec"

// Default gives the default of a part of what a schema describes, nil where it
// has none. A default beside a reference counts before that behind it.
func Default(in *spec.Schema, k *spec.Keywords) any {
	if in == nil || k == nil {
		return nil
	}
	return defaultAt(in, in.Node(k), 0)
}

func defaultAt(in *spec.Schema, n *spec.Node, depth int) any {
	if n == nil || depth > maxSchemaDepth {
		return nil
	}
	if given := n.Get("default"); given != nil {
		return given.Value()
	}
	if n.Get("$ref").Str() != "" {
		return defaultAt(in, in.Resolve(n), depth+1)
	}
	if parts := n.Get("allOf"); parts != nil {
		for _, part := range parts.Items {
			if given := defaultAt(in, part, depth+1); given != nil {
				return given
			}
		}
	}
	return nil
}
