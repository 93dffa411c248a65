package cases

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// Builder makes the cases of one operation. It is safe for concurrent use.
type Builder struct {
	operation  *spec.Operation
	parameters []*parameter // without fields that HTTP or the credentials set
	bodies     []*body      // the first is what plain requests have
	variables  []string     // of the path, in its order
	validator  *validate.Validator
	others     []*validate.Validator // of operations with the same method and path
	key        generate.Key
	hints      Hints
	preferred  atomic.Int32 // the alternative of the credentials that cases carry
	source     source
}

// source says where the values of plain requests come from.
type source struct {
	chosen atomic.Int32
	plain  atomic.Pointer[draft] // of the request that was accepted; nil if none
	needs  atomic.Pointer[[]string]
	values atomic.Pointer[map[string]any] // of the body's properties, see SetValues; never changed in place
}

func (s *source) given() map[string]any {
	if all := s.values.Load(); all != nil {
		return *all
	}
	return nil
}

const (
	unchosen = iota // made up; for every other plain request, from examples
	madeUp
	fromExamples // and from defaults, of schemas
)

func (s *source) examples() bool { return s.chosen.Load() == fromExamples }

// Adopt takes values from the sources of an accepted plain request's values.
func (m *Builder) Adopt(c *Case) {
	m.source.plain.CompareAndSwap(nil, c.made.draft)
	if c.exampled {
		m.source.chosen.Store(fromExamples)
	} else {
		m.source.chosen.Store(madeUp)
	}
}

// Hints say of parameters what their schemas do not.
type Hints struct {
	// Unique is a header parameter whose value must be another for every other
	// request, as an idempotency key; "" if none.
	Unique string
	// Opaque are parameters whose values only the backend knows, such as cursors and
	// tags: made-up ones may be refused.
	Opaque []string
}

// Hint returns a builder its hints, before it is used.
func (m *Builder) Hint(h Hints) { m.hints = h }

type parameter struct {
	*spec.Parameter
	schema    *spec.Schema        // nil: any text
	generator *generate.Generator // nil: any text
	exampled  *generate.Generator // of examples; nil: any text
	once      bool                // no two requests may have the same value
	same      *generate.Key       // of the value that all requests have unless they vary it; nil: each has its own
	fixed     atomic.Pointer[any] // the value of SetValues; nil if none
}

func (p *parameter) given() any {
	if value := p.fixed.Load(); value != nil {
		return *value
	}
	return nil
}

// SetValues sets values of parameters in the query, header fields and cookies, and of properties of bodies, by name or
// by path (items.0.sku, items.*.sku). Requests send them unless a case varies them; templates have another value in
// every request. part is a part of the request, such as exchange.InQuery.
func (m *Builder) SetValues(part string, values map[string]any) {
	for _, p := range m.parameters {
		if value, ok := values[p.Name]; ok && p.In == part && value != nil {
			p.fixed.Store(&value)
		}
	}
	if part == exchange.InBody && len(values) > 0 {
		all := map[string]any{}
		maps.Copy(all, m.source.given())
		maps.Copy(all, values)
		m.source.values.Store(&all)
	}
}

// Unset takes back a value of SetValues.
func (m *Builder) Unset(part, name string) {
	for _, p := range m.parameters {
		if p.In == part && p.Name == name {
			p.fixed.Store(nil)
		}
	}
	if part == exchange.InBody {
		all := maps.Clone(m.source.given())
		delete(all, name)
		m.source.values.Store(&all)
	}
}

// HasValue reports whether SetValues has set a property of the bodies.
func (m *Builder) HasValue(property string) bool {
	_, ok := m.source.given()[property]
	return ok
}

// givesTemplates reports whether values of Give differ from request to request.
func (m *Builder) givesTemplates() bool {
	return isTemplate(m.source.given()) ||
		slices.ContainsFunc(m.parameters, func(p *parameter) bool { return isTemplate(p.given()) })
}

func (p *parameter) takes(value any) bool {
	return p.schema == nil || p.schema.Check(value, "", "") == nil
}

// body is a media type of the request body with what makes and writes values.
type body struct {
	*spec.MediaType
	made        generators
	exampled    generators // from examples
	source      *source
	naturalKeys []naturalKey
	files       map[string]string // properties that are files, with what they hold
	encoder     *decode.Encoder
}

type generators struct {
	all     *generate.Generator // nil: anything
	minimal *generate.Generator // of what is required only
}

func generatorsOf(s *spec.Schema, examples bool) generators {
	return generators{generate.New(s, generate.Options{Examples: examples}),
		generate.New(s, generate.Options{Fill: "required", Examples: examples})}
}

var (
	// ignoredFields mean nothing as parameters: OpenAPI 3.1 section 4.8.12.2.1.
	ignoredFields = []string{"accept", "content-type", "authorization"}
	// framingFields say how a message is sent, which is not for values to decide.
	framingFields = []string{"content-encoding", "content-length", "transfer-encoding", "connection", "host", "expect",
		"upgrade", "te", "trailer"}
	variable = lazyregexp.New(`\{([^}]*)\}`) // of a path template
)

// New makes the builder of an operation. The same seed leads to the same cases.
func New(o *spec.Operation, seed uint64) *Builder {
	m := &Builder{operation: o, validator: validate.New(o), key: generate.NewKey(seed, "case", o.Method, o.Path),
		variables: o.Variables()}
	for _, other := range o.Alternatives {
		if other != o {
			m.others = append(m.others, validate.New(other))
		}
	}
	for _, p := range o.Parameters {
		name := strings.ToLower(p.Name)
		if p.In == exchange.InHeader &&
			(slices.Contains(ignoredFields, name) || !p.Required && slices.Contains(framingFields, name)) {
			continue
		}
		bound := &parameter{Parameter: p, schema: p.Schema,
			once: strings.Contains(name, "idempoten") || strings.Contains(name, "nonce")}
		if p.Content != nil {
			bound.schema = p.Content.Schema
		}
		if bound.schema != nil {
			bound.generator = generate.New(bound.schema, generate.Options{})
			bound.exampled = generate.New(bound.schema, generate.Options{Examples: true})
		}
		if p.In == exchange.InHeader && p.Required && !bound.once { // it may choose whose items a request concerns
			same := generate.NewKey(seed, "every request", p.Name)
			bound.same = &same
		}
		m.parameters = append(m.parameters, bound)
	}
	if o.Body == nil {
		return m
	}
	for _, media := range o.Body.Content {
		b := &body{MediaType: media, encoder: decode.NewEncoder(media), source: &m.source}
		if media.Schema != nil {
			b.made, b.exampled = generatorsOf(media.Schema, false), generatorsOf(media.Schema, true)
			b.files = filesOf(media)
			b.naturalKeys = naturalKeysIn([]*spec.Keywords{media.Schema.Keywords}, nil)
		}
		m.bodies = append(m.bodies, b)
	}
	if i := slices.IndexFunc(m.bodies, func(b *body) bool { return b.IsJSON() }); i > 0 {
		json := m.bodies[i]
		m.bodies = slices.Insert(slices.Delete(m.bodies, i, i+1), 0, json)
	}
	return m
}

// Plain makes a conforming request with what is required and no more. Until a backend has accepted one, every other
// request has the examples and defaults of schemas. have has values for properties of its body that refer to existing
// items. Each n makes another request. The error says why there is none.
func (m *Builder) Plain(n int, have map[string]any) (*Case, error) {
	exampled := m.source.examples() || m.source.chosen.Load() == unchosen && n%2 == 1
	d, err := m.draftFrom(exampled, m.key.Child("plain").Child(fmt.Sprint(n)), have)
	if err != nil {
		return nil, err
	}
	c, err := m.accepted(d, "a plain request", "")
	if err == nil {
		c.exampled = exampled
	}
	return c, err
}

// Making says what a made request is like; the rest is as in a plain one.
type Making struct {
	N      int            // each makes other values
	Have   map[string]any // of the body's properties, by name
	All    bool           // with all properties that are optional
	Body   any            // in place of one that is made; nil if none
	Media  string         // of the body, as the document writes it; "" for the media type of plain requests
	Values map[string]any // of parameters, by name; path parameters have texts
	Title  string
}

// Make makes a conforming request; nil if there can be none.
func (m *Builder) Make(g Making) *Case {
	key := m.key.Child("made").Child(fmt.Sprint(g.N))
	d, err := m.draft(key, g.Have)
	if err != nil {
		return nil
	}
	for _, b := range m.bodies {
		if b.Range == g.Media {
			d.body = b
		}
	}
	if d.body != nil && g.All {
		if value, err := d.body.make(key.Child("body"), g.Have, "all"); err == nil && d.body.Conforms(value) {
			d.value = value
		}
	}
	if d.body != nil && g.Body != nil {
		d.value = g.Body
	}
	texts := map[string]string{}
	for _, p := range m.parameters {
		value, ok := g.Values[p.Name]
		switch {
		case !ok:
		case p.In == exchange.InPath:
			texts[p.Name], _ = value.(string)
			if !m.Fits(p.Name, texts[p.Name]) {
				return nil
			}
		default:
			d.values[p] = value
		}
	}
	c, err := m.accepted(d, g.Title, "")
	if err != nil {
		return nil
	}
	for name := range g.Values {
		c.Literal = append(c.Literal, name)
	}
	for name, text := range texts {
		c.Request.Path = strings.ReplaceAll(c.Request.Path, "{"+name+"}", url.PathEscape(text))
	}
	return c
}

// Takes reports whether a parameter takes a value.
func (m *Builder) Takes(name string, value any) bool {
	i := slices.IndexFunc(m.parameters, func(p *parameter) bool { return p.Name == name })
	return i >= 0 && m.parameters[i].takes(value)
}

// OtherKey returns another text for a variable of the path, percent-encoded; text itself if none like it fits.
func (m *Builder) OtherKey(variable, text string, n int) string {
	for _, p := range m.parameters {
		plain, err := url.PathUnescape(text)
		if p.In != exchange.InPath || p.Name != variable || p.schema == nil || err != nil {
			continue
		}
		all := combined(p.schema.Keywords)
		room, _ := freeLength(all)
		key := m.key.Child(variable).Child(strconv.Itoa(n))
		other := (&naturalKey{room: room, patterns: patternsIn(all)}).withEnd(plain, key)
		if room > 0 && p.takes(other) {
			return url.PathEscape(other)
		}
	}
	return text
}

// Fits reports whether a text can stand for a variable of the path: an item's key may be of another type than
// the variable, if a document contradicts itself.
func (m *Builder) Fits(variable, text string) bool {
	for _, p := range m.parameters {
		if p.In == exchange.InPath && p.Name == variable && !p.takes(text) {
			value, err := jsontext.Decode(text)
			return err == nil && p.takes(value)
		}
	}
	return true
}
