package auth

import (
	"bytes"
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

// Secrets is where credentials are in requests. It is immutable and safe for concurrent use.
type Secrets struct {
	Headers []string // Authorization and Proxy-Authorization always among them
	Query   []string
	Cookies []string
}

// NewSecrets collects where some operations want credentials. Requests that are for none of them may carry
// credentials too, so what logs them is best given all operations of a contract.
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
	return slices.ContainsFunc(s.Headers, func(h string) bool { return strings.EqualFold(h, name) })
}

// Redact gives the request with Redacted in place of its credentials: the
// request itself where it has none, else a copy that shares the body.
func (s *Secrets) Redact(req *exchange.Request) *exchange.Request {
	query, header, found := s.replace(req, redact)
	if !found {
		return req
	}
	redacted := *req
	redacted.Query, redacted.Header = query, header
	return &redacted
}

// RedactTo is Redact into a request of the caller's.
func (s *Secrets) RedactTo(to, req *exchange.Request) {
	query, header, _ := s.replace(req, redact)
	*to = *req
	to.Query, to.Header = query, header
}

func redact(string, string) string { return Redacted }

// replace gives the query and the header of a request with its credentials replaced by what with gives for
// them and their places. found is false where they stay the same.
func (s *Secrets) replace(req *exchange.Request, with func(in, value string) string) (
	query string, header exchange.Header, found bool) {
	query, header = req.Query, req.Header
	if len(s.Query) > 0 && query != "" {
		query = replacePairs(query, "&", func(name, value string) string {
			if slices.ContainsFunc(s.Query, func(want string) bool { return isNamed(name, want) }) {
				return with(exchange.InQuery, value)
			}
			return value
		})
	}
	for i, f := range header {
		value := f.Value
		switch {
		case value == "":
		case s.header(f.Name):
			value = with(exchange.InHeader, value)
		case len(s.Cookies) > 0 && strings.EqualFold(f.Name, "Cookie"):
			value = replacePairs(value, ";", func(name, value string) string {
				if slices.Contains(s.Cookies, strings.Trim(name, " \t")) {
					return with(exchange.InCookie, value)
				}
				return value
			})
		}
		if value == f.Value {
			continue
		}
		if !found {
			header, found = slices.Clone(header), true
		}
		header[i].Value = value
	}
	return query, header, found || query != req.Query
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

// leastSecret is how many bytes a credential has at least that is looked for
// elsewhere: shorter ones are words that stand there anyway.
const leastSecret = 8

// Sent are the credentials of a request as they may be repeated elsewhere: as
// they came, decoded, and as JSON and queries write them.
type Sent []string

// Sent gives the credentials of a request, nil for none that are worth looking for.
func (s *Secrets) Sent(req *exchange.Request) Sent {
	var sent Sent
	s.replace(req, func(in, value string) string {
		switch in {
		case exchange.InHeader:
			for word := range strings.FieldsSeq(value) {
				sent = sent.add(word)
			}
		case exchange.InCookie:
			sent = sent.add(strings.Trim(value, ` "`))
		default:
			sent = sent.add(value)
			if decoded, err := url.QueryUnescape(value); err == nil {
				sent = sent.add(decoded)
			}
		}
		return value
	})
	return sent
}

// plain are the characters that are written the same everywhere.
const plain = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_."

// add keeps a credential with the forms it may be written in.
func (s Sent) add(value string) Sent {
	if len(value) < leastSecret || slices.Contains(s, value) {
		return s
	}
	s = append(s, value)
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

// Hide puts Redacted in the place of credentials.
func (s Sent) Hide(text string) string {
	for _, value := range s {
		if strings.Contains(text, value) {
			text = strings.ReplaceAll(text, value, Redacted)
		}
	}
	return text
}

// HideBytes is Hide for bytes: text itself where it has none, else a copy.
func (s Sent) HideBytes(text []byte) []byte {
	for _, value := range s {
		if bytes.Contains(text, unsafe.Slice(unsafe.StringData(value), len(value))) { // read only
			text = bytes.ReplaceAll(text, []byte(value), []byte(Redacted))
		}
	}
	return text
}

// HideHeader gives fields without credentials: the same where they have none, else copies.
func (s Sent) HideHeader(h exchange.Header) exchange.Header {
	return hidden(h, func(f exchange.Field) exchange.Field {
		f.Value = s.Hide(f.Value)
		return f
	})
}

// HideFindings gives findings without credentials: the same where they have none, else copies.
func (s Sent) HideFindings(findings []exchange.Finding) []exchange.Finding {
	return hidden(findings, func(f exchange.Finding) exchange.Finding {
		f.Message, f.Pointer = s.Hide(f.Message), s.Hide(f.Pointer)
		return f
	})
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
