package mock

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestIssuerVerifiers exchanges codes by verifiers of all lengths and characters (RFC 7636 section 4.1).
func TestIssuerVerifiers(t *testing.T) {
	c := newIssuerClient(t, Options{})
	for text, want := range map[string]int{
		"a": 400, strings.Repeat("a", 42): 400, strings.Repeat("a", 43): 200, strings.Repeat("a", 128): 200, strings.Repeat("a", 129): 400,
		strings.Repeat("aZ09-._~", 6): 200, strings.Repeat("a", 43) + "+": 400, strings.Repeat("a", 43) + " ": 400, strings.Repeat("é", 43): 400,
	} {
		sum := sha256.Sum256([]byte(text))
		answer, _ := c.do("GET", "/__coldframe/issuer/authorize", "", url.Values{"client_id": {"app"}, "redirect_uri": {callback},
			"response_type": {"code"}, "prompt": {"none"}, "login_hint": {"ada"}, "code_challenge_method": {"S256"},
			"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}})
		to, _ := answer.Location()
		with := byCode(to.Query().Get("code"))
		with.Set("code_verifier", text)
		if status, got := c.token(with); status != want || want == 400 && got["error"] != "invalid_grant" {
			t.Errorf("%s: %d %v", text, status, got)
		}
	}
	for _, text := range []string{strings.Repeat("a", 42), strings.Repeat("a", 44), strings.Repeat("=", 43), strings.Repeat("+", 43),
		strings.Repeat("a", 42) + "\n", strings.Repeat("a", 43)} { // the last one has two bits too many
		answer, _ := c.do("GET", "/__coldframe/issuer/authorize", "", url.Values{"client_id": {"app"}, "redirect_uri": {callback},
			"response_type": {"code"}, "prompt": {"none"}, "login_hint": {"ada"}, "code_challenge_method": {"S256"}, "code_challenge": {text}})
		if to, err := answer.Location(); err != nil || to.Query().Get("error") != "invalid_request" {
			t.Errorf("%q: %v %v", text, to, err)
		}
	}
}

// TestIssuerTokenSize asks for tokens of all sizes: what is signed is taken, and what would not be is refused.
func TestIssuerTokenSize(t *testing.T) {
	c := newIssuerClient(t, Options{})
	large := strings.Repeat("a", 3900)
	long := url.Values{}
	for range 10 {
		long.Add("resource", large)
	}
	with := url.Values{"grant_type": {"client_credentials"}, "client_id": {"app"}, "client_secret": {"s"}, "resource": long["resource"]}
	if status, got := c.token(with); status != 400 || got["error"] != "invalid_request" || !strings.Contains(got["error_description"].(string), "16 KiB") {
		t.Errorf("a client: %d %v", status, got)
	}
	sizes := map[int]bool{}
	for n := 1; n < 4; n++ { // of parts of 5.2 kB in base64
		with["resource"] = append([]string{c.server.URL()}, long["resource"][:n]...)
		status, got := c.token(with)
		access, _ := got["access_token"].(string)
		if sizes[status] = true; status != 200 {
			continue
		}
		ask := url.Values{"client_id": {"app"}, "client_secret": {"s"}, "token": {access}}
		if _, about := c.do("POST", "/__coldframe/issuer/introspect", "", ask); len(access) > 16<<10 || about["active"] != true {
			t.Errorf("%d bytes: %v", len(access), about["error_description"])
		}
		if answer, _ := c.do("GET", "/__coldframe/issuer/userinfo", access, nil); answer.StatusCode != 403 { // without openid
			t.Errorf("%d bytes: %d", len(access), answer.StatusCode)
		}
	}
	if !sizes[200] || !sizes[400] {
		t.Errorf("%v", sizes)
	}
	if answer, got := c.do("POST", "/__coldframe/issuer/device_authorization", "", url.Values{"client_id": {"tv"},
		"resource": long["resource"]}); answer.StatusCode != 400 || got["error"] != "invalid_request" {
		t.Errorf("a device: %d %v", answer.StatusCode, got)
	}
	login := url.Values{"client_id": {"app"}, "redirect_uri": {callback}, "response_type": {"code"}, "prompt": {"none"}, "login_hint": {"ada"}}
	for name, change := range map[string]url.Values{"resources": long, "nonce": {"nonce": {strings.Repeat("<", 3000)}, "scope": {"openid"}}} {
		asked := url.Values{}
		for _, values := range []url.Values{login, change} {
			for name, all := range values {
				asked[name] = all
			}
		}
		answer, _ := c.do("GET", "/__coldframe/issuer/authorize", "", asked)
		if to, err := answer.Location(); err != nil || to.Query().Get("error") != "invalid_request" {
			t.Errorf("%s: %d", name, answer.StatusCode)
		}
	}
	// A name of a host that makes the issuer's URL long.
	r, _ := http.NewRequest("POST", c.server.URL()+"/__coldframe/issuer/token", strings.NewReader("grant_type=client_credentials&client_id=a&client_secret=b"))
	r.Host = strings.Repeat("a", 20_000) + ".localhost"
	answer, err := c.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode != 400 {
		t.Errorf("a long host: %d %.100s", answer.StatusCode, text)
	}
}

// TestIssuerCrossSite sends the issuer's forms, and browsers to its logout, as a page of another origin does. Its
// requests change nothing; requests of the issuer's own pages, of clients and of programs are answered.
func TestIssuerCrossSite(t *testing.T) {
	c := newIssuerClient(t, Options{})
	own := c.server.URL()
	send := func(method, path string, with url.Values, cookies []*http.Cookie, fields ...string) *http.Response {
		t.Helper()
		target, body := own+"/__coldframe/issuer"+path, ""
		if body = with.Encode(); method == "GET" {
			target, body = target+"?"+body, ""
		}
		r, err := http.NewRequest(method, target, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for _, cookie := range cookies {
			r.AddCookie(cookie)
		}
		for n := 0; n < len(fields); n += 2 {
			r.Header.Set(fields[n], fields[n+1])
		}
		answer, err := c.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer
	}
	foreign := map[string][]string{
		"another site": {"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"},
		"another port": {"Origin", "http://localhost:5173", "Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "navigate"},
		"no origin":    {"Origin", "null", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"},
		"old browser":  {"Origin", "https://evil.example"}, "old sandbox": {"Origin", "null"},
	}
	allowed := map[string][]string{
		"own page": {"Origin", own, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate"}, "old browser": {"Origin", own},
		"no referrer": {"Origin", "null", "Sec-Fetch-Site", "same-origin"}, "program": nil,
	}
	ask := url.Values{"client_id": {"app"}, "redirect_uri": {callback}, "response_type": {"code"}, "scope": {"openid"}}
	with := func(more ...string) url.Values {
		all := url.Values{}
		for name, values := range ask {
			all[name] = values
		}
		for n := 0; n < len(more); n += 2 {
			all.Set(more[n], more[n+1])
		}
		return all
	}
	for name, fields := range foreign {
		for _, form := range []url.Values{with("user", "eve"), with("deny", "yes"), with("user", "eve", "prompt", "none", "login_hint", "eve")} {
			if answer := send("POST", "/authorize", form, nil, fields...); answer.StatusCode != 403 || len(answer.Cookies()) > 0 {
				t.Errorf("%s sends the form: %d %v", name, answer.StatusCode, answer.Header)
			}
		}
		// An authentication request by POST (OpenID Connect Core section 3.1.2.1), and by GET.
		for _, method := range []string{"GET", "POST"} {
			if answer := send(method, "/authorize", with("login_hint", "eve"), nil, fields...); answer.StatusCode != 200 || len(answer.Cookies()) > 0 {
				t.Errorf("%s asks by %s: %d %v", name, method, answer.StatusCode, answer.Header)
			}
			if answer := send(method, "/authorize", with("login_hint", "eve", "prompt", "none"), nil, fields...); answer.StatusCode != 302 || len(answer.Cookies()) > 0 {
				t.Errorf("%s asks silently by %s: %d %v", name, method, answer.StatusCode, answer.Header)
			}
		}
		_, device := c.do("POST", "/__coldframe/issuer/device_authorization", "", url.Values{"client_id": {"tv"}})
		if answer := send("POST", "/device", url.Values{"user_code": {device["user_code"].(string)}, "user": {"eve"}}, nil, fields...); answer.StatusCode != 403 {
			t.Errorf("%s lets a device in: %d", name, answer.StatusCode)
		}
	}
	var cookies []*http.Cookie
	for name, fields := range allowed {
		answer := send("POST", "/authorize", with("user", "ada"), nil, fields...)
		if cookies = answer.Cookies(); answer.StatusCode != 302 || len(cookies) != 1 {
			t.Errorf("%s: %d %v", name, answer.StatusCode, answer.Header)
		}
	}

	isIn := func() bool {
		to, _ := send("GET", "/authorize", with("prompt", "none"), cookies).Location()
		return to.Query().Get("code") != ""
	}
	leave := url.Values{"post_logout_redirect_uri": {callback}, "state": {"s"}}
	confirmed := url.Values{"post_logout_redirect_uri": {callback}, "state": {"s"}, "confirm": {"yes"}}
	other := c.login("eve", "openid")["id_token"].(string)
	for name, fields := range foreign {
		for _, form := range []url.Values{leave, confirmed, {"id_token_hint": {"wrong"}}, {"id_token_hint": {other}}} {
			for _, method := range []string{"GET", "POST"} {
				answer := send(method, "/logout", form, cookies, fields...)
				if answer.StatusCode != 200 || len(answer.Cookies()) > 0 || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") || !isIn() {
					t.Errorf("%s logs out by %s %v: %d %v", name, method, form, answer.StatusCode, answer.Header)
				}
			}
		}
	}
	to, _ := send("GET", "/authorize", with("prompt", "none"), cookies).Location()
	_, tokens := c.token(url.Values{"grant_type": {"authorization_code"}, "code": {to.Query().Get("code")}, "client_id": {"app"}, "redirect_uri": {callback}})
	hinted := url.Values{"post_logout_redirect_uri": {callback}, "state": {"s"}, "id_token_hint": {tokens["id_token"].(string)}}
	for _, mode := range []string{"no-cors", "cors", "same-origin"} {
		if answer := send("GET", "/logout", hinted, cookies, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", mode); answer.StatusCode != 403 || !isIn() {
			t.Errorf("a picture logs out: %d", answer.StatusCode)
		}
	}
	if answer := send("GET", "/logout", leave, nil, foreign["another site"]...); answer.StatusCode != 302 || len(answer.Cookies()) > 0 {
		t.Errorf("of nobody: %d %v", answer.StatusCode, answer.Header)
	}
	// The client sends the browser with the ID token of the login.
	if answer := send("GET", "/logout", hinted, cookies, foreign["another site"]...); answer.Header.Get("Location") != callback+"?state=s" || isIn() {
		t.Errorf("by the ID token: %d %v", answer.StatusCode, answer.Header)
	}
	for name, fields := range allowed {
		cookies = send("POST", "/authorize", with("user", "ada"), nil).Cookies()
		if answer := send("GET", "/logout", leave, cookies, fields...); answer.StatusCode != 200 || !isIn() {
			t.Errorf("%s is not asked: %d", name, answer.StatusCode)
		}
		if answer := send("POST", "/logout", confirmed, cookies, fields...); answer.Header.Get("Location") != callback+"?state=s" || isIn() {
			t.Errorf("%s confirms: %d %v", name, answer.StatusCode, answer.Header)
		}
	}
}

// TestIssuerNames has users whose names have letters of all scripts.
func TestIssuerNames(t *testing.T) {
	c := newIssuerClient(t, Options{})
	for user, want := range map[string]string{"émile.zola@example.com": "Émile Zola", "ß@example.com": "ß", "ада@example.com": "Ада", "@": ""} {
		_, about := c.do("GET", "/__coldframe/issuer/userinfo", c.login(user, "openid profile")["access_token"].(string), nil)
		if got, _ := about["name"].(string); got != want {
			t.Errorf("%s: %q, want %q", user, got, want)
		}
	}
}
