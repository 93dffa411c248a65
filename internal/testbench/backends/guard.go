package backends

import (
	"encoding/base64"
	"net/http"
	"strings"
)

// The credentials that the services know.
const (
	staffToken   = "staff-9f2c71d0"
	readerToken  = "reader-5b8e03aa"
	expiredToken = "staff-expired-2019"
	apiKey       = "key-41d8a6e7"
	userName     = "auditor"
	password     = "open-sesame"
)

// guard is what an operation asks for.
type guard uint8

const (
	public   guard = iota
	bearer         // a token
	staff          // a token of the staff
	keyed          // an API key
	either         // a token or an API key
	both           // a token of the staff and an API key
	audited        // a user name and a password
	cookied        // an API key in a cookie
	keyQuery       // an API key in the query
)

// authenticate answers 401 or 403, or lets the request pass. The lapses are
// OPERATION-without-credentials and those named below.
func (c *call) authenticate() bool {
	passed, challenge := true, ""
	header := c.r.Header
	nothing := header.Get("Authorization") == "" && header.Get("X-Api-Key") == "" &&
		len(c.r.Cookies()) == 0 && c.r.URL.Query().Get("key") == ""
	switch c.operation.guard {
	case public:
		return true
	case bearer, staff:
		passed, challenge = c.token(), `Bearer realm="library"`
	case keyed:
		passed, challenge = c.key(), `ApiKey realm="library"`
	case either:
		passed, challenge = c.token() || c.key(), `Bearer realm="library"`
	case both:
		passed = c.token()
		passed, challenge = c.key() && passed, `Bearer realm="library"`
	case audited:
		passed, challenge = basic(c), `Basic realm="library"`
	case cookied:
		passed, challenge = cookie(c), `Cookie realm="kiosk"`
	case keyQuery:
		passed, challenge = keyInQuery(c), `ApiKey realm="kiosk"`
	}
	if !passed && nothing && c.has("without-credentials") {
		c.role = "staff"
		return true
	}
	if !passed {
		c.refuse(http.StatusUnauthorized, "credentials are missing or wrong")
		c.set("WWW-Authenticate", challenge)
		return false
	}
	needsStaff := c.operation.guard == staff || c.operation.guard == both
	if needsStaff && c.role == "reader" && !c.has("by-reader") {
		c.refuse(http.StatusForbidden, "only the staff may do that")
		return false
	}
	return true
}

func (c *call) token() bool {
	header := c.r.Header.Get("Authorization")
	if header == "" {
		return c.has("without-token")
	}
	scheme, token, _ := strings.Cut(header, " ")
	token = strings.TrimSpace(token)
	rightScheme := strings.EqualFold(scheme, "Bearer")
	switch {
	case token == "":
		return c.has("with-empty-token")
	case !rightScheme && !c.has("with-wrong-scheme"):
		return false
	case token == staffToken:
		c.role = "staff"
	case token == readerToken:
		c.role = "reader"
	case token == expiredToken:
		return c.has("with-expired-token")
	case strings.HasPrefix(staffToken, token) && c.has("with-token-prefix"):
		return true
	case !rightScheme:
		return c.has("with-wrong-scheme")
	default:
		return c.has("with-wrong-token")
	}
	return true
}

func (c *call) key() bool {
	values, sent := c.r.Header["X-Api-Key"]
	switch {
	case !sent && c.r.URL.Query().Get("api_key") == apiKey && c.has("with-key-in-query"):
		return true
	case !sent:
		return c.has("without-key")
	case values[0] == "":
		return c.has("with-empty-key")
	case strings.EqualFold(values[0], apiKey) && c.has("with-key-in-capitals"):
		return true
	case values[0] != apiKey:
		return c.has("with-wrong-key")
	}
	return true
}

func basic(c *call) bool {
	header := c.r.Header.Get("Authorization")
	if header == "" {
		return c.has("without-password")
	}
	scheme, coded, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Basic") {
		return c.has("with-wrong-scheme")
	}
	plain, err := base64.StdEncoding.DecodeString(strings.TrimSpace(coded))
	if err != nil {
		return c.has("with-garbled-password")
	}
	user, word, _ := strings.Cut(string(plain), ":")
	switch {
	case user == userName && word == password:
		return true
	case user == userName && word == "":
		return c.has("with-empty-password")
	case user == userName:
		return c.has("with-wrong-password")
	}
	return c.has("with-wrong-user")
}

func cookie(c *call) bool {
	cookie, err := c.r.Cookie("session")
	switch {
	case err != nil:
		return c.has("without-cookie")
	case cookie.Value == "":
		return c.has("with-empty-cookie")
	case cookie.Value != apiKey:
		return c.has("with-wrong-cookie")
	}
	return true
}

func keyInQuery(c *call) bool {
	query := c.r.URL.Query()
	switch {
	case !query.Has("key"):
		return c.has("without-key")
	case query.Get("key") == "":
		return c.has("with-empty-key")
	case query.Get("key") != apiKey:
		return c.has("with-wrong-key")
	}
	return true
}
