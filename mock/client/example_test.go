package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strings"

	"github.com/coldframe/coldframe/mock"
	"github.com/coldframe/coldframe/mock/client"
)

// started is a mock of the Plant Store; in real life it is another process.
func started(ctx context.Context) *mock.Server {
	server, err := mock.New(ctx, mock.Options{Auth: "off"})
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
