package mock

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/sample"
)

// post creates a plant and returns the status and the body of the answer.
func post(t *testing.T, client *http.Client, url, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", url+"/plants", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer token")
	r.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

const rose = `{"id":1,"name":"Rose"}`

func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// document describes GET /NAME, which answers with the name.
func document(name string) string {
	return strings.ReplaceAll(`{openapi: 3.1.0, info: {title: NAME, version: "1"}, paths: {/NAME: {get: {responses: {"200": {description: fine, content: {application/json: {schema: {const: NAME}}}}}}}}}`, "NAME", name)
}

func get(t *testing.T, s *Server, path string) (int, string) {
	t.Helper()
	r, err := http.Get(s.URL() + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	taken := s.http.Addr().(*net.TCPAddr).Port
	for _, test := range []struct {
		name string
		o    Options
		want string
	}{
		{"a port in use", Options{Listen: ListenOptions{Port: taken}}, "address already in use"},
		{"no such port", Options{Listen: ListenOptions{Port: 70000}}, "option Listen.Port: 70000 is not between 0 and 65535"},
		{"a choice that is none", Options{Validate: "maybe"}, `option Validate: "maybe" is none of strict, warn, off`},
		{"a certificate without a key", Options{Listen: ListenOptions{TLSCert: "cert.pem"}}, "are given together"},
		{"two certificates", Options{Listen: ListenOptions{TLSCert: "cert.pem", TLSKey: "key.pem", SelfSigned: true}}, "excludes Options.Listen.TLSCert"},
		{"a negative limit", Options{Limits: Limits{MaxBody: -1}}, "option Limits.MaxBody: it is negative"},
		{"no such document", Options{Document: "testdata/none.yaml"}, "testdata/none.yaml"},
		{"a broken document", Options{Document: "broken.yaml", Text: []byte("openapi: [")}, "broken.yaml:"},
		{"no such scenario", Options{Scenarios: []string{"testdata/none.yaml"}}, "testdata/none.yaml"},
		{"a broken scenario", Options{Scenarios: []string{write(t, "s.yaml", "rules: [ { on: GET /nowhere, delay: 1s } ]")}}, "s.yaml:1:"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := New(t.Context(), test.o)
			if err == nil {
				s.Close()
				t.Fatal("accepted")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Error(err)
			}
		})
	}
}

// TestKeepAlive sends requests over one connection, in one piece, and a body
// on GET, which must not be read as the next request.
func TestKeepAlive(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Document: "openapi.yaml", Text: []byte(document("one"))})
	conn, err := net.Dial("tcp", s.http.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "GET /one HTTP/1.1\r\nHost: localhost\r\nContent-Length: 24\r\n\r\nGET /two HTTP/1.1\r\nHost:"+
		"HEAD /one HTTP/1.1\r\nHost: localhost\r\n\r\n"+
		"GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n"+
		"GET /one HTTP/1.1\r\nHost: localhost\r\n\r\n")
	r := bufio.NewReader(conn)
	for i, want := range []int{200, 200, 404, 200} {
		method := "GET"
		if i == 1 {
			method = "HEAD"
		}
		answer, err := http.ReadResponse(r, &http.Request{Method: method})
		if err != nil || answer.StatusCode != want {
			t.Fatal(i, answer, err)
		}
		if body, err := io.ReadAll(answer.Body); err != nil || i == 0 && string(body) != `"one"` {
			t.Fatalf("%d: %s, %v", i, body, err)
		}
	}
}

// TestConcurrent proves that nothing of one request gets into another, though
// fiber reuses its buffers: each of 10,000 plants keeps its own values.
func TestConcurrent(t *testing.T) {
	clients, each := 50, 200/sample.Every(4, 4)
	s := start(t, Options{})
	name := func(client, i int) string { return fmt.Sprintf("plant %d of client %d", i, client) }
	body := func(client, i int) string {
		return fmt.Sprintf(`{"id":%d,"name":"%s","tag":"%s","pad":"%s"}`, client*each+i, name(client, i), strings.Repeat("t", (client+i)%40), strings.Repeat("p", (client*i)%3000))
	}
	var workers sync.WaitGroup
	for client := range clients {
		workers.Go(func() {
			conn, err := net.Dial("tcp", s.http.Addr().String())
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			r := bufio.NewReader(conn)
			for i := range each {
				text := body(client, i)
				fmt.Fprintf(conn, "POST /plants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %d\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", client, len(text), text)
				answer, err := http.ReadResponse(r, nil)
				if err != nil {
					t.Error(err)
					return
				}
				got, err := io.ReadAll(answer.Body)
				want := fmt.Sprintf(`{"name":"%s","tag":"%s"}`, name(client, i), strings.Repeat("t", (client+i)%40))
				if err != nil || answer.StatusCode != 200 || string(got) != want {
					t.Errorf("got %d %s, %v; want %s", answer.StatusCode, got, err, want)
					return
				}
			}
		})
	}
	workers.Wait()
	kept := map[string]bool{}
	for item := range s.store.View().All() {
		kept[string(item.JSON)] = true
	}
	if len(kept) != clients*each || s.store.View().Total() != clients*each {
		t.Errorf("%d items, %d of them different", s.store.View().Total(), len(kept))
	}
	for client := range clients {
		for i := range each {
			if !kept[body(client, i)] {
				t.Fatalf("%s is not kept", name(client, i))
			}
		}
	}
}

// TestFullStore creates more than is kept: the oldest go, and the log says so
// once.
func TestFullStore(t *testing.T) {
	t.Parallel()
	log := &lineLog{}
	s := start(t, Options{Limits: Limits{MaxItems: 3}, Log: LogOptions{To: log}})
	for i := range 6 {
		post(t, http.DefaultClient, s.URL(), fmt.Sprintf(`{"id":%d,"name":"Rose"}`, i))
	}
	_, body := get(t, s, "/__coldframe/state")
	if want := `{"items":3,"collections":{"/plants":[{"id":3,"name":"Rose"},{"id":4,"name":"Rose"},{"id":5,"name":"Rose"}]}}`; body != want {
		t.Error(body)
	}
	if n := strings.Count(log.String(), "the store is full: it keeps the last 3 created items, older ones are dropped\n"); n != 1 {
		t.Errorf("said %d times:\n%s", n, log)
	}
}
