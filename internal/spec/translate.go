package spec

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// translator writes a schema of the document in JSON Schema 2020-12: keywords
// of older drafts and of OpenAPI 3.0 in their new form, references absolute,
// required properties as the direction asks for them. What the specification
// does not allow is left out and said in a finding, so what comes out compiles.
type translator struct {
	*schemas
	direction Direction
	root      *Node
	depth     int
}

// keyword is how a keyword's value is translated.
type keyword func(t *translator, name string, n *Node, out map[string]any)

var keywords map[string]keyword

func init() {
	keywords = map[string]keyword{
		"type": (*translator).typeNames, "required": (*translator).required,
		"enum": (*translator).enum, "const": (*translator).any, "default": nil,
		"pattern": (*translator).pattern, "format": (*translator).text,
		"items": (*translator).items, "additionalItems": nil,
		"dependencies": (*translator).dependencies, "dependentRequired": (*translator).any,
		"nullable": nil, "$ref": nil, "$dynamicRef": (*translator).text,
		"$anchor": (*translator).text, "$dynamicAnchor": (*translator).text,
		"exclusiveMinimum": (*translator).exclusive, "exclusiveMaximum": (*translator).exclusive,
		"readOnly": (*translator).boolean, "writeOnly": (*translator).boolean, "uniqueItems": (*translator).boolean,
	}
	for _, name := range []string{"minimum", "maximum", "multipleOf"} {
		keywords[name] = (*translator).number
	}
	for _, name := range []string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"} {
		keywords[name] = (*translator).count
	}
	for _, name := range []string{"not", "if", "then", "else", "contains", "propertyNames", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"} {
		keywords[name] = (*translator).inner
	}
	for _, name := range []string{"allOf", "anyOf", "oneOf", "prefixItems"} {
		keywords[name] = (*translator).list
	}
	for _, name := range []string{"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"} {
		keywords[name] = (*translator).mapOf
	}
}

func (t *translator) fault(n *Node, message string) {
	t.find(exchange.Finding{Code: "invalid-schema", Message: message, Document: n.Place()})
}

// schema translates one (sub)schema. hidden are the names that the schemas
// around it, on the same value, hide in this direction.
func (t *translator) schema(n *Node, hidden []string) any {
	if n.Kind == Bool {
		return n.Text == "true"
	}
	if n.Kind != Object {
		t.fault(n, "a schema must be an object or a boolean, is "+n.Kind.String())
		return true
	}
	if t.depth++; t.depth > maxDocumentDepth {
		t.fault(n, "schemas are nested more than "+itoa(maxDocumentDepth)+" deep")
		return true
	}
	defer func() { t.depth-- }()
	out := make(map[string]any, len(n.Members))
	if ref := n.Get("$ref"); ref != nil {
		if ref.Kind != String {
			t.fault(ref, "$ref must be a string, is "+ref.Kind.String())
		} else {
			out["$ref"] = t.reference(n, ref)
			if t.legacy {
				return out
			}
		}
	}
	if t.directional {
		hidden = t.hidden(n, hidden, 0)
	}
	for _, member := range n.Members {
		translate := keywords[member.Name]
		if translate == nil {
			continue
		}
		if member.Name == "required" && hidden != nil {
			t.requiredBut(hidden, member.Value, out)
			continue
		}
		translate(t, member.Name, member.Value, out)
	}
	if t.directional && hidden != nil {
		t.composition(n, hidden, out)
	}
	t.finish(n, out)
	return out
}

// finish applies the keywords that change others.
func (t *translator) finish(n *Node, out map[string]any) {
	if t.legacy && n.Get("nullable").True() {
		switch types := out["type"].(type) {
		case string:
			out["type"] = []any{types, "null"}
		case []any:
			if !slices.Contains(types, any("null")) {
				out["type"] = append(types, "null")
			}
		}
	}
	for _, bound := range []struct{ exclusive, inclusive string }{{"exclusiveMinimum", "minimum"}, {"exclusiveMaximum", "maximum"}} {
		if n.Get(bound.exclusive).True() { // OpenAPI 3.0, JSON Schema draft 4
			if limit, ok := out[bound.inclusive]; ok {
				out[bound.exclusive] = limit
				delete(out, bound.inclusive)
			}
		}
	}
	if additional := n.Get("additionalItems"); additional != nil && out["prefixItems"] != nil && n.Get("items").Kind == Array {
		out["items"] = t.schema(additional, nil)
	}
}

// reference makes a $ref absolute. What cannot be found accepts everything.
func (t *translator) reference(n, ref *Node) string {
	target, err := t.lookup(n, ref.Text, t.root)
	if err == nil && target.Kind != Object && target.Kind != Bool {
		err = errNotASchema
	}
	if err != nil {
		t.find(exchange.Finding{Code: "dangling-reference", Message: "$ref " + quote(ref.Text) + ": " + err.Error(), Document: ref.Place()})
		return t.url(anything, t.direction)
	}
	return t.url(target, t.direction)
}

// anything is the schema that stands for one that could not be found.
var anything = &Node{Kind: Bool, Text: "true"}

func (t *translator) any(name string, n *Node, out map[string]any) { out[name] = n.Value() }

func (t *translator) text(name string, n *Node, out map[string]any) {
	if n.Kind != String {
		t.fault(n, quote(name)+" must be a string, is "+n.Kind.String())
		return
	}
	out[name] = n.Text
}

func (t *translator) boolean(name string, n *Node, out map[string]any) {
	if n.Kind != Bool {
		t.fault(n, quote(name)+" must be true or false, is "+n.Kind.String())
		return
	}
	out[name] = n.Text == "true"
}

func (t *translator) number(name string, n *Node, out map[string]any) {
	if n.Kind != Number {
		t.fault(n, quote(name)+" must be a number, is "+n.Kind.String())
		return
	}
	if name == "multipleOf" && (strings.HasPrefix(n.Text, "-") || strings.Trim(n.Text, "0.") == "") {
		t.fault(n, "\"multipleOf\" must be greater than 0, is "+n.Text)
		return
	}
	out[name] = n.Value()
}

// exclusive takes the number of JSON Schema 2020-12; the boolean of draft 4 is
// finish's.
func (t *translator) exclusive(name string, n *Node, out map[string]any) {
	if n.Kind == Bool {
		if !t.legacy {
			t.find(exchange.Finding{Code: "boolean-exclusive-bound", Severity: exchange.Warning,
				Message: quote(name) + " is a number since OpenAPI 3.1; it is read as in 3.0", Document: n.Place()})
		}
		return
	}
	t.number(name, n, out)
}

func (t *translator) count(name string, n *Node, out map[string]any) {
	digits, _, _ := strings.Cut(n.Text, ".")
	if n.Kind != Number || strings.Trim(digits, "0123456789") != "" || len(digits) > 18 {
		t.fault(n, quote(name)+" must be a whole number of at least 0, is "+n.describe())
		return
	}
	out[name] = n.Value()
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

func (t *translator) required(name string, n *Node, out map[string]any) { t.requiredBut(nil, n, out) }

// requiredBut translates required without the hidden names.
func (t *translator) requiredBut(hidden []string, n *Node, out map[string]any) {
	if n.Kind != Array {
		t.fault(n, "\"required\" must be an array of property names, is "+n.Kind.String())
		return
	}
	names := []any{}
	for _, item := range n.Items {
		if item.Kind != String {
			t.fault(item, "\"required\" must hold property names, holds "+item.Kind.String())
			continue
		}
		if !slices.Contains(names, any(item.Text)) && !slices.Contains(hidden, item.Text) {
			names = append(names, item.Text)
		}
	}
	out["required"] = names
}

func (t *translator) enum(name string, n *Node, out map[string]any) {
	if n.Kind != Array {
		t.fault(n, "\"enum\" must be an array, is "+n.Kind.String())
		return
	}
	out[name] = n.Value()
}

func (t *translator) pattern(name string, n *Node, out map[string]any) {
	if n.Kind != String {
		t.fault(n, "\"pattern\" must be a string, is "+n.Kind.String())
		return
	}
	if _, err := compilePattern(n.Text); err != nil {
		t.fault(n, "pattern "+quote(n.Text)+" is no ECMA-262 regular expression: "+err.Error())
		return
	}
	out[name] = n.Text
}

func (t *translator) inner(name string, n *Node, out map[string]any) { out[name] = t.schema(n, nil) }

func (t *translator) list(name string, n *Node, out map[string]any) {
	if n.Kind != Array || len(n.Items) == 0 {
		t.fault(n, quote(name)+" must be an array of at least one schema")
		return
	}
	schemas := make([]any, len(n.Items))
	for i, item := range n.Items {
		schemas[i] = t.schema(item, nil)
	}
	out[name] = schemas
}

func (t *translator) mapOf(name string, n *Node, out map[string]any) {
	if n.Kind != Object {
		t.fault(n, quote(name)+" must be an object of schemas, is "+n.Kind.String())
		return
	}
	schemas := make(map[string]any, len(n.Members))
	for _, member := range n.Members {
		if name == "patternProperties" {
			if _, err := compilePattern(member.Name); err != nil {
				t.fault(member.Value, "pattern "+quote(member.Name)+" is no ECMA-262 regular expression: "+err.Error())
				continue
			}
		}
		schemas[member.Name] = t.schema(member.Value, nil)
	}
	out[name] = schemas
}

// items takes one schema, or the tuple of the older drafts.
func (t *translator) items(name string, n *Node, out map[string]any) {
	if n.Kind == Array {
		if len(n.Items) > 0 {
			t.list("prefixItems", n, out)
		}
		return
	}
	out[name] = t.schema(n, nil)
}

// dependencies becomes dependentRequired and dependentSchemas.
func (t *translator) dependencies(name string, n *Node, out map[string]any) {
	if n.Kind != Object {
		t.fault(n, "\"dependencies\" must be an object, is "+n.Kind.String())
		return
	}
	required, schemas := map[string]any{}, map[string]any{}
	for _, member := range n.Members {
		if member.Value.Kind == Array {
			required[member.Name] = member.Value.Value()
		} else {
			schemas[member.Name] = t.schema(member.Value, nil)
		}
	}
	if len(required) > 0 {
		out["dependentRequired"] = required
	}
	if len(schemas) > 0 {
		out["dependentSchemas"] = schemas
	}
}
