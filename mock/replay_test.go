package mock

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const replayedDocument = `
openapi: 3.1.0
info: {title: Garden, version: 1.0.0}
paths:
  /plants:
    get:
      parameters:
        - {name: limit, in: query, schema: {type: integer}}
        - {name: cursor, in: query, schema: {type: string}}
        - {name: since, in: query, schema: {type: string, format: date}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Plant'}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Plant'}}}}
      responses:
        '201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Plant'}}}}
        '400': {description: bad, content: {text/plain: {schema: {type: string}}}}
  /plants/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      responses:
        '200': {description: ok, headers: {ETag: {schema: {type: string}}}, content: {application/json: {schema: {$ref: '#/components/schemas/Plant'}}}}
        '404': {description: none}
    delete:
      responses: {'204': {description: deleted}, '404': {description: none}}
  /photo:
    get:
      security: [{token: []}]
      responses: {'200': {description: ok, content: {image/png: {}}}, '401': {description: denied}}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas:
    Plant:
      type: object
      required: [name]
      properties:
        id: {type: integer, readOnly: true}
        name: {type: string}
        price: {type: number}
        planted: {type: string, format: date-time}
`

// garden is a backend whose bytes no mock would write.
func garden() http.HandlerFunc {
	plants, keys, calls := map[string]string{}, []string{}, 0
	return func(w http.ResponseWriter, r *http.Request) {
		calls++
		w.Header().Set("Content-Type", "application/json")
		id := strings.TrimPrefix(r.URL.Path, "/plants/")
		switch r.Method + " " + strings.TrimSuffix(r.URL.Path, id) + " " + id {
		case "GET  /plants":
			z := io.Writer(w)
			if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				w.Header().Set("Content-Encoding", "gzip")
				packed := gzip.NewWriter(w)
				defer packed.Close()
				z = packed
			}
			fmt.Fprintf(z, "[ %s ]\n", strings.Join(keys, " , ")) // wrong on purpose: of numbers
		case "POST  /plants":
			body, _ := io.ReadAll(r.Body)
			if !bytes.Contains(body, []byte("name")) {
				w.Header().Set("Content-Type", "text/plain")
				w.WriteHeader(400)
				io.WriteString(w, "näme?")
				return
			}
			key := fmt.Sprint(700 + calls)
			plants[key], keys = fmt.Sprintf(`{"name" : "n%d" ,"id": %s }`, calls, key), append(keys, key)
			w.Header().Set("Location", "/plants/"+key)
			w.WriteHeader(201)
			io.WriteString(w, plants[key])
		case "GET  /photo":
			if r.Header.Get("Authorization") == "" {
				w.WriteHeader(401)
				return
			}
			w.Header().Set("Content-Type", "image/png")
			w.Write([]byte("\x89PNG\x00\xff\xfe"))
		default:
			text, ok := plants[id]
			switch {
			case !ok:
				w.WriteHeader(404)
			case r.Method == "DELETE":
				delete(plants, id)
				w.WriteHeader(204)
			case r.Header.Get("If-None-Match") == `"v1"`:
				w.WriteHeader(304)
			default:
				w.Header().Set("ETag", `"v1"`)
				io.WriteString(w, text)
			}
		}
	}
}

// gardenFlow is requests: method, target, body, a field.
var gardenFlow = [][4]string{
	{"GET", "/plants"}, {"GET", "/plants?limit=2&cursor=a"},
	{"POST", "/plants", `{"name": "Fern", "price": 1.50}`}, {"POST", "/plants", `{}`}, {"POST", "/plants", `{"name"`},
	{"POST", "/plants", `{"name": "Rose"}`}, {"GET", "/plants"}, {"GET", "/plants/703"}, {"GET", "/plants/9"},
	{"GET", "/plants/703", "", `If-None-Match: "v1"`}, {"GET", "/photo"}, {"GET", "/photo", "", "Authorization: Bearer abcdefgh"},
	{"DELETE", "/plants/703"}, {"GET", "/plants/703"}, {"DELETE", "/plants/703"},
}

// runGarden sends the flow and returns the responses.
func runGarden(t *testing.T, url string) (all []string) {
	t.Helper()
	for _, step := range gardenFlow {
		r, err := http.NewRequest(step[0], url+step[1], strings.NewReader(step[2]))
		if err != nil {
			t.Fatal(err)
		}
		if step[2] != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		if name, value, ok := strings.Cut(step[3], ": "); ok {
			r.Header.Set(name, value)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%s %s %d %s %s %q", step[0], step[1], response.StatusCode,
			response.Header.Get("Content-Type"), response.Header.Get("Location"), body))
	}
	return all
}

// recordGarden records the flow through a proxy in front of a backend, which is stopped afterwards.
func recordGarden(t *testing.T) (file string, responses []string) {
	t.Helper()
	backend := httptest.NewServer(garden())
	file = filepath.Join(t.TempDir(), "garden.har")
	s := start(t, Options{
		Text: []byte(replayedDocument), Document: "garden.yaml", Proxy: ProxyOptions{Upstream: backend.URL, Record: file},
	})
	responses = runGarden(t, s.URL())
	s.Close()
	backend.Close()
	return file, responses
}

// What a proxy recorded is replayed byte for byte, with the backend stopped.
func TestReplayEqualsRecording(t *testing.T) {
	file, want := recordGarden(t)
	s := start(t, Options{Text: []byte(replayedDocument), Document: "garden.yaml", Replay: ReplayOptions{Files: []string{file}, Strict: true}})
	for range 2 {
		for i, got := range runGarden(t, s.URL()) {
			if got != want[i] {
				t.Errorf("got  %s\nwant %s", got, want[i])
			}
		}
		s.Session("").Reset() // the recorded order begins again
	}
	info := s.Info().Replayed
	if info.Exchanges != len(gardenFlow) || len(info.Left) > 0 || len(info.Stale) == 0 {
		t.Errorf("replayed %+v", info)
	}
	if e := s.Requests(); len(e) > 0 {
		t.Errorf("%d exchanges after a reset", len(e))
	}
}

// What is replayed is in the state that the mock's own responses show, and sessions are apart.
func TestReplayKeepsState(t *testing.T) {
	file, _ := recordGarden(t)
	s := start(t, Options{Text: []byte(replayedDocument), Replay: ReplayOptions{Files: []string{file}}, State: StateOptions{UnknownItems: "refuse"}})
	client := s.Session("one").Client()
	post := func(body string) string {
		response, err := client.Post("http://localhost/plants", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		return string(text)
	}
	// Volatile parts and the order of names do not matter; equal numbers may be written differently.
	if got := post(`{"price": 1.5, "planted": "2026-05-01T10:00:00Z", "name": "Fern"}`); got != `{"name" : "n3" ,"id": 703 }` {
		t.Errorf("replayed %s", got)
	}
	if e := s.Session("one").Requests(); len(e) != 1 || !strings.HasSuffix(e[0].Replayed, "garden.har entry 3") {
		t.Errorf("the journal has %+v", e)
	}
	if got := post(`{"name": "Moss"}`); got != `{"id":704,"name":"Moss"}` {
		t.Errorf("mocked %s", got)
	}
	for session, want := range map[string]int{"one": 200, "two": 404} {
		response, err := s.Session(session).Client().Get("http://localhost/plants/704")
		if err != nil {
			t.Fatal(err)
		}
		if response.Body.Close(); response.StatusCode != want {
			t.Errorf("session %s: %d, want %d", session, response.StatusCode, want)
		}
	}
	var shown strings.Builder
	for _, path := range []string{"/plants?since=2020-01-01", "/plants/703"} {
		response, _ := client.Get("http://localhost" + path)
		text, _ := io.ReadAll(response.Body)
		response.Body.Close()
		fmt.Fprintf(&shown, "%d %s\n", response.StatusCode, text)
	}
	if want := "200 [  ]\n\n200 {\"name\" : \"n3\" ,\"id\": 703 }\n"; shown.String() != want {
		t.Errorf("shown %q", shown.String())
	}
}

// Recordings take a bounded part of the memory, whatever they contain.
func TestReplayBounds(t *testing.T) {
	entry := func(text string) string {
		return `{"request":{"method":"GET","url":"http://a/plants","headers":[]},"response":{"status":200,"headers":` +
			`[{"name":"Content-Type","value":"application/json"}],"content":{"mimeType":"application/json","text":"` + text + `"}}}`
	}
	long := strings.Repeat("x", 1<<20)
	for name, c := range map[string]struct{ text, want string }{
		"one text":     {`{"log":{"entries":[` + entry(strings.Repeat(long, 3)) + `]}}`, "a.har entry 1, GET /plants: the recording lacks a part of the response"},
		"one entry":    {`{"log":{"entries":[` + entry(strings.Repeat(long[:500<<10]+`","x":"`, 3)) + `]}}`, "a.har: entry 1: it is too large: an entry has at most 1048576 bytes"},
		"many entries": {`{"log":{"entries":[` + strings.Repeat(entry(long[:800<<10])+",", 7) + entry("1") + `]}}`, "a.har entry 6: the exchanges up to it take more than 4194304 bytes, a quarter of Options.Limits.Memory"},
		"truncated":    {`{"log":{"entries":[` + entry("1") + `,{"request":`, "after entry 1, at byte"},
		"deep":         {`{"log":{"entries":[` + strings.Repeat("[", 20_000), "exceeded max depth"},
		"count":        {`{"log":{"entries":[{"request":{"method":"GET","url":"http://a/plants","bodySize":1e999}}]}}`, "entry 1: "},
		"empty":        {`{"log":{"entries":[]}}`, "it has no entries"},
		"other API":    {strings.ReplaceAll(`{"log":{"entries":[`+entry("1")+`]}}`, "/plants", "/pets"), "the document has no such operation"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "a.har")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := New(context.Background(), Options{
				Text: []byte(replayedDocument), Listen: ListenOptions{NoListener: true},
				Limits: Limits{Memory: 16 << 20, MaxState: 4 << 20}, Replay: ReplayOptions{Files: []string{file}},
			})
			var wrong *OptionError
			if !errors.As(err, &wrong) || wrong.Option != "Replay.Files" || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// Scenario and data files of a recording say the same as the recording.
func TestFilesFromRecording(t *testing.T) {
	file, want := recordGarden(t)
	o := Options{Text: []byte(replayedDocument), Document: "garden.yaml"}
	text, left, err := ScenarioFrom(t.Context(), o, file)
	if err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(left, "\n"); !strings.Contains(all, "entry 12, GET /photo: the body is binary") ||
		!strings.Contains(all, "entry 10, GET /plants/{id}: the response is to a condition or a range") {
		t.Errorf("left %s", all)
	}
	o.ScenarioTexts, o.Auth.Mode, o.Validate = []Text{{"recorded.yaml", text}}, "off", "off"
	s := start(t, o)
	for i, got := range runGarden(t, s.URL()) {
		got, recorded := strings.Fields(got), strings.Fields(want[i])
		if i != 9 && i != 11 && got[2] != recorded[2] { // what is left
			t.Errorf("got %v, want %v", got, recorded)
		}
	}
	if text, _, err = DataFrom(t.Context(), o, file); err != nil {
		t.Fatal(err)
	}
	if want := "/plants:\n  - id: 705\n    name: n5\n  - id: 706\n    name: n6\n"; string(text) != want {
		t.Errorf("data %s", text)
	}
}
