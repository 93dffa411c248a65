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
	s := start(t, Options{Listen: ListenOptions{Host: "0.0.0.0"}})
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
	s := start(t, Options{Log: LogOptions{To: log}})
	s.exchange(&exchange.Request{Method: "GET\x1b[2J", Path: "/a\r\nGET /b 200\u202e", Query: "\u009b31m"})
	if text := log.String(); strings.ContainsAny(text, "\x1b\r\u202e\u009b") || strings.Count(text, "GET") < 2 || !strings.Contains(text, `\x1b[2J`) {
		t.Errorf("%q", text)
	}
}

// TestLongKey creates items whose keys are longer than any path that the mock reads: what was sent is shown and listed
// unchanged, and no link repeats it.
func TestLongKey(t *testing.T) {
	s := start(t, Options{Document: "openapi.yaml", Text: []byte(`
openapi: 3.1.0
info: {title: Repositories, version: "1"}
paths:
  /repositories:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Repository"}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}}
      responses:
        "201":
          description: d
          headers: {Location: {schema: {type: string}}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Repository"}}}
  /repositories/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Repository"}}}}}}
  /repositories/{name}/issues:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d}}}
components:
  schemas:
    Repository:
      type: object
      required: [name, url, issues_url]
      properties: {name: {type: string}, url: {type: string, format: uri}, issues_url: {type: string, format: uri}}
`)})
	short := send(s, "", "POST", "/repositories", `{"name":"short"}`)
	if at, _ := short.Header.Get("Location"); at != "/repositories/short" || !strings.Contains(string(short.Body), "/repositories/short/issues") {
		t.Errorf("Location %q, body %s", at, short.Body)
	}
	for range 2 {
		long := send(s, "", "POST", "/repositories", `{"name":"`+strings.Repeat("x", 100_000)+`"}`)
		if n := strings.Count(string(long.Body), strings.Repeat("x", 100_000)); long.Status != 201 || n != 1 {
			t.Errorf("status %d, and the body has the name %d times", long.Status, n)
		}
		if at, _ := long.Header.Get("Location"); len(at) > 1000 {
			t.Errorf("the Location has %d bytes", len(at))
		}
	}
	if n := strings.Count(string(send(s, "", "GET", "/repositories", "").Body), strings.Repeat("x", 100_000)); n != 2 {
		t.Errorf("%d items with a long name are listed", n)
	}
}
