package mock

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const issuerAPI = `
openapi: 3.1.0
info: {title: Garden, version: "1"}
servers: [{url: https://api.example.com/v1}]
security: [{oauth: [read]}]
paths:
  /me: {get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}}, "401": {description: d}}}}
  /plants:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {type: string}}}}}}}
    post: {security: [{oauth: [read, write]}], responses: {"204": {description: d}, "403": {description: d}}}
  /login:
    post:
      security: []
      requestBody: {content: {application/json: {schema: {type: object, properties: {email: {type: string}, password: {type: string}}}}}}
      responses: {"200": {description: d, content: {application/json: {schema: {type: object, properties: {access_token: {type: string}}}}}}}
components:
  schemas: {User: {type: object, properties: {id: {type: string}, email: {type: string}}}}
  securitySchemes:
    oauth:
      type: oauth2
      flows:
        authorizationCode: {authorizationUrl: https://api.example.com/oauth/authorize, tokenUrl: /oauth/token, scopes: {read: r, write: w}}
        password: {tokenUrl: https://elsewhere.example.com/token, scopes: {}}
`

// issuerClient is a client of the issuer with the address of a redirect that nothing listens on.
type issuerClient struct {
	t      *testing.T
	server *Server
	client http.Client
	passed atomic.Int64 // nanoseconds since the start
}

const (
	callback = "http://127.0.0.1:9/callback"
	verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" // RFC 7636 appendix B
)

func newIssuerClient(t *testing.T, o Options) *issuerClient {
	c := &issuerClient{t: t}
	c.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	began := time.Now()
	o.Text, o.Auth = []byte(issuerAPI), "issuer"
	o.Clock = func() time.Time { return began.Add(time.Duration(c.passed.Load())) }
	c.server = start(t, o)
	return c
}

// do sends a request: a form for POST, a query for GET.
func (c *issuerClient) do(method, path, token string, with url.Values) (*http.Response, map[string]any) {
	c.t.Helper()
	target, body := c.server.URL()+path, ""
	if body = with.Encode(); method == "GET" && body != "" {
		target, body = target+"?"+body, ""
	}
	request, err := http.NewRequest(method, target, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	if method == "POST" && with != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	request.Header.Set("Origin", "http://localhost:5173")
	answer, err := c.client.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	var value map[string]any
	json.Unmarshal(text, &value)
	return answer, value
}

func challenge() string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// code gets a code for a user without a page.
func (c *issuerClient) code(user, scope string) string {
	c.t.Helper()
	answer, _ := c.do("GET", "/__coldframe/issuer/authorize", "", url.Values{
		"client_id": {"app"}, "redirect_uri": {callback}, "response_type": {"code"}, "scope": {scope}, "state": {"s t"},
		"code_challenge": {challenge()}, "code_challenge_method": {"S256"}, "prompt": {"none"}, "login_hint": {user},
		"nonce": {"n"},
	})
	to, err := answer.Location()
	if err != nil || !strings.HasPrefix(to.String(), callback+"?") || to.Query().Get("state") != "s t" ||
		to.Query().Get("iss") != c.server.Info().Issuer {
		c.t.Fatalf("%d %v, %v", answer.StatusCode, to, err)
	}
	return to.Query().Get("code")
}

func (c *issuerClient) token(with url.Values) (int, map[string]any) {
	c.t.Helper()
	answer, tokens := c.do("POST", "/__coldframe/issuer/token", "", with)
	return answer.StatusCode, tokens
}

func byCode(code string) url.Values {
	return url.Values{"grant_type": {"authorization_code"}, "code": {code}, "client_id": {"app"},
		"redirect_uri": {callback}, "code_verifier": {verifier}}
}

func (c *issuerClient) login(user, scope string) map[string]any {
	c.t.Helper()
	status, tokens := c.token(byCode(c.code(user, scope)))
	if status != 200 {
		c.t.Fatalf("%d %v", status, tokens)
	}
	return tokens
}

// TestIssuer logs in as a browser does, and uses what comes of it.
func TestIssuer(t *testing.T) {
	c := newIssuerClient(t, Options{})
	answer, about := c.do("GET", "/__coldframe/issuer/.well-known/openid-configuration", "", nil)
	if about["issuer"] != c.server.Info().Issuer || answer.Header.Get("Access-Control-Allow-Origin") == "" {
		t.Errorf("%v, %v", about, answer.Header)
	}
	_, keys := c.do("GET", "/__coldframe/issuer/jwks", "", nil)
	if list, _ := keys["keys"].([]any); len(list) != 1 {
		t.Errorf("%v", keys)
	}
	tokens := c.login("ada.lovelace@example.com", "openid profile email read")
	access := tokens["access_token"].(string)
	if tokens["token_type"] != "Bearer" || tokens["scope"] != "openid profile email read" || tokens["expires_in"] != 3600.0 {
		t.Errorf("%v", tokens)
	}
	claims := claimsOf(t, tokens)
	sum := sha256.Sum256([]byte(access))
	if claims["aud"] != "app" || claims["nonce"] != "n" || claims["sub"] != "ada.lovelace@example.com" ||
		claims["name"] != "Ada Lovelace" || claims["at_hash"] != base64.RawURLEncoding.EncodeToString(sum[:16]) {
		t.Errorf("%v", claims)
	}
	if answer, me := c.do("GET", "/me", access, nil); answer.StatusCode != 200 || me["email"] != "ada.lovelace@example.com" {
		t.Errorf("%d %v", answer.StatusCode, me)
	}
	if _, user := c.do("GET", "/__coldframe/issuer/userinfo", access, nil); user["email"] != "ada.lovelace@example.com" {
		t.Errorf("%v", user)
	}
	answer, _ = c.do("POST", "/plants", access, nil)
	if got, want := answer.Header.Get("WWW-Authenticate"), `Bearer error="insufficient_scope", scope="write"`; answer.StatusCode != 403 || got != want {
		t.Errorf("without a scope: %d %s", answer.StatusCode, got)
	}
	if answer, _ := c.do("POST", "/plants", c.login("eve", "read write")["access_token"].(string), nil); answer.StatusCode != 204 {
		t.Errorf("with all scopes: %d", answer.StatusCode)
	}
	if answer, _ := c.do("GET", "/__coldframe/issuer/userinfo", c.login("eve", "read")["access_token"].(string), nil); answer.StatusCode != 403 {
		t.Errorf("userinfo without openid: %d", answer.StatusCode)
	}
	if _, user := c.do("GET", "/__coldframe/issuer/userinfo", c.login("eve", "openid")["access_token"].(string), nil); len(user) != 1 {
		t.Errorf("userinfo for openid alone: %v", user)
	}
	// Refresh, which rotates; one that was used ends the login.
	c.passed.Add(int64(time.Second))
	again := url.Values{"grant_type": {"refresh_token"}, "client_id": {"app"}, "refresh_token": {tokens["refresh_token"].(string)}}
	status, refreshed := c.token(again)
	if status != 200 || refreshed["refresh_token"] == tokens["refresh_token"] {
		t.Fatalf("%d %v", status, refreshed)
	}
	if renewed := claimsOf(t, refreshed); renewed["auth_time"] != claims["auth_time"] || renewed["iat"] == claims["iat"] ||
		renewed["nonce"] != nil {
		t.Errorf("%v", renewed)
	}
	if status, refused := c.token(again); status != 400 || refused["error"] != "invalid_grant" {
		t.Errorf("a used refresh token: %d %v", status, refused)
	}
	if answer, _ := c.do("GET", "/me", refreshed["access_token"].(string), nil); answer.StatusCode != 401 {
		t.Errorf("the login goes on after its refresh token was used twice: %d", answer.StatusCode)
	}
}

// TestIssuerRefuses sends what must not get in.
func TestIssuerRefuses(t *testing.T) {
	c := newIssuerClient(t, Options{})
	tokens := c.login("ada", "openid read")
	access := tokens["access_token"].(string)
	parts := strings.Split(access, ".")
	encode := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	claims, _ := base64.RawURLEncoding.DecodeString(parts[1])
	head, _ := base64.RawURLEncoding.DecodeString(parts[0])
	other := newIssuerClient(t, Options{})
	_, elsewhere := c.token(url.Values{"grant_type": {"client_credentials"}, "client_id": {"app"}, "client_secret": {"s"},
		"resource": {"https://other.example.com"}})
	for name, token := range map[string]string{
		"unknown":     "unknown",
		"alg none":    encode(`{"alg":"none","typ":"at+jwt"}`) + "." + parts[1] + ".",
		"alg HS256":   encode(strings.Replace(string(head), "RS256", "HS256", 1)) + "." + parts[1] + "." + parts[2],
		"changed":     parts[0] + "." + encode(strings.Replace(string(claims), `"ada"`, `"eve"`, 1)) + "." + parts[2],
		"cut":         access[:len(access)-8],
		"ID token":    tokens["id_token"].(string),
		"refresh":     tokens["refresh_token"].(string),
		"other key":   other.login("ada", "read")["access_token"].(string),
		"other place": elsewhere["access_token"].(string),
		"long":        strings.Repeat("a", 20_000),
	} {
		answer, _ := c.do("GET", "/me", token, nil)
		if answer.StatusCode != 401 || !strings.Contains(answer.Header.Get("WWW-Authenticate"), `error="invalid_token"`) {
			t.Errorf("%s: %d %v", name, answer.StatusCode, answer.Header["Www-Authenticate"])
		}
	}
	for name, change := range map[string]func(url.Values){
		"no verifier":       func(v url.Values) { v.Del("code_verifier") },
		"wrong verifier":    func(v url.Values) { v.Set("code_verifier", verifier+"x") },
		"other client":      func(v url.Values) { v.Set("client_id", "other") },
		"other redirect":    func(v url.Values) { v.Set("redirect_uri", callback+"/x") },
		"unknown code":      func(v url.Values) { v.Set("code", "unknown") },
		"sent twice":        func(v url.Values) { v.Add("code", "unknown") },
		"unsupported grant": func(v url.Values) { v.Set("grant_type", "implicit") },
	} {
		with := byCode(c.code("ada", "read"))
		change(with)
		if status, refused := c.token(with); status != 400 || refused["access_token"] != nil {
			t.Errorf("%s: %d %v", name, status, refused)
		}
	}
	used := byCode(c.code("ada", "read"))
	_, first := c.token(used)
	if status, _ := c.token(used); status != 400 {
		t.Errorf("a used code: %d", status)
	}
	if answer, _ := c.do("GET", "/me", first["access_token"].(string), nil); answer.StatusCode != 401 {
		t.Errorf("a login whose code was used twice: %d", answer.StatusCode)
	}
	old := byCode(c.code("ada", "read"))
	c.passed.Add(int64(2 * time.Minute))
	if status, _ := c.token(old); status != 400 {
		t.Errorf("an old code: %d", status)
	}
	c.do("POST", "/__coldframe/issuer/revoke", "", url.Values{"token": {tokens["refresh_token"].(string)}})
	if answer, _ := c.do("GET", "/me", access, nil); answer.StatusCode != 401 {
		t.Errorf("a revoked token: %d", answer.StatusCode)
	}
	late := c.login("ada", "read")["access_token"].(string)
	c.passed.Add(int64(time.Hour))
	if answer, _ := c.do("GET", "/me", late, nil); answer.StatusCode != 401 ||
		!strings.Contains(answer.Header.Get("WWW-Authenticate"), "expired") {
		t.Errorf("an expired token: %d %v", answer.StatusCode, answer.Header)
	}
}

// TestIssuerRedirects holds redirects to this machine, allowed hosts and registered URIs.
func TestIssuerRedirects(t *testing.T) {
	c := newIssuerClient(t, Options{AllowedHosts: []string{"app.test"}, RedirectURIs: []string{"com.example.app:/callback"}})
	for uri, want := range map[string]int{
		"http://localhost:3000/cb": 302, "http://[::1]/cb": 302, "https://app.test/cb": 302, "com.example.app:/callback": 302,
		"https://evil.example/cb": 400, "http://192.0.2.1/cb": 400, "javascript:alert(1)": 400, "": 400,
		"http://localhost@evil.example/": 400, "http://localhost\\@evil.example/": 400, "//evil.example": 400,
		"com.example.app:/callback2": 400, "http://localhost.evil.example/": 400, "http://localhost/#fragment": 400,
	} {
		answer, _ := c.do("GET", "/__coldframe/issuer/authorize", "", url.Values{"client_id": {"app"}, "redirect_uri": {uri},
			"response_type": {"code"}, "prompt": {"none"}, "login_hint": {"ada"}})
		if answer.StatusCode != want {
			t.Errorf("%s: %d, want %d", uri, answer.StatusCode, want)
		}
		answer, _ = c.do("GET", "/__coldframe/issuer/logout", "", url.Values{"post_logout_redirect_uri": {uri}})
		if uri != "" && answer.StatusCode != want {
			t.Errorf("logout to %s: %d, want %d", uri, answer.StatusCode, want)
		}
	}
}

// TestIssuerPage fills in the pages, for a browser and for a device.
func TestIssuerPage(t *testing.T) {
	c := newIssuerClient(t, Options{})
	with := url.Values{"client_id": {`<b>"app`}, "redirect_uri": {callback}, "response_type": {"code"}, "login_hint": {"ada"}}
	answer, _ := c.do("GET", "/oauth/authorize", "", with) // where the document has it
	if answer.StatusCode != 200 || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") ||
		!strings.Contains(answer.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%d %v", answer.StatusCode, answer.Header)
	}
	with.Set("deny", "yes")
	if answer, _ = c.do("POST", "/oauth/authorize", "", with); !strings.Contains(answer.Header.Get("Location"), "error=access_denied") {
		t.Errorf("%v", answer.Header)
	}
	with.Del("deny")
	with.Set("user", "ada")
	if answer, _ = c.do("POST", "/oauth/authorize", "", with); answer.StatusCode != 302 {
		t.Errorf("%d", answer.StatusCode)
	}
	_, device := c.do("POST", "/__coldframe/issuer/device_authorization", "", url.Values{"client_id": {"tv"}, "scope": {"read"}})
	ask := url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"}, "client_id": {"tv"},
		"device_code": {device["device_code"].(string)}}
	if status, waiting := c.token(ask); status != 400 || waiting["error"] != "authorization_pending" {
		t.Errorf("%d %v", status, waiting)
	}
	if _, waiting := c.token(ask); waiting["error"] != "slow_down" {
		t.Errorf("asked again at once: %v", waiting)
	}
	c.passed.Add(int64(time.Second))
	if _, waiting := c.token(ask); waiting["error"] != "authorization_pending" {
		t.Errorf("asked again after a second: %v", waiting)
	}
	approve := url.Values{"user_code": {strings.ToLower(device["user_code"].(string))}, "user": {"ada"}}
	if answer, _ := c.do("POST", "/__coldframe/issuer/device", "", approve); answer.StatusCode != 200 {
		t.Errorf("%d", answer.StatusCode)
	}
	if answer, _ := c.do("POST", "/__coldframe/issuer/device", "", approve); answer.StatusCode != 400 {
		t.Errorf("a user code a second time: %d", answer.StatusCode)
	}
	status, tokens := c.token(ask)
	if status != 200 {
		t.Fatalf("%d %v", status, tokens)
	}
	if status, _ := c.token(ask); status != 400 {
		t.Errorf("a device code a second time: %d", status)
	}
	introspected := url.Values{"client_id": {"api"}, "client_secret": {"s"}, "token": {tokens["access_token"].(string)}}
	if _, about := c.do("POST", "/__coldframe/issuer/introspect", "", introspected); about["active"] != true || about["sub"] != "ada" {
		t.Errorf("%v", about)
	}
}

// TestIssuerOtherGrants gets tokens without a browser: of a client, of a password, and by a login of the document.
func TestIssuerOtherGrants(t *testing.T) {
	c := newIssuerClient(t, Options{TokenTTL: time.Minute})
	status, tokens := c.token(url.Values{"grant_type": {"client_credentials"}, "client_id": {"app"}, "client_secret": {"s"}, "scope": {"read"}})
	if status != 200 || tokens["refresh_token"] != nil || tokens["expires_in"] != 60.0 {
		t.Errorf("%d %v", status, tokens)
	}
	if status, refused := c.token(url.Values{"grant_type": {"client_credentials"}, "client_id": {"app"}}); status != 401 {
		t.Errorf("%d %v", status, refused)
	}
	if answer, tokens := c.do("POST", "/oauth/token", "", url.Values{"grant_type": {"password"}, "client_id": {"app"},
		"username": {"ada"}, "password": {"p"}}); answer.StatusCode != 200 || tokens["scope"] != "read write" {
		t.Errorf("%d %v", answer.StatusCode, tokens)
	}
	_, tokens = sendJSON(t, "POST", c.server.URL()+"/login", "", `{"email":"ada@example.com","password":"p"}`)
	access, _ := tokens["access_token"].(string)
	if answer, me := c.do("GET", "/me", access, nil); answer.StatusCode != 200 || me["email"] != "ada@example.com" ||
		strings.Count(access, ".") != 2 {
		t.Errorf("%d %v by %s", answer.StatusCode, me, access)
	}
}

func claimsOf(t *testing.T, tokens map[string]any) (claims map[string]any) {
	t.Helper()
	text, _ := tokens["id_token"].(string)
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		t.Fatalf("no ID token: %v", tokens)
	}
	part, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(part, &claims) != nil {
		t.Fatalf("%s: %v", part, err)
	}
	return claims
}

// TestIssuerDevices has devices refused, and asks after their time.
func TestIssuerDevices(t *testing.T) {
	c := newIssuerClient(t, Options{})
	device := func() url.Values {
		_, about := c.do("POST", "/__coldframe/issuer/device_authorization", "", url.Values{"client_id": {"tv"}})
		return url.Values{"user_code": {about["user_code"].(string)}, "device_code": {about["device_code"].(string)},
			"client_id": {"tv"}, "grant_type": {"urn:ietf:params:oauth:grant-type:device_code"}}
	}
	refused := device()
	c.do("POST", "/__coldframe/issuer/device", "", url.Values{"user_code": refused["user_code"], "deny": {"yes"}})
	if _, answer := c.token(refused); answer["error"] != "access_denied" {
		t.Errorf("%v", answer)
	}
	late := device()
	c.passed.Add(int64(11 * time.Minute))
	if _, answer := c.token(late); answer["error"] != "expired_token" {
		t.Errorf("%v", answer)
	}
	if answer, _ := c.do("POST", "/__coldframe/issuer/device", "", url.Values{"user_code": late["user_code"], "user": {"ada"}}); answer.StatusCode != 400 {
		t.Errorf("%d", answer.StatusCode)
	}
}

// TestIssuerAnswers sends requests to the authorization endpoint whose answers go to the client, by each mode.
func TestIssuerAnswers(t *testing.T) {
	c := newIssuerClient(t, Options{})
	ask := func(change string) (*http.Response, url.Values) {
		with := url.Values{"client_id": {"app"}, "redirect_uri": {callback + "?x=1"}, "response_type": {"code"},
			"state": {"s"}, "prompt": {"none"}, "login_hint": {"ada"}}
		changes, err := url.ParseQuery(change)
		if err != nil {
			t.Fatal(err)
		}
		for name, values := range changes {
			with[name] = values
		}
		answer, _ := c.do("GET", "/__coldframe/issuer/authorize", "", with)
		to, err := answer.Location()
		if err != nil {
			return answer, nil
		}
		if to.Fragment != "" {
			to.RawQuery = to.EscapedFragment()
		}
		return answer, to.Query()
	}
	for change, want := range map[string]string{
		"response_type=":           "invalid_request",
		"response_type=id_token":   "unsupported_response_type",
		"response_mode=jwt":        "invalid_request",
		"request=a.b.c":            "request_not_supported",
		"request_uri=urn:x":        "request_uri_not_supported",
		"code_challenge=short":     "invalid_request",
		"prompt=none login":        "invalid_request",
		"login_hint=":              "login_required",
		"login_hint=&max_age=1":    "login_required",
		"response_mode=query":      "",
		"response_mode=fragment":   "",
		"scope=unknown":            "",
		"prompt=none&resource=a:b": "",
	} {
		answer, got := ask(change)
		if answer.StatusCode != 302 || got.Get("error") != want || (got.Get("code") != "") != (want == "") ||
			got.Get("state") != "s" || got.Get("iss") != c.server.Info().Issuer {
			t.Errorf("%s: %d %v, want %s", change, answer.StatusCode, got, want)
		}
		if isFragment := strings.Contains(answer.Header.Get("Location"), "#"); isFragment != (change == "response_mode=fragment") {
			t.Errorf("%s: %s", change, answer.Header.Get("Location"))
		}
	}
	request, _ := http.NewRequest("GET", c.server.URL()+"/__coldframe/issuer/authorize?response_mode=form_post&client_id=app&"+
		"response_type=code&prompt=none&login_hint=ada&state=%22%3Cs&redirect_uri="+url.QueryEscape(callback), nil)
	answer, err := c.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	for _, want := range []string{`action="` + callback + `"`, `name="code"`, `name="state" value="&#34;&lt;s"`, postScriptHash} {
		if !strings.Contains(string(text)+answer.Header.Get("Content-Security-Policy"), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

// postScriptHash lets the one script of a page run that posts a form.
const postScriptHash = "script-src 'sha256-"

// TestIssuerRemembers logs in without a page as who logged in before: by the cookie of a browser, and by an ID token.
func TestIssuerRemembers(t *testing.T) {
	c := newIssuerClient(t, Options{})
	with := url.Values{"client_id": {"app"}, "redirect_uri": {callback}, "response_type": {"code"}, "scope": {"openid"}}
	with.Set("user", "ada")
	answer, _ := c.do("POST", "/__coldframe/issuer/authorize", "", with)
	cookies := answer.Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteLaxMode || cookies[0].Secure {
		t.Fatalf("%v", answer.Header)
	}
	silent := func(path string, more url.Values, cookies ...*http.Cookie) url.Values {
		request, _ := http.NewRequest("GET", c.server.URL()+"/__coldframe/issuer"+path+"?"+more.Encode(), nil)
		for _, cookie := range cookies {
			request.AddCookie(cookie)
		}
		answer, err := c.client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		to, _ := answer.Location()
		return to.Query()
	}
	with.Del("user")
	with.Set("prompt", "none")
	code := silent("/authorize", with, cookies...).Get("code")
	tokens := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "client_id": {"app"}, "redirect_uri": {callback}}
	_, got := c.token(tokens)
	claims := claimsOf(t, got)
	if claims["sub"] != "ada" {
		t.Errorf("%v", claims)
	}
	if got := silent("/authorize", with); got.Get("error") != "login_required" {
		t.Errorf("without the cookie: %v", got)
	}
	with.Set("id_token_hint", got["id_token"].(string))
	if got := silent("/authorize", with); got.Get("code") == "" {
		t.Errorf("by an ID token: %v", got)
	}
	c.passed.Add(int64(time.Minute))
	with.Set("max_age", "30")
	if got := silent("/authorize", with, cookies...); got.Get("error") != "login_required" {
		t.Errorf("a login of a minute ago, at most 30 s: %v", got)
	}
	with.Del("max_age")
	silent("/logout", url.Values{"post_logout_redirect_uri": {callback}, "id_token_hint": with["id_token_hint"]}, cookies...)
	if got := silent("/authorize", with); got.Get("error") != "login_required" {
		t.Errorf("by the ID token of a login that ended: %v", got)
	}
	with.Del("id_token_hint")
	if got := silent("/authorize", with, cookies...); got.Get("error") != "login_required" {
		t.Errorf("by the cookie of a login that ended: %v", got)
	}
}

// TestIssuerAssertions has clients say who they are with a JWT.
func TestIssuerAssertions(t *testing.T) {
	c := newIssuerClient(t, Options{})
	encode := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	good := `{"iss":"app","sub":"app","aud":"ISSUER","exp":4000000000}`
	for name, test := range map[string]struct {
		head, claims string
		want         int
	}{
		"good":       {`{"alg":"ES256"}`, good, 200},
		"unsigned":   {`{"alg":"none"}`, good, 401},
		"no JWT":     {`{"alg":"ES256"}`, `[`, 401},
		"other":      {`{"alg":"ES256"}`, strings.Replace(good, `"sub":"app"`, `"sub":"eve"`, 1), 401},
		"elsewhere":  {`{"alg":"ES256"}`, strings.Replace(good, "ISSUER", "https://other.example.com", 1), 401},
		"expired":    {`{"alg":"ES256"}`, strings.Replace(good, "4000000000", "1000000000", 1), 401},
		"for /token": {`{"alg":"ES256"}`, strings.Replace(good, "ISSUER", "ISSUER/token", 1), 200},
	} {
		claims := strings.Replace(test.claims, "ISSUER", c.server.Info().Issuer, 1)
		status, answer := c.token(url.Values{"grant_type": {"client_credentials"}, "scope": {"read"},
			"client_assertion_type": {"urn:ietf:params:oauth:client-assertion-type:jwt-bearer"},
			"client_assertion":      {encode(test.head) + "." + encode(claims) + "." + encode("signature")}})
		if status != test.want || status == 401 && answer["error"] != "invalid_client" {
			t.Errorf("%s: %d %v", name, status, answer)
		}
	}
}

// TestIssuerBehindProxy logs in by the address of a proxy: the issuer, its endpoints, the audience and the cookie have it
// where the proxy is trusted, and the mock takes the token there.
func TestIssuerBehindProxy(t *testing.T) {
	for _, trusts := range []bool{true, false} {
		c := newIssuerClient(t, Options{TrustProxy: trusts})
		want := c.server.URL()
		if trusts {
			want = "https://mock.example.com"
		}
		do := func(method, path, token string, form url.Values) (*http.Response, map[string]any) {
			request, _ := http.NewRequest(method, c.server.URL()+path, strings.NewReader(form.Encode()))
			request.Header = http.Header{"X-Forwarded-Proto": {"https"}, "X-Forwarded-Host": {"mock.example.com"},
				"Content-Type": {"application/x-www-form-urlencoded"}, "Authorization": {"Bearer " + token}}
			answer, err := c.client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			var value map[string]any
			json.NewDecoder(answer.Body).Decode(&value)
			return answer, value
		}
		_, about := do("GET", "/__coldframe/issuer/.well-known/openid-configuration", "", nil)
		if issuer := want + "/__coldframe/issuer"; about["issuer"] != issuer || about["jwks_uri"] != issuer+"/jwks" {
			t.Errorf("%v", about)
		}
		_, tokens := do("POST", "/__coldframe/issuer/token", "", url.Values{"grant_type": {"client_credentials"},
			"client_id": {"app"}, "client_secret": {"s"}, "scope": {"read"}})
		access, _ := tokens["access_token"].(string)
		if claims := claimsOf(t, map[string]any{"id_token": access}); claims["aud"] != want {
			t.Errorf("%v, want %s", claims, want)
		}
		if answer, _ := do("GET", "/me", access, nil); answer.StatusCode != 200 {
			t.Errorf("the mock does not take its token: %d", answer.StatusCode)
		}
		answer, _ := do("POST", "/__coldframe/issuer/authorize", "", url.Values{"client_id": {"app"}, "redirect_uri": {callback},
			"response_type": {"code"}, "user": {"ada"}})
		if cookies := answer.Cookies(); len(cookies) != 1 || cookies[0].Secure != trusts {
			t.Errorf("%v", answer.Header)
		}
	}
}
