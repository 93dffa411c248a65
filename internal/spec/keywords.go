package spec

import (
	"cmp"
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/tree"
)

// The keywords whose values are not schemas.

func anyValue(_ *translator, name string, n *tree.Node, out map[string]any) { out[name] = n.Value() }

func (t *translator) text(name string, n *tree.Node, out map[string]any) {
	if t.is(tree.String, name, n, "a string") {
		out[name] = n.Text
	}
}

func (t *translator) boolean(name string, n *tree.Node, out map[string]any) {
	if n.Str() == "true" || n.Str() == "false" {
		t.warn(n, "invalid-schema", exchange.Quote(name)+" must be true or false without quotes")
	} else if !t.is(tree.Bool, name, n, "true or false") {
		return
	}
	out[name] = n.Text == "true"
}

// prose keeps titles and descriptions, which contract tests read.
func prose(_ *translator, name string, n *tree.Node, out map[string]any) {
	if n.Kind == tree.String {
		out[name] = n.Text
	}
}

// decimal reads a number, even if it was put in quotes by mistake.
func (t *translator) decimal(name string, n *tree.Node) *big.Rat {
	text := n.Text
	if n.Kind == tree.String {
		var ok bool
		if text, ok = tree.JSONNumber(text); ok {
			t.warn(n, "invalid-schema", exchange.Quote(name)+" must be a number without quotes")
		}
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.fault(n, exchange.Quote(name)+" must be a number, is "+n.Describe())
		return nil
	}
	return r
}

func (t *translator) number(name string, n *tree.Node, out map[string]any) {
	r := t.decimal(name, n)
	if r == nil {
		return
	}
	if name == "multipleOf" && r.Sign() <= 0 {
		t.fault(n, "\"multipleOf\" must be greater than 0, is "+n.Text)
		return
	}
	number, _ := tree.JSONNumber(n.Text)
	out[name] = json.Number(number)
}

// exclusive handles the number of JSON Schema 2020-12; finish handles the boolean of draft 4.
func (t *translator) exclusive(name string, n *tree.Node, out map[string]any) {
	if n.Kind == tree.Bool {
		if !t.legacy {
			t.warn(n, "exclusive-bound", exchange.Quote(name)+" is a number since OpenAPI 3.1; it is read as in 3.0")
		}
		return
	}
	if t.legacy {
		t.warn(n, "exclusive-bound", exchange.Quote(name)+" is a boolean in OpenAPI 3.0; it is read as in 3.1")
	}
	t.number(name, n, out)
}

// constant handles const. OpenAPI 3.0 does not have it, but it can only mean the same there.
func (t *translator) constant(name string, n *tree.Node, out map[string]any) {
	if t.legacy {
		t.warn(n, "unknown-keyword", "\"const\" is no keyword of OpenAPI 3.0; it is read as in 3.1")
	}
	out[name] = n.Value()
}

// maxCount is the largest count; larger ones are read as this one.
const maxCount = 1 << 50

func (t *translator) count(name string, n *tree.Node, out map[string]any) {
	r := t.decimal(name, n)
	if r == nil {
		return
	}
	if r.Sign() < 0 || !r.IsInt() {
		t.fault(n, exchange.Quote(name)+" must be a whole number of at least 0, is "+n.Describe())
		return
	}
	if r.Num().Cmp(big.NewInt(maxCount)) > 0 {
		r.SetInt64(maxCount)
	}
	out[name] = json.Number(r.Num().String())
}

var typeNames = []string{"null", "boolean", "object", "array", "number", "string", "integer"}

func (t *translator) typeNames(name string, n *tree.Node, out map[string]any) {
	items := []*tree.Node{n}
	if n.Kind == tree.Array {
		items = n.List()
	}
	var types []any
	for _, item := range items {
		word := item.Text
		if item.Kind == tree.Null {
			word = "null" // a YAML author wrote type: [string, null]
		}
		if !slices.Contains(typeNames, word) {
			t.fault(item, item.Describe()+" is no type of JSON Schema"+t.hint(word, typeNames))
			return
		}
		if !slices.Contains(types, any(word)) {
			types = append(types, word)
		}
	}
	if len(types) == 0 {
		t.fault(n, "\"type\" must name at least one type")
		return
	}
	out[name] = types
}

// required omits hidden names.
func (t *translator) required(name string, n *tree.Node, out map[string]any) {
	if n.Kind == tree.Bool || n.Str() == "true" || n.Str() == "false" {
		t.warn(n, "misplaced-required",
			"\"required\" is a list of property names on the object; "+n.Text+" on a property means nothing")
		return
	}
	if !t.is(tree.Array, name, n, "an array of property names") {
		return
	}
	var names []any
	seen := make(map[string]bool, len(n.List()))
	for _, item := range n.List() {
		switch {
		case item.Kind != tree.String:
			t.fault(item, "\"required\" must hold property names, holds "+item.Kind.String())
		case seen[item.Text]:
			t.warn(item, "duplicate-entry", exchange.Quote(item.Text)+" appears twice in \"required\"")
		case !t.around.hidden[item.Text]:
			names = append(names, item.Text)
		}
		seen[item.Text] = true
	}
	if len(names) > 0 {
		out[name] = names
	}
}

func (t *translator) enum(name string, n *tree.Node, out map[string]any) {
	if !t.is(tree.Array, name, n, "an array of values") {
		return
	}
	if len(n.List()) == 0 {
		t.warn(n, "invalid-schema", "\"enum\" is empty: no value is valid; list the values or leave it out")
	}
	values := make([]any, 0, len(n.List()))
	seen := make(map[string]bool, len(n.List()))
	for _, item := range n.List() {
		value := item.Value()
		text := string(jsontext.Append(nil, value))
		if seen[text] {
			t.warn(item, "duplicate-entry", item.Describe()+" appears twice in \"enum\"")
			continue
		}
		seen[text] = true
		values = append(values, value)
	}
	out[name] = values
}

// listsItems moves the values of an enum to the items of an array if none of them is an array, and reports whether it
// does so: an author wrote {type: array, enum: [a, b], items: {type: string}}.
func listsItems(schema map[string]any) bool {
	types, _ := schema["type"].([]any)
	values, _ := schema["enum"].([]any)
	isOther := func(name any) bool { return name != "array" && name != "null" }
	isList := func(value any) bool { _, ok := value.([]any); return ok }
	if !slices.Contains(types, any("array")) || slices.ContainsFunc(types, isOther) ||
		slices.ContainsFunc(values, isList) {
		return false
	}
	values = slices.DeleteFunc(slices.Clone(values), func(value any) bool { return value == nil })
	if len(values) == 0 {
		return false
	}
	listed := map[string]any{"enum": values}
	if items, ok := schema["items"].(map[string]any); ok {
		listed["type"] = items["type"]
		typedValues(listed)
		delete(listed, "type")
		listed = map[string]any{"allOf": []any{items, listed}}
		if items[linkKeyword] == nil && items["$ref"] == nil && items["enum"] == nil {
			items["enum"] = values
			listed = items
		}
	}
	schema["items"] = listed
	delete(schema, "enum")
	return true
}

// typedValues converts the values of enum and const to the type beside them, and returns the keywords that it
// changed: an author wrote {type: boolean, enum: ["true", "false"]} or, in YAML, {type: string, enum: [1.0, 2.0]}.
func typedValues(schema map[string]any) (changed []string) {
	types, _ := schema["type"].([]any)
	values, _ := schema["enum"].([]any)
	before := slices.Clone(values)
	for i, value := range values {
		values[i] = retyped(value, types)
	}
	isSame := func(a, b any) bool { return reflect.TypeOf(a) == reflect.TypeOf(b) }
	if !slices.EqualFunc(before, values, isSame) {
		changed = append(changed, "enum")
	}
	if value, ok := schema["const"]; ok {
		if schema["const"] = retyped(value, types); !isSame(schema["const"], value) {
			changed = append(changed, "const")
		}
	}
	return changed
}

func retyped(value any, types []any) any {
	has := func(names ...any) bool {
		return slices.ContainsFunc(names, func(name any) bool { return slices.Contains(types, name) })
	}
	switch v := value.(type) {
	case string:
		number, isNumber := tree.JSONNumber(v)
		switch {
		case has("string"):
		case has("boolean") && (v == "true" || v == "false"):
			return v == "true"
		case has("number", "integer") && isNumber:
			return json.Number(number)
		}
	case bool:
		if has("string") && !has("boolean") {
			return strconv.FormatBool(v)
		}
	case json.Number:
		if has("string") && !has("number", "integer") {
			return string(v)
		}
	}
	return value
}

func (t *translator) pattern(name string, n *tree.Node, out map[string]any) {
	if !t.is(tree.String, name, n, "a string") {
		return
	}
	pattern := ecmaPattern(n.Text)
	if !t.isPattern(pattern, n) {
		return
	}
	if pattern != n.Text {
		t.warn(n, "foreign-pattern", "pattern "+exchange.Quote(n.Text)+
			" is written for another language than ECMA-262; it is read as "+exchange.Quote(pattern))
	}
	out[name] = pattern
}

func (t *translator) isPattern(pattern string, n *tree.Node) bool {
	_, err := t.compiledPattern(pattern)
	if err != nil {
		t.fault(n, "pattern "+exchange.Quote(pattern)+" is no ECMA-262 regular expression: "+err.Error())
	}
	return err == nil
}

// allowNull adds null to the alternatives of a schema that has "type": "null" beside alternatives of which none
// accepts null.
func allowNull(t *translator, n *tree.Node, out map[string]any) bool {
	types, _ := out["type"].([]any)
	if len(types) != 1 || types[0] != "null" {
		return false
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		branches, _ := out[keyword].([]any)
		if len(branches) > 0 && t.excludesNull(n, keyword) {
			out[keyword] = append(branches, onlyNull())
			delete(out, "type")
			return true
		}
	}
	return false
}

func onlyNull() map[string]any { return map[string]any{"type": []any{"null"}} }

// excludesNull reports whether the types of what a schema is composed of exclude null: of one part of allOf or $ref, or
// of all alternatives of oneOf or anyOf.
func (t *translator) excludesNull(n *tree.Node, keyword string) bool {
	isExcluded := func(branch *tree.Node) bool {
		for part := range t.composed(branch) {
			names := part.Get("type")
			isNull := func(n *tree.Node) bool { return n.Kind == tree.Null || n.Text == "null" }
			if names != nil && !isNull(names) && !slices.ContainsFunc(names.List(), isNull) && !isNullable(part) {
				return true
			}
		}
		return false
	}
	switch branches := n.Get(keyword).List(); keyword {
	case "oneOf", "anyOf":
		return len(branches) > 0 && !slices.ContainsFunc(branches, func(b *tree.Node) bool { return !isExcluded(b) })
	case "allOf":
		return slices.ContainsFunc(branches, isExcluded)
	}
	return isExcluded(n)
}

func isNullable(n *tree.Node) bool { return n.Get("nullable").True() || n.Get("x-nullable").True() }

// meansNull reports whether a nullable schema has no type beside what it is composed of, which excludes null. It adds
// a finding: by OpenAPI 3.0.3 (proposal "Clarify Semantics of nullable"), nullable has an effect only beside a type,
// but generators of documents write it to allow null.
func (t *translator) meansNull(n *tree.Node) bool {
	for _, keyword := range []string{"$ref", "allOf", "oneOf", "anyOf"} {
		if n.Get(keyword) == nil {
			continue
		}
		if !isNullable(n) || n.Get("type") != nil || n.Get("enum") != nil || !t.excludesNull(n, keyword) {
			continue
		}
		t.warn(cmp.Or(n.Get("nullable"), n.Get("x-nullable")), "nullable-without-type", "\"nullable\" has no effect beside "+
			exchange.Quote(keyword)+" without a \"type\" in OpenAPI 3.0.3; null is accepted, as it is meant")
		return true
	}
	return false
}

// allowNullable adds null to what a nullable schema accepts.
func (t *translator) allowNullable(n *tree.Node, out map[string]any) {
	if types, ok := out["type"].([]any); ok {
		if !slices.Contains(types, any("null")) {
			out["type"] = append(types, "null")
		}
		return
	}
	if !t.meansNull(n) {
		return
	}
	if parts, ok := out["allOf"].([]any); ok && out["anyOf"] == nil {
		var whole any = map[string]any{"allOf": parts}
		if len(parts) == 1 { // as OpenAPI 3.1 writes it
			whole = parts[0]
		}
		out["anyOf"] = []any{whole, onlyNull()}
		delete(out, "allOf")
		return
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if branches, ok := out[keyword].([]any); ok {
			out[keyword] = append(branches, onlyNull())
		}
	}
}
