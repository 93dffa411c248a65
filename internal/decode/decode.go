// Package decode turns what comes over the wire into JSON values, and back:
// parameters in OpenAPI's styles, and bodies by their media type. What is
// compiled once for an operation is read many times, concurrently.
//
// It judges form, not content: a text that is no number stays a string, for
// package validate to say what it should be.
package decode

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

const inQuerystring = "querystring"

// Values are the decoded parts of a request. A map is nil where the operation
// documents no such parameters; its keys are names as documented.
type Values struct {
	Path      map[string]any
	Query     map[string]any
	Header    map[string]any
	Cookie    map[string]any
	Body      any
	HasBody   bool
	MediaType *spec.MediaType // the documented entry that the body matched
}

// In gives the parameters of one place: exchange.InPath, InHeader, InCookie, else
// those of the query.
func (v *Values) In(place string) map[string]any {
	switch place {
	case exchange.InPath:
		return v.Path
	case exchange.InHeader:
		return v.Header
	case exchange.InCookie:
		return v.Cookie
	}
	return v.Query
}

// Operation decodes the requests of one operation.
type Operation struct {
	path       []*param // by the template's variables; nil where one is undeclared
	header     []*param
	query      fields
	serialized []*param // in: querystring
	cookie     fields
	body       *Content
	request    *spec.RequestBody
	keys       []string // apiKey security schemes in the query
}

// New binds the decoders of an operation.
func New(op *spec.Operation) *Operation {
	o := &Operation{request: op.Body}
	var query, cookie []*param
	variables := templateVariables(op.Path)
	o.path = make([]*param, len(variables))
	for _, p := range op.Parameters {
		switch p.In {
		case exchange.InPath:
			for i, name := range variables {
				if name == p.Name && o.path[i] == nil {
					o.path[i] = bind(p)
					break
				}
			}
		case exchange.InQuery:
			query = append(query, bind(p))
		case inQuerystring:
			o.serialized = append(o.serialized, bind(p))
		case exchange.InCookie:
			cookie = append(cookie, bind(p))
		case exchange.InHeader:
			if !ignoredHeader(p.Name) {
				o.header = append(o.header, bind(p))
			}
		}
	}
	o.query, o.cookie = newFields(query), newFields(cookie)
	if op.Body != nil {
		o.body = NewContent(op.Body.Content)
	}
	for _, requirement := range op.Security {
		for _, need := range requirement {
			if need.Scheme.Type == "apiKey" && need.Scheme.In == exchange.InQuery {
				o.keys = append(o.keys, need.Scheme.Name)
			}
		}
	}
	return o
}

// templateVariables gives the names in braces, in order.
func templateVariables(path string) []string {
	var names []string
	for {
		_, rest, ok := strings.Cut(path, "{")
		if !ok {
			return names
		}
		name, rest, ok := strings.Cut(rest, "}")
		if !ok {
			return names
		}
		names, path = append(names, name), rest
	}
}

// ignoredHeader are header parameters whose definition is to be ignored
// (OpenAPI 3.1 section 4.8.12.2.1).
func ignoredHeader(name string) bool {
	return strings.EqualFold(name, "Accept") || strings.EqualFold(name, "Content-Type") ||
		strings.EqualFold(name, "Authorization")
}

// Request decodes a request. path are the values of the template's variables,
// still percent-encoded, in its order. Every fault is reported; what cannot be
// read is left out of the values.
func (o *Operation) Request(req *exchange.Request, path []string) (Values, []exchange.Finding) {
	var v Values
	var findings []exchange.Finding
	if len(o.path) > 0 {
		v.Path, findings = o.readPath(path, findings)
	}
	if len(o.query.params)+len(o.serialized) > 0 {
		v.Query, findings = o.readQuery(req.Query, findings)
	}
	if len(o.header) > 0 {
		v.Header, findings = readHeader(o.header, req.Header, findings)
	}
	if len(o.cookie.params) > 0 {
		v.Cookie, findings = o.readCookie(req.Header, findings)
	}
	if o.request == nil {
		return v, findings // a body that is not documented means nothing
	}
	if len(req.Body) == 0 && !o.body.takesEmpty(req.Header) {
		if o.request.Required {
			findings = append(findings, exchange.Finding{
				Code: CodeMissingBody, Message: "required body is missing",
				In: exchange.InBody, Document: o.request.Place,
			})
		}
		return v, findings
	}
	var wrong []exchange.Finding
	v.Body, v.MediaType, wrong = o.body.Decode(req.Header, req.Body)
	v.HasBody = len(wrong) == 0
	return v, append(findings, wrong...)
}

func (o *Operation) readPath(path []string, findings []exchange.Finding) (map[string]any, []exchange.Finding) {
	values := make(map[string]any, len(o.path))
	for i, p := range o.path {
		if p == nil {
			continue
		}
		if i >= len(path) {
			findings = append(findings, p.missing())
			continue
		}
		value, wrong := p.text(path[i])
		if wrong != nil {
			findings = append(findings, p.finding(wrong))
			continue
		}
		values[p.name] = value
	}
	return values, findings
}

func (o *Operation) readQuery(query string, findings []exchange.Finding) (map[string]any, []exchange.Finding) {
	values := make(map[string]any, len(o.query.params)+len(o.serialized))
	for _, p := range o.serialized {
		if query == "" {
			if p.required {
				findings = append(findings, p.missing())
			}
			continue
		}
		value, wrong := p.serialized(query)
		if wrong != nil {
			findings = append(findings, p.finding(wrong))
			continue
		}
		values[p.name] = value
	}
	if len(o.query.params) == 0 {
		return values, findings
	}
	var few [16]field
	all, wrong := o.query.parse(few[:0], query, '&', plus)
	if wrong != nil {
		findings = append(findings, exchange.Finding{Code: wrong.code, Message: wrong.message, In: exchange.InQuery})
	}
	return values, o.query.decode(all, values, findings)
}

func (o *Operation) readCookie(h exchange.Header, findings []exchange.Finding) (map[string]any, []exchange.Finding) {
	values := make(map[string]any, len(o.cookie.params))
	var few [16]field
	all, wrong := o.cookie.cookies(few[:0], h)
	if wrong != nil {
		findings = append(findings, exchange.Finding{Code: wrong.code, Message: wrong.message, In: exchange.InCookie})
	}
	return values, o.cookie.decode(all, values, findings)
}

// Unknown reports the query parameters that the operation does not document,
// neither as parameters nor as an API key.
func (o *Operation) Unknown(req *exchange.Request) []exchange.Finding {
	if req.Query == "" || len(o.serialized) > 0 {
		return nil
	}
	all, _ := o.query.parse(nil, req.Query, '&', plus)
	var findings []exchange.Finding
	for i := range all {
		if !o.documented(&all[i]) {
			findings = append(findings, exchange.Finding{
				Code: CodeUndeclaredParameter, Message: "query parameter is not documented",
				In: exchange.InQuery, Name: all[i].name,
			})
		}
	}
	return exchange.Sort(findings)
}

func (o *Operation) documented(f *field) bool {
	if f.owner != noField {
		return true
	}
	for _, p := range o.query.params {
		if p.hasProperty(f) {
			return true
		}
	}
	for _, key := range o.keys {
		if key == f.name {
			return true
		}
	}
	return false
}
