package issuer

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/mock/internal/httpserver"
)

type grant struct {
	kind   string // grant_type
	source string
	issue  func(*call) (*login, *httpserver.Answer)
	again  bool // the response has a refresh token
}

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

// grants are the grant types of the token endpoint.
var grants []grant

func init() {
	grants = []grant{ // the metadata lists them
		{"authorization_code", "RFC 6749 section 4.1.3", (*call).byCode, true},
		{"refresh_token", "RFC 6749 section 6", (*call).byRefresh, true},
		{"client_credentials", "RFC 6749 section 4.4", (*call).byClient, false},
		{deviceGrant, "RFC 8628 section 3.4", (*call).byDevice, true},
		{"password", "RFC 6749 section 4.3, where the document has the flow", (*call).byPassword, true},
	}
}

func (c *call) token() httpserver.Answer {
	if refused := c.refuseClient(); refused != nil {
		return *refused
	}
	kind := c.value("grant_type")
	at := slices.IndexFunc(grants, func(g grant) bool { return g.kind == kind })
	if at < 0 {
		return *c.problem(400, "unsupported_grant_type", "the issuer has no such grant")
	}
	l, refused := grants[at].issue(c)
	if refused != nil {
		return *refused
	}
	answer := map[string]any{
		"token_type": "Bearer", "expires_in": int(c.issuer.options.TTL.Seconds()), "scope": strings.Join(l.scopes, " "),
	}
	access, err := c.issuer.access(c.Request, l)
	if answer["access_token"] = access; err == nil && l.openID && grants[at].again {
		answer["id_token"], err = c.issuer.signer.sign(idTokenType, c.issuer.idClaims(c.Request, access, l))
	}
	switch {
	case errors.Is(err, errTooLarge):
		return *c.problem(400, "invalid_request", tooLarge)
	case err != nil:
		return *c.problem(500, "server_error", "the token cannot be signed")
	}
	if grants[at].again {
		text := random()
		c.issuer.refresh.put(text, *l, l.bytes())
		answer["refresh_token"] = text
	}
	return c.json(200, answer)
}

func (c *call) invalid(detail string) *httpserver.Answer {
	return c.problem(400, "invalid_grant", detail)
}

// byCode redeems an authorization code, once, with the verifier of its challenge (RFC 7636 section 4.6).
func (c *call) byCode() (*login, *httpserver.Answer) {
	text := c.value("code")
	granted, known := c.issuer.codes.take(text)
	id, _ := c.client()
	sum := sha256.Sum256([]byte(c.value("code_verifier")))
	switch {
	case !known:
		if session, used := c.issuer.used.get(text); used {
			c.issuer.end(session) // RFC 6749 section 4.1.2
		}
		return nil, c.invalid("the code is unknown, or was used")
	case !c.issuer.options.Clock(c.Request).Before(granted.expires):
		return nil, c.invalid("the code expired")
	case granted.client != id:
		return nil, c.invalid("the code is of another client")
	case granted.redirect != c.value("redirect_uri"):
		return nil, c.invalid("redirect_uri differs from the authorization request's")
	case granted.challenge != "" && !isVerifier(c.value("code_verifier")):
		return nil, c.invalid("code_verifier has 43 to 128 letters, digits and characters of -._~")
	case granted.challenge != "" && !same(base64url(sum[:]), granted.challenge),
		granted.challenge == "" && c.value("code_verifier") != "":
		return nil, c.invalid("code_verifier does not match the code challenge")
	}
	c.issuer.used.put(text, granted.session, len(granted.session))
	return &granted.login, nil
}

// isVerifier reports whether a text has the form of a code verifier (RFC 7636 section 4.1).
func isVerifier(text string) bool {
	other := func(r rune) bool {
		return !('a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || strings.ContainsRune("-._~", r))
	}
	return len(text) >= 43 && len(text) <= 128 && !strings.ContainsFunc(text, other)
}

// isChallenge reports whether a text has the form of a challenge with the method S256 (RFC 7636 section 4.2).
func isChallenge(text string) bool {
	digest, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return err == nil && len(digest) == sha256.Size && len(text) == base64.RawURLEncoding.EncodedLen(sha256.Size)
}

// byRefresh redeems a refresh token, once. A second use ends the login (RFC 9700 section 4.14.2).
func (c *call) byRefresh() (*login, *httpserver.Answer) {
	text := c.value("refresh_token")
	l, known := c.issuer.refresh.take(text)
	if !known {
		if session, used := c.issuer.used.get(text); used {
			c.issuer.end(session)
		}
		return nil, c.invalid("the refresh token is unknown, or was used")
	}
	id, _ := c.client()
	switch {
	case c.issuer.hasEnded(l.session):
		return nil, c.invalid("the refresh token was revoked")
	case l.client != id:
		return nil, c.invalid("the refresh token is of another client")
	}
	c.issuer.used.put(text, l.session, len(l.session))
	l.nonce = "" // OpenID Connect Core section 12.2
	if asked := strings.Fields(c.value("scope")); len(asked) > 0 {
		more := func(scope string) bool { return !slices.Contains(l.scopes, scope) }
		if slices.ContainsFunc(asked, more) {
			return nil, c.problem(400, "invalid_scope", "the scope is more than was granted")
		}
		l.scopes = asked
	}
	return &l, nil
}

func (c *call) byClient() (*login, *httpserver.Answer) {
	id, secret := c.client()
	if secret == "" {
		return nil, c.problem(401, "invalid_client", "the client needs a secret; any is good")
	}
	l := c.login(id)
	return &l, nil
}

func (c *call) byPassword() (*login, *httpserver.Answer) {
	user := c.value("username")
	switch {
	case !c.document.password:
		return nil, c.problem(400, "unsupported_grant_type", "the document has no flow of passwords")
	case user == "" || len(user) > maxUser || c.value("password") == "":
		return nil, c.problem(400, "invalid_request", "username or password is missing, or too long")
	}
	l := c.login(user)
	return &l, nil
}
