package spec

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/tree"
)

// schemas compiles each schema of a document once for each direction that uses it. Every schema with a reference to
// it is a resource of its own, which preserves cycles and sharing.
//
// The library compiles documents with $dynamicRefs, direct compiles the others.
type schemas struct {
	*loader
	legacy    bool // OpenAPI 3.0: siblings of $ref ignored, nullable
	resources []*resource
	known     map[schemaKey]*resource
	bound     []*Keywords // copies that a binder made
	shapes    *schema.Shapes
	bundling  bool // schemas are translated for a Bundle: as the document has them, each with its node

	discriminates    bool     // the document has a discriminator
	extends          bool     // a schema with a discriminator has schemas that extend it
	discriminators   sync.Map // by compiled schema
	componentSchemas *tree.Node
	components       map[*tree.Node]string // component names; nil until findComponents
	byName           map[string]*tree.Node
	children         map[*tree.Node][]*tree.Node // component schemas that extend one with a discriminator
	patterns         sync.Map                    // pattern → compiled expression, or error
	looking          sync.Mutex                  // held while following references after loading
}

type schemaKey struct {
	node      *tree.Node
	direction Direction
}

type resource struct {
	schemaKey
	number   int
	used     bool                 // the contract refers to it
	document any                  // translated
	links    []*resource          // the targets of its references, by number
	anchors  map[string]*Keywords // its $dynamicAnchors, once it is compiled
	foreign  string               // the URL of a metaschema, which the library has; node is then nil
	compiled *Keywords            // nil until compiled
	schema   *Schema              // nil if only references lead to it
}

// linkKeyword holds the number of the link that the schema refers to.
const linkKeyword = "x-coldframe-link"

// nodeKeyword holds the node of a translated schema in a Bundle.
const nodeKeyword = "x-coldframe-node"

// resourceBase is the base of each resource's URL. The library does not validate schemas under json-schema.org
// against their metaschema, which would take a quarter of the time. The translator writes only valid schemas, so
// validating them would only slow down loading.
const resourceBase = "https://json-schema.org/coldframe/"

var directionNames = [...]string{InRequest: "request/", InResponse: "response/"}

func newSchemas(l *loader, clean *tree.Node) *schemas {
	return &schemas{loader: l, legacy: strings.HasPrefix(clean.Get("openapi").Str(), "3.0"),
		known: map[schemaKey]*resource{}, componentSchemas: clean.Get("components").Get("schemas")}
}

// add registers a schema, or nil; its Keywords are set by compileAll.
func (s *schemas) add(n *tree.Node, d Direction) *Schema {
	if n == nil {
		return nil
	}
	r := s.resource(n, d)
	if r.schema == nil {
		r.schema = &Schema{Direction: d, Place: n.Place(), root: n, schemas: s}
		s.embedded[n] = true
	}
	return r.schema
}

// addUnused adds schemas that no operation uses, to find their faults.
func (s *schemas) addUnused(nodes []*tree.Node) {
	for _, n := range nodes {
		s.embedded[n] = true
		if s.known[schemaKey{n, InRequest}] == nil && s.known[schemaKey{n, InResponse}] == nil {
			s.resource(n, InRequest)
		}
	}
}

func (s *schemas) resource(n *tree.Node, d Direction) *resource {
	if !s.directional {
		d = InRequest
	}
	key := schemaKey{n, d}
	r, ok := s.known[key]
	if !ok {
		r = &resource{schemaKey: key, number: len(s.resources)}
		s.known[key] = r
		s.resources = append(s.resources, r)
	}
	return r
}

func (r *resource) url() string {
	if r.foreign != "" {
		return r.foreign
	}
	return resourceBase + directionNames[r.direction] + strconv.Itoa(r.number)
}

func (s *schemas) parse(url string) *resource {
	if !strings.HasPrefix(url, resourceBase) {
		return nil
	}
	i, err := strconv.Atoi(url[strings.LastIndexByte(url, '/')+1:])
	if err != nil || i < 0 || i >= len(s.resources) {
		return nil
	}
	return s.resources[i]
}

func (s *schemas) compileAll() {
	for i := 0; i < len(s.resources); i++ { // translating one may add others
		if r := s.resources[i]; r.foreign == "" && !s.ended() {
			t := translator{schemas: s, resource: r, inlining: map[*tree.Node]bool{}}
			r.document = t.schema(r.node, around{})
		}
	}
	for _, r := range s.resources {
		if r.schema != nil {
			r.use()
		}
	}
	if s.dynamic {
		s.compileTogether()
	} else {
		s.compileEach()
	}
	if s.ended() {
		return
	}
	for _, r := range s.resources {
		r.document = nil
	}
	if s.dynamic {
		s.bindAnchors()
	}
	s.cutCycles()
	for _, r := range s.resources {
		if r.schema != nil {
			r.schema.Keywords = r.compiled
		}
	}
}

// compileTogether compiles the used resources with the library.
func (s *schemas) compileTogether() {
	c := s.newCompiler()
	for _, r := range s.resources {
		if r.used && !s.ended() {
			s.compile(c, r)
		}
	}
}

// compile compiles a resource with the library.
func (s *schemas) compile(c *jsonschema.Compiler, r *resource) {
	var err error
	if r.compiled, err = c.Compile(r.url()); err != nil {
		s.fault(r.node, "invalid-schema", "the schema cannot be compiled: "+err.Error())
		yes := true
		r.compiled = &Keywords{Bool: &yes, Location: r.url(), DraftVersion: 2020}
	}
	for name := range r.anchors {
		r.anchors[name], _ = c.Compile(r.url() + "#" + name)
	}
}

// compileEach compiles the used resources one by one.
func (s *schemas) compileEach() {
	d := newDirect(s)
	for _, r := range s.resources {
		switch {
		case !r.used:
		case r.foreign != "":
			s.compile(d.library, r)
		default:
			r.compiled = new(Keywords) // for links
		}
	}
	for _, r := range s.resources {
		if r.used && r.foreign == "" && !s.ended() {
			d.resource(r)
		}
	}
}

// use marks a resource and everything that it refers to. Unmarked resources are not compiled: their translation has
// already found their faults.
func (r *resource) use() {
	if !r.used {
		r.used = true
		for _, to := range r.links {
			to.use()
		}
	}
}

func (s *schemas) newCompiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseRegexpEngine(s.compiledPattern)
	registerFormats(c)
	c.UseLoader(s)
	return c
}

// Load returns the translated schema at a URL, for the library's compiler.
func (s *schemas) Load(url string) (any, error) {
	if r := s.parse(url); r != nil {
		return r.document, nil
	}
	return nil, errors.New("schemas are only loaded from the document")
}

// registerFormats adds the formats of package formats to the library's own.
func registerFormats(c *jsonschema.Compiler) {
	for _, f := range formats.All {
		if f.Validate != nil {
			c.RegisterFormat(&jsonschema.Format{Name: f.Name, Validate: f.Validate})
		}
	}
}

// Limits of schemas for one value: a few lines of allOf can require more validation than is feasible, and so can a
// long chain of references.
const (
	maxPerValue = 200_000 // schemas that apply to a single value
	maxChain    = 256     // the length of a chain of such schemas
)

// measure has the number of schemas that apply to a value, and the length of their longest chain.
type measure struct{ count, depth int }

// cutCycles cuts references that lead back to a schema for the same value, whose validation would not end, and
// references beyond maxPerValue and maxChain. Each cycle passes through a resource, so the search starts at those.
func (s *schemas) cutCycles() {
	sizes := map[*Keywords]measure{}
	for _, r := range s.resources {
		if r.used && r.compiled != nil {
			s.size(r.compiled, sizes)
		}
	}
	for _, k := range s.bound {
		s.size(k, sizes)
	}
}

// size measures the schemas that apply to a value of k, including k; it is zero while k is being measured.
func (s *schemas) size(k *Keywords, sizes map[*Keywords]measure) measure {
	if known, ok := sizes[k]; ok {
		return known
	}
	sizes[k] = measure{}
	total := measure{1, 1}
	add := func(m measure) {
		total.count, total.depth = total.count+m.count, max(total.depth, 1+m.depth)
	}
	if k.Ref != nil {
		switch size := s.size(k.Ref, sizes); {
		case size.count == 0:
			s.cut(k, "endless-reference", "the schema refers back to itself for the same value; the reference is ignored")
		case size.count >= maxPerValue:
			s.cut(k, "schema-too-large", "a value would have to be validated against more than "+
				strconv.Itoa(maxPerValue)+" schemas; the reference is ignored")
		case size.depth >= maxChain:
			s.cut(k, "schema-too-large", "it begins a chain of more than "+strconv.Itoa(maxChain)+
				" schemas for the same value; the reference is ignored")
		default:
			add(size)
		}
	}
	inner := slices.Concat([]*Keywords{k.Not, k.If, k.Then, k.Else}, k.AllOf, k.AnyOf, k.OneOf)
	for _, name := range slices.Sorted(maps.Keys(k.DependentSchemas)) {
		inner = append(inner, k.DependentSchemas[name])
	}
	for _, k := range inner {
		if k != nil {
			add(s.size(k, sizes))
		}
	}
	total.count = min(total.count, maxPerValue+1)
	sizes[k] = total
	return total
}

func (s *schemas) cut(k *Keywords, code, message string) {
	k.Ref = nil
	finding := exchange.Finding{Code: code, Message: message}
	if at := s.locate(k.Location, nil); at != nil {
		finding.Document = at.Place()
	}
	s.find(finding)
}
