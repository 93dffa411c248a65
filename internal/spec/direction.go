package spec

import (
	"iter"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/tree"
)

// maxInlined bounds how many references of one schema are replaced by what they lead to.
const maxInlined = 200

var hidingKeywords = [...]string{InRequest: "readOnly", InResponse: "writeOnly"}

// hidden gives, beside those it is given, the names of the properties that n and what it is composed of hide in this
// direction. A name that is required in one part of an allOf may be readOnly in another.
func (t *translator) hidden(n *tree.Node, names map[string]bool) map[string]bool {
	added := false
	for part := range t.composed(n) {
		for _, member := range part.Get("properties").Fields() {
			if !names[member.Name] && t.hides(member.Value) {
				if !added {
					names, added = maps.Clone(names), true
				}
				if names == nil {
					names = map[string]bool{}
				}
				names[member.Name] = true
			}
		}
	}
	return names
}

// hides reports whether a property's schema is hidden in this direction, by itself or through $ref and allOf.
func (t *translator) hides(property *tree.Node) bool {
	for part := range t.composed(property) {
		if part.Get(hidingKeywords[t.resource.direction]).True() {
			return true
		}
	}
	return false
}

func (t *translator) asksFor(n *tree.Node, names map[string]bool) bool {
	for part := range t.composed(n) {
		for _, name := range part.Get("required").List() {
			if names[name.Str()] {
				return true
			}
		}
	}
	return false
}

// composed returns n and what its $ref and allOf add to it, each once.
func (l *loader) composed(n *tree.Node) iter.Seq[*tree.Node] {
	return func(yield func(*tree.Node) bool) {
		if n.Get("$ref") == nil && n.Get("allOf") == nil {
			yield(n)
			return
		}
		seen := map[*tree.Node]bool{}
		var visit func(n *tree.Node) bool
		visit = func(n *tree.Node) bool {
			if seen[n] {
				return true
			}
			seen[n] = true
			if !yield(n) {
				return false
			}
			if ref := n.Get("$ref").Str(); ref != "" {
				if target, err := l.lookup(n, ref); err == nil && !visit(target) {
					return false
				}
			}
			return !slices.ContainsFunc(n.Get("allOf").List(), func(part *tree.Node) bool { return !visit(part) })
		}
		visit(n)
	}
}

// inline returns the translation of what a reference leads to, with its requirements as the schema around it changes
// them; false if it asks for nothing that is hidden, is not closed either, and can be shared.
func (t *translator) inline(target *tree.Node) (any, bool) {
	changes := len(t.around.hidden) > 0 && t.asksFor(target, t.around.hidden) ||
		len(t.around.allowed) > 0 && hasClosed(t, target)
	if !changes || t.inlining[target] || t.inlined >= maxInlined {
		return nil, false
	}
	t.inlined++
	t.inlining[target] = true
	defer delete(t.inlining, target)
	return t.schema(target, t.around), true
}
