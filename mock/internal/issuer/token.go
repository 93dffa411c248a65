package issuer

import (
	"crypto/rand"
	"crypto/sha256"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/mock/internal/httpserver"
)

type grant struct {
	kind   string // grant_type
	source string
	issue  func(*call) (*login, *httpserver.Answer)
	again  bool // with a refresh token
}

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

// grants are all that the token endpoint takes.
var grants []grant

func init() {
	grants = []grant{ // which metadata lists
		{"authorization_code", "RFC 6749 section 4.1.3", (*call).byCode, true},
		{"refresh_token", "RFC 6749 section 6", (*call).byRefresh, true},
		{"client_credentials", "RFC 6749 section 4.4", (*call).byClient, false},
		{deviceGrant, "RFC 8628 section 3.4", (*call).byDevice, true},
		{"password", "RFC 6749 section 4.3, where the document has the flow", (*call).byPassword, true},
	}
}

func (c *call) token() httpserver.Answer {
	if id, _ := c.client(); id == "" || len(id) > maxClient {
		return *c.problem(401, "invalid_client", "client_id is missing, or too long")
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
	var err error
	if answer["access_token"], err = c.issuer.access(c.url, l); err == nil && l.openID && grants[at].again {
		answer["id_token"], err = c.issuer.idToken(c.url, l)
	}
	if err != nil {
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

// byCode takes an authorization code, once, with the verifier of its challenge (RFC 7636 section 4.6).
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
	case !c.issuer.options.Clock().Before(granted.expires):
		return nil, c.invalid("the code expired")
	case granted.client != id:
		return nil, c.invalid("the code is of another client")
	case granted.redirect != c.value("redirect_uri"):
		return nil, c.invalid("redirect_uri is not that of the authorization request")
	case granted.challenge != "" && !same(base64url(sum[:]), granted.challenge),
		granted.challenge == "" && c.value("code_verifier") != "":
		return nil, c.invalid("code_verifier is not that of the code challenge")
	}
	c.issuer.used.put(text, granted.session, len(granted.session))
	return &granted.login, nil
}

// byRefresh takes a refresh token, once. One that was used ends the login (RFC 9700 section 4.14.2).
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
	_, ended := c.issuer.ended.get(l.session)
	switch {
	case ended:
		return nil, c.invalid("the refresh token was revoked")
	case l.client != id:
		return nil, c.invalid("the refresh token is of another client")
	}
	c.issuer.used.put(text, l.session, len(l.session))
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

// device is an authorization of a device (RFC 8628).
type device struct {
	login
	approved bool
	expires  time.Time
}

const (
	deviceTTL      = 10 * time.Minute
	deviceInterval = 1 // second between questions
)

func (c *call) deviceAuthorization() httpserver.Answer {
	id, _ := c.client()
	if id == "" || len(id) > maxClient {
		return *c.problem(401, "invalid_client", "client_id is missing, or too long")
	}
	deviceCode, userCode := random(), userCode()
	l := c.login("")
	c.issuer.devices.put(deviceCode, device{login: l, expires: c.issuer.options.Clock().Add(deviceTTL)}, l.bytes()+maxUser)
	c.issuer.users.put(userCode, deviceCode, len(deviceCode))
	return c.json(200, map[string]any{
		"device_code": deviceCode, "user_code": userCode, "verification_uri": c.url + "/device",
		"verification_uri_complete": c.url + "/device?user_code=" + userCode,
		"expires_in":                int(deviceTTL.Seconds()), "interval": deviceInterval,
	})
}

// userCode gives eight letters that are told apart easily (RFC 8628 section 6.1).
func userCode() string {
	const letters = "BCDFGHJKLMNPQRSTVWXZ"
	text := make([]byte, 8)
	rand.Read(text)
	for i, b := range text {
		text[i] = letters[int(b)%len(letters)]
	}
	return string(text[:4]) + "-" + string(text[4:])
}

// device is the page on which a person lets a device in.
func (c *call) device() httpserver.Answer {
	user, given := c.value("user"), strings.ToUpper(strings.TrimSpace(c.value("user_code")))
	if c.Method != "POST" || user == "" || given == "" {
		return c.choose("Let a device in", c.url+"/device", "")
	}
	deviceCode, known := c.issuer.users.get(given)
	d, waits := c.issuer.devices.get(deviceCode)
	if !known || !waits || d.approved || len(user) > maxUser || !c.issuer.options.Clock().Before(d.expires) {
		return *text(400, "the code is unknown, used or expired")
	}
	c.issuer.users.take(given)
	d.user, d.approved = user, true
	c.issuer.devices.put(deviceCode, d, d.bytes())
	return *text(200, "the device is in; this page can be closed")
}

func (c *call) byDevice() (*login, *httpserver.Answer) {
	deviceCode := c.value("device_code")
	d, known := c.issuer.devices.get(deviceCode)
	id, _ := c.client()
	switch {
	case !known || d.client != id:
		return nil, c.invalid("the device code is unknown, used, or of another client")
	case !c.issuer.options.Clock().Before(d.expires):
		return nil, c.problem(400, "expired_token", "the device code expired")
	case !d.approved:
		return nil, c.problem(400, "authorization_pending", "nobody has let the device in yet")
	}
	if _, taken := c.issuer.devices.take(deviceCode); !taken {
		return nil, c.invalid("the device code was used")
	}
	return &d.login, nil
}
