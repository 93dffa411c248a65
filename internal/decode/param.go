package decode

import (
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// maxValues limits the values of one query, form or multipart body and the elements of one parameter.
const maxValues = 65_536

type param struct {
	name    string // as documented
	in      string // an exchange.In…
	place   exchange.Place
	pointer string // in the body, of a form's property

	required    bool
	allowEmpty  bool
	reserved    bool // allowReserved; used by Encode
	querystring bool // the value is the whole query
	style       *style
	explode     bool
	escape      escaping
	spread      bool // an object's properties are separate fields, without the parameter's name
	brackets    bool // name[a]=… and name[]=… are accepted although the style is not deepObject
	unstyled    bool // a form's property without a style
	shape       shape
	content     *spec.MediaType // the value is serialized as this media type, if it is not a range
	hasSegments func() bool     // reports whether values are several segments of the path
	anyMedia    bool            // the content is a range of media types: the style applies, and JSON is read as well
	form        *formDecoder    // for content that is an urlencoded form
}

func bind(p *spec.Parameter) *param {
	bound := bindStyle(p)
	bound.shape = shapeOf(p.ValueSchema())
	bound.spread = p.Content == nil && bound.spreads()
	if bound.content != nil && isForm(p.Content) {
		bound.form = newForm(p.Content, bound.shape)
	}
	return bound
}

// bindStyle binds everything except the schema, which Encode does not need.
func bindStyle(p *spec.Parameter) *param {
	bound := &param{
		name: p.Name, in: p.In, place: p.Place,
		required: p.Required, allowEmpty: p.AllowEmptyValue && p.In == exchange.InQuery, reserved: p.AllowReserved,
		shape: anything, content: p.Content,
	}
	if p.Content != nil && (p.Content.Type == "*" || p.Content.Subtype == "*") && p.In != inQuerystring {
		bound.content, bound.anyMedia = nil, true
	}
	bound.style, bound.explode = styleNamed(p.Style, p.In, p.Explode && bound.content == nil)
	switch p.In {
	case exchange.InQuery:
		bound.escape = plus
	case inQuerystring:
		bound.in, bound.escape, bound.querystring = exchange.InQuery, plus, true
	case exchange.InPath:
		bound.escape, bound.hasSegments = percent, func() bool { return p.Spans() != nil }
	case exchange.InCookie:
		bound.escape = percent
		if p.Style == "cookie" {
			bound.escape = raw
		}
	}
	return bound
}

// spreads reports whether an object's properties are separate fields.
func (p *param) spreads() bool {
	return p.style == form && p.explode && p.shape.names(schema.Object)
}

func isForm(media *spec.MediaType) bool {
	return media.Type == "application" && media.Subtype == "x-www-form-urlencoded"
}

func (p *param) finding(f *fault) exchange.Finding {
	finding := exchange.Finding{
		Code: f.code, Message: f.message, In: p.in, Name: p.name, Pointer: p.pointer + f.pointer, Document: p.place,
	}
	if p.in == exchange.InBody { // the pointer already names the form's property
		finding.Name = ""
	}
	return finding
}

func (p *param) missing() exchange.Finding {
	return p.finding(&fault{code: CodeMissingParameter, message: "required parameter is missing"})
}

// serialized decodes a value that is serialized as a media type.
func (p *param) serialized(text string) (any, *fault) {
	if p.form == nil || !p.querystring { // a form that is the whole query is encoded once, not twice
		var wrong *fault
		if text, wrong = p.escape.decode(text); wrong != nil {
			return nil, wrong
		}
	}
	switch {
	case p.form != nil:
		value, faults := p.form.decode(text)
		if faults != nil {
			return nil, faults[0]
		}
		return value, nil
	case p.content.IsJSON():
		return decodeJSON(text)
	case p.content.IsJWT() && p.shape.claims():
		return decodeJWT(text)
	case p.content.Type == "text":
		return p.shape.scalar(text), nil
	}
	return text, nil
}

// asJSON reads a list or an object that is written as JSON although no media type says so.
func (p *param) asJSON(text string) (any, bool) {
	if !p.anyMedia || !p.shape.names(schema.Array|schema.Object) {
		return nil, false
	}
	text, wrong := p.escape.decode(text)
	if wrong != nil {
		return nil, false
	}
	value, wrong := decodeJSON(text)
	return value, wrong == nil && (schema.Array | schema.Object).Has(schema.TypeOf(value))
}

func malformed(format string, pieces ...string) *fault {
	return &fault{code: CodeMalformedParameter, message: quote(format, pieces...)}
}

// quote formats a message with quoted and shortened pieces of the request.
func quote(format string, pieces ...string) string {
	args := make([]any, len(pieces))
	for i, piece := range pieces {
		if len(piece) > 40 {
			piece = strings.ToValidUTF8(piece[:36], "") + "…"
		}
		args[i] = fmt.Sprintf("%q", piece)
	}
	return fmt.Sprintf(format, args...)
}
