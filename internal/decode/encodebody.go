package decode

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"mime/multipart"
	"net/textproto"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// usualBody is the size in bytes that most JSON bodies do not exceed.
const usualBody = 256

// Encoder writes bodies of one documented media type.
type Encoder struct{ entry *entry }

// NewEncoder binds the encoder of a documented media type.
func NewEncoder(media *spec.MediaType) *Encoder { return &Encoder{newEntry(media)} }

// Encode writes a value as a body, the inverse of decoding. as is the media
// type to write where the documented one is a range, "" for the documented
// one; contentType is what to send as Content-Type. A value that the media
// type cannot hold is an error.
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
		return jsontext.Append(make([]byte, 0, usualBody), value), as, nil
	case sent.isLines():
		return encodeLines(value, strings.HasSuffix(sent.subtype, "json-seq")), as, nil
	case sent.kind == "text" && sent.subtype == "event-stream":
		return e.entry.events().encode(value), as, nil
	case sent.kind == "application" && sent.subtype == "x-www-form-urlencoded":
		text, err := e.entry.form().encode(value)
		return []byte(text), as, err
	case sent.kind == "multipart":
		return e.entry.form().encodeMultipart(as, value)
	case sent.isXML():
		body, err := e.entry.xml().encode(value)
		return body, as, err
	case isText:
		return []byte(text), as, nil
	}
	// A media type that cannot hold lists and objects gets their JSON.
	if text, err := scalarText(value); err == nil {
		return []byte(text), as, nil
	}
	return jsontext.Append(nil, value), as, nil
}

// encode writes application/x-www-form-urlencoded.
func (d *formDecoder) encode(value any) (string, error) {
	object, ok := value.(map[string]any)
	if !ok {
		if text, ok := value.(string); ok {
			return text, nil
		}
		return "", errors.New("a form is an object")
	}
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		p := d.param(name)
		text, err := p.encodeProperty(object[name])
		if errors.Is(err, ErrOmitted) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("property %q: %w", name, err)
		}
		pairs = append(pairs, text)
	}
	return strings.Join(pairs, "&"), nil
}

func (d *formDecoder) param(name string) *param {
	if known := d.parts[name]; known != nil {
		return known.param
	}
	return bindProperty(name, d.shape.additional, d.media)
}

// encodeProperty writes one property; without a style, objects are JSON.
func (p *param) encodeProperty(value any) (string, error) {
	if !p.unstyled {
		return p.encode(value)
	}
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	} else if len(list) == 0 {
		return "", ErrOmitted
	}
	name := p.escape.encode(p.name, false, "")
	pairs := make([]string, len(list))
	for i, element := range list {
		text, err := scalarText(element)
		switch element.(type) {
		case map[string]any, []any:
			text, err = string(jsontext.Append(nil, element)), nil
		}
		if err != nil {
			return "", err
		}
		pairs[i] = name + "=" + p.escape.encode(text, false, "")
	}
	return strings.Join(pairs, "&"), nil
}

// encodeMultipart writes the properties of an object as parts, and a list as
// parts without names. The boundary depends on the value alone, so that equal
// values have equal bodies.
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
		return nil, "", errors.New("a multipart body is an object or a list")
	}
	var b bytes.Buffer
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
		if _, err := pw.Write(p.content); err != nil {
			return nil, "", err
		}
	}
	if err := w.Close(); err != nil {
		return nil, "", err
	}
	base, _, _ := strings.Cut(as, ";")
	return b.Bytes(), base + "; boundary=" + boundary, nil
}

// outgoing is a part to be sent.
type outgoing struct {
	header  textproto.MIMEHeader
	content []byte
}

// outgoing adds the parts of one property.
func (d *formDecoder) outgoing(parts []outgoing, name string, value any) ([]outgoing, error) {
	known := d.parts[name]
	if known != nil && known.oneText() {
		plain := *known.param
		plain.escape = raw
		text, err := plain.encode(value)
		if err != nil {
			return nil, err
		}
		value = strings.TrimPrefix(text, name+"=")
	}
	list, ok := value.([]any)
	if !ok || len(list) < 2 && d.shape.property(name).kinds != kindArray { // nothing tells a list of one from its element
		list = []any{value}
	}
	for _, element := range list {
		disposition := `form-data; name="` + quoteEscaper.Replace(name) + `"`
		if known != nil && known.file {
			disposition += `; filename="` + quoteEscaper.Replace(name) + `"`
		}
		h := textproto.MIMEHeader{"Content-Disposition": {disposition}}
		parts = append(parts, makePart(h, known, element))
	}
	return parts, nil
}

// quoteEscaper is that of browsers (WHATWG HTML section 4.10.21.8).
var quoteEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "", "\n", "")

func makePart(h textproto.MIMEHeader, known *part, value any) outgoing {
	contentType := ""
	if known != nil && len(known.types) > 0 && known.types[0].Subtype != "*" {
		contentType = known.types[0].Type + "/" + known.types[0].Subtype
	}
	var content []byte
	text, err := scalarText(value)
	plain, isText := value.(string)
	if isText {
		text, err = plain, nil
	}
	switch {
	case err != nil || strings.HasSuffix(contentType, "json") || known == nil && !isText:
		content = jsontext.Append(nil, value)
		if contentType == "" {
			contentType = "application/json"
		}
	default:
		content = []byte(text)
		if contentType == "" && known != nil && known.file {
			contentType = "application/octet-stream"
		}
	}
	if contentType != "" {
		h.Set("Content-Type", contentType)
	}
	return outgoing{h, content}
}

// boundaryOf gives a boundary that stands in no part.
func boundaryOf(parts []outgoing) string {
	hash := fnv.New64a()
	for _, p := range parts {
		hash.Write([]byte(p.header.Get("Content-Disposition")))
		hash.Write(p.content)
	}
	for {
		boundary := "coldframe-" + strconv.FormatUint(hash.Sum64(), 16)
		clash := false
		for _, p := range parts {
			clash = clash || bytes.Contains(p.content, []byte(boundary))
		}
		if !clash {
			return boundary
		}
		hash.Write([]byte{0})
	}
}

// isFile reports whether the document calls a property a file: a string of
// format binary, or of another media type (OpenAPI 3.1 section 4.8.14.5).
func isFile(schema *spec.Schema, s *shape) bool {
	if schema == nil {
		return false
	}
	for _, k := range append(s.all[:len(s.all):len(s.all)], s.items.all...) {
		n := schema.Node(k)
		if n.Get("format").Str() == "binary" || n.Get("contentMediaType").Str() != "" && s.kinds.has(kindString|kindArray) {
			return true
		}
	}
	return false
}
