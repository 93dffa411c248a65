package issuer

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/mock/internal/httpserver"
)

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" // RFC 7523 section 2.2

// The client authentication methods (OpenID Connect Core section 9), and the algorithms of assertions.
var (
	clientMethods = strings.Fields("client_secret_basic client_secret_post private_key_jwt client_secret_jwt")
	assertionAlgs = strings.Fields("RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519 HS256 HS384 HS512")
)

// client returns the id and the secret of the client (RFC 6749 section 2.3.1); all are accepted. An assertion counts
// as a secret: its signature is not checked, because clients register no keys.
func (c *call) client() (id, secret string) {
	field, _ := c.Header.Get("Authorization")
	if scheme, given, ok := strings.Cut(field, " "); ok && strings.EqualFold(scheme, "basic") {
		if user, password, ok := decodeBasic(given); ok {
			return user, password
		}
	}
	if c.value("client_assertion_type") == assertionType {
		if id, problem := c.assertion(); problem == "" {
			return id, c.value("client_assertion")
		}
		return "", ""
	}
	return c.value("client_id"), c.value("client_secret")
}

// assertion returns the client in the JWT client_assertion, and the problem with it, if any (RFC 7523 section 3).
func (c *call) assertion() (id, problem string) {
	var h header
	var claims Claims
	parts := strings.Split(c.value("client_assertion"), ".")
	if len(parts) != 3 {
		return "", "client_assertion is no JWT"
	}
	for n, to := range []any{&h, &claims} {
		text, err := base64.RawURLEncoding.DecodeString(parts[n])
		if err != nil || json.Unmarshal(text, to) != nil {
			return "", "client_assertion is no JWT"
		}
	}
	isThis := func(audience string) bool { return audience == c.url || strings.HasPrefix(audience, c.url+"/") }
	switch sent := c.value("client_id"); {
	case !slices.Contains(assertionAlgs, h.Algorithm):
		return "", "client_assertion is not signed"
	case claims.Subject == "" || claims.Issuer != claims.Subject || sent != "" && sent != claims.Subject:
		return "", "iss and sub of client_assertion are not both the client_id"
	case !slices.ContainsFunc(claims.Audience, isThis):
		return "", "aud of client_assertion is not " + c.url
	case claims.Expires <= c.issuer.options.Elapsed().Unix():
		return "", "client_assertion expired, or has no exp"
	}
	return claims.Subject, ""
}

// refuseClient refuses a request from an unknown client.
func (c *call) refuseClient() *httpserver.Answer {
	switch id, _ := c.client(); {
	case id != "" && len(id) <= maxClient:
		return nil
	case id == "" && c.value("client_assertion_type") == assertionType:
		_, problem := c.assertion()
		return c.problem(401, "invalid_client", problem)
	}
	return c.problem(401, "invalid_client", "client_id is missing, or too long")
}

func decodeBasic(text string) (user, password string, ok bool) {
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil {
		return "", "", false
	}
	user, password, ok = strings.Cut(string(decoded), ":")
	user, errUser := url.QueryUnescape(user)
	password, errPassword := url.QueryUnescape(password)
	return user, password, ok && errUser == nil && errPassword == nil
}
