// Package exchange has the plain values that describe a request, its response, and what is wrong with them. The mock
// and the contract tester share it: a journal, a report and an error of this module all speak of findings in the same
// form.
//
// A [Finding] says what is wrong, where in the exchange, and which line of the document requires it:
//
//	for _, f := range server.Info().Findings {
//		fmt.Println(f.Severity, f.Code, f.Where(), f.Message, f.Document)
//	}
package exchange

import (
	"slices"
	"strings"
	"time"
)

// Field is one header field. A field that was sent twice is two Fields.
type Field struct {
	Name  string // as sent, case-insensitive (RFC 9110 section 5.1)
	Value string // as sent, without the white space around it
}

// Header is the header fields of a message in the order in which they were sent.
type Header []Field

// Get returns the first value of the field named name (case-insensitive,
// RFC 9110 section 5.1), and whether there is one.
func (h Header) Get(name string) (string, bool) {
	for i := range h {
		if len(h[i].Name) == len(name) && strings.EqualFold(h[i].Name, name) {
			return h[i].Value, true
		}
	}
	return "", false
}

// Values returns every value of the field named name, in order.
func (h Header) Values(name string) []string {
	var values []string
	for i := range h {
		if len(h[i].Name) == len(name) && strings.EqualFold(h[i].Name, name) {
			values = append(values, h[i].Value)
		}
	}
	return values
}

// Joined returns the fields by their names in lower case. The values of several fields of one name are joined with a
// comma (RFC 9110 section 5.2).
func (h Header) Joined() map[string]string {
	joined := make(map[string]string, len(h))
	for _, f := range h {
		name := strings.ToLower(f.Name)
		if before, ok := joined[name]; ok {
			joined[name] = before + ", " + f.Value
		} else {
			joined[name] = f.Value
		}
	}
	return joined
}

// Set replaces every field named name with one.
func (h *Header) Set(name, value string) {
	h.Del(name)
	*h = append(*h, Field{name, value})
}

// Del removes every field named name.
func (h *Header) Del(name string) {
	*h = slices.DeleteFunc(*h, func(f Field) bool { return len(f.Name) == len(name) && strings.EqualFold(f.Name, name) })
}

// Request is one request as it came over the wire.
type Request struct {
	Method string // as sent, case-sensitive (RFC 9110 section 9.1)
	Path   string // the target's path, still percent-encoded, with its leading slash
	Query  string // the target's query, still percent-encoded, without "?"
	Header Header
	Body   []byte // nil if none was sent
}

// Response is one response.
type Response struct {
	Status int
	Header Header
	Body   []byte // nil if none was sent
}

// Recorded is a request with its response, as a proxy or a recording saw them.
type Recorded struct {
	Origin   string // scheme and host of the server: https://api.example.com; "" if it is not known
	Request  *Request
	Response *Response     // with its body decoded; nil if none came
	Took     time.Duration // 0 if it is not known
	// RequestCut and ResponseCut say that the body is not complete.
	RequestCut, ResponseCut bool
	// Fault says why no whole response came, with a code of the proxy: upstream-no-answer; nil if one came.
	Fault *Finding
}
