// Package exchange has one request and its response as plain copied values, and the findings about them. It
// knows neither the document nor a web framework, so the mock and the contract tester share it.
package exchange

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/coldframe/coldframe/internal/bodies"
)

// Field is one header field. A field that was sent twice is two Fields.
type Field struct {
	Name  string
	Value string
}

// Header is the header fields of a message in the order they were sent.
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

// Joined returns the fields as expressions see them: by names in lower case, the
// values of several fields of one name joined (RFC 9110 section 5.2).
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

// Request is one request as it came over the wire. Its values are copies: they
// stay valid after the server has reused its buffers.
type Request struct {
	Method string // as sent, case-sensitive (RFC 9110 section 9.1)
	Path   string // the target's path, still percent-encoded, with its leading slash
	Query  string // the target's query, still percent-encoded, without "?"
	Header Header
	Body   []byte // nil where none was sent
	// Share is what Body takes of the memory for bodies.
	Share bodies.Share
	// Work is what answering it may take; nil is without a bound.
	Work *Work `json:"-"`
	// ClientCertificate says that the client showed a certificate in the handshake of TLS.
	ClientCertificate bool
	// Origin is the scheme and the host by which the client reaches the server, where a trusted proxy says so.
	Origin string `json:"-"`
	// Head is shared by the requests of a connection that send the same fields; nil if they are not compared.
	Head *Head `json:"-"`
}

// Head keeps what is made of the fields of a request alone, for requests of the same fields. It is safe for concurrent
// use.
type Head struct {
	Credentials atomic.Value // see auth.Secrets.Take
}

// OriginAt returns the scheme and the host by which the client reaches a server whose own address is given.
func (r *Request) OriginAt(server string) string {
	if r.Origin != "" {
		return r.Origin
	}
	scheme, host, _ := strings.Cut(server, "://")
	if sent, ok := r.Header.Get("Host"); ok && sent != "" {
		host = sent
	}
	return scheme + "://" + host
}

// AnnouncesEmptyBody reports whether a request has Content-Length though it has no body: "a user agent SHOULD send
// Content-Length in a request when the method defines a meaning for enclosed content" (RFC 9110 section 8.6).
func (r *Request) AnnouncesEmptyBody() bool {
	_, given := r.Header.Get("Content-Length")
	return !given && len(r.Body) == 0 && (r.Method == "POST" || r.Method == "PUT" || r.Method == "PATCH")
}

// Response is one answer.
type Response struct {
	Status int
	Header Header
	Body   []byte
}

// Beginning returns the response with a copy of the first bytes of its body, so that the memory of the rest is free.
func (r *Response) Beginning(bytes int) *Response {
	short := *r
	short.Body = slices.Clone(r.Body[:min(len(r.Body), bytes)])
	return &short
}

// IsToken reports whether a text is made of the characters of a token (RFC 9110
// section 5.6.2). An empty one is.
func IsToken(text string) bool {
	for i := range len(text) {
		if !inToken[text[i]] {
			return false
		}
	}
	return true
}

// inToken is made once: each name of a field that is sent is looked at.
var inToken = func() (is [256]bool) {
	for _, c := range []byte("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		is[c] = true
	}
	return is
}()
