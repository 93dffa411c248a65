package issuer

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/mock/internal/httpserver"
)

// code has the data of an authorization code.
type code struct {
	login
	redirect, challenge string
	expires             time.Time
}

const (
	codeTTL   = time.Minute // RFC 6749 section 4.1.2 recommends at most ten
	maxUser   = 200         // limit of a user's name, in bytes
	maxClient = 200
)

// authorize is the authorization endpoint (RFC 6749 section 4.1, RFC 7636, OpenID Connect Core section 3.1.2).
func (c *call) authorize() httpserver.Answer {
	if c.value("client_id") == "" || len(c.value("client_id")) > maxClient {
		return *text(400, "client_id is missing, or too long")
	}
	if !c.issuer.allowed(c.value("redirect_uri")) {
		return *text(400, "redirect_uri must be of this machine or of an allowed host; the options redirect-uri and "+
			"allowed-host allow others")
	}
	chosen := c.Method == "POST" && (c.value("user") != "" || c.value("deny") != "") // sent by the page
	if chosen && c.crossesOrigin() {
		return *text(403, otherOrigin)
	}
	if code, detail := c.unsupported(); code != "" {
		return c.redirectError(code, detail)
	}
	l := c.login(c.value("user"))
	silent := slices.Contains(strings.Fields(c.value("prompt")), "none")
	switch {
	case c.Method == "POST" && c.value("deny") != "":
		return c.redirectError("access_denied", "the person refused")
	case silent && !c.remembered(&l):
		return c.redirectError("login_required",
			"prompt=none needs a login in this browser, an id_token_hint, or a login_hint, which names the user")
	case !silent && (c.Method != "POST" || l.user == ""):
		return c.choose("Log in", c.url+"/authorize")
	case len(l.user) > maxUser:
		return c.redirectError("invalid_request", "the name of the user is too long")
	case !c.issuer.fits(c.Request, &l):
		return c.redirectError("invalid_request", tooLarge)
	}
	granted := code{l, c.value("redirect_uri"), c.value("code_challenge"), c.issuer.options.Clock(c.Request).Add(codeTTL)}
	text := random()
	c.issuer.codes.put(text, granted, l.bytes()+len(granted.redirect)+len(granted.challenge))
	a := c.redirect(c.mode(), url.Values{"code": {text}})
	if !silent {
		c.remember(&a, &l)
	}
	return a
}

// otherOrigin is the message for forms that did not come from the issuer's own pages. Otherwise a site could log a
// browser in as any user.
const otherOrigin = "this form is sent by the issuer's own page; open it with the authorization request alone"

// unsupported returns the error for an unsupported request.
func (c *call) unsupported() (code, detail string) {
	prompts, challenge := strings.Fields(c.value("prompt")), c.value("code_challenge")
	switch {
	case c.value("response_type") == "":
		return "invalid_request", "response_type is missing"
	case c.value("response_type") != "code":
		return "unsupported_response_type", "the response type is code"
	case c.mode() == nil:
		return "invalid_request", "the response modes are query, fragment and form_post"
	case c.value("request") != "":
		return "request_not_supported", "parameters are sent as they are"
	case c.value("request_uri") != "":
		return "request_uri_not_supported", "parameters are sent as they are"
	case challenge != "" && (c.value("code_challenge_method") != "S256" || !isChallenge(challenge)):
		return "invalid_request", "the code challenge is one of S256"
	case len(prompts) > 1 && slices.Contains(prompts, "none"):
		return "invalid_request", "prompt=none excludes others"
	}
	return "", ""
}

// cookieName is the name of the cookie that keeps a browser logged in.
const cookieName = "coldframe-issuer"

// remember keeps the browser logged in, for prompt=none.
func (c *call) remember(a *httpserver.Answer, l *login) {
	text := random()
	c.issuer.browsers.put(text, *l, l.bytes())
	c.setCookie(a, &http.Cookie{Value: text})
}

func (c *call) setCookie(a *httpserver.Answer, cookie *http.Cookie) {
	cookie.Name, cookie.Path, cookie.HttpOnly, cookie.SameSite = cookieName, "/", true, http.SameSiteLaxMode
	cookie.Secure = strings.HasPrefix(c.url, "https:")
	a.Header.Set("Set-Cookie", cookie.String())
}

// cookie returns the value of the browser's cookie.
func (c *call) cookie() string {
	sent, _ := http.ParseCookie(strings.Join(c.Header.Values("Cookie"), "; "))
	for _, one := range sent {
		if one.Name == cookieName {
			return one.Value
		}
	}
	return ""
}

// remembered completes a login without a page: for the user in login_hint, else in id_token_hint, else for the user
// who last logged in with this browser, at most max_age seconds ago (OpenID Connect Core section 3.1.2.1).
func (c *call) remembered(l *login) bool {
	if l.user = c.value("login_hint"); l.user != "" {
		return true
	}
	before, known := c.issuer.browsers.get(c.cookie())
	if hint := c.value("id_token_hint"); hint != "" {
		claims, err := c.issuer.signer.verify(hint, idTokenType)
		before, known = login{user: claims.Subject, session: claims.Session, at: claims.AuthTime}, err == nil
	}
	most, err := strconv.ParseInt(cmp.Or(c.value("max_age"), "-"), 10, 64)
	if !known || c.issuer.hasEnded(before.session) || err == nil && l.at-before.at > most {
		return false
	}
	l.user, l.at, l.session = before.user, before.at, before.session // a logout ends both together
	return true
}

// login returns the login that a request asks for, for a user. Without a scope it has all scopes of the document.
func (c *call) login(user string) login {
	client, _ := c.client()
	l := login{
		user: user, client: client, session: random(), nonce: c.value("nonce"), audience: c.values["resource"], // RFC 8707
		at: c.issuer.options.Clock(c.Request).Unix(),
	}
	if len(l.audience) == 0 {
		l.audience = c.values["audience"]
	}
	asked := strings.Fields(c.value("scope"))
	l.openID = slices.Contains(asked, "openid")
	if len(asked) == 0 {
		asked = c.document.scopes
	}
	for _, scope := range asked {
		standard := slices.Contains(standardScopes, scope)
		if standard || len(c.document.scopes) == 0 || slices.Contains(c.document.scopes, scope) {
			l.scopes = append(l.scopes, scope)
		}
	}
	return l
}

// standardScopes are the scopes of OpenID Connect Core sections 5.4 and 11.
var standardScopes = []string{"openid", "profile", "email", "offline_access"}

// logout ends the login of an ID token, and the login of the browser (OpenID Connect RP-Initiated Logout section 2).
// It asks the person first if these differ, or if there is no ID token, because any site can send a browser here.
func (c *call) logout() httpserver.Answer {
	to, crosses := c.value("post_logout_redirect_uri"), c.crossesOrigin()
	if to != "" && !c.issuer.allowed(to) {
		return *text(400, "post_logout_redirect_uri must be of this machine or of an allowed host")
	}
	if mode, _ := c.Header.Get("Sec-Fetch-Mode"); crosses && mode != "" && mode != "navigate" {
		return *text(403, "a page of another origin logs out by going here, not by fetching this")
	}
	if claims, err := c.issuer.signer.verify(c.value("id_token_hint"), idTokenType); err == nil {
		c.issuer.end(claims.Session)
	}
	confirmed := c.Method == "POST" && c.value("confirm") != "" && !crosses
	if l, known := c.issuer.browsers.get(c.cookie()); known && !c.issuer.hasEnded(l.session) && !confirmed {
		return html(leaving, map[string]string{
			"Action": c.url + "/logout", "User": l.user, "To": to, "State": c.value("state"),
		})
	}
	if l, known := c.issuer.browsers.take(c.cookie()); known {
		c.issuer.end(l.session)
	}
	a := *text(200, "logged out")
	if to != "" {
		a = located(to)
		if state := c.value("state"); state != "" {
			a = modes[0].answer(to, url.Values{"state": {state}})
		}
	}
	if c.cookie() != "" {
		c.setCookie(&a, &http.Cookie{MaxAge: -1})
	}
	return a
}
