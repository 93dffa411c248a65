package scenario

import (
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/tree"
)

// template is a JSON value with expressions in its strings. Exactly one of the
// four is used.
type template struct {
	constant any         // a value without expressions; also null
	single   *expression // a string that is one ${…}: the value with its type
	mixed    []segment   // a string with ${…} in it
	items    []*template
	members  []field
}

type segment struct {
	literal string
	dynamic *expression // nil for a literal
}

type field struct {
	name  string
	value *template
}

func (t *template) isConstant() bool {
	return t.single == nil && t.mixed == nil && t.items == nil && t.members == nil
}

// template compiles a value.
func (c *compiler) template(n *tree.Node, s scope) *template {
	switch n.Kind {
	case tree.String:
		return c.stringTemplate(n, s)
	case tree.Array:
		t, isConstant := &template{items: []*template{}}, true
		for _, item := range n.Items {
			part := c.template(item, s)
			isConstant = isConstant && part.isConstant()
			t.items = append(t.items, part)
		}
		return t.folded(isConstant)
	case tree.Object:
		t, isConstant := &template{members: []field{}}, true
		for _, m := range n.Members {
			part := c.template(m.Value, s)
			isConstant = isConstant && part.isConstant()
			t.members = append(t.members, field{m.Name, part})
		}
		return t.folded(isConstant)
	}
	return &template{constant: n.Value()}
}

// folded replaces constant parts by one constant.
func (t *template) folded(isConstant bool) *template {
	if !isConstant {
		return t
	}
	constant, _ := t.value(nil)
	return &template{constant: constant}
}

// stringTemplate splits a string at its ${…}. "$${" stands for "${".
func (c *compiler) stringTemplate(n *tree.Node, s scope) *template {
	var segments []segment
	literal := strings.Builder{}
	dynamic := false
	for i := 0; i < len(n.Text); {
		rest := n.Text[i:]
		switch {
		case strings.HasPrefix(rest, "$${"):
			literal.WriteString("${")
			i += 3
		case strings.HasPrefix(rest, "${"):
			dynamic = true
			length := closing(rest[2:])
			if length < 0 {
				c.failAt(c.locate(n, i), CodeExpression, `"${" is not closed; write "$${" for the characters themselves`)
				return &template{constant: n.Text}
			}
			if literal.Len() > 0 {
				segments = append(segments, segment{literal: literal.String()})
				literal.Reset()
			}
			if e := c.expression(n, i+2, rest[2:2+length], s); e != nil {
				segments = append(segments, segment{dynamic: e})
			}
			i += 2 + length + 1
		default:
			next := strings.IndexByte(rest[1:], '$') + 1
			if next == 0 {
				next = len(rest)
			}
			literal.WriteString(rest[:next])
			i += next
		}
	}
	if !dynamic {
		return &template{constant: literal.String()}
	}
	if literal.Len() > 0 {
		segments = append(segments, segment{literal: literal.String()})
	}
	if len(segments) == 1 && segments[0].dynamic != nil {
		return &template{single: segments[0].dynamic}
	}
	if segments == nil {
		segments = []segment{} // none of the expressions could be compiled
	}
	return &template{mixed: segments}
}

// closing gives the offset of the brace that ends an expression, -1 where
// there is none. Braces in pairs and in strings are part of the expression.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return i
			}
		case '"', '\'', '`':
			for i++; i < len(s) && s[i] != c; i++ {
				if s[i] == '\\' && c != '`' {
					i++
				}
			}
		}
	}
	return -1
}

// value makes the value for a request, as jsontext.Decode would give it.
func (t *template) value(r *Request) (any, error) {
	switch {
	case t.single != nil:
		return t.single.plain(r)
	case t.mixed != nil:
		return t.string(r)
	case t.items != nil:
		items := make([]any, len(t.items))
		for i, item := range t.items {
			var err error
			if items[i], err = item.value(r); err != nil {
				return nil, err
			}
		}
		return items, nil
	case t.members != nil:
		object := make(map[string]any, len(t.members))
		for _, m := range t.members {
			value, err := m.value.value(r)
			if err != nil {
				return nil, err
			}
			object[m.name] = value
		}
		return object, nil
	}
	return t.constant, nil
}

func (t *template) string(r *Request) (string, error) {
	var b []byte
	for _, s := range t.mixed {
		if s.dynamic == nil {
			b = append(b, s.literal...)
			continue
		}
		v, err := s.dynamic.plain(r)
		if err != nil {
			return "", err
		}
		b = appendText(b, v)
	}
	return string(b), nil
}

// appendText writes a value into a text: strings as they are, null as nothing,
// everything else as JSON.
func appendText(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return b
	case string:
		return append(b, v...)
	}
	return jsontext.Append(b, v)
}

// plain evaluates the expression to a JSON value. The error names its place.
func (e *expression) plain(r *Request) (any, error) {
	v, err := e.value(r)
	if err == nil {
		v, err = plain(v, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.place, err)
	}
	return v, nil
}
