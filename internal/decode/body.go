package decode

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/text/encoding/charmap"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Content decodes bodies of documented media types.
type Content struct{ entries []*entry }

// entry is one documented media type. The parts that only forms, XML and events need are built at first use.
type entry struct {
	media  *spec.MediaType
	flat   func() *schema.Flat // nil if Values.Flat does not apply
	shape  func() shape
	form   func() *formDecoder
	xml    func() *xmlForm
	events func() *eventForm
}

// NewContent binds the decoders of documented media types.
func NewContent(content []*spec.MediaType) *Content {
	c := &Content{entries: make([]*entry, len(content))}
	for i, media := range content {
		c.entries[i] = newEntry(media)
	}
	return c
}

func newEntry(media *spec.MediaType) *entry {
	e := &entry{media: media}
	e.flat = sync.OnceValue(func() *schema.Flat { return flatOf(media) })
	e.shape = sync.OnceValue(func() shape { return shapeOf(media.Schema) })
	e.form = sync.OnceValue(func() *formDecoder { return newForm(media, e.shape()) })
	e.xml = sync.OnceValue(func() *xmlForm { return newXMLForm(media.Schema, e.shape()) })
	e.events = sync.OnceValue(func() *eventForm { return newEventForm(e) })
	return e
}

func flatOf(media *spec.MediaType) *schema.Flat {
	if !media.IsJSON() || media.IsRange() || len(media.Params) > 0 || media.Schema == nil || media.Item != nil {
		return nil
	}
	hasSubtypes := func(c schema.Choice) bool { return c.By != nil && c.By.Extended }
	if slices.ContainsFunc(media.Schema.Shape().Choices(), hasSubtypes) {
		return nil
	}
	return schema.FlatOf(media.Schema.Keywords)
}

// flat reads a body of the only documented media type, if scanning its text is enough.
func (c *Content) flat(r *exchange.Request, v *Values) bool {
	if len(c.entries) != 1 {
		return false
	}
	e := c.entries[0]
	conforms := e.flat()
	if conforms == nil {
		return false
	}
	if text, count := fieldValue(r.Header, "Content-Type"); count != 1 || text != e.media.Range {
		return false
	}
	// A request's body does not change, so its bytes can be used as a string.
	if !v.flat.Scan(unsafe.String(unsafe.SliceData(r.Body), len(r.Body))) || !conforms.Conforms(&v.flat) {
		return false
	}
	v.isFlat, v.HasBody, v.MediaType = true, true, e.media
	return true
}

// Decode decodes a body by its Content-Type. If there are findings, value is nil and mt may be nil. If no media type
// is documented, or no specification says how the type represents its schema's values, the value is a placeholder for
// an unread body.
func (c *Content) Decode(h exchange.Header, body []byte) (value any, mt *spec.MediaType, findings []exchange.Finding) {
	if len(c.entries) == 0 {
		return nil, nil, nil
	}
	e, sent, wrong := c.find(h)
	if wrong != nil {
		return nil, nil, []exchange.Finding{*wrong}
	}
	value, faults := e.decode(sent, body)
	if value == unread {
		return nil, nil, nil
	}
	if len(faults) == 0 {
		return value, e.media, nil
	}
	findings = make([]exchange.Finding, len(faults))
	for i, f := range faults {
		findings[i] = exchange.Finding{
			Code: f.code, Message: f.message, In: exchange.InBody, Pointer: f.pointer, Document: e.media.Place,
		}
		if f.code == CodeCharset {
			findings[i].In, findings[i].Name = exchange.InHeader, "Content-Type"
		}
	}
	return nil, e.media, findings
}

// find returns the documented entry for the Content-Type of h, and the media type that was sent.
func (c *Content) find(h exchange.Header) (*entry, mediaType, *exchange.Finding) {
	text, count := fieldValue(h, "Content-Type")
	if len(c.entries) == 1 {
		// RFC 9110 section 8.3 allows a recipient to assume a type: the documented one.
		m := c.entries[0].media
		isAssumed := count == 0 && !strings.Contains(m.Range, "*")
		if isAssumed || count == 1 && text == m.Range && len(m.Params) == 0 {
			return c.entries[0], mediaType{kind: m.Type, subtype: m.Subtype}, nil
		}
	}
	sent, ok := mediaType{kind: "application", subtype: "octet-stream"}, true
	message := "field is missing, want "
	if count > 0 {
		sent, ok = parseMediaType(text)
		message = quote("media type %s is not documented, want ", text)
	}
	if !ok || count > 1 || sent.kind == "*" || sent.subtype == "*" {
		return nil, sent, c.refusal(CodeContentType, quote("%s is not a media type, want ", text))
	}
	var best *entry
	most := 0
	for _, e := range c.entries {
		if score := sent.matches(e.media); score > most {
			best, most = e, score
		}
	}
	if best == nil {
		return nil, sent, c.refusal(CodeMediaType, message)
	}
	return best, sent, nil
}

// refusal returns a finding whose message ends with the documented types.
func (c *Content) refusal(code, message string) *exchange.Finding {
	documented := make([]*spec.MediaType, len(c.entries))
	for i, e := range c.entries {
		documented[i] = e.media
	}
	return &exchange.Finding{
		Code: code, Message: message + rangesOf(documented),
		In: exchange.InHeader, Name: "Content-Type", Document: documented[0].Place,
	}
}

func rangesOf(documented []*spec.MediaType) string {
	names := make([]string, len(documented))
	for i, media := range documented {
		names[i] = media.Range
	}
	return strings.Join(names, " or ")
}

// takesEmpty reports whether zero bytes are a valid body of the type in h: a form, a text, or an empty file, which a
// message does not distinguish from no body (RFC 9112 section 6.3).
func (c *Content) takesEmpty(h exchange.Header) bool {
	if _, ok := h.Get("Content-Type"); !ok || len(c.entries) == 0 {
		return false
	}
	e, sent, wrong := c.find(h)
	isRaw := wrong == nil && !sent.isJSON() && !sent.isXML() && !sent.isLines() && sent.kind != "multipart" &&
		e.shape().has(schema.String)
	return wrong == nil && (sent.isForm() || isRaw)
}

func (e *entry) decode(sent mediaType, body []byte) (any, []*fault) {
	only := ""
	switch {
	case e.isEncodedFile():
		return encodedFile(body), nil
	case sent.kind == "multipart":
		return e.form().decodeMultipart(&sent, body)
	case sent.isXML():
		return single(e.xml().decode(&sent, body))
	case sent.isJSON(), sent.isLines():
		only = "JSON"
	case sent.isForm():
		only = "a form"
	case sent.isJWT() && e.shape().claims():
		return single(decodeJWT(string(body)))
	case !sent.isEvents() && e.isContainer():
		return single(sent.container(body))
	case sent.kind != "text":
		return string(body), nil
	}
	text, wrong := sent.text(body, only)
	switch {
	case wrong != nil:
		return nil, []*fault{wrong}
	case sent.isJSON():
		return single(decodeJSON(text))
	case sent.isLines():
		return single(e.lines(text))
	case sent.isForm():
		return e.form().decode(text)
	case sent.isEvents() && (e.media.Item != nil || e.media.DescribesOne() ||
		e.shape().kinds()&^schema.Null == schema.Array):
		return e.alone(e.events().decode(text)), nil
	}
	return e.shape().scalar(text), nil
}

// isEncodedFile reports whether a file has a schema of Base64, as generators write it for bytes. Text may be Base64
// itself, so it is not meant.
func (e *entry) isEncodedFile() bool {
	if e.media.Schema == nil || e.media.Type == "text" || !e.media.IsFile() {
		return false
	}
	for k := range schema.All(e.media.Schema.Keywords) {
		n := e.media.Schema.Node(k)
		for _, name := range []string{n.Get("format").Str(), n.Get("contentEncoding").Str()} {
			if name == "byte" || name == "base64" {
				return true
			}
		}
	}
	return false
}

// encodedFile returns a file in Base64, which it may be already.
func encodedFile(body []byte) string {
	text := string(body)
	if _, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text)); err == nil {
		return text
	}
	return base64.StdEncoding.EncodeToString(body)
}

// unread is the value of a body in an unknown format.
var unread any = &struct{ _ byte }{}

// isContainer reports whether the schema has only objects or lists, and no text.
func (e *entry) isContainer() bool {
	kinds := e.shape().kinds()
	return kinds.Has(schema.Object|schema.Array) && !kinds.Has(schema.String)
}

// container reads an object or a list of a type with an unknown format: JSON whose name does not say so, as in
// application/vnd.example.v3, or a format of its own, such as rows of CSV, YAML or a picture.
func (m *mediaType) container(body []byte) (any, *fault) {
	text := strings.TrimLeft(string(body), " \t\r\n")
	if text == "" || text[0] != '{' && text[0] != '[' {
		return unread, nil
	}
	value, wrong := decodeJSON(text)
	if wrong != nil && m.kind != "application" {
		return unread, nil
	}
	return value, wrong
}

func single(value any, f *fault) (any, []*fault) {
	if f != nil {
		return nil, []*fault{f}
	}
	return value, nil
}

func decodeJSON(text string) (any, *fault) {
	value, err := jsontext.Decode(text)
	if err == nil {
		return value, nil
	}
	wrong := err.(*jsontext.SyntaxError)
	return nil, &fault{wrong.Code, wrong.Pointer, wrong.Error()}
}

// text returns a body as UTF-8. only names the format if it allows no other character encoding: JSON (RFC 8259
// section 8.1) and forms (WHATWG URL section 5).
func (m *mediaType) text(body []byte, only string) (string, *fault) {
	charset := m.param("charset")
	switch strings.ToLower(charset) {
	case "", "utf-8", "utf8", "us-ascii":
		if only == "" && !utf8.Valid(body) {
			return "", &fault{code: jsontext.CodeUTF8, message: "invalid UTF-8"}
		}
		return string(body), nil
	case "iso-8859-1", "latin1":
		if only == "" {
			text, _ := charmap.ISO8859_1.NewDecoder().Bytes(body) // every byte is a character
			return string(text), nil
		}
	}
	if only != "" {
		return "", &fault{code: CodeCharset, message: quote("charset %s is not read, "+only+" is UTF-8", charset)}
	}
	return "", &fault{code: CodeCharset, message: quote("charset %s is not read, want utf-8", charset)}
}

// usualBody is the size of most JSON bodies, at most, in bytes.
const usualBody = 256

// Encoder writes bodies of one documented media type.
type Encoder struct {
	entry   *entry
	isLarge atomic.Bool // a JSON body exceeded usualBody
}

// NewEncoder binds the encoder of a documented media type.
func NewEncoder(media *spec.MediaType) *Encoder { return &Encoder{entry: newEntry(media)} }

// json writes a body into a buffer of the usual size. After a larger body it reuses a pooled buffer: a body of 600 kB
// then allocates 0.6 MB, and 2 MB with a growing buffer.
func (e *Encoder) json(value any) []byte {
	if e.isLarge.Load() {
		return jsontext.Marshal(value)
	}
	body := jsontext.Append(make([]byte, 0, usualBody), value)
	if len(body) > usualBody {
		e.isLarge.Store(true)
	}
	return body
}

// IsGuess reports whether no specification says how the media type represents its schema's values.
func (e *Encoder) IsGuess() bool {
	m := mediaType{kind: e.entry.media.Type, subtype: e.entry.media.Subtype}
	isOwn := m.isJSON() || m.isXML() || m.isLines() || m.isForm() || m.isEvents() || m.isJWT() || m.kind == "multipart"
	return !isOwn && e.entry.isContainer()
}

// Encode writes a value as a body, the inverse of decoding. as is the media type to write if the documented one is a
// range, "" for the documented one; contentType is the value for Content-Type. The error says why the media type
// cannot hold the value.
func (e *Encoder) Encode(as string, value any) (body []byte, contentType string, err error) {
	if as == "" {
		as = e.entry.media.Range
	}
	sent, ok := parseMediaType(as)
	if !ok || sent.kind == "*" || sent.subtype == "*" {
		return nil, "", fmt.Errorf("%q is not a media type to write", as)
	}
	text, isText := value.(string)
	switch {
	case sent.isJSON():
		return e.json(value), as, nil
	case sent.isForm():
		text, err = e.entry.form().encode(value)
	case sent.kind == "multipart":
		return e.entry.form().encodeMultipart(as, value)
	case sent.isXML():
		text, err = e.entry.xml().encode(value)
	case sent.isLines():
		return encodeLines(value, strings.HasSuffix(sent.subtype, "json-seq")), as, nil
	case sent.isEvents():
		text = e.entry.events().encode(value)
	case !isText && sent.isTable(e.entry.shape()):
		text, err = e.entry.encodeTable(value)
	case !isText && sent.isJWT():
		return encodeJWT(sent.subtype, value), as, nil
	case !isText:
		// A media type that cannot hold lists and objects gets them as JSON.
		if text, err = scalarText(value); err != nil {
			return jsontext.Append(nil, value), as, nil
		}
	}
	return []byte(text), as, err
}
