package decode

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"maps"
	"mime/multipart"
	"net/textproto"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

const maxParts = 10_000

type part struct {
	param   *param // nil for a property that the schema does not list
	shape   shape  // of the whole property
	types   []*spec.MediaType
	headers Headers
	file    bool // the document declares it as a file
	oneText bool // the document sets a style in which one part holds a list or object, like a parameter
}

func newPart(p *param, media *spec.MediaType) *part {
	made := &part{param: p, shape: p.shape, file: isFile(media.Schema, p.shape)}
	e := media.Encoding[p.name]
	if e == nil {
		return made
	}
	for text := range strings.SplitSeq(e.ContentType, ",") {
		if m, ok := parseMediaType(text); ok {
			made.types = append(made.types, &spec.MediaType{Range: m.kind + "/" + m.subtype, Type: m.kind, Subtype: m.subtype})
		}
	}
	made.headers = NewHeaders(e.Headers)
	made.oneText = e.Style != "" && !p.explode
	return made
}

// isFile reports whether the document declares a property as a file: a string of format binary, or with another media
// type (OpenAPI 3.1 section 4.8.14.5).
func isFile(of *spec.Schema, s shape) bool {
	return of != nil && slices.ContainsFunc(slices.Concat(s.Schemas(), s.items().Schemas()), func(k *spec.Keywords) bool {
		n := of.Node(k)
		return n.Get("format").Str() == "binary" ||
			n.Get("contentMediaType").Str() != "" && s.has(schema.String|schema.Array)
	})
}

type sentPart struct {
	*multipart.Part
	content []byte
}

// sentParts returns the parts of a body, and a fault in place of the first unreadable one.
func sentParts(body []byte, boundary string) iter.Seq2[sentPart, *fault] {
	return func(yield func(sentPart, *fault) bool) {
		r := multipart.NewReader(bytes.NewReader(body), boundary)
		for n := 1; ; n++ {
			// NextPart returns io.EOF only after the closing boundary.
			next, err := r.NextPart()
			if err == io.EOF {
				return
			}
			var content []byte
			if err == nil {
				content, err = io.ReadAll(next)
			}
			var wrong *fault
			switch {
			case err != nil:
				reason := strings.TrimPrefix(err.Error(), "multipart: ")
				wrong = &fault{code: CodeMultipart, message: fmt.Sprintf("part %d cannot be read: %s", n, reason)}
			case n > maxParts:
				wrong = &fault{code: CodeTooManyValues, message: "more than 10000 parts"}
			}
			if !yield(sentPart{next, content}, wrong) || wrong != nil {
				return
			}
		}
	}
}

// decodeMultipart reads the parts of multipart/form-data by name. Parts of other multipart types are read by name if
// they have names, else as a list.
func (d *formDecoder) decodeMultipart(sent *mediaType, body []byte) (any, []*fault) {
	boundary := sent.param("boundary")
	if boundary == "" || len(boundary) > 70 { // RFC 2046 section 5.1.1
		return nil, []*fault{{code: CodeMultipart, message: "Content-Type has no boundary of 1 to 70 characters"}}
	}
	object := map[string]any{}
	var list []any
	var whole any // the only part of a body that is not an object or list
	isWhole := !d.shape.has(schema.Object | schema.Array)
	var faults []*fault
	single := map[string]bool{}
	n := 0
	for next, wrong := range sentParts(body, boundary) {
		if n++; wrong != nil {
			faults = append(faults, wrong)
			break
		}
		switch name := next.FormName(); {
		case isWhole:
			whole, faults = (&part{shape: d.shape}).value(d.shape, next)
		case name != "":
			faults = append(faults, d.add(object, single, name, next)...)
		case sent.subtype == "form-data":
			faults = append(faults, &fault{code: CodeMultipart,
				message: fmt.Sprintf(`part %d has no name, want Content-Disposition: form-data; name="…"`, n)})
		default:
			element := &part{shape: d.shape.item(len(list))}
			value, wrong := element.value(element.shape, next)
			faults = append(faults, within(strconv.Itoa(len(list)), wrong)...)
			list = append(list, value)
		}
	}
	switch {
	case faults != nil:
		return nil, faults
	case isWhole && n != 1:
		return nil, []*fault{{code: CodeMultipart, message: fmt.Sprintf("the body has %d parts, want 1", n)}}
	case isWhole:
		return whole, nil
	case list != nil:
		return list, nil
	}
	return object, nil
}

func within(token string, faults []*fault) []*fault {
	for _, f := range faults {
		f.pointer = "/" + token + f.pointer
	}
	return faults
}

// add decodes a part and stores it in the object. single has the names that take one part and already have it.
func (d *formDecoder) add(object map[string]any, single map[string]bool, name string, sent sentPart) []*fault {
	known := d.parts[name]
	if bare, ok := strings.CutSuffix(name, "[]"); known == nil && ok && d.parts[bare] != nil {
		name, known = bare, d.parts[bare]
	}
	if known == nil {
		known = &part{shape: d.shape.additional()}
	}
	before, again := object[name]
	lists := known.shape.has(schema.Array) && !known.oneText
	s := known.shape
	if lists && (s.kinds() == schema.Array || again) {
		elements, _ := before.([]any)
		s = s.item(len(elements))
	}
	value, faults := known.value(s, sent)
	_, isList := value.([]any)
	switch {
	case faults != nil:
		return within(exchange.EscapePointer(name), faults)
	case single[name]:
		return []*fault{{CodeForm, "/" + exchange.EscapePointer(name), "is given more than once, takes one value"}}
	case again:
		object[name] = appended(before, value)
	case lists && known.shape.kinds() == schema.Array && (!isList || s.has(schema.Array)): // else the whole list
		object[name] = []any{value}
	default:
		object[name], single[name] = value, !lists
	}
	return nil
}

// value decodes one part by its Content-Type, else by the default for the schema (OpenAPI 3.1 section 4.8.15.1,
// "contentType").
func (p *part) value(s shape, sent sentPart) (any, []*fault) {
	faults := p.headerFaults(sent)
	declared := sent.Header.Get("Content-Type")
	media, ok := parseMediaType(declared)
	switch {
	case declared != "" && !ok:
		return nil, append(faults, &fault{code: CodeContentType,
			message: quote("Content-Type %s of the part is not a media type", declared)})
	case declared != "" && !p.allows(&media):
		return nil, append(faults, &fault{code: CodeMediaType,
			message: quote("Content-Type %s of the part is not documented, want %s", declared, rangesOf(p.types))})
	case declared == "" && len(p.types) == 1:
		media = mediaType{kind: p.types[0].Type, subtype: p.types[0].Subtype}
	case declared == "" && p.types == nil && s.kinds() == schema.Object:
		media = mediaType{kind: "application", subtype: "json"}
	}
	var value any
	var wrong *fault
	text := string(sent.content)
	switch {
	case media.isJSON():
		value, wrong = decodeJSON(text)
	case media.isJWT() && s.claims():
		value, wrong = decodeJWT(text)
	case media.isXML(), media.kind != "" && media.kind != "text", sent.FileName() != "":
		value = text
	case p.oneText:
		plain := *p.param
		plain.escape = raw
		value, wrong = plain.text(text)
	default:
		value = s.nested(text)
	}
	if wrong != nil {
		faults = append(faults, wrong)
	}
	return value, faults
}

// headerFaults checks the fields of a part.
func (p *part) headerFaults(sent sentPart) (faults []*fault) {
	if p.headers == nil {
		return nil
	}
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
	return faults
}

func (p *part) allows(sent *mediaType) bool {
	return len(p.types) == 0 ||
		slices.ContainsFunc(p.types, func(documented *spec.MediaType) bool { return sent.matches(documented) > 0 })
}

// encodeMultipart writes the properties of an object as parts, and a list as parts without names. The boundary
// depends only on the value, so equal values have equal bodies.
func (d *formDecoder) encodeMultipart(as string, value any) ([]byte, string, error) {
	var parts []outgoing
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			var err error
			if parts, err = d.outgoing(parts, name, v[name]); err != nil {
				return nil, "", fmt.Errorf("property %q: %w", name, err)
			}
		}
	case []any:
		for _, element := range v {
			parts = append(parts, makePart(textproto.MIMEHeader{}, nil, element))
		}
	default:
		known := &part{file: isFile(d.media.Schema, d.shape)}
		h := textproto.MIMEHeader{}
		if strings.HasPrefix(as, "multipart/form-data") { // RFC 7578 section 4.2: each part has a name
			h.Set("Content-Disposition", disposition("file", known))
		}
		parts = []outgoing{makePart(h, known, value)}
	}
	var b bytes.Buffer // collects the output
	w := multipart.NewWriter(&b)
	boundary := boundaryOf(parts)
	if err := w.SetBoundary(boundary); err != nil {
		return nil, "", err
	}
	for _, p := range parts {
		pw, err := w.CreatePart(p.header)
		if err != nil {
			return nil, "", err
		}
		_, _ = pw.Write(p.content)
	}
	_ = w.Close()
	base, _, _ := strings.Cut(as, ";")
	return b.Bytes(), base + "; boundary=" + boundary, nil
}

type outgoing struct {
	header  textproto.MIMEHeader
	content []byte
}

func (d *formDecoder) outgoing(parts []outgoing, name string, value any) ([]outgoing, error) {
	known := d.parts[name]
	if known != nil && known.oneText {
		plain := *known.param
		plain.escape = raw
		text, err := plain.encode(value)
		if err != nil {
			return nil, err
		}
		value = strings.TrimPrefix(text, name+"=")
	}
	list := listed(value)
	if len(list) < 2 && d.shape.property(name).kinds() != schema.Array { // otherwise one element looks like a list
		list = []any{value}
	}
	for _, element := range list {
		h := textproto.MIMEHeader{"Content-Disposition": {disposition(name, known)}}
		parts = append(parts, makePart(h, known, element))
	}
	return parts, nil
}

func disposition(name string, known *part) string {
	quoted := quoteEscaper.Replace(name)
	text := `form-data; name="` + quoted + `"`
	if known != nil && known.file {
		text += `; filename="` + quoted + `"`
	}
	return text
}

// quoteEscaper escapes like browsers (WHATWG HTML section 4.10.21.8).
var quoteEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "", "\n", "")

func makePart(h textproto.MIMEHeader, known *part, value any) outgoing {
	contentType := ""
	if known != nil && len(known.types) > 0 && known.types[0].Subtype != "*" {
		contentType = known.types[0].Range
	}
	if media, ok := parseMediaType(contentType); ok && media.isJWT() && schema.TypeOf(value) == schema.Object {
		value = string(encodeJWT(media.subtype, value))
	}
	text, isText := value.(string)
	var err error
	if !isText {
		text, err = scalarText(value)
	}
	content := []byte(text)
	switch {
	case err != nil || strings.HasSuffix(contentType, "json") || known == nil && !isText:
		content = jsontext.Append(nil, value)
		contentType = cmp.Or(contentType, "application/json")
	case known != nil && known.file:
		contentType = cmp.Or(contentType, "application/octet-stream")
	}
	if contentType != "" {
		h.Set("Content-Type", contentType)
	}
	return outgoing{h, content}
}

// boundaryOf returns a boundary that occurs in no part.
func boundaryOf(parts []outgoing) string {
	hash := fnv.New64a()
	for _, p := range parts {
		hash.Write([]byte(p.header.Get("Content-Disposition")))
		hash.Write(p.content)
	}
	for {
		boundary := "coldframe-" + strconv.FormatUint(hash.Sum64(), 16)
		if !slices.ContainsFunc(parts, func(p outgoing) bool { return bytes.Contains(p.content, []byte(boundary)) }) {
			return boundary
		}
		hash.Write([]byte{0})
	}
}

// File is a file in a request's body.
type File struct {
	Name string // the client's file name; "" if none
	Type string // the media type in lower case, without parameters
	Data []byte
}

// FileOf returns the file in a body: the whole body, or the one part of a multipart body with a filename or with a
// media type other than JSON and text; nil if none or more than one.
func FileOf(contentType string, body []byte) *File {
	m, ok := parseMediaType(contentType)
	if !ok {
		return nil
	}
	if m.kind != "multipart" {
		return &File{Type: m.kind + "/" + m.subtype, Data: body}
	}
	var found *File
	for part, wrong := range sentParts(body, m.param("boundary")) {
		if wrong != nil {
			return nil
		}
		declared, ok := parseMediaType(part.Header.Get("Content-Type"))
		if !ok || (declared.kind == "text" || declared.subtype == "json") && part.FileName() == "" {
			continue
		}
		if found != nil {
			return nil
		}
		found = &File{part.FileName(), declared.kind + "/" + declared.subtype, part.content}
	}
	return found
}
