package spec

import (
	"encoding/json"
	"errors"
	"maps"
	"runtime"
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

// schemas compiles each schema of a document once for each direction it is used in. A schema that something
// refers to is a resource of its own, so cycles and sharing come out as they are.
//
// The library compiles everything that a schema leads to in one queue, which it searches from the front: a
// document whose schemas all refer to each other takes it time in the square of their number. So resources
// are compiled one by one, without their references, and linked afterwards.
type schemas struct {
	*loader
	legacy    bool // OpenAPI 3.0: siblings of $ref ignored, nullable
	resources []*resource
	known     map[schemaKey]*resource
	bound     []*Keywords // the copies that a binder made
	patterns  sync.Map    // each pattern compiled, or the error
	looking   sync.Mutex  // held while references are followed after loading
}

type schemaKey struct {
	node      *tree.Node
	direction Direction
}

type resource struct {
	schemaKey
	number   int
	hidden   map[string]bool      // what the schemas around it, on the same value, hide in this direction
	used     bool                 // something of the contract leads to it
	document any                  // translated
	links    []*resource          // what its references lead to, by number
	anchors  map[string]*Keywords // what its $dynamicAnchors name, once it is compiled
	foreign  string               // the URL of a metaschema, which the library has; node is nil
	compiled *Keywords            // nil until it is
	schema   *Schema              // nil where only references lead to it
}

// The keywords of linkVocabulary.
const (
	linkKeyword  = "x-coldframe-link"  // the number of one of the resource's links, which the schema refers to
	partsKeyword = "x-coldframe-parts" // see parts
)

// linkVocabulary keeps the link keywords in compiled schemas, where linking finds them and takes them out.
var linkVocabulary = &jsonschema.Vocabulary{
	URL: "urn:coldframe:vocabulary:link",
	Compile: func(_ *jsonschema.CompilerContext, object map[string]any) (jsonschema.SchemaExt, error) {
		p, _ := object[partsKeyword].(parts)
		number, ok := object[linkKeyword].(json.Number)
		if !ok && p == nil {
			return nil, nil
		}
		l := link{-1, p}
		var err error
		if ok {
			l.index, err = strconv.Atoi(string(number))
		}
		return l, err
	},
}

// parts are subschemas that are compiled as resources of their own, by keyword: in the order of a list, and each with
// its name of a map.
type parts map[string][]part

type part struct {
	name     string    // of a property or a pattern
	resource *resource // nil for the schema false
}

// link is what the keywords of linkVocabulary compile to. It is gone before anything is validated.
type link struct {
	index int // -1 for none
	parts parts
}

func (link) Validate(*jsonschema.ValidatorContext, any) {}

// resourceBase begins the URL of each resource. The library does not validate schemas under json-schema.org
// against their metaschema, which would take a quarter of the time. The translator writes valid schemas only,
// so without this exception loading is slower and the same.
const resourceBase = "https://json-schema.org/coldframe/"

var directionNames = [...]string{InRequest: "request/", InResponse: "response/"}

// add registers a schema, nil for none; its Keywords are there after compileAll.
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

// addUnused adds the schemas that no operation uses, for the findings on them.
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

// partOf gives the resource of a schema that other schemas around it, on the same value, hide properties from.
func (s *schemas) partOf(n *tree.Node, d Direction, hidden map[string]bool) *resource {
	if len(hidden) == 0 {
		return s.resource(n, d)
	}
	r := &resource{schemaKey: schemaKey{n, d}, hidden: hidden, number: len(s.resources)}
	s.resources = append(s.resources, r)
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
			r.document = t.schema(r.node, r.hidden)
		}
	}
	for _, r := range s.resources {
		if r.schema != nil {
			r.use()
		}
	}
	errs := s.compileUsed()
	if s.ended() {
		return
	}
	for i, r := range s.resources {
		if errs[i] != nil {
			s.fault(r.node, "invalid-schema", "the schema cannot be compiled: "+errs[i].Error())
			yes := true
			r.compiled = &Keywords{Bool: &yes, Location: r.url(), DraftVersion: 2020}
		}
	}
	for _, r := range s.resources {
		if r.used {
			s.link(r)
		}
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

// compileUsed compiles the resources that are used, several at once, and gives why one cannot be.
func (s *schemas) compileUsed() []error {
	var wait sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), 4)
	if s.dynamic || len(s.resources) < 32 {
		workers = 1
	}
	errs := make([]error, len(s.resources))
	for i := range workers {
		wait.Go(func() {
			c := s.newCompiler()
			for j := i; j < len(s.resources); j += workers {
				if r := s.resources[j]; r.used && r.compiled == nil && !s.ended() {
					r.compiled, errs[j] = c.Compile(r.url())
					for name := range r.anchors {
						r.anchors[name], _ = c.Compile(r.url() + "#" + name)
					}
				}
			}
		})
	}
	wait.Wait()
	return errs
}

// use marks a resource and what it leads to. What is left over is not compiled: its faults are known from its
// translation.
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
	c.RegisterVocabulary(linkVocabulary)
	c.AssertVocabs()
	c.UseLoader(s)
	return c
}

// Load gives the translated schema that a URL names. It is called by the compiler of JSON Schemas.
func (s *schemas) Load(url string) (any, error) {
	if r := s.parse(url); r != nil {
		return r.document, nil
	}
	return nil, errors.New("schemas are only loaded from the document")
}

// registerFormats adds the formats of package formats to those that the library knows from JSON Schema.
func registerFormats(c *jsonschema.Compiler) {
	for _, f := range formats.All {
		if f.Validate != nil {
			c.RegisterFormat(&jsonschema.Format{Name: f.Name, Validate: f.Validate})
		}
	}
}

func (s *schemas) link(r *resource) {
	if len(r.links) == 0 || s.dynamic {
		return
	}
	stack := []*Keywords{r.compiled}
	for len(stack) > 0 {
		k := stack[len(stack)-1]
		stack = schema.Subschemas(k, stack[:len(stack)-1])
		if len(k.Extensions) == 0 {
			continue
		}
		if l, ok := k.Extensions[0].(link); ok {
			k.Extensions = nil
			if l.index >= 0 {
				k.Ref = r.links[l.index].compiled
			}
			for keyword, parts := range l.parts {
				s.attach(k, keyword, parts)
			}
		}
	}
}

// attach gives a compiled schema the subschemas of a keyword.
func (s *schemas) attach(k *Keywords, keyword string, parts []part) {
	list, named := make([]*Keywords, len(parts)), make(map[string]*Keywords, len(parts))
	for i, p := range parts {
		if list[i] = &no; p.resource != nil {
			list[i] = p.resource.compiled
		}
		named[p.name] = list[i]
	}
	switch keyword {
	case "allOf":
		k.AllOf = list
	case "anyOf":
		k.AnyOf = list
	case "oneOf":
		k.OneOf = list
	case "properties":
		k.Properties = named
	case "dependentSchemas":
		k.DependentSchemas = named
	case "patternProperties":
		k.PatternProperties = make(map[Regexp]*Keywords, len(parts))
		for i, p := range parts {
			if re, err := s.compiledPattern(p.name); err == nil {
				k.PatternProperties[re] = list[i]
			}
		}
	}
}

// no is the schema that no value conforms to.
var no = Keywords{Bool: new(bool), DraftVersion: 2020}

// A few lines of allOf can ask for more than can be validated in any time, and so can a chain of references, each of
// which is looked up in those before it.
const (
	maxPerValue = 200_000 // schemas that apply to a single value
	maxChain    = 256     // of those, how many lead to each other
)

// measure is how many schemas apply to a value, and how many of them lead to each other.
type measure struct{ count, depth int }

// cutCycles cuts references that lead back to a schema for the same value, whose validation would not end, and those
// beyond maxPerValue and maxChain. Each cycle passes through a resource, so it is enough to begin at those.
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

// size measures the schemas that apply to a value of k, k among them; it is zero while k is being measured.
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
