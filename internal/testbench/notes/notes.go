// Package notes is a small backend and its document, for tests of the contract
// tester.
package notes

import (
	"encoding/json"
	"io"
	"log"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// Document is the OpenAPI document of the backend.
const Document = `openapi: 3.1.0
info: {title: Notes, version: "1"}
security: [{token: []}]
paths:
  /notes:
    get:
      operationId: listNotes
      tags: [reading]
      parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50}}]
      responses:
        "200": {description: all, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Note"}}}}}
        default: {$ref: "#/components/responses/Problem"}
    post:
      operationId: createNote
      tags: [writing]
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
      responses:
        "201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
        default: {$ref: "#/components/responses/Problem"}
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer, minimum: 1}}]
    get:
      operationId: readNote
      tags: [reading]
      responses:
        "200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
        default: {$ref: "#/components/responses/Problem"}
    delete:
      operationId: deleteNote
      tags: [writing]
      responses:
        "204": {description: gone}
        default: {$ref: "#/components/responses/Problem"}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas:
    Note:
      type: object
      required: [text]
      properties:
        id: {type: integer, readOnly: true}
        text: {type: string, minLength: 1, maxLength: 40}
  responses:
    Problem: {description: not so, content: {application/json: {schema: {type: object, required: [error], properties: {error: {type: string}}}}}}
`

// Backend is a service of notes, and what it was asked.
type Backend struct {
	*httptest.Server
	mu    sync.Mutex
	asked []*http.Request
	texts map[int]string
	next  int
	// Longest is how many characters of a text are taken.
	Longest int
	before  func(w http.ResponseWriter, r *http.Request) bool
}

// firstNote is a key that nobody guesses: what is found by chance differs from
// run to run.
const firstNote = 1_000_000_000

// New starts a backend until the test ends. before may answer in place of the
// service, and says whether it has; nil if none.
func New(t testing.TB, before func(http.ResponseWriter, *http.Request) bool) *Backend {
	b := &Backend{before: before, texts: map[int]string{firstNote: "first"}, next: firstNote, Longest: 40}
	b.Server = httptest.NewUnstartedServer(b)
	b.Config.ErrorLog = log.New(io.Discard, "", 0)
	b.Start()
	t.Cleanup(b.Close)
	return b
}

func (b *Backend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	b.asked = append(b.asked, r)
	b.mu.Unlock()
	body, _ := io.ReadAll(r.Body) // else the server does not see when a client goes
	if b.before != nil && b.before(w, r) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	_, name, item := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	id, err := strconv.Atoi(name)
	_, exists := b.texts[id]
	allowed := map[bool][]string{true: {"GET", "DELETE"}, false: {"GET", "POST"}}[item]
	switch {
	case !strings.HasPrefix(r.URL.Path, "/notes") || item && (err != nil || id < 1):
		problem(w, 404)
	case r.Header.Get("Authorization") != "Bearer good":
		problem(w, 401)
	case !slices.Contains(allowed, r.Method):
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		problem(w, 405)
	case item && !exists:
		problem(w, 404)
	case item && r.Method == "GET":
		reply(w, 200, b.note(id))
	case item:
		delete(b.texts, id)
		w.WriteHeader(204)
	case r.Method == "POST":
		b.create(w, r, body)
	default:
		b.list(w, r)
	}
}

func (b *Backend) create(w http.ResponseWriter, r *http.Request, body []byte) {
	var sent struct {
		ID   *int    `json:"id"`
		Text *string `json:"text"`
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	err := json.Unmarshal(body, &sent)
	if media != "application/json" {
		problem(w, 415)
		return
	}
	if err != nil || !utf8.Valid(body) || sent.Text == nil {
		problem(w, 400)
		return
	}
	if length := utf8.RuneCountInString(*sent.Text); length < 1 || length > b.Longest {
		problem(w, 400)
		return
	}
	b.next++
	b.texts[b.next] = *sent.Text
	reply(w, 201, b.note(b.next))
}

func (b *Backend) list(w http.ResponseWriter, r *http.Request) {
	n := 50
	if limit := r.URL.Query()["limit"]; limit != nil {
		var err error
		if n, err = strconv.Atoi(limit[0]); err != nil || len(limit) > 1 || n < 1 || n > 50 {
			problem(w, 400)
			return
		}
	}
	all := []any{}
	for _, id := range slices.Sorted(maps.Keys(b.texts)) {
		if len(all) < n {
			all = append(all, b.note(id))
		}
	}
	reply(w, 200, all)
}

func (b *Backend) note(id int) any { return map[string]any{"id": id, "text": b.texts[id]} }

func problem(w http.ResponseWriter, status int) { reply(w, status, map[string]any{"error": "no"}) }

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

// Requests returns what was asked so far: "GET /notes".
func (b *Backend) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]string, len(b.asked))
	for i, r := range b.asked {
		all[i] = r.Method + " " + r.URL.Path
	}
	return all
}

// Has reports whether there is a note.
func (b *Backend) Has(id int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, has := b.texts[id]
	return has
}
