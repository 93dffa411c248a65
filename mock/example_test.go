package mock_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/coldframe/coldframe/mock"
)

// plant makes a request that creates a plant.
func plant(url, body string) *http.Request {
	r, err := http.NewRequest("POST", url+"/plants", strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer token")
	r.Header.Set("Content-Type", "application/json")
	return r
}

// show prints the status and the body of an answer.
func show(answer *http.Response, err error) {
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.TrimSpace(fmt.Sprint(answer.StatusCode, " ", string(body))))
}

// The zero options serve the Plant Store on a free port.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	server, err := mock.New(ctx, mock.Options{})
	if err != nil {
		log.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- server.Run(ctx) }()

	show(http.DefaultClient.Do(plant(server.URL(), `{"id": 7, "name": "Boston Fern"}`)))
	show(http.DefaultClient.Do(plant(server.URL(), `{"id": "7"}`)))

	stop()
	fmt.Println(<-done)
	// Output:
	// 200 {"name":"Boston Fern"}
	// 400 {"error":400,"message":"body.id: got string, want integer; body.name: required property is missing"}
	// <nil>
}

// A client needs no socket.
func ExampleServer_Client() {
	server, err := mock.New(context.Background(), mock.Options{Listen: mock.ListenOptions{NoListener: true}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	show(server.Client().Do(plant(server.URL(), `{"id": 7, "name": "Boston Fern"}`)))
	show(server.Client().Get(server.URL() + "/__coldframe/state"))
	// Output:
	// 200 {"name":"Boston Fern"}
	// 200 {"items":1,"collections":{"/plants":[{"id": 7, "name": "Boston Fern"}]}}
}

// The handler stands in a server of one's own, here below a path.
func ExampleServer_Handler() {
	backend, err := mock.New(context.Background(), mock.Options{Listen: mock.ListenOptions{NoListener: true}})
	if err != nil {
		log.Fatal(err)
	}
	defer backend.Close()
	mux := http.NewServeMux()
	mux.Handle("/api/", http.StripPrefix("/api", backend.Handler()))
	server := httptest.NewServer(mux)
	defer server.Close()

	show(server.Client().Do(plant(server.URL+"/api", `{"id": 7, "name": "Boston Fern"}`)))
	// Output:
	// 200 {"name":"Boston Fern"}
}

// A condition over the journal, and what came near it.
func ExampleServer_Verify() {
	server, err := mock.New(context.Background(), mock.Options{Listen: mock.ListenOptions{NoListener: true}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	show(server.Client().Do(plant(server.URL(), `{"id": 7, "name": "Boston Fern"}`)))

	fmt.Println(server.Verify(mock.Expectation{Operation: "POST /plants", Count: new(1)}))
	fmt.Println(server.Verify(mock.Expectation{Where: `request.body.name == "Rose"`}))
	// Output:
	// 200 {"name":"Boston Fern"}
	// <nil>
	// 0 of 1 exchanges match, expected at least 1: any operation where request.body.name == "Rose"
	//   1 POST /plants 200: not request.body.name == "Rose", is "Boston Fern"
}

// Clients in sessions of their own do not see each other.
func ExampleServer_Session() {
	server, err := mock.New(context.Background(), mock.Options{Listen: mock.ListenOptions{NoListener: true}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	ada, bob := server.Session("ada"), server.Session("bob")
	show(ada.Client().Do(plant(server.URL(), `{"id": 7, "name": "Boston Fern"}`)))
	show(ada.Client().Get(server.URL() + "/__coldframe/state"))
	fmt.Println(len(ada.Requests()), len(bob.Requests()))
	fmt.Println(bob.Verify(mock.Expectation{Operation: "POST /plants"}))
	// Output:
	// 200 {"name":"Boston Fern"}
	// 200 {"items":1,"collections":{"/plants":[{"id": 7, "name": "Boston Fern"}]}}
	// 1 0
	// 0 of 0 exchanges match, expected at least 1: POST /plants
}

// What a client has asked for, and a mock that has forgotten it.
func ExampleServer_Requests() {
	server, err := mock.New(context.Background(), mock.Options{Listen: mock.ListenOptions{NoListener: true}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	show(server.Client().Do(plant(server.URL(), `{"id": 7, "name": "Boston Fern"}`)))

	for _, e := range server.Requests() {
		credentials, _ := e.Request.Header.Get("Authorization")
		fmt.Println(e.Operation, e.Response.Status, credentials, string(e.Request.Body))
	}
	server.Reset()
	fmt.Println(len(server.Requests()))
	// Output:
	// 200 {"name":"Boston Fern"}
	// POST /plants 200 REDACTED {"id": 7, "name": "Boston Fern"}
	// 0
}

// What of the document was used.
func ExampleServer_Coverage() {
	server, err := mock.New(context.Background(), mock.Options{Listen: mock.ListenOptions{NoListener: true}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	show(server.Client().Do(plant(server.URL(), `{"id": 7, "name": "Boston Fern"}`)))

	report := server.Coverage()
	fmt.Println(report.Covered, "of", report.Total)
	for _, missing := range report.Missing() {
		fmt.Println(missing)
	}
	// Output:
	// 200 {"name":"Boston Fern"}
	// 7 of 13
	// request property request.tag (plant-store.yaml:47:9)
	// response property 200.tag (plant-store.yaml:47:9)
	// status 400 (plant-store.yaml:31:9) with 3 inside
}

// started returns a mock without a socket that checks no credentials.
func started(o mock.Options) *mock.Server {
	o.Listen.NoListener, o.Auth.Mode = true, "off"
	s, err := mock.New(context.Background(), o)
	if err != nil {
		log.Fatal(err)
	}
	return s
}

// notes is a document with a collection.
const notes = `openapi: 3.1.0
info: {title: Notes, version: "1"}
paths:
  /notes:
    get: {responses: {"200": {description: all, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Note"}}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
      responses: {"201": {description: created, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}}
  /notes/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        "200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
        "404": {description: unknown}
components:
  schemas:
    Note: {type: object, required: [id, text], properties: {id: {type: integer}, text: {type: string}}}
`

// A client of your own uses the mock as its transport. Its host does not matter.
func ExampleServer_Transport() {
	s := started(mock.Options{Document: "notes.yaml", Text: []byte(notes), State: mock.StateOptions{UnknownItems: "refuse"}})
	defer s.Close()

	client := &http.Client{Transport: s.Transport(), Timeout: time.Minute}
	show(client.Post("https://api.example.com/notes", "application/json", strings.NewReader(`{"id": 1, "text": "water the ferns"}`)))
	show(client.Get("https://api.example.com/notes"))
	show(client.Get("https://api.example.com/notes/2"))
	// Output:
	// 201 {"id":1,"text":"water the ferns"}
	// 200 [{"id":1,"text":"water the ferns"}]
	// 404
}

// A scenario makes the mock answer differently: here the first request fails.
func ExampleOptions_scenario() {
	const flaky = `
name: flaky
rules:
  - on: POST /notes
    times: 1
    respond: {status: 503}
`
	s := started(mock.Options{
		Document: "notes.yaml", Text: []byte(notes),
		ScenarioTexts: []mock.Text{{Name: "flaky.yaml", Text: []byte(flaky)}},
	})
	defer s.Close()

	for i := range 2 {
		body := fmt.Sprintf(`{"id": %d, "text": "a note"}`, i)
		show(s.Client().Post(s.URL()+"/notes", "application/json", strings.NewReader(body)))
	}
	// Output:
	// 503 {"detail":"Service Unavailable","status":503,"title":"Service Unavailable","type":"about:blank"}
	// 201 {"id":1,"text":"a note"}
}

// Every session starts with the items of the data.
func ExampleOptions_data() {
	s := started(mock.Options{
		Document: "notes.yaml", Text: []byte(notes),
		State: mock.StateOptions{DataTexts: []mock.Text{{Name: "data.yaml", Text: []byte(`/notes: [{id: 1, text: "water the ferns"}]`)}}},
	})
	defer s.Close()

	show(s.Client().Get(s.URL() + "/notes"))
	s.Client().Post(s.URL()+"/notes", "application/json", strings.NewReader(`{"id": 2, "text": "repot the rose"}`))
	show(s.Client().Get(s.URL() + "/notes"))
	s.Reset()
	show(s.Client().Get(s.URL() + "/notes"))
	// Output:
	// 200 [{"id":1,"text":"water the ferns"}]
	// 200 [{"id":1,"text":"water the ferns"},{"id":2,"text":"repot the rose"}]
	// 200 [{"id":1,"text":"water the ferns"}]
}

// What the mock serves, and what is wrong with the document.
func ExampleServer_Info() {
	s := started(mock.Options{Document: "notes.yaml", Text: []byte(notes)})
	defer s.Close()

	info := s.Info()
	fmt.Println(info.Title, info.Version, info.File)
	for _, o := range info.Operations {
		fmt.Println(o.Method, o.Path)
	}
	for _, f := range info.Findings {
		fmt.Println(f.Severity, f)
	}
	fmt.Println(info.Operations[0].Curl("http://localhost:4010"))
	// Output:
	// Notes 1 notes.yaml
	// GET /notes
	// POST /notes
	// GET /notes/{id}
	// curl 'http://localhost:4010/notes'
}

// A clock that stands still moves when a test says so.
func ExampleSession_Advance() {
	s := started(mock.Options{Document: "notes.yaml", Text: []byte(notes), Now: "fixed"})
	defer s.Close()

	session := s.Session("suite-1")
	fmt.Println(session.Now())
	fmt.Println(session.Advance(48 * time.Hour))
	fmt.Println(session.Now())
	// Output:
	// 2026-01-01 00:00:00 +0000 UTC
	// <nil>
	// 2026-01-03 00:00:00 +0000 UTC
}

// A scenario file is checked against the document before a server needs it.
func ExampleCheckScenarios() {
	const soldOut = `
rules:
  - on: POST /note
    respond: {status: 409}
`
	names, findings, err := mock.CheckScenarios(context.Background(), mock.Options{
		Document: "notes.yaml", Text: []byte(notes),
		ScenarioTexts: []mock.Text{{Name: "sold-out.yaml", Text: []byte(soldOut)}},
	})
	fmt.Println(names, err)
	for _, f := range findings {
		fmt.Println(f)
	}
	// Output:
	// [] <nil>
	// sold-out.yaml:3:9: unknown operation "POST /note"; did you mean "POST /notes"?
}

// A generated value is set in one line.
func ExampleReadValueOverrides() {
	values, err := mock.ReadValueOverrides("values.yaml", []byte(`Note.text: water the ferns`))
	if err != nil {
		log.Fatal(err)
	}
	s := started(mock.Options{Document: "notes.yaml", Text: []byte(notes), Values: mock.ValueOptions{Overrides: values}})
	defer s.Close()

	show(s.Client().Get(s.URL() + "/notes/7"))
	// Output:
	// 200 {"id":7,"text":"water the ferns"}
}

// A proxy forwards requests to a real service, and reports where it leaves the document.
func ExampleProxyOptions() {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"name": 7}`)
	}))
	defer service.Close()
	server, err := mock.New(context.Background(), mock.Options{Proxy: mock.ProxyOptions{Upstream: service.URL}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	go server.Run(context.Background())

	show(http.DefaultClient.Do(plant(server.URL(), `{"id": 7, "name": "Boston Fern"}`)))
	for _, f := range server.Requests()[0].Findings {
		fmt.Println(f)
	}
	// Output:
	// 200 {"name": 7}
	// response.body.name: got number, want string
}
