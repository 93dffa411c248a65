package mock

import (
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/testbench/sample"
	"github.com/coldframe/coldframe/mock/internal/control"
)

// secretDocument wants credentials in all places, has them among its parameters
// with schemas that refuse them, and echoes what it can.
const secretDocument = `
openapi: 3.1.0
info: {title: Secrets, version: "1"}
security: [{bearer: []}, {basic: []}, {key: []}, {query: []}, {cookie: []}]
paths:
  /things:
    parameters:
      - {name: api_key, in: query, schema: {enum: [a, b]}}
      - {name: page, in: query, schema: {type: integer}}
      - {name: X-Key, in: header, schema: {type: string, maxLength: 3, pattern: "^a*$"}}
      - {name: sid, in: cookie, schema: {type: string, format: uuid}}
    get:
      responses:
        "200":
          description: d
          headers: {Link: {schema: {type: string}}}
          content: {application/json: {schema: {type: object, properties: {data: {type: array, items: {$ref: "#/components/schemas/Thing"}}, next: {type: string, format: uri}, api_key: {type: string}}}}}
        "400": {$ref: "#/components/responses/Error"}
        "401": {$ref: "#/components/responses/Error"}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}
      callbacks:
        made:
          "{$request.body#/url}/called?api_key={$request.query.api_key}":
            post:
              requestBody: {content: {application/json: {schema: {type: object, required: [api_key], properties: {api_key: {type: string}}}}}}
              responses: {"204": {description: d}}
      responses:
        "201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}
        "400": {$ref: "#/components/responses/Error"}
  /called:
    post:
      parameters: [{name: api_key, in: query, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {api_key: {type: string}}}}}}
      responses: {"204": {description: d}}
components:
  responses:
    Error: {description: no, content: {application/json: {schema: {type: object, properties: {message: {type: string}, detail: {type: string}}}}}}
  schemas:
    Thing: {type: object, required: [name], properties: {id: {type: integer, readOnly: true}, name: {type: string}, url: {type: string}}}
  securitySchemes:
    bearer: {type: http, scheme: bearer}
    basic: {type: http, scheme: basic}
    key: {type: apiKey, in: header, name: X-Key}
    query: {type: apiKey, in: query, name: api_key}
    cookie: {type: apiKey, in: cookie, name: sid}
`

// echoes has a scenario repeat what it was sent.
const echoes = `
rules:
  - on: GET /things
    when: request.query.page == 7
    respond:
      status: 200
      body:
        data: []
        api_key: '${request.headers["authorization"]} ${request.headers["x-key"]} ${request.headers["cookie"]} ${string(request.query.api_key)}'
`

// TestSecretsShowNowhere sends unmistakable credentials in every place, in good
// and in faulty requests, to known and to unknown paths, and looks for them in
// everything that the mock shows: errors, journal, feed, misses, logs, coverage, state.
func TestSecretsShowNowhere(t *testing.T) {
	scenario := t.TempDir() + "/echo.yaml"
	if err := os.WriteFile(scenario, []byte(echoes), 0o600); err != nil {
		t.Fatal(err)
	}
	secrets := []struct{ place, secret string }{
		{"bearer", "tok3n-bearer-8c1fa2"},
		{"basic", base64.StdEncoding.EncodeToString([]byte("user:p4ssw0rd-9d3e77"))},
		{"header", `k3y/+"header"=5f00c1`},
		{"query", "qu3ry/+ &=é-71bb02"},
		{"cookie", "c00kie-4e9a10-value"},
		{"strange", "tok3n-strange-00aa1"},
	}
	i := 0
	for _, form := range []string{"text", "json"} {
		for _, validate := range []string{"strict", "warn"} {
			for _, row := range secrets {
				place, secret := row.place, row.secret
				if i++; i%sample.Every(5, 5) != 0 { // 5, so that the part has other places of each form
					continue
				}
				t.Run(form+" "+validate+" "+place, func(t *testing.T) {
					log := &lineLog{}
					s := start(t, Options{Document: "t.yaml", Text: []byte(secretDocument), Log: LogOptions{To: log, Format: form}, Validate: validate,
						Scenarios: []string{scenario}, Callbacks: "loopback"})
					target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						w.WriteHeader(204)
					}))
					defer target.Close()
					made := 0
					for _, to := range []string{s.URL(), target.URL} {
						made += sendSecrets(t, s, place, secret, to)
					}
					// Each creation ends in a line about its callback.
					log.until(t, func(text string) bool { return strings.Count(text, "callback made ") >= made })
					forms := []string{secret, url.QueryEscape(secret), url.PathEscape(secret), strings.ReplaceAll(secret, `"`, `\"`), "p4ssw0rd-9d3e77"}
					look := func(where, text string) {
						for _, form := range forms {
							if strings.Contains(text, form) {
								t.Errorf("%s shows the secret: %s", where, text)
								return
							}
						}
					}
					for _, path := range []string{"requests?limit=1000", "state", "coverage", "coverage?format=text", "coverage?format=lcov", "coverage?session=", "sessions", "health"} {
						look(path, fetch(t, s, "GET", control.Prefix+path, ""))
					}
					for _, e := range s.Requests() {
						look("the journal", fmt.Sprintf("%+v", *e))
						text, err := e.MarshalJSON()
						if err != nil {
							t.Fatal(err)
						}
						look("the feed", string(text))
					}
					if len(s.Requests()) < 10 {
						t.Errorf("only %d requests", len(s.Requests()))
					}
					for _, where := range []string{`request.headers["authorization"] == ""`, `request.query.api_key == "c"`, `request.headers["x-key"] == "c"`,
						`request.headers["cookie"] == ""`, `response.body.api_key == "c"`, `request.path == ""`} {
						look("a miss", fetch(t, s, "POST", control.Prefix+"verify", fmt.Sprintf(`{"where": %q}`, where)))
					}
					s.Close()
					look("the log", log.String())
				})
			}
		}
	}
}

// TestUsualSecretsShowNowhere sends credentials that no security scheme declares, under the names that they have
// everywhere. Neither log nor control API shows them.
func TestUsualSecretsShowNowhere(t *testing.T) {
	log := &lineLog{}
	s := start(t, Options{Log: LogOptions{To: log}, Document: "t.yaml", Text: []byte(`
openapi: 3.1.0
info: {title: Logins, version: "1"}
paths:
  /login:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {password: {type: string, pattern: "^[a-z]*$"}, client_secret: {enum: [a]}}}},
        application/x-www-form-urlencoded: {schema: {type: object, properties: {password: {type: string}}}}}}
      responses:
        "200": {description: d, headers: {Set-Cookie: {schema: {type: string}, example: sid=hush-1}}, content: {application/json: {schema: {type: object, properties: {access_token: {type: string}}}, example: {access_token: hush-2}}}}
`)})
	for _, request := range []struct{ target, kind, body string }{
		{"/login?access_token=hush-3", "application/json", `{"password": "hu\u0073h"}`},
		{"/login", "application/json", `{"password": "hush-4", "client_secret": "hush-5"}`},
		{"/login?api_key=hush-6", "application/x-www-form-urlencoded", "password=hush-7"},
		{"/elsewhere?token=hush-8", "text/plain", `{"refresh_token": "hush-9`},
		{"/login", "text/plain", "user=ada&password=hush-10"},
		{"/login", "", "user=ada&password=hush-11"},
		{"/login", "application/json", "user=ada&password=hush-12"},
		{"/login", "application/x-www-form-urlencoded", `{"password": "hush-13"}`},
		{"/elsewhere", "text/plain", "user=ada\r\npassword=a & hush-14\r\n"},
		{"/elsewhere", "application/octet-stream", "<login><password><![CDATA[hush-15]]></password></login>"},
		{"/elsewhere", "multipart/form-data", "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhush-16\r\n--b--\r\n"},
		{"/elsewhere", "gzip", zipped(`{"password": "hush-17"}`)}, {"/login", "gzip", zipped(`{"password": "hush-18"}`)},
	} {
		r, err := http.NewRequest("POST", s.URL()+request.target, strings.NewReader(request.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{"Content-Type": {request.kind}, "Cookie": {"a=hush-a"}, "X-Api-Key": {"hush-b"}, "X-Auth-Token": {"hush-c"}}
		if request.kind == "gzip" {
			r.Header["Content-Type"], r.Header["Content-Encoding"] = []string{"application/json"}, []string{"gzip"}
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	for _, path := range []string{"requests", "coverage"} {
		if text := fetch(t, s, "GET", control.Prefix+path, ""); strings.Contains(text, "hush") {
			t.Errorf("%s: %s", path, text)
		}
	}
	for _, e := range s.Requests() {
		if e.Request.Body[0] == 0x1f {
			t.Errorf("%s: a body is kept as it was packed: %q", e.Request.Path, e.Request.Body)
		}
	}
	for _, where := range []string{"request.body.password", "response.body.access_token", `request.headers["x-api-key"]`} {
		if text := fetch(t, s, "POST", control.Prefix+"verify", fmt.Sprintf(`{"where": %q}`, where+` == "c"`)); strings.Contains(text, "hush") {
			t.Errorf("verify: %s", text)
		}
	}
	s.Close()
	if text := log.String(); strings.Contains(text, "hush") || !strings.Contains(text, auth.Redacted) {
		t.Errorf("the log: %s", text)
	}
}

func zipped(text string) string {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// sendSecrets sends a secret in requests of all sorts. The answers to those that
// are refused are looked at. It returns how many creations went well.
func sendSecrets(t *testing.T, s *Server, place, secret, callback string) (made int) {
	t.Helper()
	query := "?page=1"
	fields := map[string]string{}
	switch place {
	case "bearer":
		fields["aUtHoRiZaTiOn"] = "Bearer " + secret
	case "basic":
		fields["AUTHORIZATION"] = "Basic " + secret
	case "header":
		fields["x-KEY"] = secret
	case "query":
		query = "?page=1&api_key=" + url.QueryEscape(secret)
	case "cookie":
		fields["cOOKIE"] = "a=b; sid=" + secret
	case "strange":
		fields["Authorization"] = secret + ", " + secret
	}
	paths := []string{"/things" + query, "/things" + strings.Replace(query, "1", "x", 1), "/things" + strings.Replace(query, "1", "7", 1),
		"/nothing" + query, "/things/" + url.PathEscape(secret) + query}
	for _, path := range paths {
		for _, request := range []struct{ method, body string }{
			{"GET", ""}, {"POST", fmt.Sprintf(`{"name":"a","url":%q}`, callback)}, {"POST", `{"name":1}`}, {"POST", `{`}, {"PATCH", ""},
		} {
			r, err := http.NewRequest(request.method, s.URL()+path, strings.NewReader(request.body))
			if err != nil {
				t.Fatal(err)
			}
			for name, value := range fields {
				r.Header[name] = []string{value}
			}
			if request.body != "" {
				r.Header.Set("Content-Type", "application/json")
			}
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			if request.method == "POST" && answer.StatusCode == 201 {
				made++
			}
			if answer.StatusCode >= 400 && !strings.HasPrefix(path, "/things/") && (strings.Contains(string(body), secret) || strings.Contains(string(body), url.QueryEscape(secret))) {
				t.Errorf("%s %s: the refusal shows the secret: %s", request.method, path, body)
			}
		}
	}
	return made
}

func fetch(t *testing.T, s *Server, method, target, body string) string {
	t.Helper()
	r, err := http.NewRequest(method, s.URL()+target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode >= 400 && answer.StatusCode != 417 {
		t.Errorf("%s %s: %d %s", method, target, answer.StatusCode, text)
	}
	return string(text)
}
