package mocktest_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"

	"github.com/coldframe/coldframe/mock"
	"github.com/coldframe/coldframe/mock/mocktest"
)

func ExampleStart() {
	t := &fake{} // a test has its *testing.T
	defer t.end()

	server := mocktest.Start(t, "../../openapi.yaml", func(o *mock.Options) { o.Auth.Mode = "off" })

	answer, err := http.Post(server.URL()+"/plants", "application/json", strings.NewReader(`{"id": 7, "name": "Boston Fern"}`))
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	fmt.Println(answer.StatusCode, string(body), err)

	server.Verify(mock.Expectation{Operation: "POST /plants", Where: `request.body.name == "Boston Fern"`, Count: new(1)})
	fmt.Println(len(server.Requests()))
	server.Reset()
	fmt.Println(len(server.Requests()))
	// Output:
	// 200 {"name":"Boston Fern"} <nil>
	// 1
	// 0
}

func ExampleServer_Session() {
	t := &fake{} // a test has its *testing.T
	defer t.end()
	server := mocktest.Start(t, "../../openapi.yaml", func(o *mock.Options) { o.Auth.Mode = "off" })

	for range 2 { // parallel subtests
		session := server.Session(t)
		answer, err := session.Client().Post(server.URL()+"/plants", "application/json", strings.NewReader(`{"id": 7, "name": "Boston Fern"}`))
		if err != nil {
			log.Fatal(err)
		}
		answer.Body.Close()
		session.Verify(mock.Expectation{Operation: "POST /plants", Count: new(1)})
		fmt.Println(answer.StatusCode, len(session.Requests()), len(server.Requests()))
	}
	// Output:
	// 200 1 1
	// 200 1 2
}
