package auth

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

const authorization = "Authorization"

// need is one thing that a request must carry.
type need struct {
	kind   kind
	scheme string // of http: lower case
	in     string // header, query or cookie
	name   string // of the header, parameter or cookie
	key    string // of the security scheme
	place  exchange.Place
}

type kind uint8

const (
	accept kind = iota // cannot be seen in a request
	bearer
	basic
	other  // another http scheme: its name, and something behind it
	any    // a scheme that the document does not define: whatever Authorization holds
	apiKey // something not empty
)

// fault is why a need is not met.
type fault uint8

const (
	met fault = iota
	missing
	repeated
	otherScheme
	bareScheme
	badToken
	badBasic
)

func compile(s *spec.SecurityScheme) need {
	if s == nil {
		s = &spec.SecurityScheme{}
	}
	n := need{kind: any, scheme: strings.ToLower(s.Scheme), in: exchange.InHeader, name: authorization, key: s.Key,
		place: s.Place}
	switch s.Type {
	case "mutualTLS":
		n.kind = accept
	case "oauth2", "openIdConnect":
		n.kind, n.scheme = bearer, "bearer"
	case "http":
		switch n.scheme {
		case "":
		case "bearer":
			n.kind = bearer
		case "basic":
			n.kind = basic
		default:
			n.kind = other
		}
	case "apiKey":
		if s.Name != "" && (s.In == exchange.InHeader || s.In == exchange.InQuery || s.In == exchange.InCookie) {
			n.kind, n.in, n.name = apiKey, s.In, s.Name
		}
	}
	return n
}

// same reports whether two needs ask for the same.
func (n need) same(o need) bool {
	if n.kind != o.kind || n.scheme != o.scheme || n.in != o.in {
		return false
	}
	return n.name == o.name || n.in == exchange.InHeader && strings.EqualFold(n.name, o.name)
}

// want describes what would meet the need.
func (n *need) want() string {
	switch n.kind {
	case bearer:
		return `"Bearer <token>"`
	case basic:
		return `"Basic <base64 of user:password>"`
	case other:
		return `"` + schemeName(n.scheme) + ` <credentials>"`
	case any:
		return `"<scheme> <credentials>"`
	}
	return "a key"
}

func (n *need) check(req *exchange.Request) fault {
	switch n.in {
	case exchange.InQuery:
		return given(queryValue(req.Query, n.name))
	case exchange.InCookie:
		return given(cookieValue(req.Header, n.name))
	}
	value, count := field(req.Header, n.name)
	if count > 1 && strings.EqualFold(n.name, authorization) {
		return repeated
	}
	if n.kind == apiKey || n.kind == any || value == "" {
		return given(value)
	}
	scheme, rest, _ := strings.Cut(value, " ")
	if !strings.EqualFold(scheme, n.scheme) {
		return otherScheme
	}
	rest = strings.TrimLeft(rest, " ")
	switch {
	case rest == "":
		return bareScheme
	case n.kind == bearer && !isToken(rest):
		return badToken
	case n.kind == basic && !isUserPassword(rest):
		return badBasic
	}
	return met
}

func given(value string) fault {
	if value == "" {
		return missing
	}
	return met
}

// field gives the first value of a header field that is not empty, without the
// white space around it, and how many fields there are.
func field(h exchange.Header, name string) (value string, count int) {
	for i := range h {
		if len(h[i].Name) == len(name) && strings.EqualFold(h[i].Name, name) {
			count++
			if value == "" {
				value = strings.Trim(h[i].Value, " \t")
			}
		}
	}
	return value, count
}

// queryValue gives the first value of a query parameter that is not empty.
func queryValue(query, name string) string {
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		if key, value, _ := strings.Cut(pair, "="); value != "" && isNamed(key, name) {
			return value
		}
	}
	return ""
}

// isNamed compares a name in a query, as it was sent, with one in the document.
func isNamed(sent, name string) bool {
	if strings.ContainsAny(sent, "%+") {
		if decoded, err := url.QueryUnescape(sent); err == nil {
			return decoded == name
		}
	}
	return sent == name
}

// cookieValue gives the first value of a cookie that is not empty. A request
// may have more than one Cookie field (RFC 9113 section 8.2.3).
func cookieValue(h exchange.Header, name string) string {
	for i := range h {
		if !strings.EqualFold(h[i].Name, "Cookie") {
			continue
		}
		for cookies := h[i].Value; cookies != ""; {
			var pair string
			pair, cookies, _ = strings.Cut(cookies, ";")
			key, value, _ := strings.Cut(pair, "=")
			if value = strings.Trim(value, " \t\""); value != "" && strings.Trim(key, " \t") == name {
				return value
			}
		}
	}
	return ""
}

// isToken reports whether s is one b64token of RFC 6750 section 2.1:
// 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"=".
func isToken(s string) bool {
	s = strings.TrimRight(s, "=")
	for i := 0; i < len(s); i++ {
		if !isBase64(s[i]) && strings.IndexByte("-._~", s[i]) < 0 {
			return false
		}
	}
	return s != ""
}

func isBase64(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/'
}

// isUserPassword reports whether s is the base64 (RFC 4648 section 4, padded)
// of user:password without control characters (RFC 7617 section 2).
func isUserPassword(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isBase64(s[i]) && (s[i] != '=' || i < len(s)-2) {
			return false
		}
	}
	colon := false
	for s != "" {
		var encoded [256]byte // a multiple of 4, so that the padding stays in the last
		var decoded [192]byte
		n := copy(encoded[:], s)
		s = s[n:]
		n, err := base64.StdEncoding.Decode(decoded[:], encoded[:n])
		if err != nil {
			return false
		}
		for _, c := range decoded[:n] {
			if c < ' ' || c == 0x7f {
				return false
			}
			colon = colon || c == ':'
		}
	}
	return colon
}
