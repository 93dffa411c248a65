package scenario

import (
	"net/http"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// holder holds one respond to one operation.
type holder struct {
	*parser
	want      *response
	operation *spec.Operation
	violates  bool
	single    bool // the rule is for this operation only
}

// answers holds a respond to each operation of its rule. What is wrong in the
// same way for several operations is one finding.
func (p *parser) answers(operations []*spec.Operation, r *response, violates bool) []*Response {
	if r == nil || r.place.kind != kindMap {
		return nil
	}
	before := p.findings
	var groups []exchange.Finding
	var names [][]string
	answers := make([]*Response, len(operations))
	for i, op := range operations {
		p.findings = nil
		h := holder{p, r, op, violates, len(operations) == 1}
		answers[i] = h.answer()
		for _, f := range p.findings {
			g := slices.Index(groups, f)
			if g < 0 {
				g = len(groups)
				groups, names = append(groups, f), append(names, nil)
			}
			names[g] = append(names[g], title(op))
		}
	}
	p.findings = before
	for i, f := range groups {
		if len(operations) > 1 {
			f.Message += " (" + some(names[i]) + ")"
		}
		if len(p.findings) < maxFindings {
			p.findings = append(p.findings, f)
		}
	}
	return answers
}

func (h *holder) answer() *Response {
	answer := &Response{Status: h.want.status}
	if answer.Status == 0 {
		answer.Status = success(h.operation)
	}
	answer.Documented = h.operation.Response(answer.Status)
	if answer.Documented == nil && !h.violates {
		h.undocumented(answer.Status)
		return answer
	}
	answer.retries = retries(h.want.header, answer.Documented)
	if !bodied(h.operation.Method, answer.Status) && (h.want.bodyNode != nil || h.want.exampleNode != nil) {
		h.fail(h.want.place, CodeRule, "an answer with status %d has no body (RFC 9110 section 6.4.1); remove body or example", answer.Status)
		return answer
	}
	switch {
	case h.want.body != nil:
		h.withBody(answer)
	case h.want.exampleNode != nil:
		h.withExample(answer)
	case h.want.contentType != "":
		h.matching(answer)
		answer.header = exchange.Header{{Name: "Content-Type", Value: h.want.contentType}}
	}
	if !h.violates {
		h.documentedHeaders(answer)
	}
	dynamic := slices.ContainsFunc(h.want.header, func(f headerField) bool { return !f.value.isConstant() })
	if dynamic {
		answer.dynamic = h.want.header // in the file's order, constant ones among them
		return answer
	}
	for _, f := range h.want.header {
		answer.header = append(answer.header, exchange.Field{Name: f.name, Value: f.text})
	}
	return answer
}

// documentedHeaders holds constant headers to the schemas that the document
// has for them. Those that it does not know may be anything.
func (h *holder) documentedHeaders(a *Response) {
	for _, f := range h.want.header {
		i := slices.IndexFunc(a.Documented.Headers, func(p *spec.Parameter) bool { return strings.EqualFold(p.Name, f.name) })
		if i < 0 || !f.value.isConstant() {
			continue
		}
		documented := a.Documented.Headers[i]
		values, findings := decode.NewHeaders([]*spec.Parameter{documented}).Decode(exchange.Header{{Name: f.name, Value: f.text}})
		if value, ok := values[documented.Name]; ok && documented.Schema != nil {
			findings = append(findings, documented.Schema.Check(value, exchange.InHeader, documented.Name)...)
		}
		for _, found := range findings {
			h.fail(f.node, CodeHeader, "%s: %s%s; mend it, or say violates: true", found.Where(), found.Message, schemaAt(found))
		}
	}
}

// schemaAt says where the document has what a finding is about.
func schemaAt(f exchange.Finding) string {
	if place := f.Document.String(); place != "" {
		return " (schema at " + place + ")"
	}
	return ""
}

// success is the status of an operation when all is well: the lowest
// documented 2xx, exact before 2XX before default.
func success(op *spec.Operation) int {
	inRange := 0
	for _, r := range op.Responses { // exact codes ascending, then ranges
		switch first, count := r.Code(); {
		case first/100 == 2 && count == 1:
			return first
		case first == 200 && inRange == 0:
			inRange = 200
		}
	}
	return max(inRange, http.StatusOK)
}

// bodied reports whether an answer can have a body (RFC 9110 section 6.4.1).
// A body for HEAD is allowed: the server leaves it out.
func bodied(_ string, status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusResetContent && status != http.StatusNotModified
}

func (h *holder) undocumented(status int) {
	at := h.want.statusNode
	if at == nil {
		at = h.want.place
	}
	if !h.single {
		h.fail(at, CodeStatus, "status %d is not documented; narrow on, or say violates: true", status)
		return
	}
	documented := "documents no response"
	if n := len(h.operation.Responses); n > 0 {
		keys := make([]string, n)
		for i, r := range h.operation.Responses {
			keys[i] = r.Status
		}
		documented = "documents " + enumerate(keys, "and")
	}
	h.fail(at, CodeStatus, "status %d is not documented: %s %s; use a documented one, or say violates: true", status, title(h.operation), documented)
}

// content gives the documented media types of the answer.
func (a *Response) content() []*spec.MediaType {
	if a.Documented == nil {
		return nil
	}
	return a.Documented.Content
}

// matching finds the documented media type that the Content-Type of headers
// means, and reports where there is none.
func (h *holder) matching(a *Response) bool {
	essence, _, _ := strings.Cut(h.want.contentType, ";")
	kind, sub, _ := strings.Cut(strings.ToLower(strings.TrimSpace(essence)), "/")
	for _, m := range a.content() {
		if (m.Type == kind || m.Type == "*") && (m.Subtype == sub || m.Subtype == "*") {
			a.MediaType = m
			return true
		}
	}
	if h.violates {
		return true
	}
	h.fail(h.want.contentNode, CodeMediaType, "media type %q is not documented for status %d%s; use a documented one, or say violates: true",
		shorten(essence), a.Status, documentedTypes(a))
	return false
}

func documentedTypes(a *Response) string {
	var types []string
	for _, m := range a.content() {
		types = append(types, m.Range)
	}
	if types == nil {
		return ", which has no content"
	}
	return ", which has " + enumerate(types, "and")
}
