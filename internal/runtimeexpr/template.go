package runtimeexpr

import (
	"errors"
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
)

// Template is a text with expressions, such as {$request.body#/url}/data, or a single expression.
type Template struct {
	text     string
	segments []segment
}

// segment is a part of a template: text or an expression.
type segment struct {
	text       string
	expression *Expression // nil for text
}

// ParseTemplate parses a text with expressions in braces. A text that begins with "$" is a single expression. Braces
// without "$" are text.
func ParseTemplate(text string) (*Template, error) {
	t := &Template{text: text}
	if len(text) > maxLength {
		return nil, errors.New("a text with runtime expressions is too long")
	}
	if strings.HasPrefix(text, "$") {
		e, err := Parse(text)
		if err != nil {
			return nil, err
		}
		t.segments = []segment{{expression: e}}
		return t, nil
	}
	for text != "" {
		before, after, found := strings.Cut(text, "{$")
		if before != "" {
			t.segments = append(t.segments, segment{text: before})
		}
		if !found {
			break
		}
		inner, rest, closed := strings.Cut(after, "}")
		if !closed {
			return nil, fmt.Errorf("the runtime expression in %s has no end", exchange.Quote(text))
		}
		e, err := Parse("$" + inner)
		if err != nil {
			return nil, err
		}
		t.segments = append(t.segments, segment{expression: e})
		text = rest
	}
	return t, nil
}

// String returns the text of the template.
func (t *Template) String() string { return t.text }

// Expressions returns the expressions in order.
func (t *Template) Expressions() []*Expression {
	var all []*Expression
	for _, p := range t.segments {
		if p.expression != nil {
			all = append(all, p.expression)
		}
	}
	return all
}

// MissingError names an expression for which the exchange has no value.
type MissingError struct{ Expression *Expression }

func (e *MissingError) Error() string {
	return "the exchange has no " + e.Expression.String()
}

// Text returns the text with the expressions replaced by their values. The error is a *MissingError.
func (t *Template) Text(x *Exchange) (string, error) {
	var b strings.Builder
	for _, p := range t.segments {
		if p.expression == nil {
			b.WriteString(p.text)
			continue
		}
		value, ok := p.expression.Evaluate(x)
		if !ok || value == nil {
			return "", &MissingError{p.expression}
		}
		text, isScalar := jsonvalue.Text(value)
		if !isScalar {
			text = string(jsontext.Append(nil, value))
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// Value returns the value of a single expression, with its type, and otherwise the text. The error is a
// *MissingError.
func (t *Template) Value(x *Exchange) (any, error) {
	if len(t.segments) == 1 && t.segments[0].expression != nil && !strings.HasPrefix(t.text, "{") {
		value, ok := t.segments[0].expression.Evaluate(x)
		if !ok {
			return nil, &MissingError{t.segments[0].expression}
		}
		return value, nil
	}
	return t.Text(x)
}

// Value is a JSON value whose strings may be or contain expressions, such as the parameters and the requestBody of a
// link.
type Value struct {
	value     any
	templates map[string]*Template // for the strings with expressions
}

// ParseValue parses a JSON value as returned by jsontext.Decode.
func ParseValue(value any) (*Value, error) {
	v := &Value{value, map[string]*Template{}}
	for _, inner := range jsonvalue.Walk(value) {
		if text, ok := inner.(string); ok {
			t, err := ParseTemplate(text)
			if err != nil {
				return nil, err
			}
			if len(t.Expressions()) > 0 {
				v.templates[text] = t
			}
		}
	}
	return v, nil
}

// Constant reports whether no part of the value is an expression.
func (v *Value) Constant() bool { return len(v.templates) == 0 }

// Evaluate returns the value with its expressions replaced. The error is a
// *MissingError. The value must not be changed.
func (v *Value) Evaluate(x *Exchange) (any, error) {
	if v.Constant() {
		return v.value, nil
	}
	return v.evaluate(v.value, x)
}

func (v *Value) evaluate(value any, x *Exchange) (any, error) {
	var err error
	switch inner := value.(type) {
	case string:
		if t := v.templates[inner]; t != nil {
			return t.Value(x)
		}
	case map[string]any:
		object := make(map[string]any, len(inner))
		for name, member := range inner {
			if object[name], err = v.evaluate(member, x); err != nil {
				return nil, err
			}
		}
		return object, nil
	case []any:
		list := make([]any, len(inner))
		for i, item := range inner {
			if list[i], err = v.evaluate(item, x); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return value, nil
}
