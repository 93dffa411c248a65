// Package exchange defines requests and responses as plain copied values, and findings about them. It depends neither
// on the document nor on a web framework, so the mock and the contract tester share it.
package exchange

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/coldframe/coldframe/internal/bodies"
	"github.com/coldframe/coldframe/report/exchange"
)

// The values of package report/exchange, which the machinery uses by these names.
type (
	Field    = exchange.Field
	Header   = exchange.Header
	Response = exchange.Response
	Finding  = exchange.Finding
	Note     = exchange.Note
	Severity = exchange.Severity
	Place    = exchange.Place
)

// Request is one received request. Its values are copies: they stay valid after the server has reused its buffers.
type Request struct {
	Method string // as sent, case-sensitive (RFC 9110 section 9.1)
	Path   string // the target's path, still percent-encoded, with its leading slash
	Query  string // the target's query, still percent-encoded, without "?"
	Header Header
	Body   []byte // nil if none
	// Share is the part of the memory for bodies that Body takes.
	Share bodies.Share
	// Work limits the work for the response; nil means no limit.
	Work *Work `json:"-"`
	// ClientCertificate is set if the client sent a certificate in the TLS handshake.
	ClientCertificate bool
	// Origin is the scheme and the host by which the client reaches the server, if a trusted proxy says so.
	Origin string `json:"-"`
	// Mocked says why a proxy does not forward the request; "" if it does, and for a mock.
	Mocked string `json:"-"`
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

// Plain returns what came over the wire of a request, as reports and journals show it; nil for nil.
func (r *Request) Plain() *exchange.Request {
	if r == nil {
		return nil
	}
	return &exchange.Request{Method: r.Method, Path: r.Path, Query: r.Query, Header: r.Header, Body: r.Body}
}

// Beginning returns a response with a copy of the first bytes of its body, so that the memory of the rest is free.
func Beginning(r *Response, bytes int) *Response {
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
