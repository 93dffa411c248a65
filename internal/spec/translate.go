package spec

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// translator writes a schema of the document in JSON Schema 2020-12: keywords
// of older drafts and of OpenAPI 3.0 in their new form, references as links,
// required properties as the direction asks for them. What the specification
// does not allow is left out and said in a finding, so what comes out compiles.
type translator struct {
	*schemas
	resource *resource
	depth    int
	hiding   []string       // the properties that the schema at hand hides in this direction
	inlining map[*Node]bool // see inline
	inlined  int

	schemaCount int  // translated so far
	lenient     bool // see unvalidated
}

// keyword is how a keyword's value is translated.
type keyword func(t *translator, name string, n *Node, out map[string]any)

var keywords map[string]keyword

func init() {
	keywords = map[string]keyword{
		"type": (*translator).typeNames, "required": (*translator).required,
		"enum": (*translator).enum, "const": (*translator).constant, "default": nil,
		"pattern": (*translator).pattern, "format": (*translator).text,
		"items": (*translator).items, "additionalItems": nil,
		"dependencies": (*translator).dependencies, "dependentRequired": (*translator).any,
		"nullable": nil, "$ref": nil, "$dynamicRef": (*translator).dynamicReference,
		"$dynamicAnchor":   (*translator).dynamicAnchor,
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
	for _, name := range []string{"properties", "patternProperties", "dependentSchemas"} {
		keywords[name] = (*translator).mapOf
	}
	for _, name := range []string{"$defs", "definitions"} {
		keywords[name] = (*translator).definitions
	}
	keywordNames = slices.Sorted(maps.Keys(keywords))
}

func (t *translator) warn(n *Node, code, message string) {
	t.find(exchange.Finding{Code: code, Severity: exchange.Warning, Message: message, Document: n.Place()})
}

func (t *translator) fault(n *Node, message string) {
	t.find(exchange.Finding{Code: "invalid-schema", Message: message, Document: n.Place()})
}

// schema translates one (sub)schema. hidden are the names that the schemas
// around it, on the same value, hide in this direction.
func (t *translator) schema(n *Node, hidden []string) any {
	switch n.Kind {
	case Bool:
		return n.Text == "true"
	case Null: // a YAML author left it out
		t.warn(n, "invalid-schema", "the schema is empty, it accepts everything; write {} or true")
		return true
	case Object:
	default:
		t.fault(n, "a schema must be an object or a boolean, is "+n.Kind.String())
		return true
	}
	if t.depth++; t.depth > maxDocumentDepth {
		t.depth--
		t.fault(n, "schemas are nested more than "+itoa(maxDocumentDepth)+" deep")
		return true
	}
	t.schemaCount++
	outer := t.hiding
	if t.directional {
		hidden = t.hidden(n, hidden)
	}
	t.hiding = hidden
	out := t.object(n)
	t.hiding = outer
	t.depth--
	return out
}

func (t *translator) object(n *Node) any {
	if t.dynamic && n != t.resource.node && n.Get("$id").Str() != "" {
		return t.linkTo(t.schemas.resource(n, t.resource.direction))
	}
	out := make(map[string]any, len(n.Members))
	if ref := n.Get("$ref"); ref != nil {
		if ref.Kind != String {
			t.fault(ref, "$ref must be a string, is "+ref.Kind.String())
		} else if target := t.reference(n, ref); t.legacy {
			return target
		} else if object, ok := target.(map[string]any); ok {
			if len(n.Members) == 1 {
				return object
			}
			if object["$comment"] != nil || object["$ref"] != nil {
				out = object
			} else {
				out["allOf"] = []any{object}
			}
		} else {
			out["allOf"] = []any{target}
		}
	}
	outer := t.lenient
	t.lenient = outer || t.unvalidated(n)
	defer func() { t.lenient = outer }()
	for _, member := range n.Members {
		if t.lenient && slices.Contains(assertions, member.Name) {
			continue
		}
		if translate := keywords[member.Name]; translate != nil {
			translate(t, member.Name, member.Value, out)
		} else {
			t.misspelt(member, n)
		}
	}
	t.finish(n, out)
	return out
}

// misspelt warns of a keyword that is nearly one.
func (t *translator) misspelt(m Member, in *Node) {
	if _, ok := keywords[m.Name]; ok || len(m.Name) < 5 || strings.HasPrefix(m.Name, "x-") || slices.Contains(annotations, m.Name) {
		return
	}
	for _, name := range keywordNames {
		if editDistance(m.Name, name) <= 2 && in.Get(name) == nil {
			place := in.file.place(m.offset)
			place.Pointer = m.Value.Place().Pointer
			t.find(exchange.Finding{Code: "unknown-keyword", Severity: exchange.Warning, Document: place,
				Message: quote(m.Name) + " is no keyword of a schema; did you mean " + quote(name) + "?"})
			return
		}
	}
}

// annotations are the keywords that say nothing about which values are valid.
var annotations = []string{"title", "description", "example", "examples", "deprecated", "discriminator", "externalDocs", "xml",
	"$schema", "$vocabulary", "$comment", "contentEncoding", "contentMediaType", "contentSchema", "optional"}

// keywordNames are those that the translator knows, sorted.
var keywordNames []string

// finish applies the keywords that change others.
func (t *translator) finish(n *Node, out map[string]any) {
	if t.legacy && (n.Get("nullable").True() || n.Get("x-nullable").True()) {
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
	if t.legacy && n.Get("type").Str() == "array" && n.Get("items") == nil {
		t.warn(n, "missing-items", "an array needs \"items\" in OpenAPI 3.0; its items may be anything")
	}
	if additional := n.Get("additionalItems"); additional != nil && out["prefixItems"] != nil && n.Get("items").Kind == Array {
		out["items"] = t.schema(additional, nil)
	}
}

// reference translates a $ref. What cannot be found accepts everything.
func (t *translator) reference(n, ref *Node) any {
	if foreign := t.metaschema(ref.Text); foreign != nil {
		return t.linkTo(foreign)
	}
	target, err := t.lookup(n, ref.Text)
	if err == nil && target.Kind != Object && target.Kind != Bool {
		err = errNotASchema
	}
	if err != nil {
		t.find(exchange.Finding{Code: "dangling-reference", Message: "$ref " + quote(ref.Text) + ": " + err.Error(), Document: ref.Place()})
		return true
	}
	if inlined, ok := t.inline(target); ok {
		return inlined
	}
	if t.dynamic {
		return map[string]any{"$ref": t.absolute(target)}
	}
	return t.linkTo(t.schemas.resource(target, t.resource.direction))
}

// maxTogether is how many schemas are compiled together, about: the library
// takes time in the square of their number.
const maxTogether = 100

// graft makes a property's schema a resource of its own, though nothing refers
// to it.
func (t *translator) graft(n *Node) any {
	t.resource.links = append(t.resource.links, t.schemas.resource(n, t.resource.direction))
	return map[string]any{"$comment": graftPrefix + itoa(len(t.resource.links)-1)}
}

// linkTo gives a schema that stands for another resource.
func (t *translator) linkTo(r *resource) any {
	t.resource.links = append(t.resource.links, r)
	if t.dynamic {
		return map[string]any{"$ref": r.url()}
	}
	return map[string]any{"$comment": linkPrefix + itoa(len(t.resource.links)-1)}
}

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

func (t *translator) inner(name string, n *Node, out map[string]any) {
	out[name] = t.schema(n, t.inPlace(name))
}

// inPlace gives what is hidden from the schemas in a keyword: those of the
// same value hide together. In oneOf, not and if a requirement decides which
// schema is meant, so it stays.
func (t *translator) inPlace(name string) []string {
	switch name {
	case "allOf", "anyOf", "then", "else", "dependentSchemas":
		return t.hiding
	}
	return nil
}

// definitions are resources of their own, where something refers to them.
func (t *translator) definitions(name string, n *Node, out map[string]any) {
	if t.dynamic {
		t.mapOf(name, n, out)
		return
	}
	for _, member := range n.Members {
		t.schemas.resource(member.Value, t.resource.direction)
	}
}

func (t *translator) list(name string, n *Node, out map[string]any) {
	if n.Kind != Array || len(n.Items) == 0 {
		t.fault(n, quote(name)+" must be an array of at least one schema")
		return
	}
	schemas := make([]any, len(n.Items))
	hidden := t.inPlace(name)
	for i, item := range n.Items {
		schemas[i] = t.schema(item, hidden)
	}
	if before, ok := out[name].([]any); ok { // what a $ref beside it leads to
		schemas = append(schemas, before...)
	}
	out[name] = schemas
}

func (t *translator) mapOf(name string, n *Node, out map[string]any) {
	if n.Kind != Object {
		t.fault(n, quote(name)+" must be an object of schemas, is "+n.Kind.String())
		return
	}
	schemas := make(map[string]any, len(n.Members))
	hidden := t.inPlace(name)
	for _, member := range n.Members {
		if strings.HasPrefix(member.Name, "x-") && member.Value.Kind != Object && name == "properties" {
			continue
		}
		if name == "patternProperties" {
			if err := t.checkPattern(member.Name); err != nil {
				t.fault(member.Value, "pattern "+quote(member.Name)+" is no ECMA-262 regular expression: "+err.Error())
				continue
			}
		}
		if name == "properties" && t.schemaCount > maxTogether && !t.dynamic && member.Value.Kind == Object {
			schemas[member.Name] = t.graft(member.Value)
			continue
		}
		schemas[member.Name] = t.schema(member.Value, hidden)
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
