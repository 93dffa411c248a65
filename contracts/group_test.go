package contracts

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/testbench/notes"
	"github.com/coldframe/coldframe/report"
)

// unauthorized answers requests without the right credentials, of paths with a
// prefix, with a body that the shared response does not have.
func unauthorized(prefix string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		wrong := r.Header.Get("Authorization") != "Bearer good" && strings.HasPrefix(r.URL.Path, prefix)
		if wrong {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnauthorized)
			io.WriteString(w, `{"message": "no"}`)
		}
		return wrong
	}
}

// TestShared checks that a fault at a place that operations share is one finding with the same fingerprint however many
// of them show it, and that a baseline knows it only for the operations that showed it then.
func TestShared(t *testing.T) {
	var baseline *report.Baseline
	print := ""
	for _, one := range []struct {
		prefix     string
		operations []string
	}{
		{"/notes/", []string{"GET /notes/{id}", "DELETE /notes/{id}"}},
		{"/notes", []string{"GET /notes", "POST /notes", "GET /notes/{id}", "DELETE /notes/{id}"}},
	} {
		o := small(notes.New(t, unauthorized(one.prefix)))
		o.Select.Phases, o.Baseline = []string{"security"}, baseline
		result := mustRun(t, t.Context(), o)
		if len(result.Findings) != 1 {
			t.Fatalf("%s: %d findings: %+v", one.prefix, len(result.Findings), result.Findings)
		}
		f := result.Findings[0]
		if f.Check != "body" || !slices.Equal(f.Operations, one.operations) || f.Operation != one.operations[0] || f.Message != "body.error: required property is missing" {
			t.Errorf("%s: %s %q %q", one.prefix, f.Check, f.Operations, f.Message)
		}
		for _, name := range f.Operations {
			if !f.Of(name) {
				t.Errorf("not of %s", name)
			}
		}
		var known []string
		for _, fault := range f.Faults {
			if fault.Known {
				known = append(known, fault.Operation)
			}
		}
		if print != "" && (f.Fingerprint != print || f.Known || !slices.Equal(known, []string{"GET /notes/{id}", "DELETE /notes/{id}"})) {
			t.Errorf("fingerprint %s, was %s; known %t, in %q", f.Fingerprint, print, f.Known, known)
		}
		print, baseline = f.Fingerprint, baselineOf(f)
	}
}

// TestOpen checks that a backend that asks for no credentials has one finding, one that
// forgets them in a single operation to a finding on that.
func TestOpen(t *testing.T) {
	open := func(methods ...string) func(http.ResponseWriter, *http.Request) bool {
		return func(_ http.ResponseWriter, r *http.Request) bool {
			if slices.Contains(methods, r.Method) {
				r.Header.Set("Authorization", "Bearer good")
			}
			return false
		}
	}
	for _, one := range []struct {
		methods    []string
		operations int
	}{{[]string{"GET", "POST", "DELETE"}, 4}, {[]string{"POST"}, 1}} {
		o := small(notes.New(t, open(one.methods...)))
		o.Select.Phases, o.Select.Checks = []string{"security"}, []string{"credentials-ignored"}
		result := mustRun(t, t.Context(), o)
		if len(result.Findings) != 1 {
			t.Fatalf("%v: %+v", one.methods, result.Findings)
		}
		f := result.Findings[0]
		if len(f.Operations) != one.operations || !strings.HasPrefix(f.Message, "a request with no credentials is accepted with 20") || len(f.Consequences) < 2 {
			t.Errorf("%v: %q %s, with it %+v", one.methods, f.Operations, f.Message, f.Consequences)
		}
	}
}

// TestConsequences checks that lists and reads that show what was wrongly accepted
// are consequences of that, and no findings of their own.
func TestConsequences(t *testing.T) {
	b := notes.New(t, nil)
	b.Longest = 1000
	o := small(b)
	o.Select.Phases = []string{"coverage", "stateful"}
	result := mustRun(t, t.Context(), o)
	var found []string
	for _, f := range result.Findings {
		found = append(found, fmt.Sprintf("%s %s", f.Check, f.Operation))
	}
	if !slices.Equal(found, []string{"invalid-accepted POST /notes"}) {
		t.Fatalf("%q", found)
	}
	lists := slices.ContainsFunc(result.Findings[0].Consequences, func(f report.Consequence) bool {
		return f.Check == "body" && slices.Contains(f.Operations, "POST /notes") && strings.Contains(f.Message, "must have at most 40 characters")
	})
	if !lists {
		t.Errorf("%+v", result.Findings[0].Consequences)
	}
	for _, r := range result.Operations {
		if want := map[string]int{"POST /notes": 1}[r.Name]; r.Findings != want {
			t.Errorf("%s: %d findings, want %d", r.Name, r.Findings, want)
		}
	}
}

// TestOneCause checks that what one cause does in several operations is one finding, and that what several causes do
// in one operation is several.
func TestOneCause(t *testing.T) {
	in := func(r *http.Request) string {
		item := strings.Contains(strings.TrimPrefix(r.URL.Path, "/"), "/")
		return r.Method + " " + map[bool]string{true: "/notes/{id}", false: "/notes"}[item]
	}
	answer := func(w http.ResponseWriter, status int, contentType, body string) bool {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		io.WriteString(w, body)
		return true
	}
	failing := func(text func(r *http.Request) string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			text := text(r)
			return text != "" && answer(w, 500, "application/json", text)
		}
	}
	all := "GET /notes, POST /notes, GET /notes/{id}, DELETE /notes/{id}"
	for name, one := range map[string]struct {
		checks []string
		before func(http.ResponseWriter, *http.Request) bool
		want   []string
	}{
		"text in place of JSON from one middleware": {[]string{"media-type"}, func(w http.ResponseWriter, r *http.Request) bool {
			return r.Header.Get("Authorization") != "Bearer good" && answer(w, 401, "text/plain", "who is "+in(r))
		}, []string{all}},
		"a page with the method and the path": {[]string{"server-error"}, func(w http.ResponseWriter, r *http.Request) bool {
			return r.Method != "GET" && answer(w, 500, "text/html", "<html><title>ShardLost</title><p>"+r.URL.Path+" has no "+r.Method+"</p></html>")
		}, []string{"POST /notes, DELETE /notes/{id}"}},
		"one text in two operations": {[]string{"server-error"}, failing(func(r *http.Request) string {
			if in(r) == "GET /notes/{id}" || in(r) == "GET /notes" {
				return `{"error": "no shard for ` + r.URL.Path + `?` + r.URL.RawQuery + ` among 7"}`
			}
			return ""
		}), []string{"GET /notes, GET /notes/{id}"}},
		"texts that say nothing in two operations": {[]string{"server-error"}, failing(func(r *http.Request) string {
			if r.Method == "GET" {
				return `{"error": "Internal Server Error"}`
			}
			return ""
		}), []string{"GET /notes", "GET /notes/{id}"}},
		"a text that says nothing to what conforms and what does not, in one place": {[]string{"server-error"}, failing(func(r *http.Request) string {
			if limit, err := strconv.Atoi(r.URL.Query().Get("limit")); in(r) == "GET /notes" && r.URL.RawQuery != "" && (err != nil || limit == 50) {
				return `{"error": "Internal Server Error"}`
			}
			return ""
		}), []string{"GET /notes"}},
		"a text that says nothing to what conforms and what does not, in two places": {[]string{"server-error"}, failing(func(r *http.Request) string {
			longest := int64(len(`{"text":""}`) + 40)
			if r.Method == "POST" && (r.ContentLength == 0 || r.ContentLength == longest) {
				return `{"error": "Internal Server Error"}`
			}
			return ""
		}), []string{"POST /notes", "POST /notes"}},
		"refusals that one middleware answers as its own faults": {[]string{"server-error"}, failing(func(r *http.Request) string {
			limit := r.URL.Query().Get("limit")
			switch _, err := strconv.Atoi(limit); {
			case r.Method == "POST" && !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json"):
				return `{"error": "Unsupported Media Type: ` + r.Header.Get("Content-Type") + `"}`
			case r.Method == "POST":
				return `{"error": "invalid character 'N' looking for beginning of value"}`
			case limit != "" && err != nil:
				return `{"error": "querystring/limit must be integer"}`
			}
			return ""
		}), []string{"GET /notes, POST /notes"}},
		"two texts in one operation": {[]string{"server-error"}, failing(func(r *http.Request) string {
			switch limit := r.URL.Query().Get("limit"); {
			case in(r) != "GET /notes" || limit == "" || len(limit) == 1:
				return ""
			case strings.HasPrefix(limit, "-"):
				return `{"error": "negative slice bound ` + limit + `"}`
			default:
				return `{"error": "cursor \"` + limit + `\" exhausted"}`
			}
		}), []string{"GET /notes", "GET /notes"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := small(notes.New(t, one.before))
			o.Select.Checks, o.Select.Phases = one.checks, []string{"coverage", "security"}
			result := mustRun(t, t.Context(), o)
			var found []string
			for _, f := range result.Findings {
				found = append(found, strings.Join(f.Operations, ", "))
			}
			if !slices.Equal(found, one.want) {
				t.Fatalf("%q, want %q: %+v", found, one.want, result.Findings)
			}
			o.Baseline = baselineOf(result.Findings...)
			if again := mustRun(t, t.Context(), o); len(again.New()) > 0 {
				t.Errorf("not known: %+v", again.New())
			}
		})
	}
}

// TestShareOfDecided checks that a credential that no operation asks for, a header field that none reads, and a body
// that none needs are one finding each: operations that refuse all requests for another reason do not count.
func TestShareOfDecided(t *testing.T) {
	var paths strings.Builder
	for _, name := range []string{"oak", "fir", "ash", "elm", "yew", "box", "bay", "fig"} {
		fmt.Fprintf(&paths, `
  /%s:
    post:
      parameters: [{name: X-Tenant, in: header, required: true, schema: {type: string}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses: {"200": {description: done}, "400": {description: not possible}, "401": {description: who is it}}`, name)
	}
	document := `
openapi: 3.1.0
info: {title: Trees, version: "1"}
security: [{key: []}]
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
paths:` + paths.String()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !slices.Contains([]string{"/oak", "/fir", "/ash"}, r.URL.Path) {
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	t.Cleanup(server.Close)
	result := mustRun(t, t.Context(), Options{Document: "trees.yaml", Text: []byte(document), URL: server.URL,
		Credentials: Credentials{APIKeys: map[string]string{"key": "good-key"}}, Select: Selection{Phases: []string{"coverage", "security"},
			Checks: []string{"credentials-ignored", "invalid-accepted"}}})
	found := map[string]int{}
	for _, f := range result.Findings {
		if f.Severity == exchange.Error {
			found[f.Message] = len(f.Operations)
		}
	}
	for _, message := range []string{"a request with no credentials is accepted with 200",
		"accepted with 200, though header.X-Tenant: required parameter is missing",
		"accepted with 200, though body: required body is missing"} {
		if found[message] != 3 {
			t.Errorf("%s: in %d operations, want one finding of 3; found %v", message, found[message], found)
		}
	}
}

// TestOperationThatFailed checks that a lost change and a deletion without effect are findings on the operations that
// failed, and not on the read that shows it.
func TestOperationThatFailed(t *testing.T) {
	document := `
openapi: 3.1.0
info: {title: Trees, version: "1"}
paths:
  /oaks:
    post: {requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Oak"}}}}, responses: {"201": {description: planted, content: {application/json: {schema: {$ref: "#/components/schemas/Oak"}}}}}}
  /oaks/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: the oak, content: {application/json: {schema: {$ref: "#/components/schemas/Oak"}}}}, "404": {description: there is none}}}
    put: {requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Oak"}}}}, responses: {"204": {description: replaced}, "404": {description: there is none}}}
    delete: {responses: {"204": {description: felled}, "404": {description: there is none}}}
components: {schemas: {Oak: {type: object, required: [name], properties: {id: {type: integer, readOnly: true}, name: {type: string}}}}}`
	var mu sync.Mutex
	var oaks []map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		id, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/oaks/"))
		switch {
		case r.Method == "POST":
			var oak map[string]any
			if json.NewDecoder(r.Body).Decode(&oak) != nil || oak["name"] == nil {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			oaks = append(oaks, oak)
			id = len(oaks)
			oak["id"] = id
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusCreated)
		case id < 1 || id > len(oaks):
			w.WriteHeader(http.StatusNotFound)
			return
		case r.Method == "GET":
			w.Header().Set("Content-Type", "application/json")
		default: // neither has an effect
			w.WriteHeader(http.StatusNoContent)
			return
		}
		json.NewEncoder(w).Encode(oaks[id-1])
	}))
	t.Cleanup(server.Close)
	result := mustRun(t, t.Context(), Options{Document: "oaks.yaml", Text: []byte(document), URL: server.URL,
		Limits: Limits{Settle: -1}, Select: Selection{Phases: []string{"stateful"}, Checks: []string{"updated", "idempotent", "removed", "read-back"}}})
	var found []string
	for _, f := range result.New() {
		found = append(found, f.Check+" "+f.Operation)
	}
	if want := []string{"updated PUT /oaks/{id}", "removed DELETE /oaks/{id}"}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}

// TestRepeatedCause checks that a server error without a text that operations have for the same kind of value is one
// finding, and so is one parameter that each operation has in its own words.
func TestRepeatedCause(t *testing.T) {
	var paths strings.Builder
	for _, name := range []string{"oaks", "firs", "elms", "yews"} {
		fmt.Fprintf(&paths, `
  /%s:
    get:
      parameters:
        - {name: after, in: query, schema: {type: integer}}
        - {name: size, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
      responses: {"200": {description: some}, "400": {description: not possible}}`, name)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		after, err := strconv.ParseInt(cmp.Or(r.URL.Query().Get("after"), "1"), 10, 64)
		size, wrong := strconv.ParseInt(cmp.Or(r.URL.Query().Get("size"), "1"), 10, 64)
		switch {
		case err == nil && (after > math.MaxInt32 || after < math.MinInt32):
			w.WriteHeader(http.StatusInternalServerError)
		case err != nil, wrong != nil, size < 1:
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	t.Cleanup(server.Close)
	result := mustRun(t, t.Context(), Options{Document: "trees.yaml", URL: server.URL, Text: []byte(`
openapi: 3.1.0
info: {title: Trees, version: "1"}
paths:` + paths.String()), Select: Selection{Phases: []string{"coverage"}, Checks: []string{"server-error", "invalid-accepted"}}})
	var found []string
	for _, f := range result.New() {
		found = append(found, fmt.Sprintf("%s %s in %d, %d faults", f.Check, f.About, len(f.Operations), len(f.Faults)))
	}
	if want := []string{"invalid-accepted query.size in 4, 4 faults", "server-error  in 4, 4 faults"}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
		for _, f := range result.New() {
			t.Log(f.Title, f.Message, f.Kind)
		}
	}
}
