package decode

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// codeJWT is the code of findings on JSON Web Tokens (RFC 7519).
const codeJWT = "malformed-jwt"

func (m *mediaType) isJWT() bool { return (&spec.MediaType{Type: m.kind, Subtype: m.subtype}).IsJWT() }

// claims reports whether a schema describes the claims of a token rather than its text.
func (s shape) claims() bool { return s.names(schema.Object) && !s.has(schema.String) }

// decodeJWT returns the claims of a signed token in compact form (RFC 7515 section 7.1). It does not verify the
// signature: a mock has no keys.
func decodeJWT(text string) (any, *fault) {
	malformed := func(message string) (any, *fault) { return nil, &fault{code: codeJWT, message: message} }
	parts := strings.Split(strings.TrimSpace(text), ".")
	switch {
	case len(parts) == 5:
		return malformed("the token is encrypted (RFC 7516), so its claims cannot be read")
	case len(parts) != 3:
		return malformed("a token has three parts with dots between them: header, claims and signature (RFC 7515)")
	}
	var claims any
	for i, name := range []string{"header", "claims"} {
		decoded, err := base64.RawURLEncoding.Strict().DecodeString(parts[i])
		if err != nil {
			return malformed("the token's " + name + ": not base64url without padding (RFC 7515 section 2)")
		}
		value, wrong := decodeJSON(string(decoded))
		if _, isObject := value.(map[string]any); wrong == nil && !isObject {
			return malformed("the token's " + name + ": no JSON object (RFC 7519 section 7.2)")
		}
		if wrong != nil {
			wrong.message = "the token's " + name + ": " + wrong.message
			return nil, wrong
		}
		claims = value
	}
	return claims, nil
}

// jwtKey signs tokens, so that clients can verify them.
const jwtKey = "coldframe"

// encodeJWT returns a token with claims, signed with HMAC SHA-256.
func encodeJWT(subtype string, claims any) []byte {
	kind := "JWT"
	if subtype != "jwt" { // RFC 8725 section 3.11
		kind = subtype
	}
	token := base64.RawURLEncoding.AppendEncode(nil, jsontext.Append(nil, map[string]any{"alg": "HS256", "typ": kind}))
	token = base64.RawURLEncoding.AppendEncode(append(token, '.'), jsontext.Append(nil, claims))
	signature := hmac.New(sha256.New, []byte(jwtKey))
	signature.Write(token)
	return base64.RawURLEncoding.AppendEncode(append(token, '.'), signature.Sum(nil))
}
