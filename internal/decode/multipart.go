package decode

import (
	"bytes"
	"io"
	"mime/multipart"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// maxParts bounds the parts of a multipart body.
const maxParts = 10_000

// part decodes the parts of one name.
type part struct {
	param   *param // nil for a property that the schema does not name
	shape   *shape // of the whole property
	types   []spec.MediaType
	headers *Headers
	file    bool // the document calls it a file
	styled  bool // the document gives a style, so the part is read like a parameter
}

func newPart(p *param, e *spec.Encoding) *part {
	made := &part{param: p, shape: p.shape}
	if e == nil {
		return made
	}
	for text := range strings.SplitSeq(e.ContentType, ",") {
		if m, ok := parseMediaType(text); ok {
			made.types = append(made.types, spec.MediaType{Type: m.kind, Subtype: m.subtype})
		}
	}
	if len(e.Headers) > 0 {
		made.headers = NewHeaders(e.Headers)
	}
	made.styled = e.Style != ""
	return made
}

// decodeMultipart reads the parts of multipart/form-data by their names, those
// of other multipart types by their names where they have any, else as a list.
func (d *formDecoder) decodeMultipart(sent *mediaType, body []byte) (any, []*fault) {
	boundary := sent.param("boundary")
	if boundary == "" || len(boundary) > 70 { // RFC 2046 section 5.1.1
		return nil, []*fault{{code: CodeMultipart, message: "Content-Type has no boundary of 1 to 70 characters"}}
	}
	r := multipart.NewReader(bytes.NewReader(body), boundary)
	object := map[string]any{}
	var list []any
	var faults []*fault
	single := map[string]bool{}
	for n := 0; ; n++ {
		// Its own error is io.EOF only after the closing boundary.
		next, err := r.NextPart()
		if err == io.EOF {
			break
		}
		if err == nil && n == maxParts {
			faults = append(faults, &fault{code: CodeTooManyValues, message: "more than 10000 parts"})
			break
		}
		var content []byte
		if err == nil {
			content, err = io.ReadAll(next)
		}
		if err != nil {
			faults = append(faults, &fault{code: CodeMultipart, message: "part " + strconv.Itoa(n+1) + " cannot be read: " +
				strings.TrimPrefix(err.Error(), "multipart: ")})
			break
		}
		name := next.FormName()
		if name == "" {
			if sent.subtype == "form-data" {
				faults = append(faults, &fault{code: CodeMultipart, message: "part " + strconv.Itoa(n+1) +
					` has no name, want Content-Disposition: form-data; name="…"`})
				continue
			}
			element := &part{shape: d.shape.item(len(list))}
			value, wrong := element.value(element.shape, next, string(content))
			for _, f := range wrong {
				f.pointer = "/" + strconv.Itoa(len(list)) + f.pointer
			}
			faults = append(faults, wrong...)
			list = append(list, value)
			continue
		}
		faults = append(faults, d.add(object, single, name, next, string(content))...)
	}
	switch {
	case faults != nil:
		return nil, faults
	case list != nil:
		return list, nil
	}
	return object, nil
}

// add decodes a part and puts it into the object. single are the names that
// take one part and have it.
func (d *formDecoder) add(
	object map[string]any, single map[string]bool, name string, sent *multipart.Part, text string,
) []*fault {
	known := d.parts[name]
	if bare, ok := strings.CutSuffix(name, "[]"); known == nil && ok && d.parts[bare] != nil {
		name, known = bare, d.parts[bare]
	}
	if known == nil {
		known = &part{shape: d.shape.additional}
	}
	before, again := object[name]
	elements, _ := before.([]any)
	lists := known.shape.kinds.has(kindArray) && !known.oneText()
	s := known.shape
	if lists && (s.kinds == kindArray || again) {
		s = s.item(len(elements))
	}
	value, faults := known.value(s, sent, text)
	for _, f := range faults {
		f.pointer = "/" + escapeToken(name) + f.pointer
	}
	switch {
	case faults != nil:
		return faults
	case single[name]:
		return []*fault{{CodeForm, "/" + escapeToken(name), "is given more than once, takes one value"}}
	case again:
		object[name] = appended(before, value)
	case lists && known.shape.kinds == kindArray && !isListPart(value, s):
		object[name] = []any{value}
	default:
		object[name], single[name] = value, !lists
	}
	return nil
}

// isListPart reports whether one part has the whole list, as JSON.
func isListPart(value any, element *shape) bool {
	_, ok := value.([]any)
	return ok && !element.kinds.has(kindArray)
}

func appended(before, value any) []any {
	if list, ok := before.([]any); ok {
		return append(list, value)
	}
	return []any{before, value}
}

// value decodes one part by its Content-Type, else by the default that the
// schema implies (OpenAPI 3.1 section 4.8.15.1, "contentType").
func (p *part) value(s *shape, sent *multipart.Part, text string) (any, []*fault) {
	var faults []*fault
	if p.headers != nil {
		var h exchange.Header
		for name, values := range sent.Header {
			for _, value := range values {
				h = append(h, exchange.Field{Name: name, Value: value})
			}
		}
		_, findings := p.headers.Decode(h)
		for _, f := range findings {
			faults = append(faults, &fault{f.Code, "", "header " + f.Name + " of the part: " + f.Message})
		}
	}
	declared := sent.Header.Get("Content-Type")
	media, ok := parseMediaType(declared)
	switch {
	case declared != "" && !ok:
		return nil, append(faults, &fault{code: CodeContentType,
			message: quote("Content-Type %s of the part is not a media type", declared)})
	case declared != "" && !p.allows(&media):
		return nil, append(faults, &fault{code: CodeMediaType,
			message: quote("Content-Type %s of the part is not documented, want %s", declared, p.ranges())})
	case declared == "" && len(p.types) == 1:
		media = mediaType{kind: p.types[0].Type, subtype: p.types[0].Subtype}
	case declared == "" && p.types == nil && s.kinds == kindObject:
		media = mediaType{kind: "application", subtype: "json"}
	}
	value, wrong := p.byType(s, &media, sent, text)
	if wrong != nil {
		return nil, append(faults, wrong)
	}
	if faults != nil {
		return nil, faults
	}
	return value, nil
}

func (p *part) byType(s *shape, media *mediaType, sent *multipart.Part, text string) (any, *fault) {
	switch {
	case media.isJSON():
		return decodeJSON(text)
	case media.isXML():
		return text, nil
	case media.kind != "" && media.kind != "text" || sent.FileName() != "":
		return text, nil
	case p.oneText():
		plain := *p.param
		plain.escape = raw
		return plain.text(text)
	}
	return s.nested(text), nil
}

// oneText reports whether a list or object stands in one part as a parameter
// would.
func (p *part) oneText() bool { return p.styled && !p.param.explode }

func (p *part) allows(sent *mediaType) bool {
	for i := range p.types {
		if sent.matches(&p.types[i]) > 0 {
			return true
		}
	}
	return len(p.types) == 0
}

func (p *part) ranges() string {
	names := make([]string, len(p.types))
	for i := range p.types {
		names[i] = p.types[i].Type + "/" + p.types[i].Subtype
	}
	return strings.Join(names, " or ")
}
