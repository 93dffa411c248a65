package spec

import (
	"iter"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/tree"
)

// maxInlined limits the references in one schema that are replaced by their targets.
const maxInlined = 200

var hidingKeywords = [...]string{InRequest: "readOnly", InResponse: "writeOnly"}

// hidden returns names plus the names of the properties that n and its parts hide in this direction. A name that one
// part of an allOf requires may be readOnly in another.
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

// composed returns n and the schemas that its $ref and allOf add, each once.
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

// inline returns the translation of a reference's target, with the requirements that the schema around it changes. It
// returns false if the target can be shared: it requires nothing that is hidden and is not closed.
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
