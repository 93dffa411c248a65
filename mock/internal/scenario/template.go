package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/formula"
	"github.com/coldframe/coldframe/internal/tree"
)

type template struct {
	constant any                         // a value without expressions, possibly null
	render   func(*Request) (any, error) // returns the value as jsontext.Decode would; nil for a constant
}

func (t *template) isConstant() bool { return t.render == nil }

func (t *template) value(r *Request) (any, error) {
	if t.isConstant() {
		return t.constant, nil
	}
	return t.render(r)
}

func newTemplate(parts []*template, render func(*Request) (any, error)) *template {
	if slices.ContainsFunc(parts, func(part *template) bool { return !part.isConstant() }) {
		return &template{render: render}
	}
	constant, _ := render(nil)
	return &template{constant: constant}
}

func (c *compiler) template(n *tree.Node, s scope) *template {
	var parts []*template
	for child := range n.Children() {
		parts = append(parts, c.template(child, s))
	}
	switch n.Kind {
	case tree.String:
		return c.stringTemplate(n, s)
	case tree.Array:
		return newTemplate(parts, func(r *Request) (any, error) {
			list := make([]any, len(parts))
			for i, part := range parts {
				var err error
				if list[i], err = part.value(r); err != nil {
					return nil, err
				}
			}
			return list, nil
		})
	case tree.Object:
		return newTemplate(parts, func(r *Request) (any, error) {
			object := make(map[string]any, len(parts))
			for i, part := range parts {
				var err error
				if object[n.Fields()[i].Name], err = part.value(r); err != nil {
					return nil, err
				}
			}
			return object, nil
		})
	}
	return &template{constant: n.Value()}
}

// stringTemplate splits a string at its ${…}. "$${" is a literal "${". A string that is exactly one ${…} has the type
// of the value.
func (c *compiler) stringTemplate(n *tree.Node, s scope) *template {
	var parts []*template
	literal := ""
	for i := 0; i < len(n.Text); {
		rest := n.Text[i:]
		switch {
		case strings.HasPrefix(rest, "$${"):
			literal += "${"
			i += 3
		case strings.HasPrefix(rest, "${"):
			length := formula.Closing(rest[2:])
			if length < 0 {
				c.failAt(locate(n, i), CodeExpression, `"${" is not closed; write "$${" for the characters themselves`)
				return &template{constant: n.Text}
			}
			if literal != "" {
				parts = append(parts, &template{constant: literal})
				literal = ""
			}
			parts = append(parts, &template{render: c.expression(n, i+2, rest[2:2+length], s).plain})
			i += 2 + length + 1
		default:
			next := strings.IndexByte(rest[1:], '$') + 1
			if next == 0 {
				next = len(rest)
			}
			literal += rest[:next]
			i += next
		}
	}
	if literal != "" {
		parts = append(parts, &template{constant: literal})
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return newTemplate(parts, func(r *Request) (any, error) {
		var b []byte
		for _, part := range parts {
			v, err := part.value(r)
			if err != nil {
				return nil, err
			}
			b = formula.AppendText(b, v)
		}
		return string(b), nil
	})
}

// plain evaluates the expression to a JSON value. The error has its place.
func (e *expression) plain(r *Request) (any, error) {
	v, err := e.value(r)
	if err == nil {
		v, err = formula.Plain(v)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.place, err)
	}
	return v, nil
}
