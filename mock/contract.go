package mock

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// contract is a document and its scenarios with all that requests need of
// them. It is replaced as a whole when a file changes.
type contract struct {
	*spec.Contract
	router     *route.Router
	operations map[*spec.Operation]*operation
	producers  map[*spec.MediaType]*producer
	headers    map[*spec.Parameter]*header
	outgoing   map[*spec.Operation]*outgoing // of callbacks and webhooks
	prevailing *spec.MediaType               // of error bodies; nil where the document has no habit
	version    uint64                        // each contract in force has a higher one
	loaded     *scenario.Book                // from files
	book       *scenario.Book                // those with what was changed since
	resources  []*resource.Resource
	kept       map[*resource.Resource]*keeping // resources whose items can be seen
	findings   []exchange.Finding              // on the document and the scenarios: warnings
	secrets    *auth.Secrets                   // what is left out of logs
	coverage   *coverage.Coverage
	begins     *state.View // what sessions begin with
	data       []string    // files and folders that it was read from
}

// operation is one operation with what answers it.
type operation struct {
	*spec.Operation
	auth            *auth.Policy
	validator       *validate.Operation
	success         int // the status when all is well
	successResponse *spec.Response
	binding         *resource.Binding // what it does to what is kept; nil without keeps
	keeps           *keeping          // nil: nothing
	says            *resource.Binding // what its requests and answers say of items; nil where that is not known
	file            fileRole          // what it does to the file that its path names
}

func newContract(c *spec.Contract, book *scenario.Book, o *Options) *contract {
	m := &contract{
		Contract:   c,
		router:     route.New(c),
		operations: make(map[*spec.Operation]*operation, len(c.Operations)),
		producers:  map[*spec.MediaType]*producer{},
		headers:    map[*spec.Parameter]*header{},
		outgoing:   outgoings(c, o),
		prevailing: prevailing(c),
		loaded:     book,
		book:       book,
		secrets:    auth.NewSecrets(c.Operations...),
		coverage:   coverage.New(c),
	}
	options := generate.Options{Fill: o.Fill, Examples: o.Examples != "off"}
	for _, op := range c.Operations {
		compiled := &operation{Operation: op, auth: auth.New(op), validator: validate.New(op)}
		compiled.success, compiled.successResponse = success(op)
		m.operations[op] = compiled
		for _, r := range op.Responses {
			options := options
			if first, _ := r.Code(); first >= 400 || r != compiled.successResponse {
				options.Fill = "all" // errors need room for their reason
			}
			for _, media := range r.Content {
				m.producers[media] = &producer{media: media, options: options,
					own: sync.OnceValue(func() []ownValue { return ownValues(op, media) })}
			}
			for _, h := range r.Headers {
				m.headers[h] = &header{parameter: h, options: options}
			}
		}
	}
	plan, findings := resource.Infer(c, o.Resources)
	m.findings, m.resources = findings, plan.Resources
	for _, b := range plan.Bindings {
		switch b.Role {
		case resource.List, resource.Create, resource.Read, resource.Replace, resource.Update, resource.Upsert:
			if b.Confidence >= surely || b.Declared {
				m.operations[b.Operation].says = b
			}
		}
	}
	if !o.Stateless {
		m.keepings(plan, options, o.Seed)
		m.files()
	}
	return m
}

func (c *contract) producer(media *spec.MediaType) *producer { return c.producers[media] }

// header makes values of one header of one response.
type header struct {
	parameter *spec.Parameter
	options   generate.Options
	once      sync.Once
	generator *generate.Generator
}

// value gives the header's documented example, or else generates a value.
func (h *header) value(key generate.Key) (any, error) {
	if h.options.Examples {
		for _, e := range h.parameter.Examples {
			if len(e.Broken) == 0 {
				return e.Value, nil
			}
		}
	}
	h.once.Do(func() {
		schema := h.parameter.Schema
		if h.parameter.Content != nil {
			schema = h.parameter.Content.Schema
		}
		if schema != nil {
			h.generator = generate.New(schema, h.options)
		}
	})
	if h.generator == nil {
		return h.parameter.Name, nil
	}
	return h.generator.Value(key)
}

// success gives the status of an answer when all is well: the lowest
// documented 2xx, exact before 2XX before default; a creation prefers 201.
func success(o *spec.Operation) (int, *spec.Response) {
	var inRange, fallback *spec.Response
	var exact []*spec.Response
	for _, r := range o.Responses {
		switch first, count := r.Code(); {
		case count == 1 && first/100 == 2:
			exact = append(exact, r)
		case count == 100 && first == 200:
			inRange = r
		case r.Status == "default":
			fallback = r
		}
	}
	creates := o.Method == "POST" || o.Method == "PUT"
	for _, r := range exact {
		if creates && r.Status == "201" {
			return 201, r
		}
	}
	switch {
	case len(exact) > 0:
		first, _ := exact[0].Code()
		return first, exact[0]
	case inRange != nil:
		return 200, inRange
	case fallback != nil:
		return 200, fallback
	case len(o.Responses) > 0: // nothing says how success looks: the lowest that is documented
		for _, r := range o.Responses {
			if first, _ := r.Code(); first >= 200 {
				return first, r
			}
		}
	}
	return 200, nil
}

// statuses lists the documented statuses.
func (o *operation) statuses() string {
	names := make([]string, len(o.Responses))
	for i, r := range o.Responses {
		names[i] = r.Status
	}
	return strings.Join(names, ", ")
}

// prevailing gives the error body that more than half of the operations have.
func prevailing(c *spec.Contract) *spec.MediaType {
	type use struct {
		media *spec.MediaType
		count int
	}
	uses := map[string]*use{}
	for _, o := range c.Operations {
		seen := map[string]bool{}
		for _, r := range o.Responses {
			first, count := r.Code()
			if count > 0 && first < 400 {
				continue
			}
			for _, media := range r.Content {
				if media.Schema == nil || !media.IsJSON() {
					continue
				}
				name := media.Schema.Keywords.Location
				if ref := media.Schema.Keywords.Ref; ref != nil {
					name = ref.Location
				}
				if uses[name] == nil {
					uses[name] = &use{media: media}
				}
				if !seen[name] {
					seen[name] = true
					uses[name].count++
				}
			}
		}
	}
	var best *use
	for _, u := range uses {
		if best == nil || u.count > best.count || u.count == best.count && u.media.Place.Pointer < best.media.Place.Pointer {
			best = u
		}
	}
	if best == nil || 2*best.count <= len(c.Operations) {
		return nil
	}
	return best.media
}

// producer makes bodies of one media type of one response.
type producer struct {
	media    *spec.MediaType
	options  generate.Options
	once     sync.Once
	made     *generate.Generator
	writer   *decode.Encoder
	constant atomic.Pointer[constant]
	shapes   sync.Map // *spec.MediaType of a request → *shape
	own      func() []ownValue
	item     *generate.Generator // of the items of a sequential media type; nil where they have no schema
}

// constant is a generated body that every request gets.
type constant struct {
	status int
	bytes  []byte
}

func (p *producer) generator() *generate.Generator {
	p.make()
	return p.made
}

func (p *producer) itemGenerator() *generate.Generator {
	p.make()
	return p.item
}

func (p *producer) encoder() *decode.Encoder {
	p.make()
	return p.writer
}

// make binds what only answers need, when the first one is given.
func (p *producer) make() {
	p.once.Do(func() {
		p.writer = decode.NewEncoder(p.media)
		if p.media.Schema != nil {
			p.made = generate.New(p.media.Schema, p.options)
		}
		if p.media.Item != nil {
			p.item = generate.New(p.media.Item, p.options)
		}
	})
}

func (p *producer) conforms(value any) bool { return p.media.Conforms(value) }

// value generates a body.
func (p *producer) value(key generate.Key) (any, error) {
	if p.media.Schema == nil {
		if p.media.IsJSON() || p.media.Type == "*" {
			return map[string]any{}, nil
		}
		return "", nil
	}
	return p.generator().Value(key)
}

// example gives the body of an example: the named one, or else the first.
func (p *producer) example(name, use string) ([]byte, bool) {
	for _, e := range p.media.Examples {
		if name != "" && e.Name != name || !servable(e, use) {
			continue
		}
		if text, ok := e.Value.(string); ok && !p.media.IsJSON() {
			return []byte(text), true
		}
		body, _, err := p.encoder().Encode(p.media.Concrete(), e.Value)
		return body, err == nil
	}
	return nil, false
}

// servable reports whether an example may be an answer.
func servable(e *spec.Example, use string) bool {
	return use == "as-is" || use == "valid" && len(e.Broken) == 0
}

// exampleNames says which examples can be asked for, and why others cannot.
func (p *producer) exampleNames(use string) string {
	var good, broken []string
	for _, e := range p.media.Examples {
		switch {
		case e.Name == "":
		case servable(e, use):
			good = append(good, e.Name)
		default:
			broken = append(broken, e.Name)
		}
	}
	text := "there is none"
	if len(good) > 0 {
		text = "there are " + strings.Join(good, ", ")
	}
	switch {
	case len(broken) == 0:
		return text
	case use == "off":
		return text + "; examples are off (see --examples)"
	}
	return text + "; not served, as they break their schema: " + strings.Join(broken, ", ")
}
