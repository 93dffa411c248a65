package auth

import (
	"bytes"
	"html"
	"net/url"
	"slices"
	"strings"
	"unsafe"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// Redacted replaces credentials in journals and logs.
const Redacted = "REDACTED"

// Secrets knows where requests and responses have credentials: in the places that the document declares, and under
// the usual names (IsSecretName). It is immutable and safe for concurrent use.
type Secrets struct {
	Headers []string // always includes Authorization and Proxy-Authorization
	Query   []string
	Cookies []string
	// Declared ignores credentials that are recognized only by their name.
	Declared bool
}

// NewSecrets collects the places of credentials of some operations. Pass all operations of a contract for logging,
// because requests without an operation may carry credentials too.
func NewSecrets(operations ...*spec.Operation) *Secrets {
	s := &Secrets{Headers: []string{authorization, "Proxy-Authorization"}}
	for _, op := range operations {
		for _, asked := range slices.Concat(op.Security...) {
			switch n := compile(asked.Scheme); {
			case n.in == exchange.InHeader && !s.header(n.name):
				s.Headers = append(s.Headers, n.name)
			case n.in == exchange.InQuery && !slices.Contains(s.Query, n.name):
				s.Query = append(s.Query, n.name)
			case n.in == exchange.InCookie && !slices.Contains(s.Cookies, n.name):
				s.Cookies = append(s.Cookies, n.name)
			}
		}
	}
	return s
}

func (s *Secrets) header(name string) bool {
	return slices.ContainsFunc(s.Headers, func(h string) bool { return len(h) == len(name) && strings.EqualFold(h, name) })
}

func (s *Secrets) usual(name string) bool { return !s.Declared && IsSecretName(name) }

// Redact returns the request with its credentials replaced by Redacted. The copy shares unchanged parts.
func (s *Secrets) Redact(req *exchange.Request) *exchange.Request {
	redacted := &exchange.Request{}
	s.Take(redacted, req)
	return redacted
}

// Sent returns the credentials of a request, nil if none is worth searching for.
func (s *Secrets) Sent(req *exchange.Request) Sent { return s.Take(&exchange.Request{}, req) }

// Take combines Redact and Sent in one pass: it returns the credentials and sets to to the redacted request. An
// exchange with the journal needs both (BenchmarkExchange).
func (s *Secrets) Take(to, req *exchange.Request) (sent Sent) {
	*to = *req
	to.Work, to.Head = nil, nil // they end with the response, or with the connection
	to.Header, sent = s.takeHead(req)
	to.Query = s.replaceQuery(req.Query, func(_, value string) string {
		sent = sent.add(value).add(decoded(value))
		return Redacted
	})
	if s.Declared {
		return sent
	}
	contentType, _ := req.Header.Get("Content-Type")
	to.Body = replaceInBody(contentType, req.Body, func(value string) string {
		if strings.Contains(value, `\`) {
			sent = sent.add(unescaped(value))
		}
		if value != Redacted {
			sent = sent.add(value).add(decoded(value)).add(html.UnescapeString(value))
		}
		return Redacted
	})
	return sent
}

// head is a redacted header and its credentials.
type head struct {
	of     *Secrets
	header exchange.Header
	sent   Sent
}

// takeHead is Take for the header fields. Requests of a connection with the same fields share the result.
func (s *Secrets) takeHead(req *exchange.Request) (exchange.Header, Sent) {
	if req.Head != nil {
		if known, _ := req.Head.Credentials.Load().(*head); known != nil && known.of == s {
			return known.header, known.sent
		}
	}
	made := &head{of: s}
	made.header = s.replaceHeader(req.Header, func(in, value string) string {
		if in == exchange.InCookie {
			made.sent = made.sent.add(strings.Trim(value, ` "`))
			return Redacted
		}
		for word := range strings.FieldsSeq(value) {
			made.sent = made.sent.add(word)
		}
		return Redacted
	})
	made.sent = slices.Clip(made.sent)
	if req.Head != nil {
		req.Head.Credentials.Store(made)
	}
	return made.header, made.sent
}

// RedactQuery returns the query of a request with its credentials replaced by Redacted.
func (s *Secrets) RedactQuery(query string) string { return s.replaceQuery(query, redact) }

// RedactResponse returns the response with its credentials, recognized by name, replaced by Redacted. The copy shares
// unchanged parts.
func (s *Secrets) RedactResponse(r *exchange.Response) exchange.Response {
	redacted := *r
	redacted.Header, redacted.Body = s.RedactHeader(r.Header), s.RedactBody(r)
	return redacted
}

// RedactHeader is RedactResponse for the header fields.
func (s *Secrets) RedactHeader(header exchange.Header) exchange.Header {
	if s.Declared {
		return header
	}
	return hidden(header, func(f exchange.Field) exchange.Field {
		switch {
		case strings.EqualFold(f.Name, "Set-Cookie"):
			pair, attributes, more := strings.Cut(f.Value, ";")
			if name, value, _ := strings.Cut(pair, "="); value != "" {
				if f.Value = name + "=" + Redacted; more {
					f.Value += ";" + attributes
				}
			}
		case f.Value != "" && (s.header(f.Name) || IsSecretName(f.Name)):
			f.Value = Redacted
		}
		return f
	})
}

// RedactBody is RedactResponse for the body.
func (s *Secrets) RedactBody(r *exchange.Response) []byte {
	if s.Declared {
		return r.Body
	}
	contentType, _ := r.Header.Get("Content-Type")
	return replaceInBody(contentType, r.Body, func(string) string { return Redacted })
}

func redact(string, string) string { return Redacted }

// replaceHeader returns a header in which credentials are replaced by with(place, value).
func (s *Secrets) replaceHeader(header exchange.Header, with func(in, value string) string) exchange.Header {
	copied := false
	for i, f := range header {
		value := f.Value
		switch {
		case value == "":
		case strings.EqualFold(f.Name, "Cookie") && !s.header(f.Name):
			value = replacePairs(value, ";", func(name, value string) string {
				if !s.Declared || slices.Contains(s.Cookies, strings.Trim(name, " \t")) {
					return with(exchange.InCookie, value)
				}
				return value
			})
		case s.header(f.Name), s.usual(f.Name):
			value = with(exchange.InHeader, value)
		}
		if value == f.Value {
			continue
		}
		if !copied {
			header, copied = slices.Clone(header), true
		}
		header[i].Value = value
	}
	return header
}

func (s *Secrets) replaceQuery(query string, with func(in, value string) string) string {
	if query == "" || s.Declared && len(s.Query) == 0 {
		return query
	}
	return replacePairs(query, "&", func(name, value string) string {
		if slices.ContainsFunc(s.Query, func(want string) bool { return isNamed(name, want) }) || s.usual(decoded(name)) {
			return with(exchange.InQuery, value)
		}
		return value
	})
}

// decoded returns the decoded name of a query or a form.
func decoded(name string) string {
	if strings.ContainsAny(name, "%+") {
		if plain, err := url.QueryUnescape(name); err == nil {
			return plain
		}
	}
	return name
}

func replacePairs(text, separator string, with func(name, value string) string) string {
	pairs := strings.Split(text, separator)
	for i, pair := range pairs {
		if name, value, _ := strings.Cut(pair, "="); value != "" {
			pairs[i] = name + "=" + with(name, value)
		}
	}
	return strings.Join(pairs, separator)
}

// LeastSecret is the minimum length in bytes of credentials that are searched for elsewhere: shorter ones are words
// that occur anyway.
const LeastSecret = 8

// Sent are the credentials of a request in the forms in which they may be repeated elsewhere: as sent, decoded, and
// as in JSON and queries.
type Sent []string

// plain are the characters that need no escaping anywhere.
const plain = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_."

// add appends a credential in all its forms.
func (s Sent) add(value string) Sent {
	if len(value) < LeastSecret || slices.Contains(s, value) {
		return s
	}
	s = append(s, value)
	if short := exchange.Shorten(value, exchange.MaxQuoted); short != value { // as messages quote it
		s = append(s, strings.TrimSuffix(short, "…"))
	}
	if strings.Trim(value, plain) == "" {
		return s
	}
	quoted := string(jsontext.AppendString(nil, value))
	for _, form := range []string{quoted[1 : len(quoted)-1], url.QueryEscape(value), url.PathEscape(value)} {
		if !slices.Contains(s, form) {
			s = append(s, form)
		}
	}
	return s
}

// Hide replaces credentials by Redacted.
func (s Sent) Hide(text string) string {
	for _, value := range s {
		if strings.Contains(text, value) {
			text = strings.ReplaceAll(text, value, Redacted)
		}
	}
	return text
}

// HideBytes is Hide for bytes: it returns text itself if nothing changes, else a copy.
func (s Sent) HideBytes(text []byte) []byte {
	for _, value := range s {
		if bytes.Contains(text, unsafe.Slice(unsafe.StringData(value), len(value))) { // only reads the bytes
			text = bytes.ReplaceAll(text, []byte(value), []byte(Redacted))
		}
	}
	return text
}

// HideHeader returns fields without credentials: the same slice if there are none, else a copy.
func (s Sent) HideHeader(h exchange.Header) exchange.Header {
	return hidden(h, func(f exchange.Field) exchange.Field {
		f.Value = s.Hide(f.Value)
		return f
	})
}

// HideFindings returns findings without credentials: the same slice if there are none, else a copy.
func (s Sent) HideFindings(findings []exchange.Finding) []exchange.Finding {
	return hidden(findings, func(f exchange.Finding) exchange.Finding {
		f.Message, f.Pointer = s.Hide(f.Message), s.Hide(f.Pointer)
		if IsSecretName(f.Name) || slices.ContainsFunc(strings.Split(f.Pointer, "/"), IsSecretName) {
			f.Message = withoutValue(f.Message)
		}
		return f
	})
}

// withoutValue removes the quoted value from a message about a schema, because it may be too short to be searched
// for.
func withoutValue(message string) string {
	if before, _, found := strings.Cut(message, ", is "); found {
		return before + ", is " + Redacted
	}
	for _, verb := range []string{" is not a valid ", " does not match the pattern "} {
		if at := strings.LastIndex(message, verb); at >= 0 {
			return Redacted + message[at:]
		}
	}
	return message
}

func hidden[S ~[]E, E comparable](all S, hide func(E) E) S {
	copied := false
	for i, one := range all {
		without := hide(one)
		if without == one {
			continue
		}
		if !copied {
			all, copied = slices.Clone(all), true
		}
		all[i] = without
	}
	return all
}
