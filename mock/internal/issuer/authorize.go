package issuer

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
)

// code is what an authorization code stands for.
type code struct {
	login
	redirect, challenge string
	expires             time.Time
}

const (
	codeTTL   = time.Minute // RFC 6749 section 4.1.2 recommends at most ten
	maxUser   = 200         // bytes of the name of a user
	maxClient = 200
)

// authorize is the authorization endpoint (RFC 6749 section 4.1, RFC 7636, OpenID Connect Core section 3.1.2).
func (c *call) authorize() httpserver.Answer {
	redirect := c.value("redirect_uri")
	switch {
	case c.value("client_id") == "" || len(c.value("client_id")) > maxClient:
		return *text(400, "client_id is missing, or too long")
	case !c.issuer.allowed(redirect):
		return *text(400, "redirect_uri must be of this machine or of an allowed host; the options redirect-uri and "+
			"allowed-host allow others")
	case c.value("response_type") != "code":
		return c.redirectError("unsupported_response_type", "the response type is code")
	case c.value("code_challenge") != "" && c.value("code_challenge_method") != "S256",
		c.value("code_challenge") != "" && len(c.value("code_challenge")) != 43: // 256 bits
		return c.redirectError("invalid_request", "the code challenge is one of S256")
	}
	user := c.value("user")
	prompts := strings.Fields(c.value("prompt"))
	if silent := slices.Contains(prompts, "none"); silent {
		user = c.value("login_hint")
		if user == "" {
			return c.redirectError("login_required", "prompt=none needs a login_hint, which names the user")
		}
	} else if c.Method != "POST" || user == "" {
		return c.choose("Log in", c.url+"/authorize", redirect)
	}
	if len(user) > maxUser {
		return c.redirectError("invalid_request", "the name of the user is too long")
	}
	l := c.login(user)
	granted := code{l, redirect, c.value("code_challenge"), c.issuer.options.Clock().Add(codeTTL)}
	text := random()
	c.issuer.codes.put(text, granted, l.bytes()+len(redirect)+len(granted.challenge))
	return c.redirect(redirect, url.Values{"code": {text}, "iss": {c.url}})
}

// login gives what a request asks for, for a user. Without a scope it asks for all that the document has.
func (c *call) login(user string) login {
	client, _ := c.client()
	l := login{user: user, client: client, session: random(), nonce: c.value("nonce"), audience: c.value("audience")}
	if resource := c.value("resource"); resource != "" { // RFC 8707 section 2
		l.audience = resource
	}
	asked := strings.Fields(c.value("scope"))
	l.openID = slices.Contains(asked, "openid")
	if len(asked) == 0 {
		asked = c.document.scopes
	}
	for _, scope := range asked {
		standard := slices.Contains([]string{"openid", "profile", "email", "address", "phone", "offline_access"}, scope)
		if standard || len(c.document.scopes) == 0 || slices.Contains(c.document.scopes, scope) {
			l.scopes = append(l.scopes, scope)
		}
	}
	return l
}

func (c *call) redirect(to string, with url.Values) httpserver.Answer {
	if state := c.value("state"); state != "" {
		with.Set("state", state)
	}
	separator := "?"
	if strings.Contains(to, "?") {
		separator = "&"
	}
	return httpserver.Answer{Response: &exchange.Response{Status: 302, Header: exchange.Header{
		{Name: "Location", Value: to + separator + with.Encode()}, {Name: "Cache-Control", Value: "no-store"},
	}}}
}

func (c *call) redirectError(code, detail string) httpserver.Answer {
	return c.redirect(c.value("redirect_uri"), url.Values{"error": {code}, "error_description": {detail}, "iss": {c.url}})
}

// The page on which a person chooses a user.
var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string

	page = template.Must(template.New("page").Parse(strings.Replace(pageText, "STYLE", pageStyle, 1)))
)

type pageData struct {
	Title, API, Action, Client, Hint string
	Scopes, Users                    []string
	Fields                           map[string]string
	UserCode                         bool
}

const mostOffered = 20 // users on the page

func (c *call) choose(title, action, redirect string) httpserver.Answer {
	d := pageData{
		Title: title, API: c.document.title, Action: action, Client: c.value("client_id"), Hint: c.value("login_hint"),
		Scopes: strings.Fields(c.value("scope")), Users: c.issuer.options.Users(c.Request, mostOffered),
		Fields: map[string]string{}, UserCode: strings.HasSuffix(action, "/device"),
	}
	for name := range c.values {
		if name != "user" && name != "user_code" {
			d.Fields[name] = c.value(name)
		}
	}
	if d.UserCode {
		d.Hint = c.value("user_code")
	}
	var b bytes.Buffer
	if err := page.Execute(&b, d); err != nil {
		return *text(500, "the page cannot be written")
	}
	target := "'self'"
	if u, err := url.Parse(redirect); err == nil && u.Host != "" {
		target += " " + u.Scheme + "://" + u.Host // to which the form leads on
	}
	sum := sha256.Sum256([]byte(pageStyle))
	return httpserver.Answer{Response: &exchange.Response{Status: 200, Body: b.Bytes(), Header: exchange.Header{
		{Name: "Content-Type", Value: "text/html; charset=utf-8"},
		{Name: "Content-Security-Policy", Value: "default-src 'none'; style-src 'sha256-" +
			base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; frame-ancestors 'none'; form-action " + target},
		{Name: "X-Content-Type-Options", Value: "nosniff"}, {Name: "Referrer-Policy", Value: "no-referrer"},
		{Name: "Cache-Control", Value: "no-store"},
	}}}
}

// logout ends the login of an ID token (OpenID Connect RP-Initiated Logout section 2).
func (c *call) logout() httpserver.Answer {
	if claims, err := c.issuer.signer.verify(c.value("id_token_hint"), idTokenType); err == nil {
		c.issuer.end(claims.Session)
	}
	to := c.value("post_logout_redirect_uri")
	switch {
	case to == "":
		return *text(200, "logged out")
	case !c.issuer.allowed(to):
		return *text(400, "post_logout_redirect_uri must be of this machine or of an allowed host")
	}
	return c.redirect(to, url.Values{})
}
