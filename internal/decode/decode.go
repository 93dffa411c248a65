// Package decode converts HTTP messages to JSON values, and back: parameters in OpenAPI's styles, and bodies by their
// media type. Decoders are compiled once for each operation and used concurrently.
//
// It checks syntax, not content: a text that should be a number but is not stays a string, and package validate
// reports it.
package decode

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

const inQuerystring = "querystring"

// The codes of this package's findings. Package jsontext has the codes for malformed JSON.
const (
	CodeMissingParameter    = "missing-parameter"          // a required parameter is not in the request
	CodeRepeatedParameter   = "repeated-parameter"         // a parameter with a single value is sent more than once
	CodeMalformedParameter  = "malformed-parameter"        // a parameter does not have the form of its style
	CodePercentEncoding     = "malformed-percent-encoding" // "%" without two hexadecimal digits (RFC 3986 section 2.1)
	CodeUndeclaredParameter = "undeclared-parameter"       // a query parameter is not documented; only if asked for
	CodeTooManyValues       = "too-many-values"            // a query or body has more values than the limit
	CodeMissingBody         = "missing-body"               // a required body is not in the request
	CodeMediaType           = "unsupported-media-type"     // the body's media type is not documented
	CodeContentType         = "malformed-content-type"     // Content-Type is not a media type (RFC 9110 section 8.3)
	CodeCharset             = "unsupported-charset"        // the body's character encoding is not supported
	CodeContentEncoding     = "unsupported-content-encoding"
	CodeCompression         = "malformed-compression"
	CodeBodyTooLarge        = "body-too-large" // a decompressed body is over the limit
	CodeOverloaded          = "overloaded"     // the bodies in flight leave no room for this one
	CodeForm                = "malformed-form"
	CodeMultipart           = "malformed-multipart" // RFC 2046 section 5.1
	CodeXML                 = "malformed-xml"
)

// fault is an error in one value; finding adds its place.
type fault struct {
	code    string
	pointer string
	message string
}

// Values are the decoded parts of a request. A map is nil if the operation documents no such parameters; its keys are
// the documented names.
type Values struct {
	Path      map[string]any
	Query     map[string]any
	Header    map[string]any
	Cookie    map[string]any
	HasBody   bool
	MediaType *spec.MediaType // the documented entry that the body matched

	body   any
	flat   jsontext.Flat // the body if isFlat; Body builds body from it
	isFlat bool
}

// Body returns the value of the body, nil if none.
func (v *Values) Body() any {
	if v.isFlat && v.body == nil {
		v.body, _ = jsontext.Decode(v.flat.Text())
	}
	return v.body
}

// SetBody sets the value of the body.
func (v *Values) SetBody(value any) { v.body, v.isFlat = value, false }

// Flat returns a body that is a small object without nested arrays and objects and conforms to its schema. It returns
// nil for other bodies; use Body for them.
func (v *Values) Flat() *jsontext.Flat {
	if v.isFlat {
		return &v.flat
	}
	return nil
}

// In returns the parameters of one place: exchange.InPath, InHeader, InCookie, else the query's.
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

// Decoder decodes the requests of one operation.
type Decoder struct {
	path       []*param // by variable of the template; nil for an undeclared one
	header     Headers
	query      fields
	serialized []*param // in: querystring
	cookie     fields
	body       *Content
	request    *spec.RequestBody
	keys       []string // apiKey security schemes in the query
}

// New returns the decoder of an operation.
func New(op *spec.Operation) *Decoder {
	d := &Decoder{request: op.Body}
	var query, cookie []*param
	variables := op.Variables()
	d.path = make([]*param, len(variables))
	for _, p := range op.Parameters {
		switch p.In {
		case exchange.InPath:
			if i := slices.Index(variables, p.Name); i >= 0 {
				d.path[i] = bind(p)
			}
		case exchange.InQuery:
			query = append(query, bind(p))
		case inQuerystring:
			d.serialized = append(d.serialized, bind(p))
		case exchange.InCookie:
			cookie = append(cookie, bind(p))
		case exchange.InHeader:
			d.header = append(d.header, bind(p))
		}
	}
	d.query, d.cookie = newFields(query), newFields(cookie)
	if op.Body != nil {
		d.body = NewContent(op.Body.Content)
	}
	for _, need := range slices.Concat(op.Security...) {
		if need.Scheme.Type == "apiKey" && need.Scheme.In == exchange.InQuery {
			d.keys = append(d.keys, need.Scheme.Name)
		}
	}
	return d
}

// Request decodes a request. path has the values of the template's variables in order, still percent-encoded. Every
// fault is reported; values that cannot be read are left out.
func (d *Decoder) Request(req *exchange.Request, path []string) (Values, []exchange.Finding) {
	var v Values
	var r reader
	if len(d.path) > 0 {
		v.Path = r.path(d.path, path)
	}
	if len(d.query.params)+len(d.serialized) > 0 {
		v.Query = r.query(d, req.Query)
	}
	if len(d.header) > 0 {
		v.Header = r.header(d.header, req.Header)
	}
	if len(d.cookie.params) > 0 {
		v.Cookie = r.cookie(&d.cookie, req.Header)
	}
	if d.request == nil {
		return v, r.findings // an undocumented body is ignored
	}
	if len(req.Body) == 0 && !d.body.takesEmpty(req.Header) {
		if d.request.Required {
			r.findings = append(r.findings, exchange.Finding{
				Code: CodeMissingBody, Message: "required body is missing",
				In: exchange.InBody, Document: d.request.Place,
			})
		}
		return v, r.findings
	}
	if d.body.flat(req, &v) {
		return v, r.findings
	}
	var wrong []exchange.Finding
	v.body, v.MediaType, wrong = d.body.Decode(req.Header, req.Body)
	v.HasBody = len(wrong) == 0 && v.MediaType != nil
	return v, append(r.findings, wrong...)
}

// Unknown reports query parameters that are neither documented parameters nor API keys.
func (d *Decoder) Unknown(req *exchange.Request) []exchange.Finding {
	if req.Query == "" || len(d.serialized) > 0 {
		return nil
	}
	all, _ := d.query.parse(nil, req.Query, '&', plus)
	var findings []exchange.Finding
	for i := range all {
		if !d.query.has(&all[i]) && !slices.Contains(d.keys, all[i].name) {
			findings = append(findings, exchange.Finding{
				Code: CodeUndeclaredParameter, Message: "query parameter is not documented",
				In: exchange.InQuery, Name: all[i].name,
			})
		}
	}
	return exchange.Sort(findings)
}

// Headers decodes the header fields of a response or a part.
type Headers []*param

// NewHeaders binds the decoders of documented header fields.
func NewHeaders(documented []*spec.Parameter) Headers {
	var h Headers
	for _, p := range documented {
		if !strings.EqualFold(p.Name, "Content-Type") { // ignored (OpenAPI 3.1 section 4.8.17.1)
			header := *p
			header.In = exchange.InHeader
			h = append(h, bind(&header))
		}
	}
	return h
}

// Decode reads the documented fields; the keys are the documented names. A missing required field is reported.
func (h Headers) Decode(header exchange.Header) (map[string]any, []exchange.Finding) {
	if len(h) == 0 {
		return nil, nil
	}
	var r reader
	return r.header(h, header), r.findings
}

type reader struct{ findings []exchange.Finding }

// add stores the decoded value of a parameter. sent is false if the parameter is missing.
func (r *reader) add(values map[string]any, p *param, value any, sent bool, wrong *fault) {
	switch {
	case wrong != nil:
		r.findings = append(r.findings, p.finding(wrong))
	case sent:
		values[p.name] = value
	case p.required:
		r.findings = append(r.findings, p.missing())
	}
}

func (r *reader) path(params []*param, path []string) map[string]any {
	values := make(map[string]any, len(params))
	for i, p := range params {
		switch {
		case p == nil:
		case i < len(path):
			value, wrong := p.text(path[i])
			r.add(values, p, value, true, wrong)
		default:
			r.findings = append(r.findings, p.missing())
		}
	}
	return values
}

func (r *reader) query(d *Decoder, query string) map[string]any {
	values := make(map[string]any, len(d.query.params)+len(d.serialized))
	for _, p := range d.serialized {
		var value any
		var wrong *fault
		if query != "" {
			value, wrong = p.serialized(query)
		}
		r.add(values, p, value, query != "", wrong)
	}
	if len(d.query.params) > 0 {
		var few [16]field
		all, wrong := d.query.parse(few[:0], query, '&', plus)
		r.fields(values, &d.query, all, wrong, exchange.InQuery)
	}
	return values
}

func (r *reader) cookie(f *fields, h exchange.Header) map[string]any {
	values := make(map[string]any, len(f.params))
	var few [16]field
	all, wrong := f.cookies(few[:0], h)
	r.fields(values, f, all, wrong, exchange.InCookie)
	return values
}

func (r *reader) header(params []*param, h exchange.Header) map[string]any {
	values := make(map[string]any, len(params))
	for _, p := range params {
		text, count := fieldValue(h, p.name)
		var value any
		var wrong *fault
		switch {
		// Several fields with one name mean their values joined with commas (RFC 9110 section 5.3), which is not a
		// number or boolean.
		case count > 1 && (p.content != nil || !p.shape.has(schema.String|schema.Array|schema.Object)):
			wrong = repeatedFault()
		case count > 0:
			value, wrong = p.text(text)
		}
		r.add(values, p, value, count > 0, wrong)
	}
	return values
}

// fieldValue returns the joined value of all fields with a name, and their number.
func fieldValue(h exchange.Header, name string) (value string, count int) {
	for i := range h {
		if len(h[i].Name) != len(name) || !strings.EqualFold(h[i].Name, name) {
			continue
		}
		if count++; count > 1 {
			value += ", "
		}
		value += strings.Trim(h[i].Value, " \t")
	}
	return value, count
}
