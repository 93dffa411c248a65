// Package issuer is an OAuth 2.0 authorization server and OpenID Connect provider for tests: it signs tokens for any
// user that the client names, without passwords, and verifies its own tokens.
package issuer

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
)

// Prefix is the prefix of the issuer's paths; its URL is the server's URL plus Prefix.
const Prefix = "/__coldframe/issuer"

// Options configure an issuer.
type Options struct {
	Clock        func(r *exchange.Request) time.Time                // for issuing and expiry of tokens
	Elapsed      func() time.Time                                   // a clock that never stands still, unlike Clock
	TTL          time.Duration                                      // lifetime of access and ID tokens
	URL          func() string                                      // of the server; its scheme is the issuer's
	AllowHost    func(host string) bool                             // as a target of redirects, beside this machine
	RedirectURIs []string                                           // additional complete URIs for redirects
	Audiences    []string                                           // additional audiences of tokens, beside the server
	Users        func(r *exchange.Request, most int) (all []string) // names that the page offers
	Memory       int                                                // bytes of codes, refresh tokens and ended logins
}

// Issuer signs tokens with its own key. It is safe for concurrent use.
type Issuer struct {
	options Options
	signer  *signer
	codes   kept[code]
	devices kept[device]
	users   kept[string] // user code → device code
	used    kept[string] // used code or refresh token → session
	refresh kept[login]
	ended   kept[bool] // sessions

	browsers kept[login] // cookie → last login of the browser
}

// New returns an issuer with a new key.
func New(o Options) (*Issuer, error) {
	s, err := newSigner()
	if err != nil {
		return nil, err
	}
	i := &Issuer{options: o, signer: s}
	share := o.Memory / 7
	i.codes.most, i.devices.most, i.users.most = share, share, share
	i.used.most, i.refresh.most, i.ended.most, i.browsers.most = share, share, share, share
	return i, nil
}

// Document is the immutable part of a document that the issuer needs.
type Document struct {
	title    string
	scopes   []string
	password bool // the document has a flow with passwords (RFC 6749 section 4.3)
	paths    map[string]string
}

// NewDocument reads the security schemes of a document. ok is set if one of them accepts tokens of an issuer.
func NewDocument(c *spec.Contract) (d *Document, ok bool) {
	d = &Document{title: c.Title, paths: map[string]string{}}
	for _, s := range c.Schemes {
		ok = ok || s.Type == "oauth2" || s.Type == "openIdConnect" || s.Type == "http" && s.Scheme == "bearer"
		for _, f := range s.Flows {
			d.password = d.password || f.Kind == "password"
			d.addScopes(f.Scopes)
			d.serve(c, f.AuthorizationURL, "/authorize")
			d.serve(c, f.TokenURL, "/token")
			d.serve(c, f.RefreshURL, "/token")
			d.serve(c, f.DeviceURL, "/device_authorization")
		}
	}
	for _, o := range c.Operations {
		for _, requirement := range o.Security {
			for _, need := range requirement {
				if need.Scheme.Type == "oauth2" || need.Scheme.Type == "openIdConnect" {
					d.addScopes(need.Scopes)
				}
			}
		}
	}
	return d, ok
}

func (d *Document) addScopes(scopes []string) {
	for _, scope := range scopes {
		if !slices.Contains(d.scopes, scope) {
			d.scopes = append(d.scopes, scope)
		}
	}
}

// serve adds the path of a URL in the document as another path of an endpoint, if the URL is relative or has the host
// of a server. Operations of the document take precedence.
func (d *Document) serve(c *spec.Contract, location, to string) {
	u, err := url.Parse(location)
	if err != nil || location == "" || u.Host != "" && !slices.Contains(c.Hosts, u.Host) {
		return
	}
	path := "/" + strings.TrimPrefix(u.Path, "/")
	for _, base := range c.BasePaths { // includes ""
		rest, below := strings.CutPrefix(path, base)
		isOperation := func(o *spec.Operation) bool { return o.Template() == rest }
		if below && slices.ContainsFunc(c.Operations, isOperation) {
			return
		}
	}
	d.paths[path] = to
	if u.Host == "" {
		for _, base := range c.BasePaths {
			d.paths[base+path] = to
		}
	}
}

type call struct {
	*exchange.Request
	issuer   *Issuer
	document *Document
	url      string // the issuer's URL as the client knows it
	values   url.Values
}

type endpoint struct {
	methods string
	path    string
	source  string
	crosses bool // pages of other origins may call it
	serve   func(*call) httpserver.Answer
}

// endpoints are all paths below Prefix.
var endpoints = []endpoint{
	{"GET", "/.well-known/openid-configuration", "OpenID Connect Discovery section 4", true, (*call).metadata},
	{"GET", "/.well-known/oauth-authorization-server", "RFC 8414 section 3", true, (*call).metadata},
	{"GET", "/jwks", "RFC 7517 section 5", true, (*call).keys},
	{"GET POST", "/authorize", "RFC 6749 section 3.1", false, (*call).authorize},
	{"POST", "/token", "RFC 6749 section 3.2", true, (*call).token},
	{"GET POST", "/userinfo", "OpenID Connect Core section 5.3", true, (*call).userinfo},
	{"POST", "/revoke", "RFC 7009 section 2", true, (*call).revoke},
	{"POST", "/introspect", "RFC 7662 section 2", true, (*call).introspect},
	{"POST", "/device_authorization", "RFC 8628 section 3.1", true, (*call).deviceAuthorization},
	{"GET POST", "/device", "RFC 8628 section 3.3", false, (*call).device},
	{"GET POST", "/logout", "OpenID Connect RP-Initiated Logout section 2", false, (*call).logout},
}

// find returns the endpoint of a path, nil if none.
func find(path string, d *Document) *endpoint {
	rest, own := strings.CutPrefix(path, Prefix)
	if !own {
		if after, ok := strings.CutPrefix(path, "/.well-known/oauth-authorization-server"); ok && after == Prefix {
			rest = "/.well-known/oauth-authorization-server" // RFC 8414 section 3.1
		} else if rest = d.paths[path]; rest == "" {
			return nil
		}
	}
	for n := range endpoints {
		if endpoints[n].path == rest {
			return &endpoints[n]
		}
	}
	return nil
}

// Serve answers a request to the issuer; nil for other requests. crosses is set if pages of other origins may read
// the response.
func (i *Issuer) Serve(r *exchange.Request, d *Document) (a *httpserver.Answer, crosses bool) {
	e := find(r.Path, d)
	switch {
	case e == nil && strings.HasPrefix(r.Path, Prefix):
		return text(404, "the issuer has no such path; "+Prefix+endpoints[0].path+" lists what it has"), false
	case e == nil:
		return nil, false
	case r.Method == "OPTIONS":
		return &httpserver.Answer{Response: &exchange.Response{Status: 204, Header: exchange.Header{
			{Name: "Allow", Value: strings.ReplaceAll(e.methods, " ", ", ")},
			{Name: "Access-Control-Allow-Methods", Value: strings.ReplaceAll(e.methods, " ", ", ")},
			{Name: "Access-Control-Allow-Headers", Value: "Authorization, Content-Type"},
		}}}, e.crosses
	case !slices.Contains(strings.Fields(e.methods), r.Method):
		refused := text(405, "the methods here are "+e.methods)
		refused.Header.Set("Allow", strings.ReplaceAll(e.methods, " ", ", "))
		return refused, e.crosses
	}
	c := &call{Request: r, issuer: i, document: d, url: i.at(r)}
	var err error
	if c.values, err = url.ParseQuery(r.Query); err == nil && r.Method == "POST" {
		sent, _ := url.ParseQuery(string(r.Body))
		for name, values := range sent {
			c.values[name] = values
		}
	}
	for name, values := range c.values {
		once := name != "resource" && name != "audience" // RFC 8707 section 2
		tooLong := func(value string) bool { return len(value) > longest(name) }
		if once && len(values) > 1 || len(values) > maxRepeated || slices.ContainsFunc(values, tooLong) {
			return c.problem(400, "invalid_request", name+" is sent more than once, or is too long"), e.crosses
		}
	}
	answer := e.serve(c)
	return &answer, e.crosses
}

const (
	maxValue    = 4000 // bytes of a parameter, except tokens
	maxRepeated = 10   // values of a repeatable parameter
)

// longest returns the limit of a parameter in bytes: signed tokens fit.
func longest(name string) int {
	switch name {
	case "token", "id_token_hint", "client_assertion":
		return maxToken
	}
	return maxValue
}

// at returns the issuer's URL for the client of a request.
func (i *Issuer) at(r *exchange.Request) string { return r.OriginAt(i.options.URL()) + Prefix }

func (c *call) value(name string) string { return c.values.Get(name) }

func text(status int, detail string) *httpserver.Answer {
	return &httpserver.Answer{Response: &exchange.Response{Status: status, Body: []byte(detail + "\n"),
		Header: exchange.Header{{Name: "Content-Type", Value: "text/plain; charset=utf-8"}}}}
}

func (c *call) json(status int, value any) httpserver.Answer {
	body, _ := json.Marshal(value)
	return httpserver.Answer{Response: &exchange.Response{Status: status, Body: body, Header: exchange.Header{
		{Name: "Content-Type", Value: "application/json"}, {Name: "Cache-Control", Value: "no-store"},
	}}}
}

// problem is an error of the token endpoint and similar ones (RFC 6749 section 5.2).
func (c *call) problem(status int, code, detail string) *httpserver.Answer {
	a := c.json(status, map[string]string{"error": code, "error_description": detail})
	if status == 401 {
		a.Header.Set("WWW-Authenticate", `Basic realm="issuer"`)
	}
	return &a
}

func (c *call) metadata() httpserver.Answer {
	types := []string{}
	for _, g := range grants {
		if g.kind != "password" || c.document.password {
			types = append(types, g.kind)
		}
	}
	claimNames := strings.Fields("iss sub aud exp iat auth_time nonce sid at_hash " +
		"name preferred_username email email_verified")
	scopes := slices.Clone(standardScopes)
	for _, scope := range c.document.scopes {
		if !slices.Contains(scopes, scope) {
			scopes = append(scopes, scope)
		}
	}
	modeNames := []string{}
	for _, m := range modes {
		modeNames = append(modeNames, m.name)
	}
	return c.json(200, map[string]any{
		"issuer": c.url, "authorization_endpoint": c.url + "/authorize", "token_endpoint": c.url + "/token",
		"jwks_uri": c.url + "/jwks", "userinfo_endpoint": c.url + "/userinfo",
		"revocation_endpoint": c.url + "/revoke", "introspection_endpoint": c.url + "/introspect",
		"device_authorization_endpoint": c.url + "/device_authorization", "end_session_endpoint": c.url + "/logout",
		"scopes_supported": scopes, "grant_types_supported": types,
		"response_types_supported": []string{"code"}, "response_modes_supported": modeNames,
		"subject_types_supported": []string{"public"}, "id_token_signing_alg_values_supported": []string{"RS256"},
		"code_challenge_methods_supported":                         []string{"S256"},
		"token_endpoint_auth_methods_supported":                    append([]string{"none"}, clientMethods...),
		"token_endpoint_auth_signing_alg_values_supported":         assertionAlgs,
		"revocation_endpoint_auth_methods_supported":               append([]string{"none"}, clientMethods...),
		"introspection_endpoint_auth_methods_supported":            clientMethods,
		"introspection_endpoint_auth_signing_alg_values_supported": assertionAlgs,
		"revocation_endpoint_auth_signing_alg_values_supported":    assertionAlgs,
		"authorization_response_iss_parameter_supported":           true,
		"prompt_values_supported":                                  []string{"none", "login", "consent", "select_account"},
		"request_parameter_supported":                              false, "request_uri_parameter_supported": false,
		"claims_supported": claimNames,
	})
}

func (c *call) keys() httpserver.Answer { return c.json(200, c.issuer.signer.set()) }

func (c *call) userinfo() httpserver.Answer {
	field, _ := c.Header.Get("Authorization")
	scheme, token, _ := strings.Cut(field, " ")
	claims, err := c.issuer.check(c.Request, token)
	if !strings.EqualFold(scheme, "bearer") || err != nil {
		a := c.json(401, map[string]string{"error": "invalid_token"})
		a.Header.Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		return a
	}
	scopes := strings.Fields(claims.Scope)
	if !slices.Contains(scopes, "openid") {
		a := c.json(403, map[string]string{"error": "insufficient_scope"})
		a.Header.Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="openid"`)
		return a
	}
	return c.json(200, struct {
		Subject string `json:"sub"`
		profile
	}{claims.Subject, person(claims.Subject).of(scopes)})
}

// revoke ends the login of a token (RFC 7009 section 2.1), including its other tokens.
func (c *call) revoke() httpserver.Answer {
	token := c.value("token")
	if token == "" {
		return *c.problem(400, "invalid_request", "token is missing")
	}
	if claims, err := c.issuer.signer.verify(token, ""); err == nil {
		c.issuer.end(claims.Session)
	} else if l, known := c.issuer.refresh.take(token); known {
		c.issuer.end(l.session)
	}
	return c.json(200, struct{}{}) // clients ignore it, or read it as JSON
}

func (i *Issuer) end(session string) { i.ended.put(session, true, 0) }

func (i *Issuer) hasEnded(session string) bool {
	_, ended := i.ended.get(session)
	return ended
}

func (c *call) introspect() httpserver.Answer {
	if client, secret := c.client(); client == "" || secret == "" {
		return *c.problem(401, "invalid_client", "introspection needs the credentials of a client")
	}
	if l, known := c.issuer.refresh.get(c.value("token")); known && !c.issuer.hasEnded(l.session) {
		return c.json(200, map[string]any{"active": true, "iss": c.url, "sub": l.user, "client_id": l.client,
			"scope": strings.Join(l.scopes, " ")})
	}
	claims, err := c.issuer.check(c.Request, c.value("token"))
	if err != nil {
		return c.json(200, map[string]bool{"active": false})
	}
	return c.json(200, struct {
		Active bool   `json:"active"`
		Type   string `json:"token_type"`
		Claims
	}{true, "Bearer", claims})
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

func random() string { return rand.Text() + rand.Text() }
