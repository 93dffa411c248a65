package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/spec"
)

// title is how an operation is named in messages.
func title(op *spec.Operation) string { return op.Method + " " + op.Path }

// operations resolves on. all is false where some of it names no operation.
func (p *parser) operations(rule, on *node) (operations []*spec.Operation, all bool) {
	if on == nil {
		p.fail(rule, CodeRule, `the rule needs "on": METHOD path, an operationId, a list of both, or "*" for every operation`)
		return nil, false
	}
	names := []*node{on}
	if on.kind == kindList {
		names = on.items
		if len(names) == 0 {
			p.fail(on, CodeValue, "on is an empty list")
			return nil, false
		}
	}
	all = true
	for _, n := range names {
		found := p.named(n)
		if found == nil {
			all = false
		}
		for _, op := range found {
			if slices.Contains(operations, op) {
				p.warn(n.place(p.file), CodeOperation, "on names %s twice", title(op))
				break
			}
			operations = append(operations, op)
		}
	}
	return operations, all
}

// names gives what on says, as it is written.
func names(on *node) []string {
	switch {
	case on == nil:
		return nil
	case on.kind != kindList:
		return []string{on.text}
	}
	list := make([]string, len(on.items))
	for i, n := range on.items {
		list[i] = n.text
	}
	return list
}

func (p *parser) named(n *node) []*spec.Operation {
	if n.kind != kindText {
		p.fail(n, CodeValue, `on must be METHOD path, an operationId, a list of both, or "*", is %s`, n.describe())
		return nil
	}
	if n.text == "*" {
		if len(p.contract.Operations) == 0 {
			p.fail(n, CodeOperation, "the document has no operations")
		}
		return slices.Clone(p.contract.Operations)
	}
	op, err := FindOperation(p.contract, n.text)
	if err != nil {
		p.fail(n, CodeOperation, "%v", err)
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
	return meant(name, names, "the document has")
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
