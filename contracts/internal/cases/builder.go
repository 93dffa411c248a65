package cases

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// Builder makes the cases of one operation. It is safe for concurrent use.
type Builder struct {
	operation  *spec.Operation
	parameters []*parameter // without fields that HTTP or the credentials set
	bodies     []*body      // the first is what plain requests have
	variables  []string     // of the path, in its order
	validator  *validate.Operation
	key        generate.Key
	hints      Hints
	preferred  atomic.Int32 // the alternative of the credentials that cases carry
}

// Hints say of parameters what their schemas do not.
type Hints struct {
	// Unique is a header parameter whose value must be another for every other
	// request, as an idempotency key; "" for none.
	Unique string
	// Opaque are parameters whose values only the backend gives, as cursors and
	// tags: made-up ones may be refused.
	Opaque []string
}

// Hint gives a builder its hints, before it is used.
func (m *Builder) Hint(h Hints) { m.hints = h }

// parameter is a parameter with what makes its values.
type parameter struct {
	*spec.Parameter
	schema    *spec.Schema        // nil: any text
	generator *generate.Generator // nil: any text
	once      bool                // no two requests may have the same value
}

// body is a media type of the request body with what makes and writes values.
type body struct {
	*spec.MediaType
	generator   *generate.Generator // nil: anything
	minimal     *generate.Generator // of what is required only
	naturalKeys *naturalKeys        // nil for no natural keys
	files       map[string]string   // properties that are files, with what they hold
	encoder     *decode.Encoder
}

// New makes the builder of an operation. The same seed gives the same cases.
func New(o *spec.Operation, seed uint64) *Builder {
	m := &Builder{operation: o, validator: validate.New(o), variables: variablesOf(o.Path),
		key: generate.NewKey(seed, "case", o.Method, o.Path)}
	for _, p := range o.Parameters {
		if p.In == exchange.InHeader && (reserved(p.Name) || !p.Required && framing(p.Name)) {
			continue
		}
		bound := &parameter{Parameter: p, schema: p.Schema}
		if p.Content != nil {
			bound.schema = p.Content.Schema
		}
		bound.once = strings.Contains(strings.ToLower(p.Name), "idempoten") ||
			strings.Contains(strings.ToLower(p.Name), "nonce")
		if bound.schema != nil {
			bound.generator = generate.New(bound.schema, generate.Options{})
		}
		m.parameters = append(m.parameters, bound)
	}
	if o.Body != nil {
		for _, media := range o.Body.Content {
			b := &body{MediaType: media, encoder: decode.NewEncoder(media)}
			if media.Schema != nil {
				b.generator = generate.New(media.Schema, generate.Options{})
				b.minimal = generate.New(media.Schema, generate.Options{Fill: "required"})
				b.files = filesOf(media)
				b.naturalKeys = naturalKeysIn([]*spec.Keywords{media.Schema.Keywords}, "", 0)
			}
			if media.IsJSON() && len(m.bodies) > 0 && !m.bodies[0].IsJSON() {
				m.bodies = append([]*body{b}, m.bodies...)
			} else {
				m.bodies = append(m.bodies, b)
			}
		}
	}
	return m
}

// reserved reports whether a header parameter means nothing: OpenAPI 3.1
// section 4.8.12.2.1.
func reserved(name string) bool {
	return strings.EqualFold(name, "Accept") || strings.EqualFold(name, "Content-Type") ||
		strings.EqualFold(name, "Authorization")
}

// framing reports whether a header field says how a message is sent, which is
// not for values to decide.
func framing(name string) bool {
	switch strings.ToLower(name) {
	case "content-encoding", "content-length", "transfer-encoding", "connection", "host", "expect", "upgrade", "te",
		"trailer":
		return true
	}
	return false
}

// variablesOf gives the names of a template's variables in their order.
func variablesOf(template string) []string {
	var names []string
	for {
		_, rest, found := strings.Cut(template, "{")
		if !found {
			return names
		}
		name, after, _ := strings.Cut(rest, "}")
		names, template = append(names, name), after
	}
}

// Plain makes a request with which all is well and in which nothing is special:
// what is required, and no more. have gives values for properties of its body
// that refer to items which exist. Each n gives another request. The error says
// why there can be none.
func (m *Builder) Plain(n int, have map[string]any) (*Case, error) {
	d, err := m.draft(m.key.Child("plain").Child(fmt.Sprint(n)), have)
	if err != nil {
		return nil, err
	}
	r, err := m.write(d)
	if err != nil {
		return nil, err
	}
	c := m.accepted(d, r, "a plain request", "")
	if c == nil {
		return nil, fmt.Errorf("no conforming request was found: %s", exchange.Join(m.findings(d, r)))
	}
	return c, nil
}
