package contracts_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/coldframe/coldframe/contracts"
)

const document = `openapi: 3.1.0
info: {title: Greetings, version: "1"}
paths:
  /greeting:
    get:
      parameters: [{name: name, in: query, required: true, schema: {type: string, minLength: 1, maxLength: 20}}]
      responses:
        "200": {description: the greeting, content: {text/plain: {schema: {type: string}}}}
        "400": {description: no name}
`

// greet does not look at how long the name is.
func greet(w http.ResponseWriter, r *http.Request) {
	names := r.URL.Query()["name"]
	switch {
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", http.MethodGet)
		w.WriteHeader(http.StatusMethodNotAllowed)
	case len(names) != 1 || names[0] == "":
		w.WriteHeader(http.StatusBadRequest)
	default:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintf(w, "Hello %s!", names[0])
	}
}

func ExampleRun() {
	backend := httptest.NewServer(http.HandlerFunc(greet))
	defer backend.Close()
	report, err := contracts.Run(context.Background(), contracts.Options{
		Document: "greetings.yaml",
		Text:     []byte(document),
		URL:      backend.URL,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings {
		fmt.Printf("%s: %s at %s\n%s\n", f.Operation, f.Check, f.Place, f.Message)
	}
	// Output:
	// GET /greeting: invalid-accepted at greetings.yaml:6:108
	// accepted with 200, though query.name: must have at most 20 characters, has 21
}
