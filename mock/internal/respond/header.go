package respond

import (
	"slices"
	"strings"
	"unicode"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
)

type header struct {
	parameter *spec.Parameter
	examples  bool                       // serve them
	generator func() *generate.Generator // nil where it has no schema
}

func newHeader(p *spec.Parameter, options generate.Options) *header {
	schema := p.Schema
	if p.Content != nil {
		schema = p.Content.Schema
	}
	return &header{p, options.Examples, generatorOf(schema, options)}
}

// value gives the header's documented example, or else generates a value.
func (h *header) value(key generate.Key) (any, error) {
	if h.examples {
		for _, e := range h.parameter.Examples {
			if len(e.Broken) == 0 {
				return e.Value, nil
			}
		}
	}
	if generator := h.generator(); generator != nil {
		return generator.Value(key)
	}
	return h.parameter.Name, nil
}

// transportHeaders say how a message travels: the server sets them, whatever a document says.
var transportHeaders = []string{
	"Content-Length", "Content-Encoding", "Transfer-Encoding", "Connection", "Keep-Alive", "Trailer", "Upgrade", "Date",
}

// setHeaders sets the documented headers of a response. One for which no value can be made is left out.
func (r *Responder) setHeaders(q *Request, a *Answer, documented *spec.Response) {
	for _, h := range documented.Headers {
		if slices.ContainsFunc(transportHeaders, func(name string) bool { return strings.EqualFold(name, h.Name) }) {
			continue
		}
		value, err := r.headers[h].value(q.key(documented.Status, h.Name))
		if err != nil {
			continue
		}
		if text, err := decode.Encode(h, value); err == nil {
			a.Header.Set(h.Name, strings.Map(fieldCharacter, text))
		}
	}
}

// fieldCharacter gives a space for what may not stand in a field's value (RFC 9110 section 5.5).
func fieldCharacter(r rune) rune {
	if unicode.IsControl(r) && r != '\t' {
		return ' '
	}
	return r
}
