package spec

import (
	"slices"

	"github.com/coldframe/coldframe/internal/tree"
)

// maxInlined bounds how many references of one schema are replaced by what
// they lead to.
const maxInlined = 200

// hides names the keyword that hides a property in the direction.
func (d Direction) hides() string {
	if d == InRequest {
		return "readOnly"
	}
	return "writeOnly"
}

// hidden gives, beside those it is given, the names of the properties that n
// and what it is composed of hide in this direction. A name that is required
// in one part of an allOf may be readOnly in another.
func (t *translator) hidden(n *tree.Node, names []string) []string {
	t.composed(n, func(part *tree.Node) bool {
		if properties := part.Get("properties"); properties != nil {
			for _, member := range properties.Members {
				if !slices.Contains(names, member.Name) && t.hides(member.Value) {
					names = append(slices.Clip(names), member.Name)
				}
			}
		}
		return true
	})
	return names
}

// hides reports whether a property's schema is hidden in this direction, by
// itself or through $ref and allOf.
func (t *translator) hides(property *tree.Node) bool {
	return !t.composed(property, func(part *tree.Node) bool { return !part.Get(t.resource.direction.hides()).True() })
}

// asksFor reports whether a schema requires one of the names.
func (t *translator) asksFor(n *tree.Node, names []string) bool {
	return !t.composed(n, func(part *tree.Node) bool {
		required := part.Get("required")
		return required == nil || !slices.ContainsFunc(required.Items,
			func(item *tree.Node) bool { return slices.Contains(names, item.Str()) })
	})
}

// composed visits n and what its $ref and allOf add to it, each once, until
// visit returns false, and reports whether it never did.
func (t *translator) composed(n *tree.Node, visit func(*tree.Node) bool) bool {
	if n.Get("$ref") == nil && n.Get("allOf") == nil {
		return visit(n)
	}
	seen := map[*tree.Node]bool{n: true}
	for queue := []*tree.Node{n}; len(queue) > 0; queue = queue[1:] {
		part := queue[0]
		if !visit(part) {
			return false
		}
		add := func(next *tree.Node) {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
		if ref := part.Get("$ref").Str(); ref != "" {
			if target, err := t.lookup(part, ref); err == nil {
				add(target)
			}
		}
		if allOf := part.Get("allOf"); allOf != nil {
			for _, item := range allOf.Items {
				add(item)
			}
		}
	}
	return true
}

// inline gives the translation of what a reference leads to, with its
// requirements as the schema around it changes them; false where it asks for
// nothing that is hidden and can be shared.
func (t *translator) inline(target *tree.Node) (any, bool) {
	if len(t.hiding) == 0 || t.inlining[target] || t.inlined >= maxInlined || !t.asksFor(target, t.hiding) {
		return nil, false
	}
	if t.inlining == nil {
		t.inlining = map[*tree.Node]bool{}
	}
	t.inlined++
	t.inlining[target] = true
	defer delete(t.inlining, target)
	return t.schema(target, t.hiding), true
}
