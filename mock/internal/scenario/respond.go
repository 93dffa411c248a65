package scenario

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// response is respond as the file has it, before it is held to the operations.
type response struct {
	place       *node
	status      int // 0: the operation's own for success
	statusNode  *node
	header      []headerField
	contentType string // of headers; "" where they have none
	contentNode *node
	body        *template // nil where the document's own is served
	bodyNode    *node
	example     string
	exampleNode *node
}

type headerField struct {
	name  string
	value *template
	text  string // of a constant one
	node  *node
}

func (r *response) reads() bool {
	return r.body != nil && !r.body.isConstant() ||
		slices.ContainsFunc(r.header, func(h headerField) bool { return !h.value.isConstant() })
}

// respond reads the mapping under respond.
func (p *parser) respond(n *node, s scope) *response {
	r := &response{place: n}
	keys := p.keys(n, "respond", respondKeys)
	if keys == nil {
		return r
	}
	if len(n.members) == 0 {
		p.fail(n, CodeRule, "respond is empty; it needs %s", enumerate(respondKeys, "or"))
	}
	if k := keys["status"]; k != nil {
		r.status, r.statusNode = p.status(k), k
	}
	if k := keys["headers"]; k != nil {
		p.headers(k, r, s)
	}
	if k := keys["body"]; k != nil {
		r.body, r.bodyNode = p.template(k, s), k
	}
	if k := keys["example"]; k != nil {
		switch {
		case r.body != nil:
			p.fail(k, CodeRule, "respond has both body and example; remove one of them")
		default:
			r.example, _ = p.string(k, "example")
			r.exampleNode = k
		}
	}
	return r
}

func (p *parser) status(n *node) int {
	code, err := strconv.Atoi(n.text)
	switch {
	case n.kind == kindText && err == nil:
		p.fail(n, CodeValue, "status must be a number: write %d without quotes", code)
	case n.kind != kindNumber || err != nil || code < 200 || code > 599:
		p.fail(n, CodeValue, "status must be a number from 200 to 599, is %s", n.describe())
	default:
		return code
	}
	return 0
}

// ofServer are the fields that say how a message travels.
var ofServer = []string{"Content-Length", "Transfer-Encoding", "Connection"}

func (p *parser) headers(n *node, r *response, s scope) {
	if n.kind != kindMap {
		p.fail(n, CodeValue, "headers must be a mapping of names to values, is %s", n.describe())
		return
	}
	seen := map[string]bool{}
	for _, m := range n.members {
		name := http.CanonicalHeaderKey(m.name)
		switch {
		case m.name == "" || strings.Trim(m.name, tokenCharacters) != "":
			p.fail(m.key, CodeValue, "%q is no name of a header", shorten(m.name))
			continue
		case slices.Contains(ofServer, name):
			p.fail(m.key, CodeValue, "%s is set by the server; use fault to break a message", name)
			continue
		case seen[name]:
			p.fail(m.key, CodeDuplicate, "header %s stands twice; give it a list of values", name)
			continue
		}
		seen[name] = true
		values := []*node{m.value}
		if m.value.kind == kindList {
			values = m.value.items
		}
		for _, value := range values {
			p.header(m.name, value, r, s)
		}
		if name == "Content-Type" {
			p.contentType(m.value, r)
		}
	}
}

// tokenCharacters may stand in a header's name (RFC 9110 section 5.6.2).
const tokenCharacters = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func (p *parser) header(name string, n *node, r *response, s scope) {
	switch n.kind {
	case kindNull, kindList, kindMap:
		p.fail(n, CodeValue, "the value of header %s must be a string, number, boolean or a list of them, is %s", name, n.kind)
		return
	}
	h := headerField{name: name, value: p.template(n, s), node: n}
	if h.value.isConstant() {
		h.text = string(appendText(nil, h.value.constant))
		if !isFieldValue(h.text) {
			p.fail(n, CodeValue, "the value of header %s holds a line break or another control character", name)
		}
	}
	r.header = append(r.header, h)
}

func (p *parser) contentType(n *node, r *response) {
	if len(r.header) == 0 {
		return
	}
	last := r.header[len(r.header)-1]
	switch {
	case n.kind == kindList || !last.value.isConstant():
		p.fail(n, CodeValue, "Content-Type must be one constant value, since the body is written by it")
	case !strings.Contains(last.text, "/"):
		p.fail(n, CodeValue, "%q is no media type", shorten(last.text))
	default:
		r.header = r.header[:len(r.header)-1]
		r.contentType, r.contentNode = last.text, n
	}
}

// isFieldValue reports whether s can stand in a header (RFC 9110 section 5.5).
func isFieldValue(s string) bool {
	return !strings.ContainsFunc(s, isControl)
}

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// Response is what a rule answers to one operation.
type Response struct {
	Status     int
	Documented *spec.Response  // what the document says of the status; nil where it says nothing
	MediaType  *spec.MediaType // of the body; nil where none is given, or an undocumented one
	Example    *spec.Example   // the one that was named
	HasBody    bool            // false: the body is the mock's to make for the status
	header     exchange.Header // without fields that are templates; Content-Type first, if known
	dynamic    []headerField
	retries    retryForm // of the Retry-After that may be added; nil for none
	body       *template // nil where bytes are constant
	bytes      []byte
	value      any
	json       bool            // the body is written as JSON
	encoder    *decode.Encoder // of other media types that hold lists and mappings; nil for text
}

// Answer is the response that a rule makes for one request.
type Answer struct {
	Status  int
	Header  exchange.Header // with Content-Type where there is a body; shared between requests, not to be changed
	HasBody bool            // false: the body is the mock's to make for the status
	Body    []byte          // shared between requests, not to be changed
	Value   any             // of the body, as jsontext.Decode would give it; not to be changed either
	Checked bool            // the body was found to conform when the file was read, or may violate
}

// Answer makes the response for the request of the hit, as Rule.Answer, with
// Retry-After where the rule's limit is why.
func (h Hit) Answer(request *Request) (Answer, error) {
	a, err := h.Rule.Answer(request)
	if err == nil && h.retry.wait > 0 && h.Response.retries != nil {
		a.Header = append(slices.Clone(a.Header), exchange.Field{Name: "Retry-After", Value: h.Response.retries(h.retry.wait, h.retry.until)})
	}
	return a, err
}

// Answer makes the response for a request, which may be nil where Rules.Read
// is false; the rule must have a Response. A constant one is made without allocating. The error is an
// expression that failed on this request, with its place in the file.
func (r *Rule) Answer(request *Request) (Answer, error) {
	resp := r.Response
	a := Answer{
		Status:  resp.Status,
		Header:  resp.header,
		HasBody: resp.HasBody,
		Body:    resp.bytes,
		Value:   resp.value,
		Checked: resp.HasBody && (resp.body == nil || r.Violates),
	}
	if resp.dynamic != nil {
		a.Header = slices.Clone(resp.header)
		for _, h := range resp.dynamic {
			text, err := h.text, error(nil)
			if !h.value.isConstant() {
				text, err = h.render(request)
			}
			if err != nil {
				return Answer{}, err
			}
			a.Header = append(a.Header, exchange.Field{Name: h.name, Value: text})
		}
	}
	if resp.body != nil {
		value, err := resp.body.value(request)
		if err != nil {
			return Answer{}, err
		}
		body, contentType, err := resp.encode(value)
		if err != nil {
			return Answer{}, fmt.Errorf("%s: the body cannot be written: %w", r.Place, err)
		}
		if contentType != resp.header[0].Value {
			a.Header = slices.Clone(a.Header)
			a.Header[0].Value = contentType
		}
		a.Value, a.Body = value, body
	}
	return a, nil
}

// render makes the value of a field; no request can put a line break into it.
func (h *headerField) render(r *Request) (string, error) {
	v, err := h.value.value(r)
	if err != nil {
		return "", err
	}
	text := string(appendText(nil, v))
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return ' '
		}
		return r
	}, text), nil
}
