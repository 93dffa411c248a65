package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/coldframe/coldframe/mock"
	"github.com/coldframe/coldframe/mock/client"
)

// started is a mock of the Plant Store; in real life it is another process.
func started(ctx context.Context) *mock.Server {
	server, err := mock.New(ctx, mock.Options{Auth: mock.AuthOptions{Mode: "off"}})
	if err != nil {
		log.Fatal(err)
	}
	go server.Run(ctx)
	return server
}

// create sends the mock a plant in a session, as the program under test would.
func create(server *mock.Server, session, plant string) string {
	r, err := http.NewRequest("POST", server.URL()+"/plants", strings.NewReader(plant))
	if err != nil {
		log.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(client.SessionHeader, session)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		log.Fatal(err)
	}
	answer.Body.Close()
	return answer.Status
}

func Example() {
	ctx := context.Background()
	server := started(ctx)
	defer server.Close()

	c := client.New(server.ControlURL(), client.Options{}).In("suite-1")
	fmt.Println(create(server, "suite-1", `{"id": 7, "name": "Boston Fern"}`))
	fmt.Println(create(server, "suite-2", `{"id": 7, "name": "Rose"}`))

	kept, err := c.State(ctx)
	fmt.Println(kept.Items, string(kept.Collections["/plants"][0]), err)
	fmt.Println(c.Verify(ctx, client.Expectation{Operation: "POST /plants", Count: new(1)}))
	err = c.Verify(ctx, client.Expectation{Where: `request.body.name == "Rose"`})
	fmt.Println(err)
	// Output:
	// 200 OK
	// 200 OK
	// 1 {"id": 7, "name": "Boston Fern"} <nil>
	// <nil>
	// 0 of 1 exchanges match, expected at least 1: any operation where request.body.name == "Rose"
	//   1 POST /plants 200: not request.body.name == "Rose", is "Boston Fern"
}

func ExampleClient_PutScenario() {
	ctx := context.Background()
	server := started(ctx)
	defer server.Close()

	c := client.New(server.ControlURL(), client.Options{}).In("suite-1")
	const soldOut = `
rules:
  - on: POST /plants
    respond: {status: 400, body: {error: 410, message: sold out}}
`
	_, err := c.PutScenario(ctx, "sold-out", soldOut)
	fmt.Println(err)
	fmt.Println(create(server, "suite-1", `{"id": 7, "name": "Rose"}`))
	fmt.Println(create(server, "suite-2", `{"id": 7, "name": "Rose"}`))
	s, err := c.Scenario(ctx, "sold-out")
	fmt.Println(s.Rules[0].On, s.Rules[0].Matched, err)

	var problem *client.Problem
	_, err = c.PutScenario(ctx, "sold-out", strings.Replace(soldOut, "400", "404", 1))
	if errors.As(err, &problem) {
		fmt.Println(problem.Status, problem.Errors[0].Line, problem.Errors[0].Detail)
	}
	// Output:
	// <nil>
	// 400 Bad Request
	// 200 OK
	// [POST /plants] 1 <nil>
	// 422 4 sold-out.yaml:4:23: status 404 is not documented: POST /plants documents 200 and 400; use a documented one, or set violates: true
}

// The journal says what the program under test has sent, without its credentials.
func ExampleClient_Requests() {
	ctx := context.Background()
	server := started(ctx)
	defer server.Close()
	create(server, "suite-1", `{"id": 7, "name": "Boston Fern"}`)
	create(server, "suite-1", `{"id": "8"}`)

	c := client.New(server.ControlURL(), client.Options{}).In("suite-1")
	refused, err := c.Requests(ctx, client.Filter{Status: "4XX"})
	fmt.Println(refused.Matched, err)
	for _, e := range refused.Requests {
		fmt.Println(e.Operation, e.Response.Status, string(e.Request.Body))
		for _, f := range e.Findings {
			fmt.Println(f.Severity, f.Code, f.In+f.Pointer, f.Message)
		}
	}
	// Output:
	// 1 <nil>
	// POST /plants 400 {"id":"8"}
	// error type body/id got string, want integer
	// error required body/name required property is missing
}

// A test begins with items, and leaves none.
func ExampleClient_PutState() {
	ctx := context.Background()
	server := started(ctx)
	defer server.Close()

	c := client.New(server.ControlURL(), client.Options{}).In("suite-1")
	_, err := c.PutState(ctx, []byte(`/plants: [{id: 1, name: Rose}, {id: 2, name: Fern}]`))
	fmt.Println(err)
	state, err := c.State(ctx)
	fmt.Println(state.Items, err)
	fmt.Println(c.ClearState(ctx))
	state, err = c.State(ctx)
	fmt.Println(state.Items, err)
	// Output:
	// <nil>
	// 2 <nil>
	// <nil>
	// 0 <nil>
}

// Reset restores what the session began with. The journal keeps its exchanges until ClearRequests.
func ExampleClient_Reset() {
	ctx := context.Background()
	server := started(ctx)
	defer server.Close()
	create(server, "suite-1", `{"id": 7, "name": "Boston Fern"}`)

	c := client.New(server.ControlURL(), client.Options{}).In("suite-1")
	for range 2 {
		state, err := c.State(ctx)
		seen, errSeen := c.Requests(ctx, client.Filter{})
		fmt.Println(state.Items, err, seen.Matched, errSeen)
		fmt.Println(c.Reset(ctx), c.ClearRequests(ctx))
	}
	// Output:
	// 1 <nil> 1 <nil>
	// <nil> <nil>
	// 0 <nil> 0 <nil>
	// <nil> <nil>
}

// A snapshot is taken once, and restored before each test.
func ExampleClient_Restore() {
	ctx := context.Background()
	server := started(ctx)
	defer server.Close()

	c := client.New(server.ControlURL(), client.Options{}).In("suite-1")
	create(server, "suite-1", `{"id": 1, "name": "Rose"}`)
	fmt.Println(c.Snapshot(ctx, "one-rose"))
	create(server, "suite-1", `{"id": 2, "name": "Fern"}`)
	fmt.Println(c.Restore(ctx, "one-rose"))
	state, err := c.State(ctx)
	fmt.Println(state.Items, err)
	// Output:
	// <nil>
	// <nil>
	// 1 <nil>
}

// The clock of a session moves when a test says so.
func ExampleClient_SetTime() {
	ctx := context.Background()
	server, err := mock.New(ctx, mock.Options{Now: "fixed"})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	go server.Run(ctx)

	c := client.New(server.ControlURL(), client.Options{}).In("suite-1")
	_, err = c.SetTime(ctx, time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	fmt.Println(err)
	clock, err := c.Advance(ctx, 90*time.Minute)
	fmt.Println(clock.Time.Format(time.RFC3339), err)
	// Output:
	// <nil>
	// 2030-01-01T01:30:00Z <nil>
}

// Which parts of the document a suite has used.
func ExampleClient_Coverage() {
	ctx := context.Background()
	server := started(ctx)
	defer server.Close()
	create(server, "suite-1", `{"id": 7, "name": "Boston Fern"}`)

	c := client.New(server.ControlURL(), client.Options{}).In("suite-1")
	text, err := c.Coverage(ctx, "text")
	fmt.Println(string(text), err)
	// Output:
	// POST /plants: 7 of 13, 53.8 %
	//   not used: request property request.tag (plant-store.yaml:47:9)
	//   not used: response property 200.tag (plant-store.yaml:47:9)
	//   not used: status 400 (plant-store.yaml:31:9) with 3 inside
	//
	// operation             1 of    1  100.0 %
	// media type            2 of    3   66.6 %
	// status                1 of    2   50.0 %
	// request property      2 of    3   66.6 %
	// response property     1 of    4   25.0 %
	// all                   7 of   13   53.8 %
	//  <nil>
}
