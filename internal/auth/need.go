package auth

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

const authorization = "Authorization"

type need struct {
	isCertificate bool // a client certificate in the TLS handshake

	isKey     bool   // an API key: anything that is not empty
	scheme    string // for http, in lower case; "" for an API key, and for an undefined scheme
	in        string // header, query or cookie; request for a certificate
	name      string // of the header, parameter or cookie
	want      string // describes credentials that would meet the need
	challenge string // for WWW-Authenticate; "" if none
	form      form   // of the text after the scheme
	place     exchange.Place
}

type form struct {
	want      string
	malformed string
	isValid   func(string) bool // nil for anything that is not empty
}

var forms = map[string]form{
	"bearer": {`"Bearer <token>"`, "not one token as RFC 6750 section 2.1 has it", isToken},
	"basic":  {`"Basic <base64 of user:password>"`, "not the base64 of user:password (RFC 7617 section 2)", isUserPassword},
}

// missing is the problem of a need without any credentials.
const missing = "no credentials"

// compile reads a security scheme.
//
// The challenge Bearer has no parameters: a realm is optional (RFC 6750 section 3). Basic needs a realm (RFC 7617
// section 2), Digest a nonce as well (RFC 7616 section 3.3), which is constant because the response to it is not
// verified. No scheme is registered for keys and certificates, so their challenges use OpenAPI's words: ApiKey
// in="header", name="X-Key".
func compile(s *spec.SecurityScheme) need {
	n := need{in: exchange.InHeader, name: authorization, want: `"<scheme> <credentials>"`, place: s.Place}
	switch s.Type {
	case "mutualTLS":
		return need{isCertificate: true, in: exchange.InRequest, challenge: "MutualTLS", place: s.Place,
			want: "a client certificate over TLS (option mutual-tls takes it as given)"}
	case "oauth2", "openIdConnect":
		n.scheme = "bearer"
	case "http":
		n.scheme = strings.ToLower(s.Scheme)
	case "apiKey":
		if s.Name != "" && (s.In == exchange.InHeader || s.In == exchange.InQuery || s.In == exchange.InCookie) {
			n.isKey, n.in, n.name, n.want = true, s.In, s.Name, "a key"
			n.challenge = "ApiKey in=" + quote(s.In) + ", name=" + quote(s.Name)
		}
	}
	if n.scheme == "" {
		return n
	}
	n.form = forms[n.scheme]
	n.want = cmp.Or(n.form.want, `"`+schemeName(n.scheme)+` <credentials>"`)
	if exchange.IsToken(n.scheme) {
		n.challenge = schemeName(n.scheme) + ` realm=` + quote(s.Key)
	}
	switch n.scheme {
	case "bearer":
		n.challenge = "Bearer"
	case "digest":
		n.challenge += `, qop="auth", nonce="coldframe"`
	}
	return n
}

// schemeNames has the registered spelling of schemes that are not written with one leading capital (IANA, HTTP
// Authentication Scheme Registry).
var schemeNames = map[string]string{
	"dpop":          "DPoP",
	"gnap":          "GNAP",
	"hoba":          "HOBA",
	"oauth":         "OAuth",
	"privatetoken":  "PrivateToken",
	"scram-sha-1":   "SCRAM-SHA-1",
	"scram-sha-256": "SCRAM-SHA-256",
	"vapid":         "vapid",
}

// schemeName returns the usual spelling of an http scheme; schemes are case-insensitive (RFC 9110 section 11.1).
func schemeName(scheme string) string {
	return cmp.Or(schemeNames[scheme], strings.ToUpper(scheme[:1])+scheme[1:])
}

// quote returns a quoted-string (RFC 9110 section 5.6.4) in ASCII.
func quote(s string) string {
	ascii := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
	return `"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(ascii) + `"`
}

func (n need) same(o need) bool {
	return n.want == o.want && n.in == o.in &&
		(n.name == o.name || n.in == exchange.InHeader && strings.EqualFold(n.name, o.name))
}

// check returns why a request does not meet the need, "" if it does.
func (n *need) check(req *exchange.Request) string {
	if n.isCertificate && req.ClientCertificate {
		return ""
	}
	value, count := n.value(req)
	scheme, rest, _ := strings.Cut(value, " ")
	rest = strings.TrimLeft(rest, " ")
	switch {
	case count > 1 && strings.EqualFold(n.name, authorization):
		return "sent more than once"
	case value == "":
		return missing
	case n.scheme == "":
		return ""
	case !strings.EqualFold(scheme, n.scheme):
		return "credentials of another scheme"
	case rest == "":
		return "nothing behind the scheme"
	case n.form.isValid != nil && !n.form.isValid(rest):
		return n.form.malformed
	}
	return ""
}

// value returns the request's value in the place of the need, and the number of fields.
func (n *need) value(req *exchange.Request) (value string, count int) {
	switch n.in {
	case exchange.InRequest:
		return "", 0
	case exchange.InQuery:
		return queryValue(req.Query, n.name), 0
	case exchange.InCookie:
		return cookieValue(req.Header, n.name), 0
	}
	return field(req.Header, n.name)
}

// field returns the first non-empty value of a header field, without surrounding white space, and the number of
// fields.
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

// queryValue returns the first non-empty value of a query parameter.
func queryValue(query, name string) string {
	for pair := range strings.SplitSeq(query, "&") {
		if key, value, _ := strings.Cut(pair, "="); value != "" && isNamed(key, name) {
			return value
		}
	}
	return ""
}

// isNamed compares a name as sent in a query with a name in the document.
func isNamed(sent, name string) bool {
	return decoded(sent) == name
}

// cookieValue returns the first non-empty value of a cookie. A request may have more than one Cookie field (RFC 9113
// section 8.2.3).
func cookieValue(h exchange.Header, name string) string {
	for i := range h {
		if !strings.EqualFold(h[i].Name, "Cookie") {
			continue
		}
		for pair := range strings.SplitSeq(h[i].Value, ";") {
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
	var space [192]byte
	decoded, err := base64.StdEncoding.AppendDecode(space[:0], []byte(s))
	isControl := func(r rune) bool { return r < ' ' || r == 0x7f }
	return err == nil && bytes.IndexByte(decoded, ':') >= 0 && !bytes.ContainsFunc(decoded, isControl)
}
