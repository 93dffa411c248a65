package spec

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/tree"
)

// A document with a $dynamicAnchor is compiled the way JSON Schema describes:
// what belongs to one schema resource stays together, because the anchors of
// every resource on the way to a $dynamicRef count (Core section 8.2.3.2).
// Everywhere else a schema that is referred to can be a resource of its own.

// absolute gives the URL of a schema within the resource that it belongs to.
func (t *translator) absolute(target *tree.Node) string {
	home, tokens := t.home(target)
	r := t.schemas.resource(home, t.resource.direction)
	t.resource.links = append(t.resource.links, r)
	if len(tokens) == 0 {
		return r.url()
	}
	fragment := url.URL{Fragment: pointer(tokens)}
	return r.url() + "#" + fragment.EscapedFragment()
}

// home gives the node that the schema resource of target begins at, and the
// way from there. A place that translation changes is a resource of its own.
func (t *translator) home(target *tree.Node) (*tree.Node, []string) {
	var tokens []string
	var home *tree.Node
	for n := target.File.Root; n != nil; {
		switch {
		case n.Get("$id").Str() != "", home == nil && (t.embedded[n] || !isDocument(target.File.Root)):
			home, tokens = n, nil
		}
		if n == target {
			break
		}
		var token string
		token, n = n.Toward(target)
		tokens = append(tokens, token)
	}
	if home == nil || !keepsPlace(tokens) {
		return target, nil
	}
	return home, tokens
}

// keepsPlace reports whether a way through a schema leads to the same place
// after translation.
func keepsPlace(tokens []string) bool {
	for len(tokens) > 0 {
		switch tokens[0] {
		case "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties", "unevaluatedItems",
			"unevaluatedProperties":
			tokens = tokens[1:]
		case "items":
			if len(tokens) > 1 {
				if _, err := strconv.Atoi(tokens[1]); err == nil {
					return false
				}
			}
			tokens = tokens[1:]
		case "allOf", "anyOf", "oneOf", "prefixItems", "properties", "patternProperties", "dependentSchemas", "$defs",
			"definitions":
			if len(tokens) < 2 {
				return false
			}
			tokens = tokens[2:]
		default:
			return false
		}
	}
	return true
}

func (t *translator) dynamicAnchor(name string, n *tree.Node, out map[string]any) {
	if t.dynamic {
		t.text(name, n, out)
	}
}

// dynamicReference is a $ref unless it names a $dynamicAnchor.
func (t *translator) dynamicReference(name string, n *tree.Node, out map[string]any) {
	if n.Kind != tree.String {
		t.text(name, n, out)
		return
	}
	if t.dynamic {
		if target, err := t.lookup(n, n.Text); err == nil && target.Get("$dynamicAnchor") != nil {
			if _, fragment, _ := strings.Cut(n.Text, "#"); target.Get("$dynamicAnchor").Str() == fragment {
				home, _ := t.home(target)
				r := t.schemas.resource(home, t.resource.direction)
				t.resource.links = append(t.resource.links, r)
				out[name] = r.url() + "#" + fragment
				return
			}
		}
	}
	parts, _ := out["allOf"].([]any)
	out["allOf"] = append(slices.Clip(parts), t.reference(n, n))
}

// metaschema gives the resource of a JSON Schema metaschema, which is at hand
// without asking the network.
func (t *translator) metaschema(ref string) *resource {
	if !isMetaschema(ref) {
		return nil
	}
	for _, r := range t.schemas.resources {
		if r.foreign == ref {
			return r
		}
	}
	r := &resource{number: len(t.schemas.resources), foreign: ref}
	t.schemas.resources = append(t.schemas.resources, r)
	return r
}

func isMetaschema(ref string) bool {
	location, _, _ := strings.Cut(ref, "#")
	switch location {
	case "https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2019-09/schema",
		"http://json-schema.org/draft-07/schema", "http://json-schema.org/draft-06/schema",
		"http://json-schema.org/draft-04/schema":
		return true
	}
	return false
}

const validationVocabulary = "https://json-schema.org/draft/2020-12/vocab/validation"

// assertions are the keywords of the validation vocabulary.
var assertions = []string{"type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum",
	"exclusiveMinimum",
	"maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "maxContains", "minContains",
	"maxProperties", "minProperties", "required", "dependentRequired"}

// unvalidated reports whether the dialect that a schema names with $schema
// leaves the validation vocabulary out (Core section 8.1.2).
func (t *translator) unvalidated(n *tree.Node) bool {
	dialect := n.Get("$schema").Str()
	if dialect == "" || strings.HasPrefix(dialect, "https://spec.openapis.org/") || isMetaschema(dialect) {
		return false
	}
	meta, err := t.lookup(n, dialect)
	if err != nil {
		return false
	}
	vocabulary := meta.Get("$vocabulary")
	return vocabulary != nil && vocabulary.Get(validationVocabulary) == nil
}
