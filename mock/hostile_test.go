package mock

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

// TestTokenOutsideLoopback has the control API of a server that others may reach need a token.
func TestTokenOutsideLoopback(t *testing.T) {
	s := start(t, Options{Host: "0.0.0.0"})
	if len(s.ControlToken()) < 20 || start(t, Options{}).ControlToken() != "" {
		t.Fatalf("the token is %q", s.ControlToken())
	}
	for token, want := range map[string]int{"": 401, "other": 401, s.ControlToken(): 200} {
		r, err := http.NewRequest("GET", "http://"+net.JoinHostPort("127.0.0.1", s.URL()[strings.LastIndex(s.URL(), ":")+1:])+"/__coldframe/state", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%q: %d", token, answer.StatusCode)
		}
	}
}

// TestNothingHiddenIsLogged logs a request that is made to deceive.
func TestNothingHiddenIsLogged(t *testing.T) {
	log := &lineLog{}
	s := start(t, Options{LogTo: log})
	s.exchange(&exchange.Request{Method: "GET\x1b[2J", Path: "/a\r\nGET /b 200\u202e", Query: "\u009b31m"})
	if text := log.String(); strings.ContainsAny(text, "\x1b\r\u202e\u009b") || strings.Count(text, "GET") < 2 || !strings.Contains(text, `\x1b[2J`) {
		t.Errorf("%q", text)
	}
}
