package mock

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const streamed = `
openapi: 3.1.0
info: {title: Rooms, version: "1"}
paths:
  /rooms/{roomId}/messages:
    parameters: [{name: roomId, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Message"}}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Message"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Message"}}}}}
  /rooms/{roomId}/messages/{id}:
    parameters:
    - {name: roomId, in: path, required: true, schema: {type: integer}}
    - {name: id, in: path, required: true, schema: {type: integer}}
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Message"}}}}}}
    delete: {responses: {"204": {description: d}}}
    put:
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Message"}}}}
      responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Message"}}}}}
  /rooms/{roomId}/events:
    parameters:
    - {name: roomId, in: path, required: true, schema: {type: integer}}
    - {name: texts, in: query, schema: {type: array, items: {type: string}}}
    - {name: only, in: query, schema: {type: string, enum: [message.created, message.deleted]}}
    - {name: id, in: query, schema: {type: string, enum: [short, long]}}
    get:
      responses:
        "200":
          description: d
          content:
            text/event-stream:
              schema:
                type: object
                required: [type, message]
                properties:
                  type: {type: string, enum: [message.created, message.updated, message.deleted]}
                  message: {$ref: "#/components/schemas/Message"}
  /events: {get: {responses: {"200": {description: d, content: {text/event-stream: {schema: {type: string}}}}}}}
  /ticks:
    get: {responses: {"200": {description: d, content: {text/event-stream: {schema: {type: object, required: [n], properties: {n: {const: 1}}}}}}}}
components:
  schemas:
    Message:
      type: object
      required: [id, text]
      properties: {id: {type: integer, readOnly: true}, text: {type: string}}
`

// eventReader reads the events of an open stream.
type eventReader struct {
	t     *testing.T
	lines *bufio.Reader
	close func() error
}

func follow(t *testing.T, client *http.Client, url, lastEvent string) *eventReader {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if lastEvent != "" {
		r.Header.Set("Last-Event-ID", lastEvent)
	}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if got := answer.Header.Get("Content-Type"); answer.StatusCode != 200 || got != "text/event-stream" {
		t.Fatalf("got %d %s", answer.StatusCode, got)
	}
	return &eventReader{t, bufio.NewReader(answer.Body), answer.Body.Close}
}

// next returns the next event, without comments; "" at the end.
func (r *eventReader) next() string {
	r.t.Helper()
	var event strings.Builder
	for {
		line, err := r.lines.ReadString('\n')
		switch {
		case err != nil:
			return event.String()
		case line == "\n" && event.Len() > 0:
			return event.String()
		case line != "\n" && !strings.HasPrefix(line, ":"):
			event.WriteString(line)
		}
	}
}

func sendTo(t *testing.T, client *http.Client, method, url, body string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %s", method, url, answer.StatusCode, text)
	}
}

// TestStream follows the changes of one room on a socket, in another stream from an event on, and until a reset.
func TestStream(t *testing.T) {
	s := start(t, Options{Text: []byte(streamed), State: StateOptions{UnknownItems: "refuse"}})
	url, client := s.URL(), http.DefaultClient
	sendTo(t, client, "POST", url+"/rooms/1/messages", `{"text":"before"}`)
	events := follow(t, client, url+"/rooms/1/events", "")
	defer events.close()
	want := func(r *eventReader, parts ...string) string {
		t.Helper()
		got := r.next()
		for _, part := range parts {
			if !strings.Contains(got, part) {
				t.Fatalf("got %q, want %q in it", got, part)
			}
		}
		return got
	}
	first := want(events, "event: message.created\n", `"text":"before"`)
	sendTo(t, client, "POST", url+"/rooms/2/messages", `{"text":"elsewhere"}`)
	sendTo(t, s.Session("other").Client(), "POST", url+"/rooms/1/messages", `{"text":"of another session"}`)
	sendTo(t, client, "POST", url+"/rooms/1/messages", `{"text":"after"}`)
	want(events, "event: message.created\n", `"message":{"id":2,"text":"after"}`, `"type":"message.created"`)
	sendTo(t, client, "PUT", url+"/rooms/1/messages/2", `{"text":"again"}`)
	want(events, "event: message.updated\n", `"text":"again"`)
	sendTo(t, client, "DELETE", url+"/rooms/1/messages/2", "")
	want(events, "event: message.deleted\n", `"text":"again"`)

	_, id, _ := strings.Cut(first, "id: ")
	id, _, _ = strings.Cut(id, "\n")
	resumed := follow(t, client, url+"/rooms/1/events", id)
	defer resumed.close()
	want(resumed, `"text":"after"`)
	want(resumed, "event: message.updated\n")
	want(resumed, "event: message.deleted\n")

	all := follow(t, client, url+"/events", "")
	defer all.close()
	want(all, "event: message.created\n", `data: {"id":1,"text":"before"}`)

	s.Session("").Reset()
	for _, r := range []*eventReader{events, resumed} {
		if got := r.next(); got != "" {
			t.Errorf("got %q after the reset, want the end", got)
		}
	}
}

// TestStreamPictures follows items with pictures: their URLs lead to the mock.
func TestStreamPictures(t *testing.T) {
	s := start(t, Options{State: StateOptions{UnknownItems: "refuse"}, Text: []byte(`
openapi: 3.1.0
info: {title: Plants, version: "1"}
paths:
  /plants:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Plant"}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}}
  /plants/events: {get: {responses: {"200": {description: d, content: {text/event-stream: {schema: {$ref: "#/components/schemas/Plant"}}}}}}}
components:
  schemas:
    Plant: {type: object, required: [id, name, image_url], properties: {id: {type: integer, readOnly: true}, name: {type: string}, image_url: {type: string, format: uri, readOnly: true}}}
`)})
	events := follow(t, http.DefaultClient, s.URL()+"/plants/events", "")
	defer events.close()
	sendTo(t, http.DefaultClient, "POST", s.URL()+"/plants", `{"name":"Fern"}`)
	if got := events.next(); !strings.Contains(got, `"image_url":"`+s.URL()+"/__coldframe/images/") {
		t.Errorf("got %q, want a picture of %s", got, s.URL())
	}
}

// TestStreamFilters follows what query parameters choose: by a property, and by the name of the event. A parameter
// whose values the property of its name cannot have chooses nothing.
func TestStreamFilters(t *testing.T) {
	s := start(t, Options{Text: []byte(streamed), State: StateOptions{UnknownItems: "refuse"}})
	url, client := s.URL(), http.DefaultClient
	byText := follow(t, client, url+"/rooms/1/events?texts=moss&texts=fern&id=short", "")
	defer byText.close()
	byName := follow(t, client, url+"/rooms/1/events?only=message.deleted", "")
	defer byName.close()
	for _, text := range []string{"reed", "fern", "moss"} {
		sendTo(t, client, "POST", url+"/rooms/1/messages", `{"text":"`+text+`"}`)
	}
	sendTo(t, client, "DELETE", url+"/rooms/1/messages/1", "")
	for _, text := range []string{"fern", "moss"} {
		if got := byText.next(); !strings.Contains(got, text) {
			t.Errorf("by text: got %q, want %q in it", got, text)
		}
	}
	if got := byName.next(); !strings.Contains(got, "event: message.deleted\n") {
		t.Errorf("by name: got %q, want a deletion", got)
	}
}

// TestStreamEnds follows a stream until the server stops, and one for no time.
func TestStreamEnds(t *testing.T) {
	s := start(t, Options{Text: []byte(streamed)})
	answer, err := http.Get(s.URL() + "/ticks?__wait=0")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || !strings.Contains(string(text), `data: {"n":1}`) {
		t.Errorf("got %q, %v", text, err)
	}
	events := follow(t, http.DefaultClient, s.URL()+"/ticks", "")
	defer events.close()
	if got := events.next(); got != "data: {\"n\":1}\n" {
		t.Errorf("got %q", got)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	for events.next() != "" {
	}
}

// TestStreamBounds opens as many streams as a session may have, and one more.
func TestStreamBounds(t *testing.T) {
	s := start(t, Options{Text: []byte(streamed), State: StateOptions{UnknownItems: "refuse"}})
	sendTo(t, s.Client(), "POST", s.URL()+"/rooms/1/messages", `{"text":"a"}`)
	var open []*eventReader
	for range 64 {
		r := follow(t, s.Client(), s.URL()+"/events", "")
		defer r.close()
		r.next()
		open = append(open, r)
	}
	sendTo(t, s.Client(), "POST", s.URL()+"/rooms/1/messages", `{"text":"b"}`)
	for _, r := range open { // a stream is counted once it sends more than its first events
		if got := r.next(); !strings.Contains(got, `"text":"b"`) {
			t.Fatalf("got %q", got)
		}
	}
	last := follow(t, s.Session("other").Client(), s.URL()+"/events", "")
	defer last.close()
	answer, err := s.Client().Get(s.URL() + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != 503 {
		t.Errorf("got %d, want 503", answer.StatusCode)
	}
}

// TestStreamTime follows generated events, comments and the end of the time that a client asks for.
func TestStreamTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, Options{Text: []byte(streamed), Listen: ListenOptions{NoListener: true}})
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		read := func(path, prefer string) (text string, took time.Duration) {
			r, err := http.NewRequestWithContext(ctx, "GET", "http://localhost"+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Prefer", prefer)
			began := time.Now()
			answer, err := s.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			body, err := io.ReadAll(answer.Body)
			if err != nil {
				t.Fatal(err)
			}
			return string(body), time.Since(began)
		}
		text, took := read("/ticks", "wait=12")
		if n := strings.Count(text, "data: "); took != 12*time.Second || n < 3 {
			t.Errorf("got %d events in %v: %q", n, took, text)
		}
		text, took = read("/rooms/1/events", "wait=31")
		if n := strings.Count(text, ":\n\n"); took != 31*time.Second || n < 2 {
			t.Errorf("got %d comments in %v: %q", n, took, text)
		}
	})
}
