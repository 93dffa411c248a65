package scenario

import (
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
	"net/http"
	"strings"
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
			h.fail(h.want.bodyNode, CodeMediaType, "status %d cannot be answered with %s%s; change the body, or say violates: true",
				a.Status, h.want.bodyNode.kind, documentedTypes(a))
			return
		case h.want.bodyNode.kind == kindText:
			contentType = "text/plain; charset=utf-8"
		default:
			contentType = "application/json"
		}
	}
	a.json = isJSON(contentType)
	if !a.json && h.want.bodyNode.kind != kindText {
		h.fail(h.want.bodyNode, CodeBody, "a body of media type %q must be written as a string, is %s", shorten(contentType), h.want.bodyNode.kind)
		return
	}
	a.header = exchange.Header{{Name: "Content-Type", Value: contentType}}
	if !h.want.body.isConstant() {
		a.body = h.want.body
		return
	}
	a.value = h.want.body.constant
	a.bytes = encode(a.value, a.json)
	if !h.violates {
		h.conform(a)
	}
}

// writes reports whether a body can be written as a media type: JSON from
// everything, anything else from a string.
func writes(m *spec.MediaType, body *node) bool {
	return m.IsJSON() || body.kind == kindText || m.Subtype == "*" && (m.Type == "*" || m.Type == "application")
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
		schema := ""
		if place := f.Document.String(); place != "" {
			schema = " (schema at " + place + ")"
		}
		h.fail(h.want.bodyNode.at(f.Pointer), CodeBody, "%s: %s%s; mend it, or say violates: true", f.Where(), f.Message, schema)
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
