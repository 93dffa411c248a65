package contracts

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// authors is a backend without constraints of its own, before a database that has them: an address twice, and numbers
// beyond 32 bits, are errors 500. It takes any scalar for a text.
type authors struct {
	mu   sync.Mutex
	all  map[int64]map[string]any
	next int64
}

const authorsDocument = `
openapi: 3.1.0
info: {title: Authors, version: "1"}
paths:
  /authors:
    get: {responses: {"200": {$ref: "#/components/responses/All"}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Author"}}}}
      responses: {"200": {$ref: "#/components/responses/One"}, default: {$ref: "#/components/responses/Problem"}}
  /authors/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {$ref: "#/components/responses/One"}, default: {$ref: "#/components/responses/Problem"}}}
    put:
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Author"}}}}
      responses: {"200": {$ref: "#/components/responses/One"}, default: {$ref: "#/components/responses/Problem"}}
  /authors/{id}/friends:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {$ref: "#/components/responses/All"}, default: {$ref: "#/components/responses/Problem"}}}
components:
  responses:
    All: {description: all, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Author"}}}}}
    One: {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Author"}}}}
    Problem: {description: no, content: {application/json: {schema: {type: object}}}}
  schemas:
    Author: {type: object, required: [name], properties: {id: {type: integer, readOnly: true}, name: {type: string}, email: {type: string}}}
`

func (a *authors) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	reply := func(status int, body any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(body)
	}
	var body map[string]any
	json.NewDecoder(r.Body).Decode(&body)
	isWrite := r.Method == "POST" || r.Method == "PUT"
	for name, value := range body {
		_, isList := value.([]any)
		_, isObject := value.(map[string]any)
		if isList || isObject || value == nil || value == "" {
			delete(body, name)
			continue
		}
		body[name] = fmt.Sprint(value)
	}
	key, below, _ := strings.Cut(strings.Trim(strings.TrimPrefix(r.URL.Path, "/authors"), "/"), "/")
	id, err := strconv.ParseInt(key, 10, 64)
	taken := func() bool {
		for other, author := range a.all {
			if body["email"] != nil && author["email"] == body["email"] && (other != id || key == "") {
				return true
			}
		}
		return false
	}
	switch {
	case key != "" && err != nil, isWrite && (body["name"] == nil):
		reply(400, map[string]any{"message": "that is no author"})
	case key != "" && int64(int32(id)) != id:
		reply(500, map[string]any{"message": "value out of range for type integer"})
	case isWrite && taken():
		reply(500, map[string]any{"message": "duplicate key value violates a unique constraint"})
	case r.Method == "GET" && key == "":
		reply(200, slices.Collect(maps.Values(a.all)))
	case r.Method == "POST" && key == "":
		a.next++
		body["id"] = a.next
		a.all[a.next] = body
		reply(200, body)
	case key != "" && a.all[id] == nil:
		reply(404, map[string]any{"message": "unknown author"})
	case r.Method == "GET" && below != "":
		reply(200, []any{})
	case r.Method == "GET":
		reply(200, a.all[id])
	case r.Method == "PUT" && below == "":
		body["id"] = id
		a.all[id] = body
		reply(200, body)
	default:
		w.Header().Set("Allow", "GET, POST, PUT")
		reply(405, map[string]any{"message": "no"})
	}
}

// TestBefore looks at the requests that a finding shows before its own: the creation of the item that it names. A key that
// is wrong by itself needs none.
func TestBefore(t *testing.T) {
	s := httptest.NewServer(&authors{all: map[int64]map[string]any{}})
	defer s.Close()
	result := mustRun(t, t.Context(), Options{Document: "authors.yaml", Text: []byte(authorsDocument), URL: s.URL,
		Select: Selection{Phases: []string{"coverage"}}, Limits: Limits{Workers: 1}}) // by turns: which address is taken when depends on the order
	seen := map[string]bool{}
	for _, f := range result.Findings {
		last := f.Sent[len(f.Sent)-1]
		var steps []string
		for _, sent := range f.Sent {
			steps = append(steps, sent.Curl)
		}
		text := strings.Join(steps, "\n")
		switch {
		case f.Check == "server-error" && strings.Contains(string(last.Response.Body), "duplicate"):
		case f.Check == "server-error":
			seen["range"] = true
			if len(f.Sent) > 1 || strings.Contains(f.Message, "after") {
				t.Errorf("%s: %s\n%s", f.Operation, f.Message, text)
			}
		case f.Operation == "PUT /authors/{id}" && f.Check == "invalid-accepted":
			if seen["item"] = true; !strings.Contains(steps[0], "/authors' -H") {
				t.Errorf("%s: %s\n%s", f.Operation, f.Message, text)
			}
		}
	}
	for _, want := range []string{"range"} {
		if !seen[want] {
			t.Errorf("no finding of the kind %s", want)
		}
	}
}
