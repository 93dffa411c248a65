package mock

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// control sends a request to the control API.
func (s *Server) controlled(method, target, body string) httpserver.Answer {
	r := &exchange.Request{Method: method, Path: control.Prefix + target, Body: []byte(body)}
	r.Path, r.Query, _ = strings.Cut(r.Path, "?")
	return s.control.Serve(r)
}

// statusOf sends the Plant Store a good request in a session.
func statusOf(s *Server, session string) int {
	r := plant("token")
	r.Header.Set(sessionField, session)
	return s.exchange(r).answer.Status
}

// Scenarios are switched, put and taken away while requests are answered, which
// see one or the other; their counters go on.
func TestScenariosChangeUnderLoad(t *testing.T) {
	s, err := New(t.Context(), Options{Listen: ListenOptions{NoListener: true}, Control: ControlOptions{Journal: -1}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const refusing = `rules: [{on: POST /plants, respond: {status: 400, body: {error: 1, message: no}}}]`
	if a := s.controlled("PUT", "scenarios/counts", `rules: [{on: POST /plants, then: start}]`); a.Status != 200 {
		t.Fatal(string(a.Body))
	}
	var wait sync.WaitGroup
	for i := range 8 {
		session := fmt.Sprint("s", i%4)
		wait.Go(func() {
			for range 200 {
				if status := statusOf(s, session); status != 200 && status != 400 {
					t.Error(status)
				}
			}
		})
		wait.Go(func() {
			for range 20 {
				s.controlled("PUT", "scenarios/refusing", refusing)
				s.controlled("PATCH", "scenarios/counts?session="+session, `{"active": false}`)
				s.controlled("GET", "scenarios", "")
				s.controlled("DELETE", "scenarios/refusing", "")
				s.controlled("POST", "sessions/"+session+"/snapshot", "")
				s.controlled("DELETE", "scenarios?session="+session, "")
			}
		})
	}
	wait.Wait()
	if a := s.controlled("PUT", "scenarios/refusing", refusing); a.Status != 200 || statusOf(s, "s1") != 400 {
		t.Error(a.Status)
	}
	if s.Reset(); statusOf(s, "s1") != 200 {
		t.Error("the reset leaves a scenario")
	}
}

// A document that is loaded again keeps the scenarios that were put, except
// those that no longer fit.
func TestScenariosOutliveReloads(t *testing.T) {
	file := filepath.Join(t.TempDir(), "openapi.yaml")
	write := func(paths ...string) {
		text := "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n"
		for _, path := range paths {
			text += "  " + path + ": {get: {responses: {'200': {description: ok}, '404': {description: no}}}}\n"
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("/a", "/b")
	log := &lineLog{}
	s, err := New(t.Context(), Options{Document: file, Listen: ListenOptions{NoListener: true}, Log: LogOptions{To: log}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, put := range []string{"a", "b", "b?session=own"} {
		body := "rules: [{on: GET /" + put[:1] + ", respond: {status: 404}}]"
		if a := s.controlled("PUT", "scenarios/"+put, body); a.Status != 200 {
			t.Fatal(string(a.Body))
		}
	}
	get := func(path, session string) int {
		return s.exchange(&exchange.Request{Method: "GET", Path: path, Header: exchange.Header{{Name: sessionField, Value: session}}}).answer.Status
	}
	if get("/a", "own") != 404 || get("/b", "own") != 404 || get("/b", "other") != 404 {
		t.Error("not in force")
	}
	write("/a", "/c")
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if get("/a", "own") != 404 || get("/c", "own") != 200 {
		t.Error("not in force after a reload")
	}
	if got := strings.Join(s.Info().Scenarios, " "); got != "a" {
		t.Errorf("scenarios %q", got)
	}
	for _, want := range []string{"b.yaml:1:14: unknown operation", "a session loses a scenario"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not say %q: %s", want, log.String())
		}
	}
}

// What is put is bounded.
func TestScenariosAreBounded(t *testing.T) {
	s, err := New(t.Context(), Options{Listen: ListenOptions{NoListener: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const rules = "rules: [{on: '*', delay: 0}]"
	for i := range scenario.MaxPut {
		if a := s.controlled("PUT", fmt.Sprint("scenarios/n", i), rules); a.Status != 200 {
			t.Fatal(string(a.Body))
		}
	}
	if a := s.controlled("PUT", "scenarios/more", rules); a.Status != 409 {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	if a := s.controlled("PUT", "scenarios/n1", rules); a.Status != 200 {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	const head = `{"rules": [{"on": "*", "delay": 0}]}`
	large := head + strings.Repeat(" ", 1<<20-len(head))
	if a := s.controlled("PUT", "scenarios/n1", large+"  "); a.Status != 422 {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	for i := range scenario.MaxPutBytes>>20 - 1 {
		if a := s.controlled("PUT", fmt.Sprintf("scenarios/large?session=s%d", i), large); a.Status != 200 {
			t.Fatal(i, string(a.Body))
		}
	}
	if a := s.controlled("PUT", "scenarios/large", large); a.Status != 409 {
		t.Errorf("%d", a.Status)
	}
	s.controlled("DELETE", "sessions/s1", "")
	if a := s.controlled("PUT", "scenarios/n1", large); a.Status != 200 {
		t.Errorf("%d %s", a.Status, a.Body)
	}
}

// A limit goes by the server's clock, and its answer says when to come again in
// the form that the document has for it.
func TestLimitByTheClock(t *testing.T) {
	const document = `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /seconds: {get: {operationId: seconds, responses: {'200': {description: ok}, '429': {description: no, headers: {Retry-After: {schema: {type: integer}}}}}}}
  /plain: {get: {operationId: plain, responses: {'200': {description: ok}, '429': {description: no}}}}
  /date: {get: {operationId: date, responses: {'200': {description: ok}, '429': {description: no, headers: {Retry-After: {schema: {type: string, pattern: 'GMT$'}}}}}}}
  /format: {get: {operationId: format, responses: {'200': {description: ok}, '429': {description: no, headers: {Retry-After: {schema: {type: string, format: http-date}}}}}}}
  /time: {get: {operationId: time, responses: {'200': {description: ok}, '429': {description: no, headers: {Retry-After: {schema: {type: string, format: date-time}}}}}}}
  /either: {get: {operationId: either, responses: {'200': {description: ok}, '429': {description: no, headers: {Retry-After: {schema: {type: string}}}}}}}
  /never: {get: {operationId: never, responses: {'200': {description: ok}, '429': {description: no, headers: {Retry-After: {schema: {const: soon}}}}}}}
`
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	s, err := New(t.Context(), Options{Document: "t.yaml", Text: []byte(document), Listen: ListenOptions{NoListener: true}, Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rules := `{"rules": [{"on": "*", "limit": {"requests": 2, "per": "1m"}}]}`
	for _, name := range []string{"seconds", "plain", "date", "format", "time", "either", "never"} {
		if a := s.controlled("PUT", "scenarios/"+name, strings.Replace(rules, "*", name, 1)); a.Status != 200 {
			t.Fatal(string(a.Body))
		}
	}
	ask := func(path string) string {
		x := s.exchange(&exchange.Request{Method: "GET", Path: path})
		retry, _ := x.answer.Header.Get("Retry-After")
		return strings.TrimSpace(fmt.Sprint(x.answer.Status, " ", retry))
	}
	at := now
	for _, c := range []struct{ path, retry string }{
		{"/seconds", "18"}, {"/plain", "18"}, {"/date", at.Add(time.Minute).Format(http.TimeFormat)},
		{"/format", at.Add(time.Minute).Format(http.TimeFormat)}, {"/time", "2026-03-04T05:07:07Z"}, {"/either", "18"}, {"/never", "soon"},
	} {
		now = at
		for range 2 {
			if got := ask(c.path); got != "200" {
				t.Errorf("%s: %s", c.path, got)
			}
		}
		now = at.Add(42500 * time.Millisecond)
		if got := ask(c.path); got != "429 "+c.retry {
			t.Errorf("%s: %s, want 429 %s", c.path, got, c.retry)
		}
		now = at.Add(time.Minute)
		if got := ask(c.path); got != "200" {
			t.Errorf("%s: %s after the window", c.path, got)
		}
		now = at
	}
}

// A job is pending until five seconds after its creation by the server's clock, each job for itself and in each
// session; what is not kept is counted from its first request.
func TestJobsByTheClock(t *testing.T) {
	const document = `
openapi: 3.1.0
info: {title: t, version: '1'}
components:
  schemas:
    Job: {type: object, required: [id, status], properties: {id: {type: integer, readOnly: true}, status: {enum: [pending, done], readOnly: true}}}
paths:
  /jobs:
    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}, responses: {'201': &job {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}}}
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Job'}}}}}, '503': {description: too many}}}
  /jobs/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': *job}}
    delete: {responses: {'204': {description: gone}}}
`
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	s, err := New(t.Context(), Options{Document: "t.yaml", Text: []byte(document), Listen: ListenOptions{NoListener: true}, Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if a := s.controlled("PUT", "scenarios/jobs", `rules:
- {on: "GET /jobs/{id}", for: item, after: 5s, respond: {patch: {status: done}}}
- {on: "GET /jobs/{id}", respond: {patch: {status: pending}}}
- {on: GET /jobs, when: len(items("/jobs")) > 2, respond: {status: 503}}`); a.Status != 200 {
		t.Fatal(string(a.Body))
	}
	ask := func(session, method, path string) string {
		x := s.exchange(&exchange.Request{Method: method, Path: path,
			Header: exchange.Header{{Name: sessionField, Value: session}, {Name: "Content-Type", Value: "application/json"}}, Body: []byte("{}")})
		return fmt.Sprintf("%d %s", x.answer.Status, x.answer.Body)
	}
	begin := now
	for _, c := range []struct {
		at                    int // seconds
		session, method, path string
		want                  string
	}{
		{0, "a", "POST", "/jobs", `201 {"id":1,"status":"pending"}`},
		{3, "a", "POST", "/jobs", `201 {"id":2,"status":"pending"}`},
		{4, "a", "GET", "/jobs/1", `200 {"id":1,"status":"pending"}`},
		{4, "b", "GET", "/jobs/1", `200 {"id":1,"status":"pending"}`},
		{5, "a", "GET", "/jobs/1", `200 {"id":1,"status":"done"}`},
		{5, "a", "GET", "/jobs/2", `200 {"id":2,"status":"pending"}`},
		{8, "a", "GET", "/jobs/2", `200 {"id":2,"status":"done"}`},
		{8, "b", "GET", "/jobs/1", `200 {"id":1,"status":"pending"}`},
		{9, "b", "GET", "/jobs/1", `200 {"id":1,"status":"done"}`},
		{9, "a", "POST", "/jobs", `201 {"id":3,"status":"pending"}`},
		{9, "a", "GET", "/jobs", `503 `},
		{9, "a", "DELETE", "/jobs/3", `204 `},
		{9, "b", "DELETE", "/jobs/1", `204 `},
	} {
		now = begin.Add(time.Duration(c.at) * time.Second)
		if got := ask(c.session, c.method, c.path); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
	if got := ask("a", "GET", "/jobs"); !strings.HasPrefix(got, "200") {
		t.Error(got)
	}
}

// Items have the times of the real clock by default, and generated times do not depend on it unless they shall be
// recent; an unknown clock is refused.
func TestRealClock(t *testing.T) {
	const document = `
openapi: 3.1.0
info: {title: t, version: '1'}
components: {schemas: {Job: {type: object, required: [id, createdAt], properties: {id: {type: integer, readOnly: true}, createdAt: {type: string, format: date-time, readOnly: true}}}}}
paths:
  /jobs: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}, responses: {'201': &job {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}}}}
  /jobs/{id}: {get: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {'200': *job}}}
`
	now := time.Date(2033, 3, 4, 5, 6, 7, 89_000_000, time.UTC)
	o := Options{Document: "t.yaml", Text: []byte(document), Listen: ListenOptions{NoListener: true}, Clock: func() time.Time { return now }}
	for _, wrong := range []string{"unreal", "fixed:yesterday", "real:2026-01-01T00:00:00Z", "recent:"} {
		o.Now = wrong
		if _, err := New(t.Context(), o); err == nil || !strings.Contains(err.Error(), "option Now") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	for mode, want := range map[string][2]string{
		"recent": {"2033-03-04T05:06:07.089Z", "203"}, "real": {"2033-03-04T05:06:07.089Z", "2025"},
		"": {"2033-03-04T05:06:07.089Z", "2025"}, "session": {"2026-01-01T00:00:01Z", "2025"},
	} {
		o.Now = mode
		s, err := New(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		r := &exchange.Request{Method: "POST", Path: "/jobs", Header: exchange.Header{{Name: "Content-Type", Value: "application/json"}}, Body: []byte("{}")}
		if got := string(s.exchange(r).answer.Body); !strings.Contains(got, `"createdAt":"`+want[0]) {
			t.Errorf("%q: %s", mode, got)
		}
		for id := range 9 {
			got := string(s.exchange(&exchange.Request{Method: "GET", Path: fmt.Sprint("/jobs/4", id)}).answer.Body)
			_, text, _ := strings.Cut(got, `"createdAt":"`)
			at, err := time.Parse(time.RFC3339, text[:20])
			if before := now.Sub(at); err != nil || !strings.HasPrefix(text, want[1]) || mode == "recent" && (before < 0 || before > 367*24*time.Hour) {
				t.Errorf("%q: %s", mode, got)
			}
		}
		s.Close()
	}
}
