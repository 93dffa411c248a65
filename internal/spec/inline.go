package spec

import (
	"encoding/json"
	"slices"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/tree"
)

// Bounds of what Inline returns.
const (
	maxInlinedLevels = 8     // references within references
	maxInlinedValues = 2_000 // of the document
)

// Inline returns a schema as written in the document, with the targets of its references in their places. A reference
// to a schema that contains it stays, and so does a reference beyond the bounds. A member beside a reference replaces
// the target's member of the same name.
func (s *Schema) Inline() json.RawMessage {
	n := s.Node(s.Keywords)
	if n == nil {
		return json.RawMessage("{}")
	}
	in := &inliner{schema: s, left: maxInlinedValues}
	in.value(n)
	return in.text
}

type inliner struct {
	schema *Schema
	text   []byte
	within []*tree.Node // targets of references that are being written
	left   int          // values that may still be written
}

func (in *inliner) value(n *tree.Node) {
	in.left--
	switch n.Kind {
	case tree.Object:
		in.text = append(in.text, '{')
		first := true
		in.members(n, func(string) bool { return false }, &first)
		in.text = append(in.text, '}')
	case tree.Array:
		in.text = append(in.text, '[')
		for i, item := range n.List() {
			if i > 0 {
				in.text = append(in.text, ',')
			}
			in.value(item)
		}
		in.text = append(in.text, ']')
	default:
		in.text = jsontext.Append(in.text, n.Value())
	}
}

// members writes the members of an object, and the members of the object that its reference leads to.
func (in *inliner) members(n *tree.Node, isWritten func(name string) bool, first *bool) {
	target := in.target(n)
	for _, m := range n.Fields() {
		if isWritten(m.Name) || m.Name == "$ref" && target != nil {
			continue
		}
		if !*first {
			in.text = append(in.text, ',')
		}
		*first = false
		in.text = append(jsontext.AppendString(in.text, m.Name), ':')
		in.value(m.Value)
	}
	if target == nil {
		return
	}
	in.within = append(in.within, target)
	in.members(target, func(name string) bool { return isWritten(name) || n.Get(name) != nil && name != "$ref" }, first)
	in.within = in.within[:len(in.within)-1]
}

// target returns what the reference of an object leads to, nil if it has none or the reference stays.
func (in *inliner) target(n *tree.Node) *tree.Node {
	if n.Get("$ref").Str() == "" || in.left <= 0 || len(in.within) >= maxInlinedLevels {
		return nil
	}
	target := in.schema.Resolve(n)
	if target == n || target == nil || target.Kind != tree.Object {
		return nil
	}
	if slices.Contains(in.within, target) {
		return nil
	}
	return target
}
