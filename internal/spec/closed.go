package spec

import (
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/tree"
)

// If the parts of an allOf are closed ("additionalProperties": false), they forbid each other's properties, and no
// object fits, or only the empty one. Such parts are read together: each allows the properties that the others name.

// closed matches a text with a closed schema.
var closed = lazyregexp.New(`additionalProperties["']?\s*:\s*false`)

// maxJoined limits the parts, the branches and the properties of schemas that are read together: each part gets the
// properties of all others. A larger schema is left unchanged.
const maxJoined = 50

// composition collects what the parts of a schema say about the same object.
type composition struct {
	parts    []*tree.Node // all apply; nil if there are too many
	declared map[string]bool
	required map[string]bool
}

func compositionOf(t *translator, n *tree.Node, hidden map[string]bool) composition {
	var c composition
	for part := range t.composed(n) {
		if c.parts = append(c.parts, part); len(c.parts) > maxJoined {
			return composition{}
		}
	}
	c.declared, c.required = map[string]bool{}, map[string]bool{}
	for _, part := range c.parts {
		for _, member := range part.Get("properties").Fields() {
			c.declared[member.Name] = true
		}
		for _, name := range part.Get("required").List() {
			c.required[name.Str()] = !hidden[name.Str()]
		}
	}
	return c
}

// branches returns the alternatives of the parts, nil if there are too many. Alternatives with a discriminator are
// not opened: their properties distinguish them.
func (c *composition) branches() []*tree.Node {
	var all []*tree.Node
	for _, part := range c.parts {
		if part.Get("discriminator") == nil {
			all = slices.Concat(all, part.Get("oneOf").List(), part.Get("anyOf").List())
		}
	}
	if len(all) > maxJoined {
		return nil
	}
	return all
}

func isClosed(n *tree.Node) bool {
	additional := n.Get("additionalProperties")
	return additional != nil && additional.Kind == tree.Bool && additional.Text == "false"
}

// hasClosed reports whether a schema, one of its parts or one of its branches is closed.
func hasClosed(t *translator, n *tree.Node) bool {
	c := compositionOf(t, n, nil)
	parts := c.parts
	for _, branch := range c.branches() {
		parts = append(parts, compositionOf(t, branch, nil).parts...)
	}
	return slices.ContainsFunc(parts, isClosed)
}

// forbids reports whether the closed parts allow no object, or only the empty one, although they name properties.
func (c *composition) forbids() bool {
	isEmpty := len(c.declared) > 0
	for name := range c.declared {
		isAllowed := !slices.ContainsFunc(c.parts, func(part *tree.Node) bool {
			return isClosed(part) && part.Get("properties").Get(name) == nil && part.Get("patternProperties") == nil
		})
		if c.required[name] && !isAllowed {
			return true
		}
		isEmpty = isEmpty && !isAllowed
	}
	return isEmpty
}

// with combines the parts with the parts of a branch.
func (c *composition) with(branch composition) *composition {
	both := &composition{slices.Concat(c.parts, branch.parts), maps.Clone(c.declared), maps.Clone(c.required)}
	maps.Copy(both.declared, branch.declared)
	maps.Copy(both.required, branch.required)
	return both
}

// joined adds the properties that closed parts must allow to in, if the schema is composed of closed parts.
func joined(t *translator, n *tree.Node, in around) around {
	if in.examined {
		return in
	}
	in.examined = n.Get("allOf") != nil || n.Get("oneOf") != nil || n.Get("anyOf") != nil ||
		!t.legacy && n.Get("$ref") != nil && len(n.Fields()) > 1
	if !in.examined || !hasClosed(t, n) {
		return in
	}
	c := compositionOf(t, n, in.hidden)
	isForbidden, declared := c.forbids(), maps.Clone(c.declared)
	for _, branch := range c.branches() {
		both := c.with(compositionOf(t, branch, in.hidden))
		maps.Copy(declared, both.declared)
		isForbidden = isForbidden || both.forbids()
	}
	if !isForbidden || len(declared) > 10*maxJoined {
		return in
	}
	if len(in.allowed) == 0 {
		t.warn(n, "closed-parts", "its parts do not allow each other's properties (\"additionalProperties\": false), "+
			"so that no object fits; they are read together, and answers of the mock are marked")
	}
	if t.options.AnswersAsWritten && t.resource.direction == InResponse {
		return in
	}
	maps.Copy(declared, in.allowed)
	maps.Copy(c.declared, in.certain)
	in.allowed, in.certain = declared, c.declared
	return in
}

// open makes a closed part allow the properties that the other parts name.
func open(t *translator, n *tree.Node, out map[string]any) {
	if len(t.around.allowed) == 0 || !isClosed(n) {
		return
	}
	properties, _ := out["properties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{}
		out["properties"] = properties
	}
	for name := range t.around.allowed {
		if n.Get("properties").Get(name) == nil {
			properties[name] = true
		}
	}
}
