package contracts

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestCompare compares the responses in testdata/compare.txtar.
func TestCompare(t *testing.T) {
	golden.Cases(t, "testdata/compare.txtar", func(t *testing.T, archive *txtar.Archive) {
		files := map[string]string{}
		for _, f := range archive.Files {
			files[f.Name] = string(f.Data)
		}
		for i, f := range archive.Files {
			name, isWant := strings.CutSuffix(f.Name, "/want")
			if !isWant {
				continue
			}
			t.Run(name, func(t *testing.T) {
				again, ok := files[name+"/a again"]
				if !ok {
					again = files[name+"/a"]
				}
				a, b := answering(t, files[name+"/a"], again), answering(t, files[name+"/b"])
				r, err := Compare(t.Context(), CompareOptions{Document: "plants.yaml", Text: []byte(files["document"]),
					A: a.URL, B: b.URL})
				if err != nil {
					t.Fatal(err)
				}
				var got strings.Builder
				for _, f := range r.Findings {
					fmt.Fprintf(&got, "%v %s %s: %s\n", f.Severity, f.Check, f.About, f.Message)
					if len(f.Sent) != 2 || f.Count != 2 || len(f.Operations) != 1 {
						t.Error(f)
					}
				}
				if golden.Update() {
					archive.Files[i].Data = []byte(got.String())
				} else if diff := cmp.Diff(string(f.Data), got.String()); diff != "" {
					t.Error(diff)
				}
			})
		}
	})
}

// answering returns a server with these responses in turn.
func answering(t *testing.T, texts ...string) *httptest.Server {
	var mu sync.Mutex
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		head, body, _ := strings.Cut(texts[n%len(texts)], "\n\n")
		n++
		mu.Unlock()
		status, fields, _ := strings.Cut(strings.TrimSpace(head), "\n")
		if status == "close" {
			panic(http.ErrAbortHandler)
		}
		for line := range strings.Lines(fields) {
			name, value, _ := strings.Cut(line, ": ")
			w.Header().Set(name, strings.TrimSpace(value))
		}
		code := 0
		fmt.Sscan(status, &code)
		w.WriteHeader(code)
		io.WriteString(w, strings.TrimSpace(body))
	}))
	t.Cleanup(server.Close)
	return server
}

// shop is a server that creates items with keys from a number on. It refuses requests without the token, and notes what
// is asked of it.
type shop struct {
	*httptest.Server
	mu     sync.Mutex
	next   int
	items  map[string]string // bodies by key
	asked  []string
	leaves string // a property that responses lack
}

func newShop(t *testing.T, next int, leaves string) *shop {
	s := &shop{next: next, items: map[string]string{}, leaves: leaves}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	w.Header().Set("Content-Type", "application/json")
	if r.Header.Get("Authorization") != "Bearer secret-token" {
		w.WriteHeader(401)
		return
	}
	key := strings.TrimPrefix(r.URL.Path, "/plants/")
	switch {
	case r.Method == "POST":
		key = fmt.Sprint(s.next)
		s.next++
		s.items[key] = fmt.Sprintf(`{"id": %s, "name": "Fern", "kind": "fern"}`, key)
		if s.leaves != "" {
			s.items[key] = strings.Replace(s.items[key], `, "`+s.leaves+`": "fern"`, "", 1)
		}
		w.WriteHeader(201)
		io.WriteString(w, s.items[key])
	case r.URL.Path == "/plants":
		io.WriteString(w, "[]")
	case s.items[key] == "":
		w.WriteHeader(404)
		io.WriteString(w, `{"error": "no such plant"}`)
	case r.Method == "DELETE":
		delete(s.items, key)
		w.WriteHeader(204)
	default:
		io.WriteString(w, s.items[key])
	}
}

const shopDocument = `openapi: 3.1.0
info: {title: Plants, version: 1.0.0}
security: [{token: []}]
paths:
  /plants:
    get:
      responses: {"200": {description: OK., content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Plant"}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}
      responses: {"201": {description: Created., content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}}
  /plants/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      responses: {"200": {description: OK., content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}, "404": {description: None.}}
    delete:
      responses: {"204": {description: Deleted.}, "404": {description: None.}}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas:
    Plant:
      type: object
      required: [name]
      properties: {id: {type: integer, readOnly: true}, name: {type: string}, kind: {type: string}}
`

// TestCompareWrites checks that requests that change something are sent only with Write, and that later requests use the
// keys that each server created.
func TestCompareWrites(t *testing.T) {
	const recording = `{"log": {"version": "1.2", "creator": {"name": "a", "version": "1"}, "entries": [
		{"startedDateTime": "2026-03-20T09:00:00.000Z", "time": 1, "request": {"method": "POST", "url": "http://old.example/plants", "httpVersion": "HTTP/1.1",
		 "headers": [{"name": "Content-Type", "value": "application/json"}, {"name": "Authorization", "value": "Bearer recorded-token"}],
		 "queryString": [], "cookies": [], "postData": {"mimeType": "application/json", "text": "{\"name\":\"Fern\"}"}, "headersSize": -1, "bodySize": 15},
		 "response": {"status": 201, "statusText": "", "httpVersion": "HTTP/1.1", "headers": [{"name": "Content-Type", "value": "application/json"}], "cookies": [],
		 "content": {"size": 21, "mimeType": "application/json", "text": "{\"id\":5,\"name\":\"Fern\"}"}, "redirectURL": "", "headersSize": -1, "bodySize": 21}, "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0}},
		{"startedDateTime": "2026-03-20T09:00:01.000Z", "time": 1, "request": {"method": "GET", "url": "http://old.example/plants/5", "httpVersion": "HTTP/1.1",
		 "headers": [], "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0},
		 "response": {"status": 200, "statusText": "", "httpVersion": "HTTP/1.1", "headers": [], "cookies": [], "content": {"size": 0, "mimeType": ""}, "redirectURL": "", "headersSize": -1, "bodySize": 0},
		 "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0}}]}}`
	options := func(a, b *shop) CompareOptions {
		return CompareOptions{Document: "plants.yaml", Text: []byte(shopDocument), A: a.URL, B: b.URL,
			Credentials: Credentials{Token: "secret-token"}}
	}
	t.Run("safe", func(t *testing.T) {
		a, b := newShop(t, 1, ""), newShop(t, 70, "")
		r, err := Compare(t.Context(), options(a, b))
		if err != nil || len(r.Findings) > 0 || len(r.Skipped) == 0 {
			t.Error(r, err)
		}
		for _, asked := range append(a.asked, b.asked...) {
			if !strings.HasPrefix(asked, "GET ") {
				t.Error(asked)
			}
		}
	})
	t.Run("generated", func(t *testing.T) {
		a, b := newShop(t, 1, ""), newShop(t, 70, "")
		o := options(a, b)
		o.Write = true
		r, err := Compare(t.Context(), o)
		if err != nil || len(r.Findings) > 0 {
			t.Error(r.Findings, err)
		}
		for _, want := range []string{"DELETE /plants/71", "GET /plants/71"} {
			if !strings.Contains(strings.Join(b.asked, "\n"), want) {
				t.Errorf("no %s in %v", want, b.asked)
			}
		}
	})
	t.Run("recorded", func(t *testing.T) {
		a, b := newShop(t, 1, ""), newShop(t, 70, "kind")
		o := options(a, b)
		o.Write, o.Traffic = true, strings.NewReader(recording)
		r, err := Compare(t.Context(), o)
		if err != nil || len(r.Findings) != 1 || r.Findings[0].Check != "property-missing" || len(r.Findings[0].Operations) != 2 {
			t.Error(r, err)
		}
		if diff := cmp.Diff([]string{"GET /plants", "POST /plants", "GET /plants/70"}, b.asked); diff != "" {
			t.Error(diff)
		}
		if text := fmt.Sprintf("%+v %+v", r.Findings[0], *r.Findings[0].Sent[0].Request); strings.Contains(text, "secret-token") ||
			strings.Contains(text, "recorded-token") {
			t.Error(text)
		}
	})
	t.Run("existing", func(t *testing.T) { // an item that the comparison did not create
		const deletion = `{"log": {"entries": [{"request": {"method": "DELETE", "url": "http://old.example/plants/5"}, "response": {"status": 204}}]}}`
		for _, destructive := range []bool{false, true} {
			a, b := newShop(t, 6, ""), newShop(t, 6, "")
			a.items["5"], b.items["5"] = `{"id": 5, "name": "Moss"}`, `{"id": 5, "name": "Moss"}`
			o := options(a, b)
			o.Write, o.Destructive, o.Traffic = true, destructive, strings.NewReader(deletion)
			r, err := Compare(t.Context(), o)
			isSkipped := err != nil && strings.Contains(err.Error(), "its path may name an item that the run did not create (Options.Destructive sends it)")
			if destructive != (a.items["5"] == "") || destructive != (b.items["5"] == "") || destructive == isSkipped {
				t.Errorf("destructive %v: %v %v %+v", destructive, a.items, err, r)
			}
		}
	})
}
