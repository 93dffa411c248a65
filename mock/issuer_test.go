package mock

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

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
		"short verifier":    func(v url.Values) { v.Set("code_verifier", verifier[1:]) },
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

func TestIssuerOtherGrants(t *testing.T) {
	c := newIssuerClient(t, Options{Auth: AuthOptions{TokenTTL: time.Minute}})
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

func TestIssuerBehindProxy(t *testing.T) {
	for _, trusts := range []bool{true, false} {
		c := newIssuerClient(t, Options{Listen: ListenOptions{TrustProxy: trusts}})
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
