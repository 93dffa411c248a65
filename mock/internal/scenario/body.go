package scenario

import (
	"net/http"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// withBody settles the media type of the body and holds a constant one to the
// document.
func (h *holder) withBody(a *Response) {
	a.HasBody = true
	contentType := h.want.contentType
	switch {
	case contentType != "":
		if !h.matching(a) {
			return
		}
	default:
		for _, m := range a.content() {
			if writes(m, h.want.bodyNode) {
				a.MediaType = m
				break
			}
		}
		switch {
		case a.MediaType != nil:
			contentType = concrete(a.MediaType, h.want.bodyNode)
		case !h.violates:
			h.unwritable(a)
			return
		case h.want.bodyNode.kind == kindText:
			contentType = "text/plain; charset=utf-8"
		default:
			contentType = "application/json"
		}
	}
	if !a.writeAs(contentType, h.want.bodyNode.kind == kindText) {
		h.fail(h.want.bodyNode, CodeBody, "a body of media type %q must be written as a string, is %s", shorten(contentType), h.want.bodyNode.kind)
		return
	}
	if !h.want.body.isConstant() {
		a.body = h.want.body
		return
	}
	if err := a.constant(h.want.body.constant); err != nil {
		h.fail(h.want.bodyNode, CodeBody, "the body cannot be written as %s: %v", shorten(contentType), err)
		return
	}
	if !h.violates {
		h.conform(a)
	}
}

func (h *holder) unwritable(a *Response) {
	if len(a.content()) == 0 {
		h.fail(h.want.bodyNode, CodeMediaType, "status %d has no content in the document; remove the body, or say violates: true", a.Status)
		return
	}
	h.fail(h.want.bodyNode, CodeMediaType, "status %d cannot be answered with %s%s; change the body, or say violates: true",
		a.Status, h.want.bodyNode.kind, documentedTypes(a))
}

// writes reports whether a body can be written as a documented media type.
func writes(m *spec.MediaType, body *node) bool {
	return m.IsJSON() || body.kind == kindText || isStructured(m.Type+"/"+m.Subtype) ||
		m.Subtype == "*" && (m.Type == "*" || m.Type == "application")
}

// isStructured reports whether lists and mappings can be written as a media
// type other than JSON.
func isStructured(contentType string) bool {
	essence, _, _ := strings.Cut(contentType, ";")
	kind, sub, _ := strings.Cut(strings.ToLower(strings.TrimSpace(essence)), "/")
	switch sub {
	case "xml", "x-www-form-urlencoded", "event-stream", "jsonl", "x-ndjson", "ndjson", "json-seq":
		return true
	}
	return kind == "multipart" || strings.HasSuffix(sub, "+xml") || strings.HasSuffix(sub, "+json-seq")
}

// writeAs settles how the body becomes bytes: values as JSON or by the
// encoder of the documented media type, strings of other media types as they
// are. It is false where the body can only be a string and is none.
func (a *Response) writeAs(contentType string, isText bool) bool {
	a.header = exchange.Header{{Name: "Content-Type", Value: contentType}}
	switch a.json = isJSON(contentType); {
	case a.json || isText:
	case a.MediaType != nil && isStructured(contentType):
		a.encoder = decode.NewEncoder(a.MediaType)
	default:
		return false
	}
	return true
}

// constant writes a body that is the same for every request.
func (a *Response) constant(value any) error {
	body, contentType, err := a.encode(value)
	if err != nil {
		return err
	}
	a.value, a.bytes = value, body
	a.header[0].Value = contentType
	return nil
}

// encode writes a body. The content type is more than the documented one for
// multipart, where it has the boundary.
func (a *Response) encode(value any) (body []byte, contentType string, err error) {
	contentType = a.header[0].Value
	switch {
	case a.encoder != nil:
		return a.encoder.Encode(contentType, value)
	case a.json:
		return jsontext.Append(nil, value), contentType, nil
	}
	return appendText([]byte{}, value), contentType, nil
}

// concrete names the media type to send for a documented one, which may be a
// range.
func concrete(m *spec.MediaType, body *node) string {
	switch {
	case m.Subtype != "*":
		return m.Range
	case m.Type != "*" && m.Type != "application" && m.Type != "text":
		return "application/octet-stream"
	case body.kind == kindText && m.Type != "application":
		return "text/plain; charset=utf-8"
	}
	return "application/json"
}

func isJSON(contentType string) bool {
	essence, _, _ := strings.Cut(contentType, ";")
	_, sub, _ := strings.Cut(strings.ToLower(strings.TrimSpace(essence)), "/")
	m := spec.MediaType{Subtype: sub}
	return m.IsJSON()
}

// conform holds a constant body to what the document says of it. Headers that
// the document requires are the server's to add.
func (h *holder) conform(a *Response) {
	if a.Documented == nil {
		return
	}
	// GET stands for every method: to HEAD the server sends no body by itself.
	found := h.validator(h.operation).Response(http.MethodGet, &exchange.Response{Status: a.Status, Header: a.header, Body: a.bytes})
	for _, f := range found {
		if f.Code == validate.CodeMissingHeader {
			continue
		}
		h.fail(h.want.bodyNode.at(f.Pointer), CodeBody, "%s: %s%s; mend it, or say violates: true", f.Where(), f.Message, schemaAt(f))
	}
}

// validator binds the decoders of an operation once a file.
func (p *parser) validator(op *spec.Operation) *validate.Operation {
	if p.validators == nil {
		p.validators = map[*spec.Operation]*validate.Operation{}
	}
	if p.validators[op] == nil {
		p.validators[op] = validate.New(op)
	}
	return p.validators[op]
}
