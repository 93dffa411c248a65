package contracts

import (
	"context"
	"encoding/json"
	"fmt"
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
	"time"
	"unicode/utf8"
)

// notes is the document that the tests of runs hold small servers to.
const notes = `openapi: 3.1.0
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

// backend is a small service of notes, and what it was asked.
type backend struct {
	*httptest.Server
	mu    sync.Mutex
	asked []*http.Request
	texts map[int]string
	next  int
	// longest is how many characters of a text are taken.
	longest int
	// before may answer in place of the service, and says whether it has.
	before func(w http.ResponseWriter, r *http.Request) bool
}

// firstNote is a key that nobody guesses: what is found by chance differs from
// run to run.
const firstNote = 1_000_000_000

func newBackend(t testing.TB, before func(http.ResponseWriter, *http.Request) bool) *backend {
	b := &backend{before: before, texts: map[int]string{firstNote: "first"}, next: firstNote, longest: 40}
	b.Server = httptest.NewUnstartedServer(b)
	b.Config.ErrorLog = log.New(io.Discard, "", 0)
	b.Start()
	t.Cleanup(b.Close)
	return b
}

func (b *backend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	b.asked = append(b.asked, r)
	b.mu.Unlock()
	body, _ := io.ReadAll(r.Body) // else the server does not see when a client goes
	if b.before != nil && b.before(w, r) {
		return
	}
	problem := func(status int) {
		w.Header().Set("Content-Type", "application/json")
		if status == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", map[bool]string{true: "GET, DELETE", false: "GET, POST"}[strings.Count(r.URL.Path, "/") > 1])
		}
		w.WriteHeader(status)
		fmt.Fprintln(w, `{"error": "no"}`)
	}
	note := func(status, id int) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(map[string]any{"id": id, "text": b.texts[id]})
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	_, name, item := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	id, err := strconv.Atoi(name)
	_, exists := b.texts[id]
	switch {
	case !strings.HasPrefix(r.URL.Path, "/notes") || item && (err != nil || id < 1):
		problem(404)
	case r.Header.Get("Authorization") != "Bearer good":
		problem(401)
	case item && r.Method != "GET" && r.Method != "DELETE" || !item && r.Method != "GET" && r.Method != "POST":
		problem(405)
	case item && !exists:
		problem(404)
	case item && r.Method == "GET":
		note(200, id)
	case item:
		delete(b.texts, id)
		w.WriteHeader(204)
	case r.Method == "POST":
		var sent struct {
			ID   *int    `json:"id"`
			Text *string `json:"text"`
		}
		media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		switch err := json.Unmarshal(body, &sent); {
		case media != "application/json":
			problem(415)
		case err != nil || !utf8.Valid(body) || sent.Text == nil || utf8.RuneCountInString(*sent.Text) < 1 || utf8.RuneCountInString(*sent.Text) > b.longest:
			problem(400)
		default:
			b.next++
			b.texts[b.next] = *sent.Text
			note(201, b.next)
		}
	default:
		n := 50
		if limit := r.URL.Query()["limit"]; limit != nil {
			if n, err = strconv.Atoi(limit[0]); err != nil || len(limit) > 1 || n < 1 || n > 50 {
				problem(400)
				return
			}
		}
		all := []any{}
		for _, id := range slices.Sorted(maps.Keys(b.texts)) {
			if len(all) < n {
				all = append(all, map[string]any{"id": id, "text": b.texts[id]})
			}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(all)
	}
}

// asks gives what was asked so far: "GET /notes".
func (b *backend) asks() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]string, len(b.asked))
	for i, r := range b.asked {
		all[i] = r.Method + " " + r.URL.Path
	}
	return all
}

// small gives options of a short run.
func small(b *backend) Options {
	return Options{Document: "notes.yaml", Text: []byte(notes), URL: b.URL, Token: "good", MaxCases: 400, FuzzCases: 20, Workers: 4, Timeout: 30 * time.Second}
}

func mustRun(t testing.TB, ctx context.Context, o Options) *Report {
	t.Helper()
	report, err := Run(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}
