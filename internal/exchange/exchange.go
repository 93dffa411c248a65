// Package exchange defines requests and responses as plain copied values, and findings about them. It depends neither
// on the document nor on a web framework, so the mock and the contract tester share it.
package exchange

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/coldframe/coldframe/internal/bodies"
)

// Field is one header field. A repeated field is several Fields.
type Field struct {
	Name  string
	Value string
}

// Header is the header fields of a message in the order of sending.
type Header []Field

// Get returns the first value of the field with a name (case-insensitive, RFC 9110 section 5.1), and whether there is
// one.
func (h Header) Get(name string) (string, bool) {
	for i := range h {
		if len(h[i].Name) == len(name) && strings.EqualFold(h[i].Name, name) {
			return h[i].Value, true
		}
	}
	return "", false
}

// Values returns all values of the field with a name, in order.
func (h Header) Values(name string) []string {
	var values []string
	for i := range h {
		if len(h[i].Name) == len(name) && strings.EqualFold(h[i].Name, name) {
			values = append(values, h[i].Value)
		}
	}
	return values
}

// Joined returns the fields for expressions: by names in lower case, with the values of repeated fields joined (RFC
// 9110 section 5.2).
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

// Set replaces all fields with a name by one.
func (h *Header) Set(name, value string) {
	h.Del(name)
	*h = append(*h, Field{name, value})
}

// Del removes all fields with a name.
func (h *Header) Del(name string) {
	*h = slices.DeleteFunc(*h, func(f Field) bool { return len(f.Name) == len(name) && strings.EqualFold(f.Name, name) })
}

// Request is one received request. Its values are copies: they stay valid after the server has reused its buffers.
type Request struct {
	Method string // as sent, case-sensitive (RFC 9110 section 9.1)
	Path   string // the target's path, still percent-encoded, with its leading slash
	Query  string // the target's query, still percent-encoded, without "?"
	Header Header
	Body   []byte // nil if there is none
	// Share is the part of the memory for bodies that Body takes.
	Share bodies.Share
	// Work limits the work for the response; nil means no limit.
	Work *Work `json:"-"`
	// ClientCertificate is set if the client sent a certificate in the TLS handshake.
	ClientCertificate bool
	// Origin is the scheme and the host by which the client reaches the server, if a trusted proxy says so.
	Origin string `json:"-"`
	// Head is shared by the requests of a connection with the same fields; nil if they are not compared.
	Head *Head `json:"-"`
}

// Head caches results that depend only on a request's fields, for requests with the same fields. It is safe for
// concurrent use.
type Head struct {
	Credentials atomic.Value // see auth.Secrets.Take
}

// OriginAt returns the scheme and the host by which the client reaches a server; server is the server's own address.
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

// AnnouncesEmptyBody reports whether a request without a body has Content-Length: "a user agent SHOULD send
// Content-Length in a request when the method defines a meaning for enclosed content" (RFC 9110 section 8.6).
func (r *Request) AnnouncesEmptyBody() bool {
	_, given := r.Header.Get("Content-Length")
	return !given && len(r.Body) == 0 && (r.Method == "POST" || r.Method == "PUT" || r.Method == "PATCH")
}

// Response is one response.
type Response struct {
	Status int
	Header Header
	Body   []byte
}

// Beginning returns the response with a copy of the first bytes of its body, so that the rest can be freed.
func (r *Response) Beginning(bytes int) *Response {
	short := *r
	short.Body = slices.Clone(r.Body[:min(len(r.Body), bytes)])
	return &short
}

// IsToken reports whether a text has only characters of a token (RFC 9110 section 5.6.2). It returns true for an
// empty text.
func IsToken(text string) bool {
	for i := range len(text) {
		if !inToken[text[i]] {
			return false
		}
	}
	return true
}

// inToken is a table, because each field name of each message is checked.
var inToken = func() (is [256]bool) {
	for _, c := range []byte("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		is[c] = true
	}
	return is
}()
