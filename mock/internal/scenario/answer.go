package scenario

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/formula"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// orViolates ends messages about responses that the document does not allow.
const orViolates = "or set violates: true"

// parsedResponse is one response of respond as written in the file, not yet bound to an operation.
type parsedResponse struct {
	node        *tree.Node
	status      int // 0: the operation's success status
	header      []headerField
	contentType string // from headers; "" if they have none
	body        *template
	patch       *template // of the mock's own body
	example     string
}

type headerField struct {
	name  string
	value *template
	text  string // of a constant header
	node  *tree.Node
}

func (a *parsedResponse) isDynamic() bool {
	return a.body != nil && !a.body.isConstant() || a.patch != nil && !a.patch.isConstant() ||
		slices.ContainsFunc(a.header, func(h headerField) bool { return !h.value.isConstant() })
}

func (c *compiler) response(n *tree.Node, s scope) *parsedResponse {
	a := &parsedResponse{node: n, status: int(number(n.Get("status"))), example: n.Get("example").Str()}
	if headers := n.Get("headers"); headers != nil {
		c.headers(headers, a, s)
	}
	if body := n.Get("body"); body != nil {
		a.body = c.template(body, s)
	}
	if patch := n.Get("patch"); patch != nil {
		a.patch = c.template(patch, s)
	}
	return a
}

var reservedHeaders = []string{"Content-Length", "Transfer-Encoding", "Connection"}

func (c *compiler) headers(n *tree.Node, a *parsedResponse, s scope) {
	seen := map[string]bool{}
	for _, m := range n.Fields() {
		name := http.CanonicalHeaderKey(m.Name)
		switch {
		case slices.Contains(reservedHeaders, name):
			c.failAt(n.PlaceOf(m.Name), CodeValue, "%s is set by the server; use fault to break a message", name)
			continue
		case seen[name]:
			c.failAt(n.PlaceOf(m.Name), CodeDuplicate, "header %s is there twice; write an array of values", name)
			continue
		}
		seen[name] = true
		for _, value := range items(m.Value) {
			h := headerField{name: m.Name, value: c.template(value, s), node: value}
			if h.value.isConstant() {
				h.text = string(formula.AppendText(nil, h.value.constant))
				if strings.ContainsFunc(h.text, isControl) { // RFC 9110 section 5.5
					c.fail(value, CodeValue, "the value of header %s holds a line break or another control character", m.Name)
				}
			}
			a.header = append(a.header, h)
		}
		if name == "Content-Type" && len(a.header) > 0 {
			c.takeContentType(m.Value, a)
		}
	}
}

func (c *compiler) takeContentType(n *tree.Node, a *parsedResponse) {
	last := len(a.header) - 1
	switch text := a.header[last].text; {
	case n.Kind == tree.Array || !a.header[last].value.isConstant():
		c.fail(n, CodeValue, "Content-Type must be one constant value, since the body is written by it")
	case !strings.Contains(text, "/"):
		c.fail(n, CodeValue, "%q is no media type", shorten(text))
	default:
		a.header, a.contentType = a.header[:last], text
	}
}

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

type fit struct {
	*compiler
	*parsedResponse
	operation *spec.Operation
	violates  bool
	single    bool // the rule has only this operation
}

// responses compiles a response for each operation of a rule. The same finding for several operations is reported
// once.
func (c *compiler) responses(operations []*spec.Operation, a *parsedResponse, violates bool) []*Response {
	before := c.findings
	var distinct []exchange.Finding
	about := map[exchange.Finding][]string{}
	responses := make([]*Response, len(operations))
	for i, op := range operations {
		c.findings = nil
		responses[i] = (&fit{c, a, op, violates, len(operations) == 1}).response()
		for _, f := range c.findings {
			if about[f] == nil {
				distinct = append(distinct, f)
			}
			about[f] = append(about[f], title(op))
		}
	}
	c.findings = before
	for _, f := range distinct {
		if names := about[f]; len(operations) > 1 {
			f.Message += " (" + some(names) + ")"
		}
		c.add(f)
	}
	return responses
}

func (f *fit) response() *Response {
	r := &Response{Answer: Answer{Status: f.status}}
	if r.Status == 0 {
		r.Status = success(f.operation)
	}
	r.Documented = f.operation.Response(r.Status)
	f.violates = f.violates || r.Documented == nil && mayAnswer(r.Status)
	if r.Documented == nil && !f.violates {
		f.undocumented(r.Status)
		return r
	}
	r.retryAfter = retryAfterForm(f.header, r.Documented)
	switch {
	case (exchange.IsBodiless(r.Status) || r.Status == http.StatusResetContent) &&
		(f.body != nil || f.example != "" || f.patch != nil):
		f.fail(f.node, CodeRule,
			"an answer with status %d has no body (RFC 9110 section 6.4.1); remove body, example or patch", r.Status)
		return r
	case f.patch != nil && len(r.content()) == 0:
		f.fail(f.node.Get("patch"), CodeMediaType,
			"status %d has no content in the document that a patch could change; give a body, %s", r.Status, orViolates)
		return r
	case f.body != nil:
		f.addBody(r)
	case f.example != "":
		f.addExample(r)
	case f.contentType != "" && f.patch != nil:
		f.fail(f.node.Get("headers"), CodeMediaType,
			"patch keeps the media type of the mock's own answer; remove Content-Type")
	case f.contentType != "":
		f.match(r)
		r.Header = exchange.Header{{Name: "Content-Type", Value: f.contentType}}
	}
	r.patch = f.patch
	if !f.violates {
		f.checkHeaders(r)
	}
	if slices.ContainsFunc(f.header, func(h headerField) bool { return !h.value.isConstant() }) {
		r.dynamic = f.header // in the file's order, including constant ones
		return r
	}
	for _, h := range f.header {
		r.Header = append(r.Header, exchange.Field{Name: h.name, Value: h.text})
	}
	return r
}

// mayAnswer reports whether any API may answer with a status that it does not document: a limit that a gateway sets
// (RFC 6585 section 4), or a failure of the server.
func mayAnswer(status int) bool { return status == http.StatusTooManyRequests || status/100 == 5 }

// checkHeaders validates constant headers against their documented schemas. Undocumented headers are not validated.
func (f *fit) checkHeaders(r *Response) {
	for _, h := range f.header {
		documented := headerNamed(r.Documented, h.name)
		if documented == nil || !h.value.isConstant() {
			continue
		}
		for _, found := range validateHeader(documented, h.name, h.text) {
			f.fail(h.node, CodeHeader, "%s", violation(found))
		}
	}
}

func headerNamed(r *spec.Response, name string) *spec.Parameter {
	if r == nil {
		return nil
	}
	for _, h := range r.Headers {
		if strings.EqualFold(h.Name, name) {
			return h
		}
	}
	return nil
}

func validateHeader(h *spec.Parameter, name, text string) []exchange.Finding {
	values, findings := decode.NewHeaders([]*spec.Parameter{h}).Decode(exchange.Header{{Name: name, Value: text}})
	if value, ok := values[h.Name]; ok && h.Schema != nil {
		findings = append(findings, h.Schema.Check(value, exchange.InHeader, h.Name)...)
	}
	return findings
}

func violation(f exchange.Finding) string {
	schema := ""
	if place := f.Document.String(); place != "" {
		schema = " (schema at " + place + ")"
	}
	return f.Where() + ": " + f.Message + schema + "; change it, " + orViolates
}

// success returns the success status of an operation: the lowest documented 2xx, exact before 2XX before default.
func success(op *spec.Operation) int {
	for _, r := range op.Responses { // exact codes ascending, then ranges
		if first, _ := r.Code(); first/100 == 2 {
			return first
		}
	}
	return http.StatusOK
}

func (f *fit) undocumented(status int) {
	n := f.node
	if k := n.Get("status"); k != nil {
		n = k
	}
	if !f.single {
		f.fail(n, CodeStatus, "status %d is not documented; narrow on, %s", status, orViolates)
		return
	}
	documented := "documents no response"
	if len(f.operation.Responses) > 0 {
		var statuses []string
		for _, r := range f.operation.Responses {
			statuses = append(statuses, r.Status)
		}
		documented = "documents " + enumerate(statuses, "and")
	}
	f.fail(n, CodeStatus, "status %d is not documented: %s %s; use a documented one, %s",
		status, title(f.operation), documented, orViolates)
}

func (f *fit) addExample(r *Response) {
	if f.contentType != "" && !f.match(r) {
		return
	}
	n := f.node.Get("example")
	var names []string
	for _, m := range r.content() {
		if r.MediaType != nil && m != r.MediaType {
			continue
		}
		for _, e := range m.Examples {
			if e.Name == f.example {
				f.useExample(r, n, m, e)
				return
			}
			if e.Name != "" && !slices.Contains(names, e.Name) {
				names = append(names, e.Name)
			}
		}
	}
	suggestion := "; the document has no named examples there, give a body"
	if names != nil {
		suggestion = hint(f.example, names, "there are")
	}
	f.fail(n, CodeExample, "status %d has no example %q%s", r.Status, shorten(f.example), suggestion)
}

func (f *fit) useExample(r *Response, n *tree.Node, m *spec.MediaType, e *spec.Example) {
	_, isText := e.Value.(string)
	contentType := f.contentType
	if contentType == "" {
		contentType = concrete(m, isText)
	}
	r.HasBody, r.MediaType = true, m
	if !r.writeAs(contentType, isText) {
		f.fail(n, CodeExample, "example %q cannot be sent as %s, since it is not written as a string; give a body",
			f.example, contentType)
		return
	}
	if err := r.constant(e.Value); err != nil {
		f.fail(n, CodeExample, "example %q cannot be sent as %s: %v; give a body", f.example, contentType, err)
		return
	}
	if len(e.Broken) > 0 && !f.violates {
		f.fail(n, CodeExample, "example %q violates its own schema: %s; change the document at %s, %s",
			f.example, exchange.Join(e.Broken), fmt.Sprint(e.Place), orViolates)
	}
}
