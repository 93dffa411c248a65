package contracts

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/report"
)

// jobs is a document whose requests cannot be guessed: its schemas have examples and defaults.
const jobs = `
openapi: 3.1.0
info: {title: Jobs, version: "1"}
paths:
  /jobs:
    post:
      requestBody:
        required: true
        content:
          application/json: {schema: {$ref: '#/components/schemas/Job'}}
      responses:
        '201': {description: it waits}
        '400': {description: no}
components:
  schemas:
    Job:
      allOf:
        - {$ref: '#/components/schemas/Place'}
        - type: object
          required: [kind]
          properties:
            kind: {enum: [fast, slow]}
            size: {type: integer, minimum: 1, maximum: 9, default: 4}
    Place:
      type: object
      required: [at]
      properties:
        at:
          type: object
          required: [zone]
          properties:
            zone: {type: string, example: eu-west, pattern: '^[a-z]+-[a-z]+$'}
`

type job struct {
	At   struct{ Zone string }
	Kind string
	Size any
}

// testJobs runs against a backend that refuses as refuses decides, and returns the bodies that it got.
func testJobs(t *testing.T, refuses func(job) bool) (*report.Report, []string) {
	var mu sync.Mutex
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		mu.Lock()
		bodies = append(bodies, string(text))
		mu.Unlock()
		var j job
		switch err := json.Unmarshal(text, &j); {
		case r.Method != http.MethodPost:
			w.Header().Set("Allow", "POST")
			w.WriteHeader(http.StatusMethodNotAllowed)
		case err != nil, refuses(j):
			w.WriteHeader(http.StatusBadRequest)
		default:
			w.WriteHeader(http.StatusCreated)
		}
	}))
	defer server.Close()
	return mustRun(t, t.Context(), Options{Document: "jobs.yaml", Text: []byte(jobs), URL: server.URL,
		Select: Selection{Phases: []string{"examples", "coverage"}}, Limits: Limits{MaxCases: 400}}), bodies
}

// TestExamplesOfSchemas: if made-up values are refused, the examples of schemas are sent, and each
// of them is sent once.
func TestExamplesOfSchemas(t *testing.T) {
	result, bodies := testJobs(t, func(j job) bool { return j.At.Zone != "eu-west" })
	if !result.Operations[0].Accepted {
		t.Errorf("not accepted: %v", result.Operations[0].Statuses)
	}
	if !slices.ContainsFunc(bodies, func(text string) bool { return strings.Contains(text, `"size":4`) }) {
		t.Errorf("the default is never sent: %q", bodies)
	}
}

// TestControl: that a value of an enum is refused is certainly wrong only if the same request is accepted with
// the value that it had.
func TestControl(t *testing.T) {
	for _, one := range []struct {
		name    string
		refuses func(job) bool
		want    exchange.Severity
	}{
		{"the value", func(j job) bool { return j.Kind == "slow" }, exchange.Error},
		{"every other request", func() func(job) bool {
			var mu sync.Mutex
			n := 0
			return func(job) bool {
				mu.Lock()
				defer mu.Unlock()
				n++
				return n > 1
			}
		}(), exchange.Warning},
	} {
		t.Run(one.name, func(t *testing.T) {
			result, _ := testJobs(t, one.refuses)
			worst := exchange.Severity(exchange.Warning + 1)
			for _, f := range result.Findings {
				if f.Check == "valid-refused" {
					worst = min(worst, f.Severity)
				}
			}
			if worst != one.want {
				t.Errorf("the worst is %s: %+v", worst, result.Findings)
			}
		})
	}
}

// TestBesideAccepted: a bound is also tried beside what was accepted, if made-up values beside it are refused for
// a reason of their own.
func TestBesideAccepted(t *testing.T) {
	var mu sync.Mutex
	first := ""
	result, _ := testJobs(t, func(j job) bool { // takes one zone only, and then any size
		mu.Lock()
		defer mu.Unlock()
		if first == "" {
			first = j.At.Zone
		}
		return j.At.Zone != first
	})
	if !slices.ContainsFunc(result.Findings, func(f report.Finding) bool {
		return f.Check == "invalid-accepted" && f.About == "body.size"
	}) {
		t.Errorf("a size beyond its bound is accepted unnoticed: %+v", result.Findings)
	}
}
