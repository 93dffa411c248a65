package cases

import (
	"iter"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Negotiation makes requests that accept one media type only: each of several
// that a success has, and, where the document says that what cannot be accepted
// is refused, one that nobody has (RFC 9110 sections 12.5.1 and 15.5.7).
func (m *Builder) Negotiation(have map[string]any) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		types, refusal := m.negotiable()
		if len(types) < 2 {
			types = nil
		}
		if refusal != nil {
			types = append(types, unknownMediaType)
		}
		for i, name := range types {
			c, err := m.Plain(firstNegotiationRequest+i, have)
			if err != nil {
				return
			}
			c.Request.Header.Set("Accept", name)
			c.Title, c.Varied = "Accept: "+name, "header.Accept"
			if name == unknownMediaType {
				c.Expected, c.Varied = Refused, ""
				c.Violation = &exchange.Finding{
					Code: "not-acceptable", Message: "no media type of the document is accepted", In: exchange.InHeader,
					Name: "Accept", Document: refusal.Place,
				}
			}
			if !yield(c) {
				return
			}
		}
	}
}

const (
	firstNegotiationRequest = 30_000
	unknownMediaType        = "application/vnd.nobody.has"
)

// negotiable gives the media types of the first success that has any, and the
// refusal of others; nil where the document has none.
func (m *Builder) negotiable() (types []string, refusal *spec.Response) {
	ranges := false
	for _, r := range m.operation.Responses {
		first, _ := r.Code()
		switch {
		case first == 406:
			refusal = r
		case first/100 == 2 && len(types) == 0:
			for _, media := range r.Content {
				if strings.Contains(media.Range, "*") {
					ranges = true
				} else {
					types = append(types, media.Range)
				}
			}
		}
	}
	if ranges || len(types) == 0 {
		refusal = nil
	}
	return types, refusal
}
