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
	patterns  sync.Map   // each pattern compiled, or the error
	looking   sync.Mutex // held while references are followed after loading
}

type schemaKey struct {
	node      *tree.Node
	direction Direction
}

type resource struct {
	schemaKey
	number   int
	used     bool        // something of the contract leads to it
	document any         // translated
	links    []*resource // what its references lead to, by number
	foreign  string      // the URL of a metaschema, which the library has; node is nil
	compiled *Keywords   // nil until it is
	schema   *Schema     // nil where only references lead to it
}

// The keywords of linkVocabulary. Their value is the number of one of the resource's links.
const (
	linkKeyword    = "x-coldframe-link"    // a schema that refers to the link
	replaceKeyword = "x-coldframe-replace" // a property that the link takes the place of
)

// linkVocabulary keeps the link keywords in compiled schemas, where linking finds them and takes them out.
var linkVocabulary = &jsonschema.Vocabulary{
	URL: "urn:coldframe:vocabulary:link",
	Compile: func(_ *jsonschema.CompilerContext, object map[string]any) (jsonschema.SchemaExt, error) {
		for _, keyword := range [...]string{linkKeyword, replaceKeyword} {
			if number, ok := object[keyword].(json.Number); ok {
				i, err := strconv.Atoi(string(number))
				return link{i, keyword == replaceKeyword}, err
			}
		}
		return nil, nil
	},
}

// link is a compiled keyword of linkVocabulary. It is gone before anything is validated.
type link struct {
	index   int
	replace bool
}

func (link) Validate(*jsonschema.ValidatorContext, any) {}

func linkOf(k *Keywords) (link, bool) {
	if len(k.Extensions) == 0 {
		return link{}, false
	}
	l, ok := k.Extensions[0].(link)
	return l, ok
}

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
			r.document = t.schema(r.node, nil)
		}
	}
	for _, r := range s.resources {
		if r.schema != nil {
			r.use()
		}
	}
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
				}
			}
		})
	}
	wait.Wait()
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
	s.cutCycles()
	for _, r := range s.resources {
		if r.schema != nil {
			r.schema.Keywords = r.compiled
		}
	}
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
		for name, property := range k.Properties {
			if l, ok := linkOf(property); ok && l.replace {
				k.Properties[name] = r.links[l.index].compiled
			}
		}
		if l, ok := linkOf(k); ok {
			k.Extensions, k.Ref = nil, r.links[l.index].compiled
		}
	}
}

// maxPerValue bounds how many schemas apply to a single value: a few lines of allOf can ask for more than can be
// validated in any time.
const maxPerValue = 200_000

// cutCycles cuts references that lead back to a schema for the same value, whose validation would not end, and those
// beyond maxPerValue. Each cycle passes through a resource, so it is enough to begin at those.
func (s *schemas) cutCycles() {
	sizes := map[*Keywords]int{}
	for _, r := range s.resources {
		if r.used && r.compiled != nil {
			s.size(r.compiled, sizes)
		}
	}
}

// size counts the schemas that apply to a value of k, k among them; 0 while k is being measured.
func (s *schemas) size(k *Keywords, sizes map[*Keywords]int) int {
	if known, ok := sizes[k]; ok {
		return known
	}
	sizes[k] = 0
	total := 1
	if k.Ref != nil {
		switch size := s.size(k.Ref, sizes); {
		case size == 0:
			s.cut(k, "endless-reference", "the schema refers back to itself for the same value; the reference is ignored")
		case size >= maxPerValue:
			s.cut(k, "schema-too-large", "a value would have to be validated against more than "+
				strconv.Itoa(maxPerValue)+" schemas; the reference is ignored")
		default:
			total += size
		}
	}
	inner := slices.Concat([]*Keywords{k.Not, k.If, k.Then, k.Else}, k.AllOf, k.AnyOf, k.OneOf)
	for _, name := range slices.Sorted(maps.Keys(k.DependentSchemas)) {
		inner = append(inner, k.DependentSchemas[name])
	}
	for _, k := range inner {
		if k != nil {
			total += s.size(k, sizes)
		}
	}
	sizes[k] = min(total, maxPerValue+1)
	return sizes[k]
}

func (s *schemas) cut(k *Keywords, code, message string) {
	k.Ref = nil
	finding := exchange.Finding{Code: code, Message: message}
	if at := s.locate(k.Location, nil); at != nil {
		finding.Document = at.Place()
	}
	s.find(finding)
}
