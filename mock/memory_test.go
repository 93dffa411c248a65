package mock

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/client"
)

// heapBytes is what is in use.
func heapBytes() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// order creates an item of so many bytes, in a session and with a key.
func order(session, key string, size int) *exchange.Request {
	return &exchange.Request{
		Method: "POST", Path: "/orders", Body: fmt.Appendf(nil, `{"item":"%s"}`, strings.Repeat("x", size)),
		Header: exchange.Header{
			{Name: "Host", Value: "localhost"}, {Name: "Content-Type", Value: "application/json"},
			{Name: "Coldframe-Session", Value: session}, {Name: "Idempotency-Key", Value: key},
		},
	}
}

// TestMemoryIsBounded sends items, keys, snapshots, sessions and copies of sessions without end: the heap levels off,
// losses are logged, and deleting frees the memory.
func TestMemoryIsBounded(t *testing.T) {
	const limit = 8 << 20
	var log bytes.Buffer
	before := heapBytes()
	s := start(t, Options{Document: "openapi.yaml", Text: []byte(ordersDocument), State: StateOptions{UnknownItems: "refuse"}, Limits: Limits{Memory: limit}, Log: LogOptions{To: &log}})
	api := client.New("http://localhost", client.Options{HTTP: s.Client()})
	ctx := t.Context()
	for round := range 20 {
		for i := range 60 {
			name := fmt.Sprint("s", (round+i)%20)
			s.exchange(order(name, fmt.Sprint(round, "-", i), 20_000))
			s.exchange(order("", fmt.Sprint(round, "-", i), 100))
		}
		in := api.In(fmt.Sprint("s", round%20))
		if err := in.Snapshot(ctx, fmt.Sprint("at ", round)); err == nil {
			t.Error("a name with a space")
		}
		in.Snapshot(ctx, fmt.Sprint("at-", round))
		in.Fork(ctx, fmt.Sprint("fork-", round))
	}
	memory, err := api.Memory(ctx)
	if err != nil || memory.Used > memory.Limit || memory.Limit > limit {
		t.Errorf("%+v, %v", memory, err)
	}
	if heap := heapBytes() - before; heap > 3*limit {
		t.Errorf("the heap has %d bytes more, the limit is %d", heap, limit)
	}
	for _, part := range []string{"snapshots", "idempotency keys and logins", "items"} {
		if memory.Dropped[part] == 0 || !strings.Contains(log.String(), " "+part+" are dropped") {
			t.Errorf("%s: %d are dropped, and the log does not say so", part, memory.Dropped[part])
		}
	}
	sessions, _ := api.Sessions(ctx)
	for _, one := range sessions {
		api.In(one.Name).Delete(ctx)
	}
	api.ClearRequests(ctx)
	if memory, _ = api.Memory(ctx); memory.Used > 20_000 {
		t.Errorf("%d bytes are in use when all is deleted", memory.Used)
	}
	if heap := heapBytes() - before; heap > limit {
		t.Errorf("the heap has %d bytes more when all is deleted", heap)
	}
}

// TestUploadsAreBounded uploads more than the memory may have: files that were not dropped are whole.
func TestUploadsAreBounded(t *testing.T) {
	const limit = 8 << 20
	document := `openapi: 3.1.0
info: {title: Covers, version: "1"}
paths:
  /books:
    post: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Book"}}}}, responses: {"201": {$ref: "#/components/responses/Book"}}}
  /books/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {$ref: "#/components/responses/Book"}, "404": {description: none}}}
  /books/{id}/cover:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    put: {requestBody: {required: true, content: {image/gif: {schema: {type: string, format: binary}}}}, responses: {"204": {description: kept}}}
    get: {responses: {"200": {description: d, content: {image/gif: {schema: {type: string, format: binary}}}}, "404": {description: none}}}
components:
  schemas: {Book: {type: object, properties: {id: {type: integer, readOnly: true}, title: {type: string}}}}
  responses: {Book: {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Book"}}}}}
`
	var log bytes.Buffer
	s := start(t, Options{Document: "openapi.yaml", Text: []byte(document), State: StateOptions{UnknownItems: "refuse"}, Limits: Limits{Memory: limit}, Log: LogOptions{To: &log}})
	header := exchange.Header{{Name: "Host", Value: "localhost"}, {Name: "Content-Type", Value: "image/gif"}}
	file := append([]byte("GIF89a"), make([]byte, 1<<20)...)
	const files = 12
	for i := range files {
		s.exchange(&exchange.Request{Method: "POST", Path: "/books", Body: []byte(`{"title":"Moss"}`), Header: exchange.Header{{Name: "Host", Value: "localhost"}, {Name: "Content-Type", Value: "application/json"}}})
		if a := s.exchange(&exchange.Request{Method: "PUT", Path: fmt.Sprintf("/books/%d/cover", i+1), Body: file, Header: header}).answer; a.Status != 204 {
			t.Fatal(a.Status)
		}
	}
	memory, err := client.New("http://localhost", client.Options{HTTP: s.Client()}).Memory(t.Context())
	if err != nil || memory.Used > limit || memory.Used < 1<<20 || memory.Dropped["items"] == 0 {
		t.Errorf("%+v, %v\n%s", memory, err, &log)
	}
	whole := 0
	for i := range files {
		a := s.exchange(&exchange.Request{Method: "GET", Path: fmt.Sprintf("/books/%d/cover", i+1), Header: header[:1]}).answer
		if a.Status == 200 && bytes.Equal(a.Body, file) {
			whole++
		} else if len(a.Body) > 64<<10 {
			t.Errorf("file %d: %d, %d bytes", i+1, a.Status, len(a.Body))
		}
	}
	if whole == 0 || whole == files {
		t.Errorf("%d of %d files are kept", whole, files)
	}
}

// TestDroppedSession checks that a request that names a dropped session gets a finding.
func TestDroppedSession(t *testing.T) {
	var log bytes.Buffer
	s := start(t, Options{Document: "openapi.yaml", Text: []byte(ordersDocument), Limits: Limits{MaxSessions: 1}, Log: LogOptions{To: &log}})
	s.exchange(order("first", "1", 10))
	s.exchange(order("second", "1", 10))
	if !strings.Contains(log.String(), "session first is dropped: too many sessions (option max-sessions)") {
		t.Errorf("log: %s", &log)
	}
	for i, want := range []bool{true, false} {
		h := s.exchange(order("first", "1", 10))
		got := len(h.findings) == 1 && h.findings[0].Code == "session-dropped" && h.answer.Status == 201
		if got != want {
			t.Errorf("request %d after it was dropped: %d %v", i+1, h.answer.Status, h.findings)
		}
	}
}

// TestStateStreams checks that the state is sent in pieces and is complete.
func TestStateStreams(t *testing.T) {
	s := start(t, Options{Document: "openapi.yaml", Text: []byte(ordersDocument), State: StateOptions{UnknownItems: "refuse"}})
	const orders = 2000
	for i := range orders {
		s.exchange(order("", fmt.Sprint(i), 100))
	}
	a := s.control.Serve(&exchange.Request{Method: "GET", Path: "/__coldframe/state", Header: exchange.Header{{Name: "Host", Value: "localhost"}}})
	var text []byte
	longest := 0
	a.Stream(func(piece []byte) error {
		text = append(text, piece...)
		longest = max(longest, len(piece))
		return nil
	})
	var state client.State
	if err := json.Unmarshal(text, &state); err != nil || state.Items != orders || len(state.Collections["/orders"]) != orders {
		t.Errorf("%v: %d items, %d orders", err, state.Items, len(state.Collections["/orders"]))
	}
	if longest > 40<<10 {
		t.Errorf("a piece has %d bytes", longest)
	}
}

// TestDataIsWithinMemory: data that leaves no room for sessions is refused.
func TestDataIsWithinMemory(t *testing.T) {
	_, err := New(t.Context(), Options{Document: "openapi.yaml", Text: []byte(ordersDocument), Listen: ListenOptions{NoListener: true}, State: StateOptions{SeedItems: 5000}, Limits: Limits{Memory: 1 << 20}})
	if err == nil || !strings.Contains(err.Error(), "Options.Limits.Memory") {
		t.Error(err)
	}
}
