package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// title is how an operation is named in messages.
func title(op *spec.Operation) string { return op.Method + " " + op.Path }

// operations resolves on. complete is false where part of it names no operation.
func (c *compiler) operations(on *tree.Node) (operations []*spec.Operation, complete bool) {
	complete = on != nil
	for _, n := range items(on) {
		found := c.named(n, n.Str())
		complete = complete && len(found) > 0
		for _, op := range found {
			if slices.Contains(operations, op) {
				c.warn(n.Place(), CodeOperation, "on names %s twice", title(op))
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
			c.fail(n, CodeOperation, "the document has no operations")
		}
		return slices.Clone(c.contract.Operations)
	}
	op, err := FindOperation(c.contract, name)
	if err != nil {
		c.fail(n, CodeOperation, "%v", err)
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
	var names, methods []string
	for _, op := range c.Operations {
		names = append(names, title(op))
		if !isPath && op.ID != title(op) {
			names = append(names, op.ID)
		}
		if isPath && op.Path == path {
			if strings.EqualFold(op.Method, method) {
				return fmt.Sprintf("; did you mean %q?", title(op))
			}
			methods = append(methods, op.Method)
		}
	}
	if methods != nil {
		return "; " + path + " has " + enumerate(methods, "and")
	}
	if isPath && strings.HasPrefix(path, "/") {
		router, method := route.New(c), strings.ToUpper(method)
		var m route.Match
		if router.Find(method, path, "", &m) == route.Found {
			if strings.Contains(m.Operation.Path, "{") && !strings.HasSuffix(path, m.Operation.Path) {
				return fmt.Sprintf("; write %q and narrow it with when: request.params", title(m.Operation))
			}
			return fmt.Sprintf("; write %q, without the server's base path", title(m.Operation))
		}
		if op := router.Nearest(method, path); op != nil {
			return fmt.Sprintf("; did you mean %q?", title(op))
		}
	}
	return hint(name, names, "the document has")
}
