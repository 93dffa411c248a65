// Package access is a backend whose operations can harm a tester: they end its credentials, delete what was there
// before, or change what all share. It is for tests of the contract tester.
package access

import (
	_ "embed"
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
	"unicode/utf8"
)

// Document is the OpenAPI document of the backend. The field x-want is the group of an operation.
//
//go:embed openapi.yaml
var Document string

// Token is the credential that works at the start.
const Token = "the-first-token"

// Backend has items that were there before: two tasks, two users, settings and a profile.
type Backend struct {
	*httptest.Server
	// Quirk answers in place of the backend if it reports true. It is called with the lock held.
	Quirk func(b *Backend, w http.ResponseWriter, r *http.Request, body map[string]any) bool

	// Poison is for quirks that spoil the state, until Reset.
	Poison bool

	mu     sync.Mutex
	token  string
	tasks  map[int]map[string]any
	users  map[int]map[string]any
	shared map[string]map[string]any // by path
	next   int
	asked  []string
}

// New starts a backend until the test ends.
func New(t testing.TB) *Backend {
	b := &Backend{}
	b.Reset()
	b.Server = httptest.NewUnstartedServer(b)
	b.Config.ErrorLog = log.New(io.Discard, "", 0)
	b.Start()
	t.Cleanup(b.Close)
	return b
}

const firstNew = 10 // key of the first item that is created

// Reset returns the backend the state that it begins with.
func (b *Backend) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.token, b.next, b.Poison = Token, firstNew, false
	b.tasks = map[int]map[string]any{1: {"id": 1, "title": "water the ferns"}, 2: {"id": 2, "title": "prune the roses"}}
	b.users = map[int]map[string]any{1: {"id": 1, "name": "admin"}, 2: {"id": 2, "name": "guest"}}
	b.shared = map[string]map[string]any{
		"/settings": {"theme": "light", "size": 10}, "/me": {"name": "admin", "city": "Bern"},
	}
}

// Title returns the title of a task. It is for quirks.
func (b *Backend) Title(id int) string { return fmt.Sprint(b.tasks[id]["title"]) }

// Has reports whether a task has a title of which something is true. It is for quirks.
func (b *Backend) Has(is func(title string) bool) bool {
	for id := range b.tasks {
		if is(b.Title(id)) {
			return true
		}
	}
	return false
}

// HasNew reports whether there is a task that was not there before. It is for quirks.
func (b *Backend) HasNew() bool {
	for id := range b.tasks {
		if id >= firstNew {
			return true
		}
	}
	return false
}

// Renew replaces the valid token and returns the new one.
func (b *Backend) Renew() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.token = "token-" + strconv.Itoa(len(b.asked))
	return b.token
}

// End ends the credentials. It is for quirks.
func (b *Backend) End() { b.token = "" }

// Seeds returns the items that existed before the run, as JSON.
func (b *Backend) Seeds() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	text, _ := json.Marshal([]any{b.tasks[1], b.tasks[2], b.users[1], b.users[2], b.shared})
	return string(text)
}

// Items counts the tasks and users.
func (b *Backend) Items() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.tasks) + len(b.users)
}

// Asked returns what was asked so far, with the answers' statuses: "GET /tasks 200".
func (b *Backend) Asked() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.asked)
}

type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) { r.status = status; r.ResponseWriter.WriteHeader(status) }

func (b *Backend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	var value any
	err := json.Unmarshal(text, &value)
	body, isObject := value.(map[string]any)
	b.mu.Lock()
	defer b.mu.Unlock()
	answer := &recorder{w, 200}
	defer func() { b.asked = append(b.asked, r.Method+" "+r.URL.Path+" "+strconv.Itoa(answer.status)) }()
	switch {
	case r.Header.Get("Authorization") != "Bearer "+b.token || b.token == "":
		Reply(answer, 401, problem)
	case b.Quirk != nil && b.Quirk(b, answer, r, body):
	case len(text) > 0 && !isJSON(r.Header.Get("Content-Type")):
		Reply(answer, 415, problem)
	case len(text) > 0 && (err != nil || !isObject || !utf8.Valid(text)):
		Reply(answer, 400, problem)
	default:
		b.serve(answer, r, body)
	}
}

func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && media == "application/json"
}

var problem = map[string]any{"error": "no"}

func (b *Backend) serve(w http.ResponseWriter, r *http.Request, body map[string]any) {
	path := strings.TrimPrefix(r.URL.Path, "/")
	collection, key, isItem := strings.Cut(path, "/")
	items, ok := map[string]map[int]map[string]any{"tasks": b.tasks, "users": b.users}[collection]
	switch {
	case ok && isItem:
		b.item(w, r, items, key, body, map[string]string{"tasks": "title"}[collection])
	case ok:
		b.collection(w, r, items, body, map[string]string{"tasks": "title", "users": "name"}[collection])
	case b.shared["/"+path] != nil:
		b.singleton(w, r, "/"+path, body)
	case path == "logout" && r.Method == "POST", path == "me/password" && r.Method == "PUT" && valid(body, "password"):
		b.token = ""
		w.WriteHeader(204)
	case path == "me/password" && r.Method == "PUT":
		Reply(w, 400, problem)
	case path == "me/password", path == "logout":
		refuseMethod(w, map[string]string{"logout": "POST", "me/password": "PUT"}[path])
	default:
		Reply(w, 404, problem)
	}
}

func refuseMethod(w http.ResponseWriter, allow string) {
	w.Header().Set("Allow", allow)
	Reply(w, 405, problem)
}

func (b *Backend) collection(w http.ResponseWriter, r *http.Request, items map[int]map[string]any, body map[string]any,
	required string) {
	method := r.Method
	if required == "name" && (method == "PATCH" || method == "DELETE") {
		method = ""
	}
	switch method {
	case "GET":
		all := []any{}
		for _, id := range slices.Sorted(maps.Keys(items)) {
			all = append(all, items[id])
		}
		Reply(w, 200, all)
	case "POST":
		if !valid(body, required) {
			Reply(w, 400, problem)
			return
		}
		b.next++
		body["id"] = b.next
		items[b.next] = body
		Reply(w, 201, body)
	case "PATCH":
		if !valid(body, required) {
			Reply(w, 400, problem)
			return
		}
		for _, item := range items {
			item["title"] = body["title"]
		}
		w.WriteHeader(204)
	case "DELETE":
		clear(items)
		w.WriteHeader(204)
	default:
		refuseMethod(w, map[string]string{"title": "GET, POST, PATCH, DELETE", "name": "GET, POST"}[required])
	}
}

func (b *Backend) item(w http.ResponseWriter, r *http.Request, items map[int]map[string]any, key string,
	body map[string]any, required string) {
	id, err := strconv.Atoi(key)
	switch {
	case err != nil || items[id] == nil:
		Reply(w, 404, problem)
	case r.Method == "GET":
		Reply(w, 200, items[id])
	case r.Method == "PUT" && required != "" && valid(body, required):
		body["id"] = id
		items[id] = body
		Reply(w, 200, body)
	case r.Method == "PUT" && required != "":
		Reply(w, 400, problem)
	case r.Method == "DELETE":
		delete(items, id)
		w.WriteHeader(204)
	default:
		refuseMethod(w, map[string]string{"title": "GET, PUT, DELETE", "": "GET, DELETE"}[required])
	}
}

func (b *Backend) singleton(w http.ResponseWriter, r *http.Request, path string, body map[string]any) {
	method, required := "PUT", "theme"
	if path == "/me" {
		method, required = "PATCH", ""
	}
	switch {
	case r.Method == "GET":
		Reply(w, 200, b.shared[path])
	case r.Method != method:
		refuseMethod(w, "GET, "+method)
	case !valid(body, required):
		Reply(w, 400, problem)
	default:
		if method == "PUT" {
			b.shared[path] = map[string]any{}
		}
		for name, value := range body {
			switch {
			case name == "password":
				b.token = ""
			case value == nil:
				delete(b.shared[path], name)
			default:
				b.shared[path][name] = value
			}
		}
		Reply(w, 200, b.shared[path])
	}
}

// valid reports whether a body has texts and whole numbers where they belong, and what is required.
func valid(body map[string]any, required string) bool {
	if body == nil || required != "" && body[required] == nil {
		return false
	}
	for name, value := range body {
		text, isText := value.(string)
		number, isNumber := value.(float64)
		switch name {
		case "title", "name", "theme", "city", "password":
			if !isText || text == "" || len([]rune(text)) > 40 {
				return false
			}
		case "size":
			if !isNumber || number != float64(int(number)) || number < 1 || number > 100 {
				return false
			}
		}
	}
	return true
}

// Reply answers with JSON.
func Reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}
