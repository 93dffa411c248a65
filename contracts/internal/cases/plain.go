package cases

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// plainWith makes a plain request for each change of one.
func (m *Builder) plainWith(ctx context.Context, first int, have map[string]any,
	changes []func(*Case)) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		for i, change := range changes {
			if ctx.Err() != nil {
				return
			}
			c, err := m.Plain(first+i, have)
			if err != nil {
				continue
			}
			if change(c); !yield(c) {
				return
			}
		}
	}
}

// Negotiation makes requests that accept one media type only, each of several that a success has, or all but the first;
// and, if the document says that what cannot be accepted is refused, one that nobody has (RFC 9110 sections 12.5.1 and
// 15.5.7).
func (m *Builder) Negotiation(have map[string]any) iter.Seq[*Case] {
	types, refusal := m.negotiable()
	var all []func(*Case)
	if len(types) > 1 {
		// A weight of 0 means "not acceptable": RFC 9110 section 12.4.2.
		for _, accept := range append(slices.Clone(types), types[0]+";q=0, */*") {
			all = append(all, func(c *Case) {
				c.Request.Header.Set("Accept", accept)
				c.Title, c.Varied = "Accept: "+accept, "header.Accept"
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

// negotiable returns the media types of the first success that has any, and the
// refusal of others; nil if the document has none.
func (m *Builder) negotiable() (types []string, refusal *spec.Response) {
	ranges := false
	for _, r := range m.operation.Responses {
		first, _ := r.Code()
		switch {
		case first == 406:
			refusal = r
		case first/100 == 2 && len(types) == 0:
			for _, media := range r.Content {
				switch {
				case strings.Contains(media.Range, "*"):
					ranges = true
				case media.Type != "image" && media.Type != "audio" && media.Type != "video": // these have the type of an upload
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

// usualMethods are those that a path is asked for beside its own. HEAD follows GET, OPTIONS is asked by
// browsers, CONNECT is for proxies: a server may answer them undocumented.
var usualMethods = []string{"GET", "PUT", "POST", "DELETE", "PATCH", "TRACE"}

// Methods makes a request for each usual method that a path of the contract does not document. A case is
// about one of the path's operations. Two templates of the same form are one path: a backend cannot tell them
// apart, or need not if a slash at the end does. A method of another template that matches the path as well
// is left out: DELETE /users/me may be DELETE /users/{id}.
func Methods(c *spec.Contract, seed uint64) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		forms := make([][]string, len(c.Operations))
		for i, o := range c.Operations {
			forms[i] = strings.Split(strings.TrimSuffix(pathForm(o.Template()), "/"), "/")
		}
		for i, o := range c.Operations {
			if slices.ContainsFunc(forms[:i], func(other []string) bool { return slices.Equal(other, forms[i]) }) {
				continue
			}
			documented := map[string]bool{}
			for j, other := range c.Operations {
				if !documented[other.Method] && overlap(forms[i], forms[j]) {
					documented[other.Method] = true
				}
			}
			builder := New(o, seed)
			for _, method := range usualMethods {
				if documented[method] {
					continue
				}
				plain, err := builder.Plain(firstMethodRequest, nil)
				if err != nil {
					continue
				}
				plain.Request.Method = method
				plain.Request.Query = ""
				if method == "GET" || method == "DELETE" || method == "TRACE" {
					plain.Request.Body = nil
					plain.Request.Header.Del("Content-Type")
				}
				plain.Expected, plain.Title = NotAllowed, method+", which the document does not have"
				if !yield(plain) {
					return
				}
			}
		}
	}
}

// pathForm returns a path template without the names of its variables.
func pathForm(template string) string { return variable.Get().ReplaceAllString(template, "{}") }

// overlap reports whether a path can match two templates, segment by segment.
func overlap(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool { return x == y || strings.Contains(x+y, "{") })
}
