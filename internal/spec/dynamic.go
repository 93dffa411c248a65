package spec

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/tree"
)

// A document with a $dynamicAnchor is compiled as JSON Schema describes: the schemas of one schema resource stay
// together, because a $dynamicRef considers the anchors of every resource on its dynamic path (Core section 8.2.3.2).
// In other documents every referenced schema can be a resource of its own.

// absolute returns the URL of a schema within the resource that it belongs to.
func (t *translator) absolute(target *tree.Node) string {
	r, tokens := t.home(target)
	if len(tokens) == 0 {
		return r.url()
	}
	fragment := url.URL{Fragment: tree.Pointer(tokens)}
	return r.url() + "#" + fragment.EscapedFragment()
}

// home returns the schema resource of target and the path from its root, and links to it. A target that translation
// moves is a resource of its own.
func (t *translator) home(target *tree.Node) (*resource, []string) {
	above, way := target.File.Way(target)
	var home *tree.Node
	var tokens []string
	for i, n := range append(above, target) {
		if n.Get("$id").Str() != "" || home == nil && (t.embedded[n] || !isDocument(target.File.Root)) {
			home, tokens = n, way[min(i, len(way)):]
		}
	}
	if home == nil || !keepsPlace(tokens) {
		home, tokens = target, nil
	}
	r := t.schemas.resource(home, t.resource.direction)
	t.resource.links = append(t.resource.links, r)
	return r, tokens
}

// keepsPlace reports whether a path through a schema leads to the same place after translation.
func keepsPlace(tokens []string) bool {
	for len(tokens) > 0 {
		keyword := tokens[0]
		switch {
		case keyword == "items" && len(tokens) > 1 && strings.Trim(tokens[1], "0123456789") == "":
			return false // the tuple of an older draft
		case keyword == "items" || slices.Contains(schemaKeywords, keyword):
			tokens = tokens[1:]
		case len(tokens) > 1 && slices.Contains(slices.Concat(listKeywords, mapKeywords, definitionKeywords), keyword):
			tokens = tokens[2:]
		default:
			return false
		}
	}
	return true
}

func (t *translator) dynamicAnchor(name string, n *tree.Node, out map[string]any) {
	if !t.dynamic {
		return
	}
	t.text(name, n, out)
	if anchor, ok := out[name].(string); ok {
		if t.resource.anchors == nil {
			t.resource.anchors = map[string]*Keywords{}
		}
		t.resource.anchors[anchor] = nil
	}
}

// binder copies compiled schemas once for each set of anchors that their dynamic scope binds, and replaces each
// $dynamicRef by a reference. Afterwards a schema means the same wherever it is used.
type binder struct {
	*schemas
	scopes map[string]*scope // by their bindings
	copies map[scoped]*Keywords
}

// scope maps the anchors of $dynamicRefs to schemas. The outermost schema resource that has an anchor binds it.
type scope map[string]*Keywords

type scoped struct {
	schema *Keywords
	scope  *scope
}

// maxBound limits the copies for a document. Schemas beyond it keep their $dynamicRefs: validation resolves them, and
// generation treats them as plain references.
const maxBound = 50_000

func (s *schemas) bindAnchors() {
	b, outermost := binder{s, map[string]*scope{}, map[scoped]*Keywords{}}, &scope{}
	for _, r := range s.resources {
		if r.schema != nil {
			r.compiled = b.follow(r.compiled, outermost)
		} else {
			r.compiled = nil
		}
	}
}

// follow returns the target of a reference.
func (b *binder) follow(k *Keywords, in *scope) *Keywords {
	if k == nil {
		return nil
	}
	location, _, _ := strings.Cut(k.Location, "#")
	if r := b.parse(location); r != nil {
		in = b.enter(r.anchors, in)
	} else if k.DynamicAnchor != "" { // the root of a metaschema or of one of its vocabularies
		in = b.enter(map[string]*Keywords{k.DynamicAnchor: k}, in)
	}
	return b.bind(k, in)
}

// enter returns the scope within a schema resource that has the given anchors.
func (b *binder) enter(anchors map[string]*Keywords, outer *scope) *scope {
	inner := maps.Clone(*outer)
	for name, k := range anchors {
		if inner[name] == nil && k != nil {
			inner[name] = k
		}
	}
	if len(inner) == len(*outer) {
		return outer
	}
	var key strings.Builder
	for _, name := range slices.Sorted(maps.Keys(inner)) {
		key.WriteString(name + " " + inner[name].Location + " ")
	}
	if known := b.scopes[key.String()]; known != nil {
		return known
	}
	b.scopes[key.String()] = &inner
	return &inner
}

// bind returns the copy of a schema for a scope.
func (b *binder) bind(k *Keywords, in *scope) *Keywords {
	if known := b.copies[scoped{k, in}]; known != nil {
		return known
	}
	if len(b.bound) >= maxBound {
		return k
	}
	bound := *k
	b.copies[scoped{k, in}], b.bound = &bound, append(b.bound, &bound)
	schema.Replace(&bound, func(inner *Keywords) *Keywords { return b.bind(inner, in) })
	bound.Ref = b.follow(k.Ref, in)
	if dynamic := k.DynamicRef; dynamic != nil {
		target := b.follow(cmp.Or((*in)[dynamic.Anchor], dynamic.Ref), in)
		if bound.DynamicRef = nil; bound.Ref == nil {
			bound.Ref = target
		} else {
			bound.AllOf = append(bound.AllOf, target)
		}
	}
	return &bound
}

// dynamicReference writes a $ref unless the reference names a $dynamicAnchor.
func (t *translator) dynamicReference(name string, n *tree.Node, out map[string]any) {
	if n.Kind != tree.String {
		t.wrongKind(n, "invalid-schema", name, "a string")
		return
	}
	if t.dynamic {
		_, fragment, _ := strings.Cut(n.Text, "#")
		target, err := t.lookup(n, n.Text)
		if err == nil && target.Get("$dynamicAnchor") != nil && target.Get("$dynamicAnchor").Str() == fragment {
			home, _ := t.home(target)
			out[name] = home.url() + "#" + fragment
			return
		}
	}
	parts, _ := out["allOf"].([]any)
	out["allOf"] = append(slices.Clip(parts), t.reference(n, n))
}

// metaschema returns the resource of a JSON Schema metaschema. The library has it, so that no network access is
// needed.
func (t *translator) metaschema(ref string) *resource {
	if !isMetaschema(ref) {
		return nil
	}
	if i := slices.IndexFunc(t.schemas.resources, func(r *resource) bool { return r.foreign == ref }); i >= 0 {
		return t.schemas.resources[i]
	}
	r := &resource{number: len(t.schemas.resources), foreign: ref}
	t.schemas.resources = append(t.schemas.resources, r)
	return r
}

func isMetaschema(ref string) bool {
	location, _, _ := strings.Cut(ref, "#")
	return slices.Contains([]string{"https://json-schema.org/draft/2020-12/schema",
		"https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-07/schema",
		"http://json-schema.org/draft-06/schema", "http://json-schema.org/draft-04/schema"}, location)
}

const validationVocabulary = "https://json-schema.org/draft/2020-12/vocab/validation"

// assertions are the keywords of the validation vocabulary.
var assertions = []string{"type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum",
	"exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "maxContains",
	"minContains", "maxProperties", "minProperties", "required", "dependentRequired"}

// unvalidated reports whether the dialect in a schema's $schema omits the validation vocabulary (Core section 8.1.2).
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
