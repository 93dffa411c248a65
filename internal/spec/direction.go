package spec

import "slices"

// maxComposition bounds how deep hidden properties are looked for through
// allOf and $ref.
const maxComposition = 16

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
func (t *translator) hidden(n *Node, names []string, depth int) []string {
	if depth > maxComposition {
		return names
	}
	if properties := n.Get("properties"); properties != nil {
		for _, member := range properties.Members {
			if t.hasFlag(member.Value, t.direction.hides(), 0) && !slices.Contains(names, member.Name) {
				names = append(slices.Clip(names), member.Name)
			}
		}
	}
	if allOf := n.Get("allOf"); allOf != nil {
		for _, part := range allOf.Items {
			names = t.hidden(part, names, depth+1)
		}
	}
	if ref := n.Get("$ref").Str(); ref != "" {
		if target, err := t.lookup(n, ref, t.root); err == nil && target != n {
			names = t.hidden(target, names, depth+1)
		}
	}
	return names
}

// hasFlag reports whether a property's schema says readOnly or writeOnly,
// itself or through $ref and allOf.
func (t *translator) hasFlag(n *Node, flag string, depth int) bool {
	if depth > maxComposition {
		return false
	}
	if n.Get(flag).True() {
		return true
	}
	if ref := n.Get("$ref").Str(); ref != "" {
		if target, err := t.lookup(n, ref, t.root); err == nil && t.hasFlag(target, flag, depth+1) {
			return true
		}
	}
	if allOf := n.Get("allOf"); allOf != nil {
		for _, part := range allOf.Items {
			if t.hasFlag(part, flag, depth+1) {
				return true
			}
		}
	}
	return false
}

// composition translates the parts of an allOf anew that ask for a property
// which another part hides.
func (t *translator) composition(n *Node, hidden []string, out map[string]any) {
	parts, ok := out["allOf"].([]any)
	if !ok {
		return
	}
	for i, part := range n.Get("allOf").Items {
		target, err := t.resolve(part)
		if err != nil || !t.asksFor(target, hidden, 0) {
			continue
		}
		parts[i] = t.schema(target, hidden)
	}
}

// asksFor reports whether a schema requires one of the names.
func (t *translator) asksFor(n *Node, names []string, depth int) bool {
	if depth > maxComposition {
		return false
	}
	if required := n.Get("required"); required != nil {
		for _, item := range required.Items {
			if slices.Contains(names, item.Str()) {
				return true
			}
		}
	}
	if allOf := n.Get("allOf"); allOf != nil {
		for _, part := range allOf.Items {
			if target, err := t.resolve(part); err == nil && t.asksFor(target, names, depth+1) {
				return true
			}
		}
	}
	return false
}
