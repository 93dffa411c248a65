package mock

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
)

// respond answers a request with which all is well.
func (x *visit) respond() {
	status, documented := x.operation.success, x.operation.successResponse
	if code := x.preferences.code; code != 0 {
		status, documented = code, x.operation.Response(code)
		if documented == nil {
			x.fail(400, exchange.Finding{
				Code:    "undocumented-status",
				Message: "status " + strconv.Itoa(code) + " is not documented for this operation; documented: " + x.operation.statuses(),
				In:      exchange.InHeader, Name: "Prefer",
			})
			return
		}
	}
	x.answer(status, documented)
}

// answer makes the documented response for a status.
func (x *visit) answer(status int, documented *spec.Response) {
	x.begin(status)
	if documented == nil {
		x.response.Header.Set(undocumentedField, strconv.Itoa(status))
		return
	}
	x.headers(documented)
	if len(documented.Content) == 0 || bodiless(status) {
		x.preferences.ignores(preferExample)
	}
	switch x.withFile(x.keep(status, documented), documented) {
	case answered:
		return
	case passed:
		if x.operation.keeps == nil && x.create(status, documented) {
			return
		}
	}
	if len(documented.Content) == 0 || bodiless(status) {
		return
	}
	media := x.negotiate(documented.Content)
	if media == nil {
		accept, _ := x.request.Header.Get("Accept")
		x.refuse(notAcceptable, []exchange.Finding{{
			Code:     "not-acceptable",
			Message:  "none of " + ranges(documented.Content) + " is acceptable by " + strconv.Quote(shorten(accept)),
			In:       exchange.InHeader,
			Name:     "Accept",
			Document: documented.Place,
		}})
		return
	}
	p := x.in.producer(media)
	if x.asks != nil && !x.dynamic() {
		if body, example := x.alone(x.operation.binding); example {
			x.body(media, x.excerpt(media, body))
			return
		}
	}
	if body, ok := x.changedExample(status, p); ok {
		x.body(media, body)
		return
	}
	if example, ok := p.example(x.preferences.example, x.options.Examples); ok && !x.dynamic() {
		if item, ok := x.namedExample(media); ok {
			x.body(media, item)
			return
		}
		x.response.Body = example
		x.contentType(media)
		return
	}
	if name := x.preferences.example; name != "" {
		x.fail(400, exchange.Finding{
			Code:    "unknown-example",
			Message: "status " + strconv.Itoa(status) + " has no example " + strconv.Quote(name) + " to serve; " + p.exampleNames(x.options.Examples),
			In:      exchange.InHeader, Name: "Prefer",
		})
		return
	}
	if status >= 400 {
		x.explain(status, documented, cmp.Or(documented.Description, statusText(status)), nil)
		return
	}
	key := x.key(status, media)
	if x.constant() {
		if body := p.constant.Load(); body != nil && body.status == status {
			x.response.Body = body.bytes
			x.contentType(media)
			return
		}
	}
	value, err := x.generated(p, key)
	if err != nil {
		x.unsatisfiable(err)
		return
	}
	value, _ = x.named(media, value)
	value, _ = x.below(media, value)
	x.body(media, x.excerpt(media, value))
	if x.constant() && x.validateResponse() {
		p.constant.Store(&constant{status, x.response.Body})
	}
}

// begin makes room for an answer.
func (x *visit) begin(status int) {
	x.response = exchange.Response{Status: status, Header: x.room[:0]}
}

// bodiless reports whether a status never comes with a body (RFC 9110 section
// 6.4.1).
func bodiless(status int) bool { return status == 204 || status == 304 }

// constant reports whether every request to the operation gets the same
// generated answer.
func (x *visit) constant() bool {
	if _, changes := x.changes(); changes || x.as != "" || x.asks != nil {
		return false
	}
	return len(x.match.Values) == 0 && !x.dynamic() && !x.preferences.given[preferSeed] && !x.preferences.given[preferCount]
}

// dynamic reports whether values are to be fresh ones.
func (x *visit) dynamic() bool {
	if x.preferences.given[preferDynamic] {
		return x.preferences.dynamic
	}
	return x.options.Dynamic
}

// seed is what generated values depend on beside their place.
func (x *visit) seed() uint64 {
	switch {
	case x.preferences.given[preferSeed]:
		return x.preferences.seed
	case x.dynamic():
		return rand.Uint64()
	}
	return x.options.Seed
}

// key is the key of the answer's generated values.
func (x *visit) key(status int, media *spec.MediaType) generate.Key {
	return x.keyOf(strconv.Itoa(status), media.Range)
}

// keyOf is the key of a part of the answer.
func (x *visit) keyOf(parts ...string) generate.Key {
	key := generate.NewKey(x.seed(), x.operation.ID)
	for _, part := range parts {
		key = key.Child(part)
	}
	for _, value := range x.match.Values {
		key = key.Child(value)
	}
	return key
}

// body sets a value as the response's body, to be validated and written.
func (x *visit) body(media *spec.MediaType, value any) {
	x.media, x.value, x.pending = media, value, true
}

// contentType names the media type; a range is answered with its plainest
// member.
func (x *visit) contentType(media *spec.MediaType) {
	x.response.Header.Set("Content-Type", x.concrete(media))
}

// concrete gives the media type to answer with: for a range what the request
// asks for, where it does not take the plainest member.
func (x *visit) concrete(media *spec.MediaType) string {
	if x.as != "" && media.Subtype == "*" {
		return x.as
	}
	return media.Concrete()
}

// ofServer are fields that say how a message travels: what a document says of
// them is the server's to meet.
var ofServer = []string{"Content-Length", "Content-Encoding", "Transfer-Encoding", "Connection", "Keep-Alive", "Trailer", "Upgrade", "Date"}

// headers sets the documented headers of the response. One for which no value
// can be made is left out.
func (x *visit) headers(documented *spec.Response) {
	for _, h := range documented.Headers {
		if slices.ContainsFunc(ofServer, func(name string) bool { return strings.EqualFold(name, h.Name) }) {
			continue
		}
		value, err := x.in.headers[h].value(x.keyOf(documented.Status, h.Name))
		if err != nil {
			continue
		}
		if text, err := decode.Encode(h, value); err == nil {
			x.response.Header.Set(h.Name, strings.Map(fieldCharacter, text))
		}
	}
}

// fieldCharacter gives a space for what may not stand in a field's value (RFC
// 9110 section 5.5).
func fieldCharacter(r rune) rune {
	if unicode.IsControl(r) && r != '\t' {
		return ' '
	}
	return r
}

func ranges(content []*spec.MediaType) string {
	names := make([]string, len(content))
	for i, media := range content {
		names[i] = media.Range
	}
	return strings.Join(names, ", ")
}

// validateResponse holds a body that was made for this request to its schema
// and writes it. What does not conform does not leave the mock.
func (x *visit) validateResponse() bool {
	if !x.pending {
		return true
	}
	x.pending = false
	if !x.media.Conforms(x.value) {
		if findings := x.media.Check(x.value); len(findings) > 0 {
			answer := "the answer"
			if x.rule != nil {
				answer = fmt.Sprintf("the answer of scenario %s, rule %d,", x.rule.Scenario, x.rule.Number)
			}
			for i := range findings {
				findings[i].Message = answer + " breaks the document: " + findings[i].Message
			}
			findings = x.credentials().HideFindings(findings)
			x.findings = append(x.findings, findings...)
			x.problem(500, findings)
			return false
		}
	}
	return x.response.Body != nil || x.write() // a scenario has written its body already
}

// write writes the body's value by its media type.
func (x *visit) write() bool {
	x.pending = false
	body, contentType, err := x.in.producer(x.media).encoder().Encode(x.concrete(x.media), x.value)
	if err != nil {
		var ok bool
		if body, contentType, ok = x.otherwise(); !ok {
			x.unsatisfiable(err)
			return false
		}
	}
	x.response.Body = body
	x.response.Header.Set("Content-Type", contentType)
	return true
}
