package mock

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// FuzzExchange sends whole requests to a document of many kinds: whatever comes,
// the answer is not a server error and conforms to the document, or says that it
// is undocumented. The same request gets the same answer.
func FuzzExchange(f *testing.F) {
	archive, err := txtar.ParseFile("testdata/fuzz/document.txtar")
	if err != nil {
		f.Fatal(err)
	}
	s, err := New(f.Context(), Options{Document: "openapi.yaml", Text: archive.Files[0].Data})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { s.Close() })
	for _, seed := range archive.Files[1:] {
		head, body, _ := strings.Cut(string(seed.Data), "\n\n")
		line, fields, _ := strings.Cut(strings.TrimSuffix(head, "\n"), "\n")
		method, target, _ := strings.Cut(line, " ")
		f.Add(method, target, fields, []byte(strings.TrimSuffix(body, "\n")))
	}
	f.Fuzz(func(t *testing.T, method, target, fields string, body []byte) {
		request := func() *exchange.Request {
			r := &exchange.Request{Method: method, Body: bytes.Clone(body)}
			r.Path, r.Query, _ = strings.Cut(target, "?")
			for line := range strings.SplitSeq(fields, "\n") {
				if name, value, ok := strings.Cut(line, ":"); ok {
					r.Header = append(r.Header, exchange.Field{Name: name, Value: strings.TrimSpace(value)})
				}
			}
			return r
		}
		s.sessions.Reset("")
		x := s.exchange(request())
		answer := &x.answer.Response
		if answer.Status < 200 || answer.Status > 499 && x.ask.Preferences.Code != answer.Status {
			t.Fatalf("%d: %s", answer.Status, answer.Body)
		}
		if method == "HEAD" {
			answer.Body = nil // fiber leaves it out
		}
		if wrong := check(s, method, target, answer); wrong != nil {
			t.Fatalf("%d %s\n%v", answer.Status, answer.Body, wrong)
		}
		for _, field := range answer.Header {
			if strings.ContainsAny(field.Name+field.Value, "\r\n\x00") && !strings.ContainsAny(fields, "\r\x00") {
				t.Fatalf("a field of several lines: %q", field)
			}
		}
		if kind, _ := answer.Header.Get("Content-Type"); kind == "application/problem+json" {
			if _, err := jsontext.Decode(string(answer.Body)); err != nil {
				t.Fatal(err)
			}
		}
		if x.ask.Dynamic {
			return
		}
		s.sessions.Reset("") // what the request has made
		if again := s.exchange(request()); !bytes.Equal(again.answer.Body, answer.Body) && method != "HEAD" {
			t.Fatalf("first %s, then %s", answer.Body, again.answer.Body)
		}
	})
}

// flatDocument has operations whose bodies are small objects without arrays and objects in them.
const flatDocument = `
openapi: 3.1.0
info: {title: Flat, version: "1"}
components:
  schemas:
    Plain: {type: object, required: [a], properties: {a: {type: string}, b: {type: integer, format: int32}, c: {type: [boolean, "null"]}}}
    Closed: {type: object, additionalProperties: false, properties: {a: {enum: [x, y, 1]}, b: {type: number, minimum: 1}}}
    Shown: {type: object, required: [b], properties: {b: {type: integer}, c: {type: boolean}}}
paths:
  /plain: {post: &plain {requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Plain"}}}},
    responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Plain"}}}}}}}
  /closed: {post: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Closed"}}}},
    responses: {"201": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Closed"}}}}}}}
  /shown: {post: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Plain"}}}},
    responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Shown"}}}}}}}
  /kept: {get: {responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Plain"}}}}}}},
    post: *plain}
`

// FuzzFlat sends bodies that are read as they stand in their text, and the same ones in a form that has them decoded:
// both get the same answer, keep the same, and count the same.
func FuzzFlat(f *testing.F) {
	paths := []string{"/plain", "/closed", "/shown", "/kept"}
	seeds := []string{
		`{"a":"x"}`, `{"a":"x","b":2,"c":null}`, ` { "c" : true , "b" : 7, "a" : "ö" , "d": "unknown"}`, `{"b":2}`, `{}`, `{"a":1}`,
		`{"a":"\u0041"}`, `{"a":"x","b":2147483648}`, `{"a":"x","a":"y"}`, `{"b":1.5,"a":"x"}`, `{"a":[]}`, `[]`, `{"c":false,"a":""}`,
	}
	for i, seed := range seeds {
		for path := range paths {
			f.Add(byte(path+i*len(paths)), seed)
		}
	}
	var pair [2]*Server
	for i := range pair {
		s, err := New(f.Context(), Options{Document: "openapi.yaml", Text: []byte(flatDocument), Listen: ListenOptions{NoListener: true}})
		if err != nil {
			f.Fatal(err)
		}
		f.Cleanup(func() { s.Close() })
		pair[i] = s
	}
	f.Fuzz(func(t *testing.T, path byte, body string) {
		var got [2]string
		for i, media := range []string{"application/json", "application/json; charset=utf-8"} {
			pair[i].sessions.Reset("")
			r := &exchange.Request{
				Method: "POST", Path: paths[int(path)%len(paths)], Body: []byte(body),
				Header: exchange.Header{{Name: "Content-Type", Value: media}},
			}
			h := pair[i].exchange(r)
			if isFlat := h.ask.Values.Flat() != nil; body == seeds[0] && isFlat != (i == 0) {
				t.Errorf("%s is read as it stands: %t", media, isFlat)
			}
			var kept bytes.Buffer
			for item := range pair[i].sessions.Lookup("").State.View().All() {
				fmt.Fprintf(&kept, "%s %s %s\n", item.Collection, item.Key, item.JSON)
			}
			used, _ := json.Marshal(pair[i].Coverage())
			got[i] = fmt.Sprintf("%d %v %s\n%v\n%s\n%s", h.answer.Status, h.answer.Header, h.answer.Body, h.findings, &kept, used)
		}
		if got[0] != got[1] {
			t.Errorf("%s\nas it stands: %s\ndecoded: %s", body, got[0], got[1])
		}
	})
}

// TestFuzzDocument keeps the seeds of FuzzExchange in step with its document:
// there is a request for each of its operations.
func TestFuzzDocument(t *testing.T) {
	text, err := os.ReadFile("testdata/fuzz/document.txtar")
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(text)
	s, err := New(t.Context(), Options{Document: "openapi.yaml", Text: archive.Files[0].Data})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if findings := s.Info().Findings; len(findings) > 0 {
		t.Error(findings)
	}
	met := map[string]bool{}
	for _, seed := range archive.Files[1:] {
		method, target, _ := strings.Cut(strings.SplitN(string(seed.Data), "\n", 2)[0], " ")
		r := &exchange.Request{Method: method}
		r.Path, r.Query, _ = strings.Cut(target, "?")
		if x := s.exchange(r); x.operation != nil {
			met[x.operation.ID] = true
		}
	}
	for _, o := range s.Info().Operations {
		if !met[o.ID] {
			t.Errorf("no seed for %s", o.ID)
		}
	}
}
