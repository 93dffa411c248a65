package runtimeexpr

// Value is a JSON value whose strings may be or hold expressions, as the
// parameters and the requestBody of a link are.
type Value struct {
	constant any       // where no part of the value is an expression
	text     *Template // of a string with expressions
	object   map[string]*Value
	list     []*Value
}

// maxDepth bounds how deep expressions are looked for in a value.
const maxDepth = 32

// ParseValue reads a JSON value as jsontext.Decode gives it.
func ParseValue(value any) (*Value, error) { return parseValue(value, 0) }

func parseValue(value any, depth int) (*Value, error) {
	if depth > maxDepth {
		return &Value{constant: value}, nil
	}
	dynamic := false
	made := &Value{constant: value}
	switch v := value.(type) {
	case string:
		t, err := ParseTemplate(v)
		if err != nil {
			return nil, err
		}
		if len(t.Expressions()) > 0 {
			made = &Value{text: t}
		}
		return made, nil
	case map[string]any:
		object := make(map[string]*Value, len(v))
		for name, member := range v {
			inner, err := parseValue(member, depth+1)
			if err != nil {
				return nil, err
			}
			object[name] = inner
			dynamic = dynamic || !inner.Constant()
		}
		if dynamic {
			made = &Value{object: object}
		}
	case []any:
		list := make([]*Value, len(v))
		for i, item := range v {
			inner, err := parseValue(item, depth+1)
			if err != nil {
				return nil, err
			}
			list[i] = inner
			dynamic = dynamic || !inner.Constant()
		}
		if dynamic {
			made = &Value{list: list}
		}
	}
	return made, nil
}

// Constant reports whether no part of the value is an expression.
func (v *Value) Constant() bool { return v.text == nil && v.object == nil && v.list == nil }

// Evaluate gives the value with its expressions replaced. The error is a
// *MissingError. The value must not be changed.
func (v *Value) Evaluate(x *Exchange) (any, error) {
	switch {
	case v.text != nil:
		return v.text.Value(x)
	case v.object != nil:
		object := make(map[string]any, len(v.object))
		for name, inner := range v.object {
			value, err := inner.Evaluate(x)
			if err != nil {
				return nil, err
			}
			object[name] = value
		}
		return object, nil
	case v.list != nil:
		list := make([]any, len(v.list))
		for i, inner := range v.list {
			value, err := inner.Evaluate(x)
			if err != nil {
				return nil, err
			}
			list[i] = value
		}
		return list, nil
	}
	return v.constant, nil
}
