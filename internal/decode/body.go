package decode

import (
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// Content decodes bodies of documented media types.
type Content struct{ entries []*entry }

// entry is one documented media type. What only forms and XML need is made
// when the first of them comes.
type entry struct {
	media  *spec.MediaType
	shape  func() *shape
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
	e.shape = sync.OnceValue(func() *shape { return shapeOf(media.Schema) })
	e.form = sync.OnceValue(func() *formDecoder { return newForm(media, e.shape()) })
	e.xml = sync.OnceValue(func() *xmlForm { return newXMLForm(media.Schema, e.shape()) })
	e.events = eventFormOf(e)
	return e
}

// Body decodes a body by its Content-Type. value is nil and mt may be where
// there are findings. Where nothing is documented the body means nothing.
func Body(content []*spec.MediaType, h exchange.Header, body []byte) (value any, mt *spec.MediaType,
	findings []exchange.Finding) {
	return NewContent(content).Decode(h, body)
}

// Decode decodes a body by its Content-Type.
func (c *Content) Decode(h exchange.Header, body []byte) (any, *spec.MediaType, []exchange.Finding) {
	if len(c.entries) == 0 {
		return nil, nil, nil
	}
	e, sent, wrong := c.find(h)
	if wrong != nil {
		return nil, nil, []exchange.Finding{*wrong}
	}
	value, faults := e.decode(sent, body)
	if len(faults) == 0 {
		return value, e.media, nil
	}
	findings := make([]exchange.Finding, len(faults))
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

// find gives the documented entry for the Content-Type of h, and what was
// sent.
func (c *Content) find(h exchange.Header) (*entry, mediaType, *exchange.Finding) {
	text, count := fieldValue(h, "Content-Type")
	if count == 0 {
		if len(c.entries) == 1 && !strings.Contains(c.entries[0].media.Range, "*") {
			// RFC 9110 section 8.3 lets a recipient assume a type. Where one is
			// documented, it is that.
			m := c.entries[0].media
			return c.entries[0], mediaType{kind: m.Type, subtype: m.Subtype}, nil
		}
		sent := mediaType{kind: "application", subtype: "octet-stream"}
		if e := c.best(&sent); e != nil {
			return e, sent, nil
		}
		return nil, sent, c.refusal(CodeMediaType, "field is missing, want "+c.ranges())
	}
	// What nearly everybody sends is what the document says.
	if len(c.entries) == 1 && c.entries[0].media.Range == text && len(c.entries[0].media.Params) == 0 {
		m := c.entries[0].media
		return c.entries[0], mediaType{kind: m.Type, subtype: m.Subtype}, nil
	}
	sent, ok := parseMediaType(text)
	if !ok || count > 1 || sent.kind == "*" || sent.subtype == "*" {
		return nil, sent, c.refusal(CodeContentType, quote("%s is not a media type, want ", text)+c.ranges())
	}
	if e := c.best(&sent); e != nil {
		return e, sent, nil
	}
	return nil, sent, c.refusal(CodeMediaType, quote("media type %s is not documented, want ", text)+c.ranges())
}

func (c *Content) best(sent *mediaType) *entry {
	var best *entry
	most := 0
	for _, e := range c.entries {
		if score := sent.matches(e.media); score > most {
			best, most = e, score
		}
	}
	return best
}

func (c *Content) refusal(code, message string) *exchange.Finding {
	return &exchange.Finding{
		Code: code, Message: message,
		In: exchange.InHeader, Name: "Content-Type", Document: c.entries[0].media.Place,
	}
}

// ranges names what is documented.
func (c *Content) ranges() string {
	names := make([]string, len(c.entries))
	for i, e := range c.entries {
		names[i] = e.media.Range
	}
	return strings.Join(names, " or ")
}

// takesEmpty reports whether no bytes at all are a body of the type that h
// names: only a form can be empty.
func (c *Content) takesEmpty(h exchange.Header) bool {
	if _, ok := h.Get("Content-Type"); !ok || len(c.entries) == 0 {
		return false
	}
	e, sent, wrong := c.find(h)
	return wrong == nil && e != nil && sent.kind == "application" && sent.subtype == "x-www-form-urlencoded"
}

func (e *entry) decode(sent mediaType, body []byte) (any, []*fault) {
	switch {
	case sent.isJSON():
		if f := sent.onlyUTF8("JSON"); f != nil {
			return nil, []*fault{f}
		}
		return single(decodeJSON(string(body)))
	case sent.kind == "application" && sent.subtype == "x-www-form-urlencoded":
		if f := sent.onlyUTF8("a form"); f != nil {
			return nil, []*fault{f}
		}
		return e.form().decode(string(body))
	case sent.kind == "multipart":
		return e.form().decodeMultipart(&sent, body)
	case sent.isXML():
		return single(e.xml().decode(&sent, body))
	case sent.isLines():
		if f := sent.onlyUTF8("JSON"); f != nil {
			return nil, []*fault{f}
		}
		return single(e.lines(string(body)))
	case sent.kind == "text":
		text, f := sent.text(body)
		if f != nil {
			return nil, []*fault{f}
		}
		if sent.subtype == "event-stream" && (e.media.Item != nil || e.shape().kinds&^kindNull == kindArray) {
			return e.events().events(text), nil
		}
		return e.shape().scalar(text), nil
	case e.structured():
		// application/vnd.example.v3 with the schema of an object is JSON whose name does not say so.
		return single(decodeJSON(string(body)))
	}
	return string(body), nil
}

// structured reports whether the schema takes objects or arrays and no text.
func (e *entry) structured() bool {
	kinds := e.shape().kinds
	return kinds&(kindObject|kindArray) != 0 && kinds&kindString == 0
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

// onlyUTF8 refuses other character encodings: JSON is UTF-8 (RFC 8259 section
// 8.1), and so are forms (WHATWG URL section 5).
func (m *mediaType) onlyUTF8(what string) *fault {
	switch charset := m.param("charset"); strings.ToLower(charset) {
	case "", "utf-8", "utf8", "us-ascii":
		return nil
	default:
		return &fault{code: CodeCharset, message: quote("charset %s is not read, "+what+" is UTF-8", charset)}
	}
}

// text gives a text body as UTF-8.
func (m *mediaType) text(body []byte) (string, *fault) {
	switch charset := m.param("charset"); strings.ToLower(charset) {
	case "", "utf-8", "utf8", "us-ascii":
		if !utf8.Valid(body) {
			return "", &fault{code: jsontext.CodeUTF8, message: "invalid UTF-8"}
		}
		return string(body), nil
	case "iso-8859-1", "latin1":
		text, _ := charmap.ISO8859_1.NewDecoder().Bytes(body) // every byte is a character
		return string(text), nil
	default:
		return "", &fault{code: CodeCharset, message: quote("charset %s is not read, want utf-8", charset)}
	}
}

func escapeToken(token string) string { return exchange.EscapePointer(token) }
