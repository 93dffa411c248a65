package mock

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

const thingsDocument = `
openapi: 3.1.0
info: {title: Things, version: "1"}
paths:
  /things:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Thing"}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}}}
    patch:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}, count: {type: integer}}}}}}
      responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}}
    delete: {responses: {"204": {description: d}}}
components:
  schemas:
    Thing: {type: object, required: [id, name], properties: {id: {type: integer, readOnly: true}, name: {type: string}, count: {type: integer}}}
`

// send takes a request through the mock in a session.
func send(s *Server, session, method, path, body string) *exchange.Response {
	r := &exchange.Request{Method: method, Path: path, Header: exchange.Header{{Name: "Host", Value: "localhost"}}}
	if session != "" {
		r.Header.Set(sessionField, session)
	}
	if body != "" {
		r.Body = []byte(body)
		r.Header.Set("Content-Type", "application/json")
	}
	return &s.exchange(r).answer.Response
}

// TestSessionsInParallel runs 100 clients, each in a session of its own: each
// sees what it made and nothing else.
func TestSessionsInParallel(t *testing.T) {
	s := start(t, Options{Document: "openapi.yaml", Text: []byte(thingsDocument), State: StateOptions{UnknownItems: "refuse"}})
	const clients, each = 100, 10
	var all sync.WaitGroup
	for client := range clients {
		all.Go(func() {
			name := fmt.Sprint("client-", client)
			want := "["
			for i := range each {
				body := fmt.Sprintf(`{"name":"%s-%d"}`, name, i)
				made := fmt.Sprintf(`{"id":%d,"name":"%s-%d"}`, i+1, name, i)
				if r := send(s, name, "POST", "/things", body); string(r.Body) != made {
					t.Errorf("%s: made %s, want %s", name, r.Body, made)
				}
				if i == each/2 {
					send(s, name, "DELETE", fmt.Sprint("/things/", i+1), "")
					continue
				}
				if i > 0 {
					want += ","
				}
				want += made
			}
			if r := send(s, name, "GET", "/things", ""); string(r.Body) != want+"]" {
				t.Errorf("%s: sees %s, want %s]", name, r.Body, want)
			}
		})
	}
	all.Wait()
	if r := send(s, "", "GET", "/things", ""); string(r.Body) != "[]" {
		t.Errorf("those who name no session see %s", r.Body)
	}
}

// TestChangesInParallel changes one item in different ways at once: no change is
// lost.
func TestChangesInParallel(t *testing.T) {
	s := start(t, Options{Document: "openapi.yaml", Text: []byte(thingsDocument), State: StateOptions{UnknownItems: "generate"}})
	send(s, "", "POST", "/things", `{"name":"a","count":0}`)
	var all sync.WaitGroup
	all.Go(func() {
		for i := range 20 {
			send(s, "", "PATCH", "/things/1", fmt.Sprintf(`{"name":"b%d"}`, i))
		}
	})
	all.Go(func() {
		for i := range 20 {
			send(s, "", "PATCH", "/things/1", fmt.Sprintf(`{"count":%d}`, i))
		}
	})
	all.Wait()
	if r := send(s, "", "GET", "/things/1", ""); string(r.Body) != `{"count":19,"id":1,"name":"b19"}` {
		t.Errorf("after all changes it is %s", r.Body)
	}
}

// TestSessionClock moves the clock of one session: its tokens expire, its items are created later, and a reset takes it
// back. Another session does not notice.
func TestSessionClock(t *testing.T) {
	s := start(t, Options{Text: accessAPI(t, "logins"), Auth: AuthOptions{TokenTTL: time.Hour}, Now: "session"})
	moved, still := s.Session("moved"), s.Session("still")
	began := still.Now()
	tokens := map[*Session]string{}
	for _, session := range []*Session{moved, still} {
		answer, err := session.Client().Post(s.URL()+"/auth/login", "application/json",
			strings.NewReader(`{"email":"ada@example.com","password":"p"}`))
		if err != nil {
			t.Fatal(err)
		}
		var sent struct {
			Token string `json:"access_token"`
		}
		if err := json.NewDecoder(answer.Body).Decode(&sent); err != nil {
			t.Fatal(err)
		}
		tokens[session] = sent.Token
	}
	me := func(session *Session) int {
		request, _ := http.NewRequest("GET", s.URL()+"/users/me", nil)
		request.Header.Set("Authorization", "Bearer "+tokens[session])
		answer, err := session.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode
	}
	if me(moved) != 200 || me(still) != 200 {
		t.Fatalf("%d %d", me(moved), me(still))
	}
	if err := moved.Advance(2 * time.Hour); err != nil {
		t.Fatal(err)
	}
	if me(moved) != 401 || me(still) != 200 {
		t.Errorf("%d %d", me(moved), me(still))
	}
	if ahead := moved.Now().Sub(began); ahead < 2*time.Hour || ahead > 3*time.Hour {
		t.Errorf("ahead by %v", ahead)
	}
	if err := moved.SetTime(began); err == nil {
		t.Error("the clock of items and that of expiry are set at once")
	}
	if err := moved.Advance(-2 * time.Hour); err != nil || me(moved) != 200 {
		t.Errorf("%v, %d", err, me(moved))
	}
	if err := moved.Advance(150 * 365 * 24 * time.Hour); err != nil {
		t.Error(err)
	}
	if err := moved.Advance(100 * 365 * 24 * time.Hour); err == nil {
		t.Error("a time that no clock has")
	}
	moved.Reset()
	if ahead := moved.Now().Sub(still.Now()); ahead > time.Hour {
		t.Errorf("a reset leaves %v", ahead)
	}
}
