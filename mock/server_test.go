package mock

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/coldframe/coldframe"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// post creates a plant and gives the status and the body of the answer.
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

// trusting is a client that trusts certificates of a pool, or none at all.
func trusting(t *testing.T, c *tls.Config) *http.Client {
	transport := &http.Transport{TLSClientConfig: c}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func TestSelfSigned(t *testing.T) {
	t.Parallel()
	s := start(t, Options{SelfSigned: true})
	if !strings.HasPrefix(s.URL(), "https://127.0.0.1:") {
		t.Error(s.URL())
	}
	client := trusting(t, &tls.Config{InsecureSkipVerify: true})
	if status, body := post(t, client, s.URL(), rose); status != 200 || body != `{"name":"Rose"}` {
		t.Error(status, body)
	}
	_, err := trusting(t, nil).Get(s.URL())
	var unknown x509.UnknownAuthorityError
	if !errors.As(err, &unknown) {
		t.Error(err)
	}
}

func TestCertificate(t *testing.T) {
	t.Parallel()
	made, err := selfSigned("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(made.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made.Certificate[0]})
	o := Options{
		TLSCert: write(t, "cert.pem", string(certificate)),
		TLSKey:  write(t, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}))),
	}
	s := start(t, o)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	client := trusting(t, &tls.Config{RootCAs: pool})
	if status, body := post(t, client, s.URL(), rose); status != 200 || body != `{"name":"Rose"}` {
		t.Error(status, body)
	}
	o.TLSKey = write(t, "other.pem", "no key")
	var wrong *OptionError
	if _, err := New(t.Context(), o); !errors.As(err, &wrong) || wrong.Option != "tls-cert" {
		t.Error(err)
	}
}

// TestTLSFaults breaks connections below TLS.
func TestTLSFaults(t *testing.T) {
	t.Parallel()
	s := start(t, Options{SelfSigned: true, Scenarios: []string{write(t, "reset.yaml", "rules: [ { on: POST /plants, fault: reset } ]")}})
	conn, err := tls.Dial("tcp", s.listener.Addr().String(), &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /plants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(rose), rose)
	if n, err := conn.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Error(n, err)
	}
}

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

func TestReload(t *testing.T) {
	t.Parallel()
	file := write(t, "openapi.yaml", document("one"))
	s := start(t, Options{Document: file})
	expect := func(path string, want int) {
		t.Helper()
		if status, body := get(t, s, path); status != want {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	expect("/one", 200)
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Reload(t.Context()); err == nil {
		t.Error("a broken document is taken over")
	}
	expect("/one", 200)
	if err := os.WriteFile(file, []byte(document("two")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Reload(t.Context()); err != nil {
		t.Error(err)
	}
	expect("/one", 404)
	expect("/two", 200)
	if title := s.Info().Title; title != "two" {
		t.Error(title)
	}
}

// TestWatch edits files of a running server: a broken edit keeps the last good
// one and says why.
func TestWatch(t *testing.T) {
	t.Parallel()
	file := write(t, "openapi.yaml", document("one"))
	rules := write(t, "rules.yaml", "rules: [ { on: GET /one, delay: 1ms } ]")
	log := &lineLog{}
	s, err := New(t.Context(), Options{Document: file, Scenarios: []string{rules}, Watch: true, LogTo: log})
	if err != nil {
		t.Fatal(err)
	}
	watching, err := newWatcher(s) // before Run, so that no edit is missed
	if err != nil {
		t.Fatal(err)
	}
	s.options.Watch = false
	done := make(chan error, 1)
	go func() { done <- s.Run(t.Context()) }()
	go watching.run(s.context)
	edit := func(name, text, logged string) {
		t.Helper()
		// As editors do it: a new file takes the place of the old one.
		if err := os.WriteFile(name+".new", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		before := len(log.String())
		if err := os.Rename(name+".new", name); err != nil {
			t.Fatal(err)
		}
		log.until(func(text string) bool { return strings.Contains(text[before:], logged) })
	}
	edit(rules, "rules: [ { on: GET /two, delay: 1ms } ]", `unknown operation`)
	if status, _ := get(t, s, "/one"); status != 200 {
		t.Error(status)
	}
	edit(rules, "rules: [ { on: '*', delay: 1ms } ]", "reloaded: one 1, 1 operations")
	edit(file, "openapi: 3.1.0\npaths: [", "the change is not taken over, the mock goes on as before:\n"+file)
	if status, _ := get(t, s, "/one"); status != 200 {
		t.Error(status)
	}
	edit(file, document("two"), "reloaded: two 1, 1 operations")
	if status, body := get(t, s, "/two"); status != 200 || body != `"two"` {
		t.Error(status, body)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestDrain stops the server while a request waits for its delayed answer: it
// gets it, at once, and only then Run returns.
func TestDrain(t *testing.T) {
	t.Parallel()
	log := &lineLog{}
	s, err := New(t.Context(), Options{LogTo: log})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	conn, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /plants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\nContent-Type: application/json\r\nPrefer: delay=60000\r\nContent-Length: %d\r\n\r\n%s", len(rose), rose)
	log.wait(0)
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || r.StatusCode != 200 {
		t.Fatal(r, err)
	}
	if _, err := net.Dial("tcp", s.listener.Addr().String()); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Error(err)
	}
}

// TestCloseHanging stops the server while a connection hangs by a fault.
func TestCloseHanging(t *testing.T) {
	t.Parallel()
	log := &lineLog{}
	s := start(t, Options{LogTo: log, Scenarios: []string{write(t, "hang.yaml", "rules: [ { on: POST /plants, fault: hang } ]")}})
	conn, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /plants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(rose), rose)
	log.wait(0)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if text, _ := io.ReadAll(conn); len(text) > 0 {
		t.Errorf("%q", text)
	}
}

func TestCloseWithoutRun(t *testing.T) {
	t.Parallel()
	s, err := New(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := s.Run(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	taken := s.listener.Addr().(*net.TCPAddr).Port
	for _, test := range []struct {
		name string
		o    Options
		want string
	}{
		{"a port in use", Options{Port: taken}, "address already in use"},
		{"no such port", Options{Port: 70000}, "option port: 70000 is not between 0 and 65535"},
		{"a choice that is none", Options{Validate: "maybe"}, `option validate: "maybe" is none of strict, warn, off`},
		{"a certificate without a key", Options{TLSCert: "cert.pem"}, "are given together"},
		{"two certificates", Options{TLSCert: "cert.pem", TLSKey: "key.pem", SelfSigned: true}, "exclude each other"},
		{"a negative limit", Options{MaxBody: -1}, "option max-body: it is negative"},
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
	conn, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "GET /one HTTP/1.1\r\nHost: a\r\nContent-Length: 24\r\n\r\nGET /two HTTP/1.1\r\nHost:"+
		"HEAD /one HTTP/1.1\r\nHost: a\r\n\r\n"+
		"GET /none HTTP/1.1\r\nHost: a\r\n\r\n"+
		"GET /one HTTP/1.1\r\nHost: a\r\n\r\n")
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

// TestJSONLog holds the other form of the log to be JSON lines without
// credentials.
func TestJSONLog(t *testing.T) {
	t.Parallel()
	log := &lineLog{}
	s := start(t, Options{Log: "json", LogTo: log})
	post(t, http.DefaultClient, s.URL(), rose)
	post(t, http.DefaultClient, s.URL(), `{"id":1}`)
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 2 || strings.Contains(log.String(), "token") {
		t.Fatal(log)
	}
	for i, status := range []string{"200", "400"} {
		value, err := jsontext.Decode(lines[i])
		line, _ := value.(map[string]any)
		if err != nil || line["status"] != any(json.Number(status)) || line["target"] != "/plants" || (line["findings"] != nil) != (i == 1) {
			t.Error(lines[i], err)
		}
	}
}

// TestConcurrent proves that nothing of one request gets into another, though
// fiber reuses its buffers: each of 10,000 plants keeps its own values.
func TestConcurrent(t *testing.T) {
	const clients, each = 50, 200
	s := start(t, Options{})
	name := func(client, i int) string { return fmt.Sprintf("plant %d of client %d", i, client) }
	body := func(client, i int) string {
		return fmt.Sprintf(`{"id":%d,"name":"%s","tag":"%s","pad":"%s"}`, client*each+i, name(client, i), strings.Repeat("t", (client+i)%40), strings.Repeat("p", (client*i)%3000))
	}
	var workers sync.WaitGroup
	for client := range clients {
		workers.Go(func() {
			conn, err := net.Dial("tcp", s.listener.Addr().String())
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
	s := start(t, Options{MaxItems: 3, LogTo: log})
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

// TestWarnings holds that what is only a warning is told all the same.
func TestWarnings(t *testing.T) {
	t.Parallel()
	rules := write(t, "rules.yaml", "rules: [ { on: POST /plants, delay: 1ms }, { on: POST /plants, delay: 2ms } ]")
	s := start(t, Options{Scenarios: []string{rules}})
	if findings := s.Info().Findings; len(findings) != 1 || !strings.Contains(findings[0].Message, "never applies") {
		t.Error(findings)
	}
}

// TestInfo holds what is said at start.
func TestInfo(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Scenarios: []string{"../examples/plant-store/scenarios"}})
	info := s.Info()
	if info.Title != "OpenAPI Plant Store" || info.Version != "1.0.0" || len(info.Operations) != 1 || len(info.Findings) != 0 ||
		strings.Join(info.Scenarios, " ") != "flaky force-400 slow sold-out" {
		t.Errorf("%+v", info)
	}
	if line := info.Operations[0].Curl(s.URL()); !strings.Contains(line, s.URL()+"/plants") || !strings.Contains(line, "Bearer") {
		t.Error(line)
	}
	if !bytes.Contains(coldframe.PlantStore, []byte(info.Title)) {
		t.Error("the built-in document is another one")
	}
}
