package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// maxSuggested is the longest path that suggestions are made for, in bytes.
const maxSuggested = 200

// title is how an operation is named in messages.
func title(op *spec.Operation) string { return op.Method + " " + op.Path }

// operations resolves on. complete is false where part of it names no operation.
func (c *compiler) operations(n *tree.Node, on *oneOrMore[string]) (operations []*spec.Operation, complete bool) {
	complete = len(on.items) > 0
	for i, name := range on.items {
		at := n
		if on.isArray {
			at = n.Items[i]
		}
		found := c.named(at, name)
		complete = complete && len(found) > 0
		for _, op := range found {
			if slices.Contains(operations, op) {
				c.warn(at.Place(), CodeOperation, "on names %s twice", title(op))
				break
			}
			operations = append(operations, op)
		}
	}
	return operations, complete
}

func (c *compiler) named(n *tree.Node, name string) []*spec.Operation {
	switch name {
	case "": // reported as a violation of the schema
		return nil
	case "*":
		if len(c.contract.Operations) == 0 {
			c.fail(n.Place(), CodeOperation, "the document has no operations")
		}
		return slices.Clone(c.contract.Operations)
	}
	op, err := FindOperation(c.contract, name)
	if err != nil {
		c.fail(n.Place(), CodeOperation, "%v", err)
		return nil
	}
	return []*spec.Operation{op}
}

// FindOperation gives the operation of a name, METHOD path or an operationId.
// The error suggests the operation that an unknown name most likely means.
func FindOperation(c *spec.Contract, name string) (*spec.Operation, error) {
	name = strings.Join(strings.Fields(name), " ")
	if op := c.Operation(name); op != nil {
		return op, nil
	}
	return nil, fmt.Errorf("unknown operation %q%s", shorten(name), suggest(c, name))
}

func suggest(c *spec.Contract, name string) string {
	method, path, isPath := strings.Cut(name, " ")
	if isPath {
		var methods []string
		for _, op := range c.Operations {
			if op.Path == path {
				if strings.EqualFold(op.Method, method) {
					return "; did you mean " + quoted(op) + "?"
				}
				methods = append(methods, op.Method)
			}
		}
		if methods != nil {
			return "; " + path + " has " + enumerate(methods, "and")
		}
		for _, op := range c.Operations {
			if strings.EqualFold(op.Method, method) && concreteOf(op, path) {
				if strings.Contains(op.Path, "{") && !strings.HasSuffix(path, op.Path) {
					return "; write " + quoted(op) + " and narrow it with when: request.params"
				}
				return "; write " + quoted(op) + ", without the server's base path"
			}
		}
	}
	if isPath {
		if op := nearestPath(c, method, path); op != nil {
			return "; did you mean " + quoted(op) + "?"
		}
	}
	var names []string
	for _, op := range c.Operations {
		names = append(names, title(op))
		if !isPath && op.ID != title(op) {
			names = append(names, op.ID)
		}
	}
	return hint(name, names, "the document has")
}

func quoted(op *spec.Operation) string { return `"` + title(op) + `"` }

// concreteOf reports whether path is the operation's, with values for its
// variables or behind a base path.
func concreteOf(op *spec.Operation, path string) bool {
	template := strings.Split(op.Path, "/")
	for _, base := range append([]string{""}, op.BasePaths...) {
		rest, ok := strings.CutPrefix(path, base)
		if !ok {
			continue
		}
		segments := strings.Split(rest, "/")
		if len(segments) == len(template) && !slices.ContainsFunc(template, func(t string) bool {
			s := segments[0]
			segments = segments[1:]
			return t != s && !strings.Contains(t, "{")
		}) {
			return true
		}
	}
	return false
}

// nearestPath gives the operation whose path differs in the fewest letters, a
// variable being like every value; nil where none is near.
func nearestPath(c *spec.Contract, method, path string) *spec.Operation {
	if len(path) > maxSuggested {
		return nil
	}
	segments := strings.Split(path, "/")
	var best *spec.Operation
	least := max(2, len(path)/4) + 1
	for _, op := range c.Operations {
		template := strings.Split(op.Path, "/")
		if len(template) != len(segments) || len(op.Path) > maxSuggested {
			continue
		}
		letters := 0
		if !strings.EqualFold(op.Method, method) {
			letters++
		}
		for i, segment := range segments {
			if !strings.Contains(template[i], "{") {
				letters += nearest.Distance(segment, template[i])
			}
		}
		if letters < least {
			best, least = op, letters
		}
	}
	return best
}
