package mock

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// The control API on a port of its own: all of it there, only its health on the
// port of the mock.
func TestControlPort(t *testing.T) {
	s := start(t, Options{Control: ControlOptions{Port: FreePort, Token: "s3cret"}, Limits: Limits{MaxBody: 1 << 10}})
	if s.ControlURL() == s.URL() {
		t.Fatal("there is one port")
	}
	for _, c := range []struct {
		method, url, token, body string
		status                   int
		want                     string
	}{
		{"GET", s.URL() + "/__coldframe/health", "", "", 200, `{"status":"ok"}`},
		{"GET", s.ControlURL() + "/__coldframe/health", "", "", 200, `{"status":"ok"}`},
		{"GET", s.URL() + "/__coldframe/state", "s3cret", "", 404, "the control API has a port of its own (option control-port)"},
		{"GET", s.URL() + "/__coldframe/events", "s3cret", "", 404, "port of its own"},
		{"GET", s.ControlURL() + "/__coldframe/state", "s3cret", "", 200, `"items":0`},
		{"GET", s.ControlURL() + "/__coldframe/state", "", "", 401, "the option control-token"},
		{"POST", s.ControlURL() + "/plants", "s3cret", `{"id":1,"name":"Rose"}`, 404, "the control API has no such path"},
		{"POST", s.URL() + "/plants", "token", `{"id":1,"name":"Rose"}`, 200, `{"name":"Rose"}`},
		{"GET", s.ControlURL() + "/__coldframe/requests", "s3cret", "", 200, `"matched":1`},
		{"POST", s.ControlURL() + "/__coldframe/verify", "s3cret", strings.Repeat(" ", 2<<10), 413, "could not be read"},
		{"GET", s.ControlURL() + "/__coldframe/requests", "s3cret", "", 200, `"matched":1`},
	} {
		r, err := http.NewRequest(c.method, c.url, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if c.token != "" {
			r.Header.Set("Authorization", "Bearer "+c.token)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != c.status || !strings.Contains(string(body), c.want) {
			t.Errorf("%s %s: %d %s %v, want %d %s", c.method, c.url, response.StatusCode, body, err, c.status, c.want)
		}
		if kind := response.Header.Get("Content-Type"); c.status >= 400 && kind != "application/problem+json" {
			t.Errorf("%s %s: %s", c.method, c.url, kind)
		}
	}
	r, err := http.NewRequest("GET", s.ControlURL()+"/__coldframe/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer s3cret")
	feed, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer feed.Body.Close()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadAll(feed.Body); err != nil {
		t.Errorf("the feed breaks off: %v", err)
	}
	if _, err := http.Get(s.ControlURL() + "/__coldframe/health"); err == nil {
		t.Error("the control port is open after Close")
	}
}

// A control port that cannot be had.
func TestControlPortRefused(t *testing.T) {
	taken := start(t, Options{})
	_, port, _ := strings.Cut(strings.TrimPrefix(taken.URL(), "http://"), ":")
	busy, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := New(t.Context(), Options{Control: ControlOptions{Port: busy}}); err == nil {
		s.Close()
		t.Error("a port was bound twice")
	}
	for _, o := range []Options{
		{Control: ControlOptions{Port: -2}}, {Control: ControlOptions{Port: 65536}}, {Listen: ListenOptions{Port: 5}, Control: ControlOptions{Port: 5}},
		{Control: ControlOptions{Port: FreePort, Mode: "off"}}, {Control: ControlOptions{Port: FreePort}, Listen: ListenOptions{NoListener: true}},
	} {
		var wrong *OptionError
		if _, err := New(t.Context(), o); !errors.As(err, &wrong) || wrong.Option != "Control.Port" {
			t.Errorf("%+v: %v", o, err)
		}
	}
	s, err := New(t.Context(), Options{Control: ControlOptions{Port: FreePort}}) // and never run
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
