package spec

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/tree"
)

// translator writes a schema of the document as JSON Schema 2020-12: keywords of older drafts and of OpenAPI 3.0 in
// their new form, references as links, required properties as the direction needs them. Anything that the
// specification does not allow is left out with a finding, so the result compiles.
type translator struct {
	*schemas
	resource *resource
	depth    int
	at       *tree.Node          // the current schema
	around   around              // what it and the schemas around it say about the same value
	inlining map[*tree.Node]bool // see inline
	inlined  int

	lenient bool // see unvalidated
}

// keyword translates the value of a keyword.
type keyword func(t *translator, name string, n *tree.Node, out map[string]any)

// The keywords that hold schemas.
var (
	schemaKeywords = []string{"not", "if", "then", "else", "contains", "propertyNames", "additionalProperties",
		"unevaluatedItems", "unevaluatedProperties"}
	listKeywords       = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	mapKeywords        = []string{"properties", "patternProperties", "dependentSchemas"}
	definitionKeywords = []string{"$defs", "definitions"}
)

var keywords map[string]keyword

func init() {
	keywords = map[string]keyword{
		"type": (*translator).typeNames, "required": (*translator).required,
		"enum": (*translator).enum, "const": (*translator).constant, "default": nil,
		"pattern": (*translator).pattern, "format": (*translator).text,
		"items": (*translator).items, "additionalItems": nil,
		"dependencies": (*translator).dependencies, "dependentRequired": anyValue,
		"nullable": nil, "$ref": nil, "$dynamicRef": (*translator).dynamicReference,
		"$dynamicAnchor": (*translator).dynamicAnchor,
	}
	for _, row := range []struct {
		names     []string
		translate keyword
	}{
		{[]string{"readOnly", "writeOnly", "uniqueItems"}, (*translator).boolean},
		{[]string{"title", "description"}, prose},
		{[]string{"minimum", "maximum", "multipleOf"}, (*translator).number},
		{[]string{"exclusiveMinimum", "exclusiveMaximum"}, (*translator).exclusive},
		{[]string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains",
			"maxContains"}, (*translator).count},
		{schemaKeywords, (*translator).inner}, {listKeywords, (*translator).list}, {mapKeywords, (*translator).mapOf},
		{definitionKeywords, (*translator).definitions},
	} {
		for _, name := range row.names {
			keywords[name] = row.translate
		}
	}
}

func (t *translator) warn(n *tree.Node, code, message string) {
	t.loader.warn(n.Place(), code, message)
}

func (t *translator) fault(n *tree.Node, message string) {
	t.loader.fault(n, "invalid-schema", message)
}

// is reports whether a keyword's value is of a kind, and adds a finding if not.
func (t *translator) is(kind tree.Kind, name string, n *tree.Node, want string) bool {
	if n.Kind != kind {
		t.wrongKind(n, "invalid-schema", name, want)
	}
	return n.Kind == kind
}

// around is what the schemas around another one say about properties of the same value.
type around struct {
	hidden   map[string]bool // hidden in this direction
	allowed  map[string]bool // names that closed parts allow beside their own, see closed.go
	certain  map[string]bool // names in allowed that no branch of oneOf or anyOf has
	examined bool            // closed parts were looked for
}

// schema translates one (sub)schema.
func (t *translator) schema(n *tree.Node, in around) any {
	switch n.Kind {
	case tree.Bool:
		return n.Text == "true"
	case tree.Null: // a YAML author left it empty
		t.warn(n, "invalid-schema", "the schema is empty, it accepts everything; write {} or true")
		return true
	case tree.Object:
	default:
		t.fault(n, "a schema must be an object or a boolean, is "+n.Kind.String())
		return true
	}
	if t.depth++; t.depth > maxDocumentDepth {
		t.depth--
		t.fault(n, "schemas are nested more than "+strconv.Itoa(maxDocumentDepth)+" deep")
		return true
	}
	outer := t.around
	if t.directional {
		in.hidden = t.hidden(n, in.hidden)
	}
	if !t.bundling {
		in = joined(t, n, in)
	}
	t.around = in
	out := t.object(n)
	t.around = outer
	t.depth--
	return out
}

func (t *translator) object(n *tree.Node) any {
	if t.dynamic && n != t.resource.node && n.Get("$id").Str() != "" {
		return t.linkTo(t.schemas.resource(n, t.resource.direction))
	}
	out := make(map[string]any, len(n.Fields()))
	if ref := n.Get("$ref"); ref != nil {
		if ref.Kind != tree.String {
			t.fault(ref, "$ref must be a string, is "+ref.Kind.String())
		} else {
			target := t.reference(n, ref)
			object, isObject := target.(map[string]any)
			switch {
			case t.legacy && t.meansNull(n):
				return map[string]any{"anyOf": []any{target, onlyNull()}}
			case t.legacy || isObject && len(n.Fields()) == 1:
				return target
			case object[linkKeyword] != nil || object["$ref"] != nil:
				out = object
			default:
				out["allOf"] = []any{target}
			}
		}
	}
	outer, lenient := t.at, t.lenient
	t.at, t.lenient = n, lenient || t.unvalidated(n)
	defer func() { t.at, t.lenient = outer, lenient }()
	for _, member := range n.Fields() {
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
	if t.bundling {
		out[nodeKeyword] = n
	}
	return out
}

// misspelt warns about a keyword that nearly matches a known one.
func (t *translator) misspelt(m tree.Member, in *tree.Node) {
	if _, ok := keywords[m.Name]; ok || len(m.Name) < 5 || strings.HasPrefix(m.Name, "x-") ||
		slices.Contains(annotations, m.Name) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(keywords)) {
		if nearest.Distance(m.Name, name) <= 2 && in.Get(name) == nil {
			t.loader.warn(in.PlaceOfMember(m), "unknown-keyword",
				exchange.Quote(m.Name)+" is no keyword of a schema; did you mean "+exchange.Quote(name)+"?")
			return
		}
	}
}

// annotations are the keywords that do not affect validity.
var annotations = []string{"title", "description", "example", "examples", "deprecated", "discriminator",
	"externalDocs", "xml", "$schema", "$vocabulary", "$comment", "contentEncoding", "contentMediaType",
	"contentSchema", "optional"}

// finish applies the keywords that change others.
func (t *translator) finish(n *tree.Node, out map[string]any) {
	open(t, n, out)
	if allowNull(t, n, out) {
		t.warn(n.Get("type"), "contradictory-type",
			"\"type\" allows null alone and no alternative allows it; it is read as one more alternative")
	}
	t.discriminate(n, out)
	if t.legacy && isNullable(n) {
		t.allowNullable(n, out)
	}
	for exclusive, inclusive := range map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"} {
		limit, ok := out[inclusive]
		if ok && n.Get(exclusive).True() { // OpenAPI 3.0, JSON Schema draft 4
			out[exclusive] = limit
			delete(out, inclusive)
		}
	}
	if contradictsFormat(n, out) {
		t.warn(n.Get("format"), "contradictory-format", "no value of the format "+exchange.Quote(n.Get("format").Text)+
			" is within the limits beside it; the format is ignored")
		delete(out, "format")
	}
	if listsItems(out) {
		t.warn(n.Get("enum"), "misplaced-enum", "\"enum\" has no array, though the schema is of arrays; "+
			"it is read as the \"enum\" of their items")
	}
	for _, name := range typedValues(out) {
		t.warn(n.Get(name), "mistyped-value", exchange.Quote(name)+
			" has values of another type than \"type\" asks for; they are read as if they were of it")
	}
	if t.legacy && n.Get("type").Str() == "array" && n.Get("items") == nil {
		t.warn(n, "missing-items", "an array needs \"items\" in OpenAPI 3.0; its items may be anything")
	}
	if additional := n.Get("additionalItems"); additional != nil && out["prefixItems"] != nil &&
		n.Get("items").Kind == tree.Array {
		out["items"] = t.schema(additional, around{})
	}
}

// contradictsFormat reports whether no value of a schema's format is within its own limits. The limits then win: they
// describe what is sent, while the format is often a guess, and an annotation (JSON Schema 2020-12 validation,
// section 7.2.1).
func contradictsFormat(n *tree.Node, out map[string]any) bool {
	name, _ := out["format"].(string)
	limit := func(keyword string) *big.Rat {
		if n.Get(keyword) == nil || out[keyword] == nil {
			return nil
		}
		r, _ := new(big.Rat).SetString(n.Get(keyword).Text)
		return r
	}
	f := formats.Lookup(name)
	return f != nil && f.Contradicts(limit("minLength"), limit("maxLength"), limit("minimum"), limit("maximum"))
}

// reference translates a $ref. A dangling reference accepts everything.
func (t *translator) reference(n, ref *tree.Node) any {
	if foreign := t.metaschema(ref.Text); foreign != nil {
		return t.linkTo(foreign)
	}
	target, err := t.referred(n, ref)
	if err != nil {
		t.dangling(ref, ref.Text, err)
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

func (l *loader) referred(n, ref *tree.Node) (*tree.Node, error) {
	target, err := l.lookup(n, ref.Text)
	if err == nil && target.Kind != tree.Object && target.Kind != tree.Bool {
		err = errors.New("it is no schema")
	}
	return target, err
}

// dangles reports whether a schema is a chain of references that leads nowhere, and adds a finding. Such a schema
// must not accept everything if it chooses between values: alternative names its keyword, which then omits it.
func dangles(t *translator, n *tree.Node, alternative string) bool {
	first := n.Get("$ref")
	for range maxRefChain {
		ref := n.Get("$ref")
		asserts := func(m tree.Member) bool { return keywords[m.Name] != nil && !slices.Contains(annotations, m.Name) }
		if ref.Str() == "" || isMetaschema(ref.Text) || !t.legacy && slices.ContainsFunc(n.Fields(), asserts) {
			return false
		}
		target, err := t.referred(n, ref)
		if err != nil {
			t.dangling(first, first.Text, fmt.Errorf("%w; %q goes without it", err, alternative))
			return true
		}
		n = target
	}
	return false
}

// linkTo returns a schema that refers to another resource.
func (t *translator) linkTo(r *resource) any {
	if t.bundling {
		return map[string]any{linkKeyword: r}
	}
	t.resource.links = append(t.resource.links, r)
	if t.dynamic {
		return map[string]any{"$ref": r.url()}
	}
	return map[string]any{linkKeyword: len(t.resource.links) - 1}
}

func (t *translator) inner(name string, n *tree.Node, out map[string]any) {
	if slices.Contains([]string{"not", "if", "contains"}, name) && dangles(t, n, name) {
		return
	}
	out[name] = t.schema(n, t.inPlace(name))
}

// inPlace returns what is around the schemas in a keyword: schemas for the same value hide properties together. In
// oneOf, not and if, requirements decide which schema is meant, so they stay.
func (t *translator) inPlace(name string) around {
	branch := around{allowed: t.around.certain, certain: t.around.certain}
	switch name {
	case "allOf":
		return t.around
	case "anyOf":
		branch.hidden = t.around.hidden
		return branch
	case "oneOf":
		return branch
	case "then", "else", "dependentSchemas":
		return around{hidden: t.around.hidden}
	}
	return around{}
}

// definitions makes each referenced definition a resource of its own.
func (t *translator) definitions(name string, n *tree.Node, out map[string]any) {
	if t.dynamic {
		t.mapOf(name, n, out)
		return
	}
	for _, member := range n.Fields() {
		t.schemas.resource(member.Value, t.resource.direction)
	}
}

func (t *translator) list(name string, n *tree.Node, out map[string]any) {
	if n.Kind != tree.Array || len(n.List()) == 0 {
		t.fault(n, exchange.Quote(name)+" must be an array of at least one schema")
		return
	}
	schemas := make([]any, len(n.List()))
	in := t.inPlace(name)
	alternatives, left := name == "oneOf" || name == "anyOf", 0
	before, _ := out[name].([]any) // the target of a $ref beside it
	for i, item := range n.List() {
		if alternatives && dangles(t, item, name) {
			schemas[i] = false // the others keep their indexes
			continue
		}
		schemas[i] = t.schema(item, in)
		left++
	}
	if left > 0 {
		out[name] = append(schemas, before...)
	}
}

func (t *translator) mapOf(name string, n *tree.Node, out map[string]any) {
	if !t.is(tree.Object, name, n, "an object of schemas") {
		return
	}
	schemas := make(map[string]any, len(n.Fields()))
	in := t.inPlace(name)
	for _, member := range n.Fields() {
		if strings.HasPrefix(member.Name, "x-") && member.Value.Kind != tree.Object && name == "properties" {
			continue
		}
		if name != "patternProperties" || t.isPattern(member.Name, member.Value) {
			schemas[member.Name] = t.schema(member.Value, in)
		}
	}
	out[name] = schemas
}

// items translates one schema, or the tuple of older drafts.
func (t *translator) items(name string, n *tree.Node, out map[string]any) {
	switch {
	case n.Kind != tree.Array:
		out[name] = t.schema(n, around{})
	case len(n.List()) > 0:
		t.list("prefixItems", n, out)
	}
}

// dependencies becomes dependentRequired and dependentSchemas.
func (t *translator) dependencies(name string, n *tree.Node, out map[string]any) {
	if !t.is(tree.Object, name, n, "an object") {
		return
	}
	required, schemas := map[string]any{}, map[string]any{}
	for _, member := range n.Fields() {
		if member.Value.Kind == tree.Array {
			required[member.Name] = member.Value.Value()
		} else {
			schemas[member.Name] = t.schema(member.Value, around{})
		}
	}
	if len(required) > 0 {
		out["dependentRequired"] = required
	}
	if len(schemas) > 0 {
		out["dependentSchemas"] = schemas
	}
}
