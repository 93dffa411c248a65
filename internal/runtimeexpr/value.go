package runtimeexpr

import "github.com/coldframe/coldframe/internal/jsonvalue"

// Value is a JSON value whose strings may be or hold expressions, as the
// parameters and the requestBody of a link are.
type Value struct {
	value     any
	templates map[string]*Template // of the strings that have expressions
}

// ParseValue reads a JSON value as jsontext.Decode gives it.
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

// Evaluate gives the value with its expressions replaced. The error is a
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
