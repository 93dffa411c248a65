package backends_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/coldframe/coldframe/internal/testbench/backends"
)

func ExampleNew() {
	for _, faults := range [][]string{nil, {"accepts-limit-of-zero"}} {
		service, err := backends.New("library", faults...)
		if err != nil {
			panic(err)
		}
		server := httptest.NewServer(service)
		response, err := http.Get(server.URL + "/books?limit=0")
		if err != nil {
			panic(err)
		}
		response.Body.Close()
		server.Close()
		fmt.Println(faults, response.StatusCode)
	}
	// Output:
	// [] 400
	// [accepts-limit-of-zero] 200
}
