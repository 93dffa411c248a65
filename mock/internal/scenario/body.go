package scenario

import (
	"net/http"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/formula"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/internal/validate"
)

func (f *fit) addBody(r *Response) {
	r.HasBody = true
	n := f.node.Get("body")
	isText := n.Kind == tree.String
	contentType := f.contentType
	if contentType != "" {
		if !f.match(r) {
			return
		}
	} else if contentType = f.chooseMediaType(r, n); contentType == "" {
		return
	}
	if !r.writeAs(contentType, isText) {
		f.fail(n, CodeBody, "a body of media type %q must be written as a string, is %s",
			shorten(contentType), n.Kind)
		return
	}
	if !f.body.isConstant() {
		r.body = f.body
		return
	}
	if err := r.constant(f.body.constant); err != nil {
		f.fail(n, CodeBody, "the body cannot be written as %s: %v", shorten(contentType), err)
		return
	}
	if !f.violates && r.Documented != nil {
		f.validateBody(r, n)
	}
}

// chooseMediaType selects the first documented media type that can encode the body. It returns the content type, ""
// if there is none.
func (f *fit) chooseMediaType(r *Response, n *tree.Node) string {
	isText := n.Kind == tree.String
	for _, m := range r.content() {
		isRange := m.Subtype == "*" && (m.Type == "*" || m.Type == "application")
		if m.IsJSON() || isText || isStructured(m.Type, m.Subtype) || isRange {
			r.MediaType = m
			return concrete(m, isText)
		}
	}
	switch {
	case f.violates && isText:
		return "text/plain; charset=utf-8"
	case f.violates:
		return "application/json"
	case len(r.content()) == 0:
		f.fail(n, CodeMediaType, "status %d has no content in the document; remove the body, %s", r.Status, orViolates)
	default:
		f.fail(n, CodeMediaType, "status %d cannot be answered with %s%s; change the body, %s",
			r.Status, n.Kind, r.documentedTypes(), orViolates)
	}
	return ""
}

// match finds the documented media type for the Content-Type in headers, and reports a finding if there is none.
func (f *fit) match(r *Response) bool {
	kind, sub := mediaType(f.contentType)
	for _, m := range r.content() {
		if (m.Type == kind || m.Type == "*") && (m.Subtype == sub || m.Subtype == "*") {
			r.MediaType = m
			return true
		}
	}
	if f.violates {
		return true
	}
	n := f.node.Get("headers")
	for _, m := range n.Fields() {
		if strings.EqualFold(m.Name, "Content-Type") {
			n = m.Value
		}
	}
	essence, _, _ := strings.Cut(f.contentType, ";")
	f.fail(n, CodeMediaType, "media type %q is not documented for status %d%s; use a documented one, %s",
		shorten(essence), r.Status, r.documentedTypes(), orViolates)
	return false
}

func (r *Response) content() []*spec.MediaType {
	if r.Documented == nil {
		return nil
	}
	return r.Documented.Content
}

func (r *Response) documentedTypes() string {
	var types []string
	for _, m := range r.content() {
		types = append(types, m.Range)
	}
	if types == nil {
		return ", which has no content"
	}
	return ", which has " + enumerate(types, "and")
}

func mediaType(contentType string) (kind, sub string) {
	essence, _, _ := strings.Cut(contentType, ";")
	kind, sub, _ = strings.Cut(strings.ToLower(strings.TrimSpace(essence)), "/")
	return kind, sub
}

// isStructured reports whether a media type other than JSON can encode arrays and objects.
func isStructured(kind, sub string) bool {
	switch sub {
	case "xml", "x-www-form-urlencoded", "event-stream", "jsonl", "x-ndjson", "ndjson", "json-seq":
		return true
	}
	return kind == "multipart" || strings.HasSuffix(sub, "+xml") || strings.HasSuffix(sub, "+json-seq")
}

// concrete returns the media type to send for a documented one, which may be a range.
func concrete(m *spec.MediaType, isText bool) string {
	switch {
	case m.Subtype != "*":
		return m.Range
	case m.Type != "*" && m.Type != "application" && m.Type != "text":
		return "application/octet-stream"
	case isText && m.Type != "application":
		return "text/plain; charset=utf-8"
	}
	return "application/json"
}

// writeAs chooses the encoding of the body: values as JSON or with the encoder of the documented media type, strings
// of other media types unchanged. It returns false if the body must be a string and is not.
func (r *Response) writeAs(contentType string, isText bool) bool {
	r.Header = exchange.Header{{Name: "Content-Type", Value: contentType}}
	kind, sub := mediaType(contentType)
	r.json = (&spec.MediaType{Subtype: sub}).IsJSON()
	switch {
	case r.json || isText:
	case r.MediaType != nil && isStructured(kind, sub):
		r.encoder = decode.NewEncoder(r.MediaType)
	default:
		return false
	}
	return true
}

// constant encodes a body that is the same for every request.
func (r *Response) constant(value any) (err error) {
	r.Value = value
	r.Body, r.Header[0].Value, err = r.encode(value)
	return err
}

// encode encodes a body. The content type of multipart includes the boundary.
func (r *Response) encode(value any) (body []byte, contentType string, err error) {
	contentType = r.Header[0].Value
	switch {
	case r.encoder != nil:
		return r.encoder.Encode(contentType, value)
	case r.json:
		return jsontext.Append(nil, value), contentType, nil
	}
	return formula.AppendText([]byte{}, value), contentType, nil
}

// validateBody validates a constant body against the document. The server adds required headers later.
func (f *fit) validateBody(r *Response, n *tree.Node) {
	if f.validators[f.operation] == nil {
		f.validators[f.operation] = validate.New(f.operation)
	}
	// GET represents every method; for HEAD the server omits the body itself.
	response := &exchange.Response{Status: r.Status, Header: r.Header, Body: r.Body}
	for _, found := range f.validators[f.operation].Response(http.MethodGet, response) {
		if found.Code != validate.CodeMissingHeader {
			f.fail(nearestNode(n, found.Pointer), CodeBody, "%s", violation(found))
		}
	}
}

func nearestNode(n *tree.Node, pointer string) *tree.Node {
	for ; pointer != ""; pointer, _ = cutLast(pointer) {
		if found := n.At(pointer); found != nil {
			return found
		}
	}
	return n
}
