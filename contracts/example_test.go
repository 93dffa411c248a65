package contracts_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/report"
	"github.com/coldframe/coldframe/report/exchange"
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
	r, err := contracts.Run(context.Background(), contracts.Options{
		Document: "greetings.yaml",
		Text:     []byte(document),
		URL:      backend.URL,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range r.Findings {
		fmt.Printf("%s: %s at %s\n%s\n", f.Operation, f.Check, f.Place, f.Message)
	}
	// Output:
	// GET /greeting: invalid-accepted at greetings.yaml:6:108
	// accepted with 200, though query.name: must have at most 20 characters, has 21
}

// run tests greet with options.
func run(o contracts.Options) *report.Report {
	backend := httptest.NewServer(http.HandlerFunc(greet))
	defer backend.Close()
	o.Document, o.Text, o.URL = "greetings.yaml", []byte(document), backend.URL
	r, err := contracts.Run(context.Background(), o)
	if err != nil {
		log.Fatal(err)
	}
	return r
}

// A run can be limited to some phases, checks and operations.
func ExampleOptions_selection() {
	r := run(contracts.Options{
		Select: contracts.Selection{Operations: []string{"GET /greeting"}, Phases: []string{"methods"}, Checks: []string{"!headers"}},
		Limits: contracts.Limits{MaxCases: 100},
	})
	for _, p := range r.Phases {
		fmt.Println(p.ID, p.Cases > 0)
	}
	fmt.Println(len(r.Findings))
	// Output:
	// plain true
	// methods true
	// 0
}

// A setup has values that exist at the backend, which a run cannot know: this one greets nobody but Ada.
func ExampleOptions_setup() {
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := r.URL.Query().Get("name"); name != "Ada" && name != "" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		greet(w, r)
	}))
	defer backend.Close()
	o := contracts.Options{Document: "greetings.yaml", Text: []byte(document), URL: backend.URL}
	for _, name := range []any{nil, "Ada"} {
		if name != nil {
			o.Setup = &contracts.Setup{Values: contracts.SetupValues{Query: map[string]any{"name": name}}}
		}
		r, err := contracts.Run(context.Background(), o)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Operations[0].Name, r.Operations[0].Accepted, r.Insufficient)
	}
	// Output:
	// GET /greeting false too little was tested: none of 1 operations accepted a request
	// GET /greeting true
}

// A waiver lists findings apart, so that they do not fail a run.
func ExampleOptions_rules() {
	r := run(contracts.Options{Rules: contracts.Rules{Waivers: []contracts.Waiver{{
		Check: "invalid-accepted", Operation: "GET /greeting", Place: "query.name", Reason: "long names are cut since 2019",
	}}}})
	fmt.Println(len(r.New()))
	for _, f := range r.Waived {
		fmt.Println(f.Check, f.About, f.Reason)
	}
	// Output:
	// 0
	// invalid-accepted query.name long names are cut since 2019
}

// The findings of an earlier run are known, and only new ones fail.
func ExampleOptions_baseline() {
	folder, err := os.MkdirTemp("", "baseline")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	format, err := contracts.FindReportFormat("json")
	if err != nil {
		log.Fatal(err)
	}
	var text bytes.Buffer
	if err := format.Write(&text, run(contracts.Options{}), contracts.ReportOptions{}); err != nil {
		log.Fatal(err)
	}
	file := filepath.Join(folder, "baseline.json")
	if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
		log.Fatal(err)
	}

	known, err := contracts.LoadBaseline(file)
	if err != nil {
		log.Fatal(err)
	}
	r := run(contracts.Options{Baseline: known})
	fmt.Println(len(r.Findings), r.Findings[0].Known, len(r.New()))
	// Output:
	// 1 true 0
}

// Recorded traffic is checked without a backend: here a HAR file with one entry.
func ExampleCheck() {
	const recording = `{"log": {"entries": [{
  "request": {"method": "GET", "url": "http://localhost/greeting?name=Ada", "headers": []},
  "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "application/json"}],
    "content": {"mimeType": "application/json", "text": "\"Hello\""}}}]}}`
	r, err := contracts.Check(context.Background(), contracts.CheckOptions{
		Document: "greetings.yaml", Text: []byte(document), Traffic: strings.NewReader(recording),
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range r.Findings {
		fmt.Println(f.Operation, f.Check, f.Message)
	}
	// Output:
	// GET /greeting media-type header.Content-Type: media type "application/json" is not documented, want text/plain
}

// One report in two formats.
func ExampleReportFormat_Write() {
	r := &report.Report{
		Title: "Greetings", Version: "1", Document: "greetings.yaml", URL: "http://localhost:8080", Took: time.Second, Requests: 120,
		Operations: []*report.Operation{{Name: "GET /greeting", Accepted: true, Cases: 120, Findings: 1}},
		Findings: []report.Finding{{
			Check: "invalid-accepted", Operation: "GET /greeting", Operations: []string{"GET /greeting"}, Phase: "coverage", Count: 3,
			Message: "accepted with 200, though query.name: must have at most 20 characters, has 21", About: "query.name",
			Place: exchange.Place{File: "greetings.yaml", Line: 6, Column: 108}, Fingerprint: "d40a5e81c0f2",
			Sent: []report.Sent{{Curl: "curl 'http://localhost:8080/greeting?name=aaaaaaaaaaaaaaaaaaaaa'", Response: &exchange.Response{Status: 200}}},
		}},
	}
	for _, name := range []string{"text", "github"} {
		format, err := contracts.FindReportFormat(name)
		if err != nil {
			log.Fatal(err)
		}
		if err := format.Write(os.Stdout, r, contracts.ReportOptions{}); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// Greetings 1 at http://localhost:8080
	// greetings.yaml
	//
	//   FAIL  GET /greeting  120 cases, 1 finding
	//
	// 1. error invalid-accepted  GET /greeting
	//    accepted with 200, though query.name: must have at most 20 characters, has 21
	//    document greetings.yaml:6:108
	//    sent     curl 'http://localhost:8080/greeting?name=aaaaaaaaaaaaaaaaaaaaa'
	//    answer   200
	//    seen     3 times; here in the phase coverage
	//
	// 1 finding in 1 operation; 1 operation and 120 requests in 1.0s; seed 0
	// ::error file=greetings.yaml,line=6,col=108,title=invalid-accepted%3A GET /greeting::accepted with 200, though query.name: must have at most 20 characters, has 21%0Acurl 'http://localhost:8080/greeting?name=aaaaaaaaaaaaaaaaaaaaa'%0A200
	// ::notice title=coldframe::1 finding in 1 operation; 1 operation and 120 requests in 1.0s; seed 0
}

// What a setup file needs, for an operation that accepted no request.
func ExampleSuggestSetup() {
	r := &report.Report{URL: "http://localhost:8080", Operations: []*report.Operation{{
		Name: "GET /plants/{id}", Refused: &report.Refused{
			Refusals: []report.Refusal{{Status: 404, Message: "no such plant", Count: 4}},
			Needs:    []report.Need{{In: "path", Name: "id", Sent: []byte("1")}},
		},
	}}}
	fmt.Print(string(contracts.SuggestSetup(r)))
	// Output:
	// # A setup for coldframe test, suggested by a run against http://localhost:8080 with seed 0.
	// # The operations below accepted no request. Where a value would help, put one that the backend has
	// # in place of what was sent, and remove the "# " in front of it.
	//
	// path:
	//   # "id": 1   # for GET /plants/{id}
	//
	// operations:
	//   # 4 × 404: no such plant
	//   "GET /plants/{id}":
}

// The table of checks, as "coldframe test --list" prints it.
func ExampleChecks() {
	for _, c := range contracts.Checks()[:3] {
		fmt.Printf("%s (%s): %s\n", c.ID, c.Severity, c.Meaning)
	}
	// Output:
	// server-error (error): no answer is a 5xx
	// answer (error): every request gets one whole HTTP answer
	// status-documented (error): the status is documented for the operation
}

// The table of phases, as "coldframe test --list" prints it.
func ExamplePhases() {
	for _, p := range contracts.Phases() {
		fmt.Println(p.ID)
	}
	// Output:
	// examples
	// coverage
	// security
	// methods
	// stateful
	// fuzz
}
