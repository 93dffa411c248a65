package mock

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestIssuerRedirects(t *testing.T) {
	c := newIssuerClient(t, Options{Listen: ListenOptions{AllowedHosts: []string{"app.test", "*.wild.test"}}, Auth: AuthOptions{RedirectURIs: []string{"com.example.app:/callback"}}})
	for uri, want := range map[string]int{
		"http://localhost:3000/cb": 302, "http://[::1]/cb": 302, "https://app.test/cb": 302, "com.example.app:/callback": 302,
		"https://evil.example/cb": 400, "http://192.0.2.1/cb": 400, "javascript:alert(1)": 400, "": 400,
		"http://localhost@evil.example/": 400, "http://localhost\\@evil.example/": 400, "//evil.example": 400,
		"com.example.app:/callback2": 400, "http://localhost.evil.example/": 400, "http://localhost/#fragment": 400,
		"http://localhost": 302, "http://LOCALHOST:1/cb?a=b": 302, "http://app.localhost/cb": 302, "https://a.wild.test/cb": 302,
		// What browsers read in another way than RFC 3986.
		"http://localhost／evil.example/": 400, "http://evil.example／.localhost/": 400, "https://evil.example／.wild.test/": 400,
		"http://evil.example%EF%BC%8F.localhost/": 400, "https://evil.example%EF%BC%8F.wild.test/": 400,
		"https://evil.example＼.wild.test/": 400, "https://evil.example？.wild.test/": 400, "https://evil.example＃.wild.test/": 400,
		"https://evil.example＠a.wild.test/": 400, "https://evil。wild.test/": 400, "http://ⓛocalhost/": 400, "http://local\u00adhost/": 400,
		"http://localhost\u00a0/": 400, " http://localhost/": 400, "http://localhost/ ": 400, "http://local\thost/": 400, "http://localhost/\n": 400,
		"http:localhost/": 400, "http:/localhost/": 400, "http:///localhost/": 400, "http:\\\\localhost/": 400, "http:/\\localhost/": 400,
		"http://localhost:80@evil.example/": 400, "http://@localhost/": 400, "http://evil.example\\.wild.test/": 400,
		"http://[192.0.2.1:80]/": 400, "http://[::1%25lo]/": 400, "http://0x7f.1/": 400, "http://127.1/": 400, "http://1.wild.test/": 302,
		"http://evil.example|.wild.test/": 400, "http://evil.example^.wild.test/": 400, "http://.wild.test/": 400, "http://a..wild.test/": 400,
		"http://localhost/#": 400, "http://localhost/ü": 400,
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
	if _, other := c.token(tokens); other["error"] != "invalid_grant" { // the code is used: this ends the login as well
		t.Errorf("%v", other)
	}
	with.Del("id_token_hint")
	if got := silent("/authorize", with, cookies...); got.Get("error") != "login_required" {
		t.Errorf("by the cookie of a login that ended: %v", got)
	}
	with.Set("user", "ada")
	answer, _ = c.do("POST", "/__coldframe/issuer/authorize", "", url.Values{"client_id": {"app"}, "redirect_uri": {callback},
		"response_type": {"code"}, "user": {"ada"}, "scope": {"openid"}})
	cookies = answer.Cookies()
	code = silent("/authorize", with, cookies...).Get("code")
	tokens.Set("code", code)
	_, got = c.token(tokens)
	with.Set("id_token_hint", got["id_token"].(string))
	silent("/logout", url.Values{"post_logout_redirect_uri": {callback}, "id_token_hint": with["id_token_hint"]}, cookies...)
	if got := silent("/authorize", with); got.Get("error") != "login_required" {
		t.Errorf("by the ID token of a login that ended: %v", got)
	}
	with.Del("id_token_hint")
	if got := silent("/authorize", with, cookies...); got.Get("error") != "login_required" {
		t.Errorf("by the cookie of a login that ended: %v", got)
	}
}
