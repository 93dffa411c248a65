package spec

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/coldframe/coldframe/internal/exchange"
)

// DynamicRef is the target of a $dynamicRef.
type DynamicRef = jsonschema.DynamicRef

// Direction says which way values of a schema travel: a readOnly property is
// not asked for in a request, a writeOnly one not in a response (OpenAPI 3.1
// section 4.8.24, JSON Schema Validation section 9.4).
type Direction uint8

const (
	InRequest Direction = iota
	InResponse
)

// Keywords is one compiled (sub)schema: its keywords in JSON Schema 2020-12
// with references resolved to pointers, cycles included. Whatever version the
// document has, its schemas are translated.
type Keywords = jsonschema.Schema

// Schema is a schema of the document as one direction sees it, compiled.
type Schema struct {
	Keywords  *Keywords
	Direction Direction
	Place     exchange.Place
	root      *Node
	schemas   *schemas
}

// schemas compiles each schema of a document once for each direction it is
// used in. A schema that something refers to is a resource of its own, named
// schema:///DIRECTION/NUMBER, so cycles and sharing come out as they are.
type schemas struct {
	*loader
	legacy      bool // OpenAPI 3.0: boolean exclusive bounds, nullable, siblings of $ref ignored
	directional bool // some property is readOnly or writeOnly
	roots       []*Node
	numbers     map[*Node]int // of roots
	compiled    map[schemaKey]*Schema
	order       []*Schema // as they were added
}

type schemaKey struct {
	root      *Node
	direction Direction
}

func newSchemas(l *loader, version string) *schemas {
	s := &schemas{
		loader:   l,
		legacy:   strings.HasPrefix(version, "3.0"),
		numbers:  map[*Node]int{},
		compiled: map[schemaKey]*Schema{},
	}
	for _, f := range l.files {
		s.directional = s.directional || strings.Contains(f.text, "readOnly") || strings.Contains(f.text, "writeOnly")
	}
	return s
}

// add registers a schema; its Keywords are there after compileAll.
func (s *schemas) add(n *Node, d Direction) *Schema {
	if !s.directional {
		d = InRequest
	}
	key := schemaKey{n, d}
	if known := s.compiled[key]; known != nil {
		return known
	}
	schema := &Schema{Direction: d, Place: n.Place(), root: n, schemas: s}
	s.compiled[key] = schema
	s.order = append(s.order, schema)
	return schema
}

var directionNames = [...]string{InRequest: "request", InResponse: "response"}

// url names the resource that a schema root is.
func (s *schemas) url(root *Node, d Direction) string {
	number, ok := s.numbers[root]
	if !ok {
		number = len(s.roots)
		s.numbers[root] = number
		s.roots = append(s.roots, root)
	}
	return "schema:///" + directionNames[d] + "/" + strconv.Itoa(number)
}

// compileAll compiles what was added. A schema that cannot be compiled accepts
// everything, and a finding says so.
func (s *schemas) compileAll() {
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	compiler.UseRegexpEngine(compilePattern)
	registerFormats(compiler)
	compiler.UseLoader(s)
	for i := 0; i < len(s.order); i++ {
		schema := s.order[i]
		if schema.Keywords != nil {
			continue
		}
		keywords, err := compiler.Compile(s.url(schema.root, schema.Direction))
		if err != nil {
			s.find(s.compileFinding(schema, err))
			yes := true
			keywords = &Keywords{Bool: &yes, Location: s.url(schema.root, schema.Direction)}
		}
		schema.Keywords = keywords
	}
}

func (s *schemas) compileFinding(schema *Schema, err error) exchange.Finding {
	f := exchange.Finding{Code: "invalid-schema", Message: "the schema cannot be compiled: " + err.Error(), Document: schema.Place}
	var invalid *jsonschema.SchemaValidationError
	var cause *jsonschema.ValidationError
	if errors.As(err, &invalid) && errors.As(invalid.Err, &cause) {
		leaf := leaves(cause, nil)[0]
		if at := s.locate(invalid.URL); at != nil {
			if inner := s.descend(at, leaf.InstanceLocation); inner != nil {
				at = inner
			}
			f.Document = at.Place()
		}
		f.Message = "the schema is not a valid one: " + message(leaf)
	}
	return f
}

// Load gives the translated schema that a URL names. It is called by the
// compiler of JSON Schemas.
func (s *schemas) Load(url string) (any, error) {
	root, direction := s.parse(url)
	if root == nil {
		return nil, errors.New("schemas are only loaded from the document")
	}
	t := translator{schemas: s, direction: direction, root: root}
	return t.schema(root, nil), nil
}

// parse gives the root and direction of a resource's URL.
func (s *schemas) parse(url string) (*Node, Direction) {
	rest, ok := strings.CutPrefix(url, "schema:///")
	name, number, _ := strings.Cut(rest, "/")
	i, err := strconv.Atoi(number)
	if !ok || err != nil || i >= len(s.roots) {
		return nil, 0
	}
	return s.roots[i], Direction(slices.Index(directionNames[:], name))
}

// locate gives the node of a compiled schema's location, or the nearest that
// the document really has.
func (s *schemas) locate(location string) *Node {
	url, pointer, _ := strings.Cut(location, "#")
	root, _ := s.parse(url)
	if root == nil {
		return nil
	}
	return s.descend(root, slices.Collect(tokens(pointer)))
}

// descend follows tokens from n as far as they lead, through references.
func (s *schemas) descend(n *Node, tokens []string) *Node {
	for _, token := range tokens {
		child := n.child(token)
		if child == nil {
			if target, err := s.resolve(n); err == nil {
				child = target.child(token)
			}
		}
		if child == nil {
			return n
		}
		n = child
	}
	return n
}

// Node gives the schema as the document writes it, for what Keywords do not
// keep: examples, unknown formats, extensions, the order of properties. k must
// be reachable from s.Keywords. It is nil where the place is unknown.
func (s *Schema) Node(k *Keywords) *Node {
	if s.schemas == nil {
		return nil
	}
	return s.schemas.locate(k.Location)
}

// Resolve follows the $refs of a node that Node gave; nil where they lead
// nowhere.
func (s *Schema) Resolve(n *Node) *Node {
	target, err := s.schemas.resolve(n)
	if err != nil {
		return nil
	}
	return target
}

// components checks the schemas that no operation uses: what is wrong with
// them is said all the same.
func (c *compiler) components(n *Node) {
	schemas := n.Get("schemas")
	if schemas == nil {
		return
	}
	for _, member := range schemas.Members {
		c.schemas.add(member.Value, InRequest)
	}
	c.schemas.compileAll()
}
