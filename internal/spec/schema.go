package spec

import (
	"cmp"
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/tree"
)

// Direction is the direction in which values of a schema travel: a request need not have a readOnly property, nor a
// response a writeOnly one (OpenAPI 3.1 section 4.8.24, JSON Schema Validation section 9.4).
type Direction uint8

const (
	InRequest Direction = iota
	InResponse
)

// Names of package schema.
type (
	Keywords  = schema.Keywords
	Regexp    = schema.Regexp
	Allowance = schema.Allowance
)

// Conforms is schema.Conforms.
func Conforms(k *Keywords, value any) bool { return schema.Conforms(k, value) }

// Schema is a compiled schema of the document for one direction.
type Schema struct {
	Keywords  *Keywords
	Direction Direction
	Place     exchange.Place
	root      *tree.Node
	schemas   *schemas
}

// locate returns the node at a compiled schema's location plus the path within it, or the nearest node above.
// Following references caches what it finds, so requests take turns.
func (s *schemas) locate(location string, within []string) *tree.Node {
	s.looking.Lock()
	defer s.looking.Unlock()
	location, fragment, _ := strings.Cut(location, "#")
	r := s.parse(location)
	if r == nil {
		return nil
	}
	if unescaped, err := url.PathUnescape(fragment); err == nil {
		fragment = unescaped
	}
	return s.descend(s.descend(r.node, exchange.Tokens(fragment)), slices.Values(within))
}

// olderNames are the older names of keywords that translation renames.
var olderNames = map[string]string{"prefixItems": "items", "dependentRequired": "dependencies",
	"dependentSchemas": "dependencies"}

// descend follows tokens from n until one has no member, through references.
func (s *schemas) descend(n *tree.Node, tokens iter.Seq[string]) *tree.Node {
	for token := range tokens {
		child := n.Child(token)
		if child == nil {
			child = n.Get(olderNames[token])
		}
		if child == nil {
			if target, err := s.resolve(n); err == nil {
				child = target.Child(token)
			}
		}
		if child == nil {
			return n
		}
		n = child
	}
	return n
}

// Node returns the schema as written in the document, with the parts that Keywords do not keep: examples, unknown
// formats, extensions, the order of properties. k must be reachable from s.Keywords. It returns nil if the place is
// unknown.
func (s *Schema) Node(k *Keywords) *tree.Node {
	if s.schemas == nil {
		return nil
	}
	return s.schemas.locate(k.Location, nil)
}

// PlaceOf returns the place of a keyword of k, as in findings. k must be reachable from s.Keywords.
func (s *Schema) PlaceOf(k *Keywords, keyword string) exchange.Place {
	if s.schemas != nil {
		if at := s.schemas.locate(k.Location, []string{keyword}); at != nil {
			return at.Place()
		}
	}
	return s.Place
}

// Shape returns the merged shape of all schemas that apply to a value; schema.Anything for nil.
func (s *Schema) Shape() *schema.Shape {
	if s == nil {
		return schema.Anything
	}
	return s.ShapeOf(s.Keywords)
}

// ShapeOf is Shape for a schema that is reachable from s.Keywords.
func (s *Schema) ShapeOf(k *Keywords) *schema.Shape {
	if s.schemas == nil {
		return schema.NewShapes(schema.Document{}).Of(k)
	}
	return s.schemas.shapes.Of(k)
}

// Discriminator returns the discriminator of a schema's own oneOf or anyOf, or of the schemas that extend it; nil for
// none. k must be reachable from s.Keywords.
func (s *Schema) Discriminator(k *Keywords) *schema.Discriminator {
	if s.schemas == nil {
		return nil
	}
	return s.schemas.compiledDiscriminator(k)
}

// order returns the names of the properties that a schema lists, in the document's order.
func (s *schemas) order(k *Keywords) []string {
	n := s.locate(k.Location, nil)
	for range maxRefChain {
		if n == nil || n.Get("properties") != nil || n.Get("$ref").Str() == "" {
			break
		}
		n = s.resolved(n)
	}
	var names []string
	for _, member := range n.Get("properties").Fields() {
		names = append(names, member.Name)
	}
	return names
}

// resolved follows the $refs of a node. It returns nil if they lead nowhere.
func (s *schemas) resolved(n *tree.Node) *tree.Node {
	s.looking.Lock()
	defer s.looking.Unlock()
	target, err := s.resolve(n)
	if err != nil {
		return nil
	}
	return target
}

// Resolve follows the $refs of a node returned by Node. It returns nil if they lead nowhere.
func (s *Schema) Resolve(n *tree.Node) *tree.Node { return s.schemas.resolved(n) }

// isContainer reports whether all values are objects or lists.
func (s *Schema) isContainer() bool {
	types := schema.AllowedTypes(s.Keywords)
	return !slices.Contains(types, "string") &&
		(slices.Contains(types, "object") || slices.Contains(types, "array") || len(s.Properties()) > 0)
}

// Properties returns the first schema of each property in the schema's shape.
func (s *Schema) Properties() map[string]*Keywords {
	shape := s.Shape()
	properties := make(map[string]*Keywords, len(shape.Names()))
	for _, name := range shape.Names() {
		properties[name] = shape.Member(name).Schema
	}
	return properties
}

// Requires returns the names of the required properties.
func (s *Schema) Requires() map[string]bool {
	required := map[string]bool{}
	for _, name := range s.Shape().Bounds().Required {
		required[name] = true
	}
	return required
}

// Members returns Properties, plus required properties that are not listed.
func (s *Schema) Members() map[string]*Keywords {
	members := s.Properties()
	for name := range s.Requires() {
		if members[name] == nil {
			members[name] = cmp.Or(s.Undeclared(), &Keywords{})
		}
	}
	return members
}

// Undeclared is schema.Undeclared.
func (s *Schema) Undeclared() *Keywords { return schema.Undeclared(s.Keywords) }

// Default returns the default of a schema that is reachable from s.Keywords, through references and allOf, nil if
// none. A default beside a reference wins over one in its target.
func (s *Schema) Default(k *Keywords) any {
	if s == nil || k == nil {
		return nil
	}
	n := s.Node(k)
	if n == nil {
		return nil
	}
	s.schemas.looking.Lock()
	defer s.schemas.looking.Unlock()
	for part := range s.schemas.composed(n) {
		if value := part.Get("default"); value != nil {
			return value.Value()
		}
	}
	return nil
}
