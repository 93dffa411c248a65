package auth

import (
	"strings"
)

// schemeNames is how the registry writes the schemes, where that is not with
// one capital first (IANA, HTTP Authentication Scheme Registry).
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

// schemeName gives an http scheme as it is usually written; schemes are
// case-insensitive (RFC 9110 section 11.1).
func schemeName(scheme string) string {
	if name, ok := schemeNames[scheme]; ok || scheme == "" {
		return name
	}
	return strings.ToUpper(scheme[:1]) + scheme[1:]
}

// challenge gives what WWW-Authenticate says about the need; "" where there is
// no challenge.
//
// Bearer stands alone: a realm is optional (RFC 6750 section 3). Basic needs a
// realm (RFC 7617 section 2), Digest a nonce as well (RFC 7616 section 3.3),
// which is constant because no answer to it is verified. Nothing is registered
// for keys, so theirs is made of OpenAPI's words: ApiKey in="header",
// name="X-Key".
func (n *need) challenge() string {
	realm := ` realm=` + quote(n.key)
	switch {
	case n.kind == bearer:
		return "Bearer"
	case n.kind == basic:
		return "Basic" + realm
	case n.kind == apiKey:
		return "ApiKey in=" + quote(n.in) + ", name=" + quote(n.name)
	case n.kind != other || !isSchemeToken(n.scheme):
		return ""
	case n.scheme == "digest":
		return "Digest" + realm + `, qop="auth", nonce="coldframe"`
	}
	return schemeName(n.scheme) + realm
}

// isSchemeToken reports whether s is a token (RFC 9110 section 5.6.2).
func isSchemeToken(s string) bool {
	for i := 0; i < len(s); i++ {
		isAlphanumeric := s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' || s[i] >= '0' && s[i] <= '9'
		if !isAlphanumeric && strings.IndexByte("!#$%&'*+-.^_`|~", s[i]) < 0 {
			return false
		}
	}
	return s != ""
}

// quote gives a quoted-string (RFC 9110 section 5.6.4) in ASCII.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c < ' ' || c > '~':
			b.WriteByte('?')
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
