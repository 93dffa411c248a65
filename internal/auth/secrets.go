package auth

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Redacted replaces credentials in journals and logs.
const Redacted = "REDACTED"

// Secrets is where credentials are in requests. It is immutable and safe for
// concurrent use.
type Secrets struct {
	Headers []string // Authorization and Proxy-Authorization always among them
	Query   []string
	Cookies []string
}

// NewSecrets collects where some operations want credentials. Requests that are
// for none of them may carry credentials too, so what logs them is best given
// all operations of a contract.
func NewSecrets(operations ...*spec.Operation) *Secrets {
	s := &Secrets{Headers: []string{authorization, "Proxy-Authorization"}}
	for _, op := range operations {
		for _, requirement := range op.Security {
			for _, n := range requirement {
				switch n := compile(n.Scheme); n.in {
				case exchange.InHeader:
					if !s.header(n.name) {
						s.Headers = append(s.Headers, n.name)
					}
				case exchange.InQuery:
					if !slices.Contains(s.Query, n.name) {
						s.Query = append(s.Query, n.name)
					}
				case exchange.InCookie:
					if !slices.Contains(s.Cookies, n.name) {
						s.Cookies = append(s.Cookies, n.name)
					}
				}
			}
		}
	}
	return s
}

func (s *Secrets) header(name string) bool {
	for _, h := range s.Headers {
		if strings.EqualFold(h, name) {
			return true
		}
	}
	return false
}

// Redact gives the request with Redacted in place of its credentials: the
// request itself where it has none, else a copy that shares the body.
func (s *Secrets) Redact(req *exchange.Request) *exchange.Request {
	query, header, found := s.redacted(req)
	if !found {
		return req
	}
	redacted := *req
	redacted.Query, redacted.Header = query, header
	return &redacted
}

// RedactTo is Redact into a request of the caller's.
func (s *Secrets) RedactTo(to, req *exchange.Request) {
	query, header, _ := s.redacted(req)
	*to = *req
	to.Query, to.Header = query, header
}

func (s *Secrets) redacted(req *exchange.Request) (query string, header exchange.Header, found bool) {
	query = s.redactQuery(req.Query)
	header, found = s.redactHeader(req.Header)
	return query, header, found || query != req.Query
}

func (s *Secrets) redactHeader(h exchange.Header) (redacted exchange.Header, found bool) {
	for i := range h {
		f := &h[i]
		value := Redacted
		switch {
		case f.Value == "":
			continue
		case s.header(f.Name):
		case len(s.Cookies) > 0 && strings.EqualFold(f.Name, "Cookie"):
			if value = s.redactCookies(f.Value); value == f.Value {
				continue
			}
		default:
			continue
		}
		if !found {
			h, found = slices.Clone(h), true
		}
		h[i].Value = value
	}
	return h, found
}

func (s *Secrets) redactCookies(cookies string) string {
	pairs := strings.Split(cookies, ";")
	for i, pair := range pairs {
		if name, value, _ := strings.Cut(pair, "="); value != "" && slices.Contains(s.Cookies, strings.Trim(name, " \t")) {
			pairs[i] = name + "=" + Redacted
		}
	}
	return strings.Join(pairs, ";")
}

func (s *Secrets) redactQuery(query string) string {
	if len(s.Query) == 0 || query == "" {
		return query
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		if value != "" && slices.ContainsFunc(s.Query, func(want string) bool { return isNamed(name, want) }) {
			pairs[i] = name + "=" + Redacted
		}
	}
	return strings.Join(pairs, "&")
}
