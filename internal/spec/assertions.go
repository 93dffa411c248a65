package spec

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// The keywords whose values are no schemas.

func (t *translator) any(name string, n *Node, out map[string]any) { out[name] = n.Value() }

func (t *translator) text(name string, n *Node, out map[string]any) {
	if n.Kind != String {
		t.fault(n, quote(name)+" must be a string, is "+n.Kind.String())
		return
	}
	out[name] = n.Text
}

func (t *translator) boolean(name string, n *Node, out map[string]any) {
	if n.Kind == String && (n.Text == "true" || n.Text == "false") {
		t.warn(n, "invalid-schema", quote(name)+" must be true or false without quotes")
	} else if n.Kind != Bool {
		t.fault(n, quote(name)+" must be true or false, is "+n.Kind.String())
		return
	}
	out[name] = n.Text == "true"
}

// decimal reads a number, also one that was put in quotes by mistake.
func (t *translator) decimal(name string, n *Node) *big.Rat {
	text := n.Text
	if n.Kind == String {
		number, ok := jsonNumber(text)
		if !ok {
			t.fault(n, quote(name)+" must be a number, is "+n.describe())
			return nil
		}
		t.warn(n, "invalid-schema", quote(name)+" must be a number without quotes")
		text = number
	} else if n.Kind != Number {
		t.fault(n, quote(name)+" must be a number, is "+n.describe())
		return nil
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.fault(n, quote(name)+" must be a number, is "+n.describe())
		return nil
	}
	return r
}

func (t *translator) number(name string, n *Node, out map[string]any) {
	r := t.decimal(name, n)
	if r == nil {
		return
	}
	if name == "multipleOf" && r.Sign() <= 0 {
		t.fault(n, "\"multipleOf\" must be greater than 0, is "+n.Text)
		return
	}
	number, _ := jsonNumber(n.Text)
	out[name] = json.Number(number)
}

// exclusive takes the number of JSON Schema 2020-12; the boolean of draft 4 is
// finish's.
func (t *translator) exclusive(name string, n *Node, out map[string]any) {
	if n.Kind == Bool {
		if !t.legacy {
			t.warn(n, "exclusive-bound", quote(name)+" is a number since OpenAPI 3.1; it is read as in 3.0")
		}
		return
	}
	if t.legacy {
		t.warn(n, "exclusive-bound", quote(name)+" is a boolean in OpenAPI 3.0; it is read as in 3.1")
	}
	t.number(name, n, out)
}

// constant is no keyword in OpenAPI 3.0, and means the same there.
func (t *translator) constant(name string, n *Node, out map[string]any) {
	if t.legacy {
		t.warn(n, "unknown-keyword", "\"const\" is no keyword of OpenAPI 3.0; it is read as in 3.1")
	}
	out[name] = n.Value()
}

// maxCount is the most that a count is taken for.
const maxCount = 1 << 50

func (t *translator) count(name string, n *Node, out map[string]any) {
	r := t.decimal(name, n)
	if r == nil {
		return
	}
	if r.Sign() < 0 || !r.IsInt() {
		t.fault(n, quote(name)+" must be a whole number of at least 0, is "+n.describe())
		return
	}
	if r.Num().Cmp(big.NewInt(maxCount)) > 0 {
		r.SetInt64(maxCount)
	}
	out[name] = json.Number(r.Num().String())
}

// describe gives the text of a short scalar and the kind of everything else.
func (n *Node) describe() string {
	if n.Kind == Number || n.Kind == Bool || n.Kind == String {
		return quote(n.Text)
	}
	return n.Kind.String()
}

var typeNames = []string{"null", "boolean", "object", "array", "number", "string", "integer"}

func (t *translator) typeNames(name string, n *Node, out map[string]any) {
	items := []*Node{n}
	if n.Kind == Array {
		items = n.Items
	}
	var types []any
	for _, item := range items {
		word := item.Text
		if item.Kind == Null {
			word = "null" // a YAML author wrote type: [string, null]
		}
		if !slices.Contains(typeNames, word) {
			t.fault(item, item.describe()+" is no type of JSON Schema"+suggest(word, typeNames))
			return
		}
		if !slices.Contains(types, any(word)) {
			types = append(types, word)
		}
	}
	switch len(types) {
	case 0:
	case 1:
		out[name] = types[0]
	default:
		out[name] = types
	}
}

// required leaves out the names that are hidden.
func (t *translator) required(name string, n *Node, out map[string]any) {
	if n.Kind == Bool || n.Kind == String && (n.Text == "true" || n.Text == "false") {
		t.warn(n, "misplaced-required", "\"required\" is a list of property names on the object; "+n.Text+" on a property means nothing")
		return
	}
	if n.Kind != Array {
		t.fault(n, "\"required\" must be an array of property names, is "+n.Kind.String())
		return
	}
	names := []any{}
	for i, item := range n.Items {
		if item.Kind != String {
			t.fault(item, "\"required\" must hold property names, holds "+item.Kind.String())
			continue
		}
		if slices.ContainsFunc(n.Items[:i], func(other *Node) bool { return other.Str() == item.Text }) {
			t.warn(item, "duplicate-entry", quote(item.Text)+" stands in \"required\" twice")
			continue
		}
		if !slices.Contains(t.hiding, item.Text) {
			names = append(names, item.Text)
		}
	}
	if len(names) > 0 {
		out[name] = names
	}
}

func (t *translator) enum(name string, n *Node, out map[string]any) {
	if n.Kind != Array || len(n.Items) == 0 {
		t.fault(n, "\"enum\" must be an array of at least one value")
		return
	}
	values := make([]any, 0, len(n.Items))
	seen := make(map[string]bool, len(n.Items))
	for _, item := range n.Items {
		value := item.Value()
		text := string(jsontext.Append(nil, value))
		if seen[text] {
			t.warn(item, "duplicate-entry", item.describe()+" stands in \"enum\" twice")
			continue
		}
		seen[text] = true
		values = append(values, value)
	}
	out[name] = values
}

func (t *translator) pattern(name string, n *Node, out map[string]any) {
	if n.Kind != String {
		t.fault(n, "\"pattern\" must be a string, is "+n.Kind.String())
		return
	}
	if err := t.checkPattern(n.Text); err != nil {
		t.fault(n, "pattern "+quote(n.Text)+" is no ECMA-262 regular expression: "+err.Error())
		return
	}
	out[name] = n.Text
}
