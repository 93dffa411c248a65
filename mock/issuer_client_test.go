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
	o.Text, o.Auth.Mode = []byte(issuerAPI), "issuer"
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
	if isPage := strings.HasSuffix(path, "/authorize") || strings.HasSuffix(path, "/device"); isPage && method == "POST" {
		request.Header.Set("Origin", c.server.URL()) // the form of the issuer's page
	}
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

// TestIssuer logs in as a browser does, and uses the tokens.

// TestIssuerRefuses sends what must not get in.

// TestIssuerRedirects holds redirects to this machine, allowed hosts and registered URIs.

// TestIssuerPage fills in the pages, for a browser and for a device.

// TestIssuerOtherGrants gets tokens without a browser: of a client, of a password, and by a login of the document.

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

// TestIssuerAnswers sends requests to the authorization endpoint whose answers go to the client, by each mode.

// postScriptHash lets the one script of a page run that posts a form.

const postScriptHash = "script-src 'sha256-"

// TestIssuerRemembers logs in without a page as who logged in before: by the cookie of a browser, and by an ID token.

// TestIssuerAssertions has clients say who they are with a JWT.

// TestIssuerBehindProxy logs in by the address of a proxy: the issuer, its endpoints, the audience and the cookie have
// it

// where the proxy is trusted, and the mock takes the token there.
