package mock_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

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
	fmt.Println(answer.StatusCode, string(body))
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
	server, err := mock.New(context.Background(), mock.Options{NoListener: true})
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
	backend, err := mock.New(context.Background(), mock.Options{NoListener: true})
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
	server, err := mock.New(context.Background(), mock.Options{NoListener: true})
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
	server, err := mock.New(context.Background(), mock.Options{NoListener: true})
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
	server, err := mock.New(context.Background(), mock.Options{NoListener: true})
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
	server, err := mock.New(context.Background(), mock.Options{NoListener: true})
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
