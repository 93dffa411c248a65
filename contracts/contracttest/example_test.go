package contracttest_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/contracts/contracttest"
)

// In a test function of a service, t comes from the function's parameter.
func ExampleTest() {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "Hello!") })
	_ = func(t *testing.T) {
		contracttest.Test(t, "openapi.yaml", handler, func(o *contracts.Options) {
			o.Credentials.Token = "secret"
			o.Select.Operations = []string{"!tag:internal"}
		})
	}
}

func ExampleTestURL() {
	_ = func(t *testing.T) {
		contracttest.TestURL(t, "openapi.yaml", "http://localhost:8080")
	}
}
