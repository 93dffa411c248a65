package mock

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/coldframe/coldframe/mock/client"
)

// accessAPI is the document of a case of testdata.
func accessAPI(t *testing.T, name string) []byte {
	archive, err := txtar.ParseFile("testdata/" + name + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	return archive.Files[0].Data
}

// sendJSON sends a request with a JSON body, "" if none, and returns the answer with its body.
func sendJSON(t *testing.T, method, url, token, body string) (*http.Response, map[string]any) {
	t.Helper()
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	var value map[string]any
	json.Unmarshal(text, &value)
	return answer, value
}

// TestTokenExpires lets the time of a token pass: the document's example, or what the option says.
func TestTokenExpires(t *testing.T) {
	for _, test := range []struct {
		option, want time.Duration
	}{{0, 900 * time.Second}, {time.Minute, time.Minute}} {
		var passed atomic.Int64
		began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		clock := func() time.Time { return began.Add(time.Duration(passed.Load())) }
		s := start(t, Options{Text: accessAPI(t, "logins"), Auth: AuthOptions{TokenTTL: test.option}, Clock: clock})
		_, tokens := sendJSON(t, "POST", s.URL()+"/auth/login", "", `{"email":"ada@example.com","password":"p"}`)
		if got, want := fmt.Sprint(tokens["expires_in"]), fmt.Sprint(test.want.Seconds()); got != want {
			t.Errorf("expires_in %s, want %s", got, want)
		}
		if tokens["token_type"] != "Bearer" {
			t.Errorf("token_type %v", tokens["token_type"])
		}
		access := tokens["access_token"].(string)
		passed.Store(int64(test.want - time.Second))
		if answer, me := sendJSON(t, "GET", s.URL()+"/users/me", access, ""); answer.StatusCode != 200 ||
			me["email"] != "ada@example.com" {
			t.Errorf("before the end: %d %v", answer.StatusCode, me)
		}
		passed.Store(int64(test.want))
		answer, _ := sendJSON(t, "GET", s.URL()+"/users/me", access, "")
		if got, want := answer.Header.Get("WWW-Authenticate"),
			`Bearer error="invalid_token", error_description="the token expired"`; answer.StatusCode != 401 || got != want {
			t.Errorf("after the end: %d, %s, want %s", answer.StatusCode, got, want)
		}
		refreshed := fmt.Sprintf(`{"refresh_token":%q}`, tokens["refresh_token"])
		if answer, tokens = sendJSON(t, "POST", s.URL()+"/auth/refresh", "", refreshed); answer.StatusCode != 200 {
			t.Fatalf("refresh: %d %v", answer.StatusCode, tokens)
		}
		if answer, me := sendJSON(t, "GET", s.URL()+"/users/me", tokens["access_token"].(string), ""); answer.StatusCode != 200 ||
			me["email"] != "ada@example.com" {
			t.Errorf("after the refresh: %d %v", answer.StatusCode, me)
		}
	}
}

// TestSessionCookie holds the cookie of a session to its attributes.
func TestSessionCookie(t *testing.T) {
	s := start(t, Options{Text: accessAPI(t, "cookie-logins")})
	answer, _ := sendJSON(t, "POST", s.URL()+"/session", "", `{"username":"ada","password":"secret"}`)
	cookies := answer.Cookies()
	if len(cookies) != 1 || cookies[0].Name != "sid" || cookies[0].Path != "/" || !cookies[0].HttpOnly ||
		cookies[0].SameSite != http.SameSiteLaxMode || len(cookies[0].Value) < 40 {
		t.Errorf("%v", answer.Header["Set-Cookie"])
	}
}

// TestPasswordsAreNotKept looks for a password wherever the mock keeps or shows what it was sent.
func TestPasswordsAreNotKept(t *testing.T) {
	const password = "correct-horse-battery"
	for _, name := range []string{"logins", "cookie-logins"} {
		log := &lineLog{}
		s := start(t, Options{Text: accessAPI(t, name), Log: LogOptions{To: log}})
		body := `{"email":"ada@example.com","username":"ada","password":"` + password + `"}`
		for _, path := range []string{"/auth/register", "/auth/login", "/session"} {
			sendJSON(t, "POST", s.URL()+path, "", body)
		}
		_, tokens := sendJSON(t, "POST", s.URL()+"/auth/login", "", body)
		if token, ok := tokens["access_token"].(string); ok {
			sendJSON(t, "PATCH", s.URL()+"/users/me", token, `{"password":"`+password+`"}`)
		}
		for _, path := range []string{"/__coldframe/state", "/__coldframe/requests", "/users", "/me", "/users/me"} {
			request, _ := http.NewRequest("GET", s.URL()+path, nil)
			request.Header.Set("Authorization", "Bearer t")
			request.Header.Set("Cookie", "sid=t")
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			if bytes.Contains(text, []byte(password)) {
				t.Errorf("%s, %s has the password: %s", name, path, text)
			}
		}
		if strings.Contains(log.String(), password) {
			t.Errorf("%s: the log has the password: %s", name, log)
		}
	}
}

// TestSessionsDoNotShareLogins uses a token, a password and a logout of one session in another, and in a fork.
func TestSessionsDoNotShareLogins(t *testing.T) {
	s := start(t, Options{Text: accessAPI(t, "logins")})
	in := func(session, method, path, token, body string) (int, map[string]any) {
		request, _ := http.NewRequest(method, s.URL()+path, strings.NewReader(body))
		request.Header.Set("Coldframe-Session", session)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		var value map[string]any
		json.NewDecoder(answer.Body).Decode(&value)
		return answer.StatusCode, value
	}
	const ada = `{"email":"ada@example.com","password":"first"}`
	in("a", "POST", "/auth/register", "", ada)
	_, tokens := in("a", "POST", "/auth/login", "", ada)
	access := tokens["access_token"].(string)
	if status, _ := in("b", "POST", "/auth/login", "", `{"email":"ada@example.com","password":"second"}`); status != 200 {
		t.Errorf("another session knows the password: %d", status)
	}
	if _, me := in("b", "GET", "/users/me", access, ""); me["email"] == "ada@example.com" {
		t.Error("another session knows the token")
	}
	if _, err := client.New(s.URL(), client.Options{}).In("a").Fork(t.Context(), "c"); err != nil {
		t.Fatal(err)
	}
	in("c", "POST", "/auth/logout", access, "")
	if status, me := in("a", "GET", "/users/me", access, ""); status != 200 || me["email"] != "ada@example.com" {
		t.Errorf("the logout of a fork ended the token: %d %v", status, me)
	}
	if status, _ := in("c", "GET", "/users/me", access, ""); status != 401 {
		t.Errorf("the fork's token goes on: %d", status)
	}
}
