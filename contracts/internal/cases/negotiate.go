package cases

import (
	"context"
	"iter"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Negotiation makes requests that accept one media type only: each of several
// that a success has, and, where the document says that what cannot be accepted
// is refused, one that nobody has (RFC 9110 sections 12.5.1 and 15.5.7).
func (m *Builder) Negotiation(have map[string]any) iter.Seq[*Case] {
	types, refusal := m.negotiable()
	var all []func(*Case)
	if len(types) > 1 {
		for _, name := range types {
			all = append(all, func(c *Case) {
				c.Request.Header.Set("Accept", name)
				c.Title, c.Varied = "Accept: "+name, "header.Accept"
			})
		}
	}
	if refusal != nil {
		all = append(all, func(c *Case) {
			c.Request.Header.Set("Accept", unknownMediaType)
			c.Title, c.Expected = "Accept: "+unknownMediaType, Refused
			c.Violation = &exchange.Finding{
				Code: "not-acceptable", Message: "no media type of the document is accepted", In: exchange.InHeader,
				Name: "Accept", Document: refusal.Place,
			}
		})
	}
	return m.plainWith(context.Background(), firstNegotiationRequest, have, all)
}

const unknownMediaType = "application/vnd.nobody.has"

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
