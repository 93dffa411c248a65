package mock

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// connect opens a connection to a server and sends something.
func connect(t *testing.T, s *Server, format string, args ...any) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", s.http.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(patience))
	fmt.Fprintf(conn, format, args...)
	return conn
}

// TestAnnouncedBodies announces large bodies and sends one byte of each: what is allocated follows what was sent.
func TestAnnouncedBodies(t *testing.T) {
	const clients, each = 100, 512 << 10 // bytes; of which the buffer for a head is 72 KiB
	const head = "POST /plants HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	gone := errors.New("the client has gone")
	ways := map[string]func(s *Server){
		"a length": func(s *Server) { connect(t, s, head+"Content-Length: 10485760\r\n\r\n{").Close() },
		"chunks":   func(s *Server) { connect(t, s, head+"Transfer-Encoding: chunked\r\n\r\na00000\r\n{").Close() },
		"100-continue": func(s *Server) {
			connect(t, s, head+"Expect: 100-continue\r\nContent-Length: 10485760\r\n\r\n{").Close()
		},
		"transport": func(s *Server) {
			r, _ := http.NewRequest("POST", "http://a/plants", io.MultiReader(strings.NewReader("{"), iotest.ErrReader(gone)))
			r.ContentLength = 10 << 20
			if _, err := s.Client().Do(r); !errors.Is(err, gone) {
				t.Error(err)
			}
		},
		"handler": func(s *Server) {
			r := httptest.NewRequest("POST", "/plants", io.MultiReader(strings.NewReader("{"), iotest.ErrReader(gone)))
			r.ContentLength = 10 << 20
			defer func() { recover() }() // http.ErrAbortHandler
			s.Handler().ServeHTTP(httptest.NewRecorder(), r)
		},
	}
	for name, announce := range ways {
		t.Run(name, func(t *testing.T) {
			s, err := New(t.Context(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan error)
			go func() { ended <- s.Run(t.Context()) }()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range clients {
				announce(s)
			}
			s.Close() // when all are answered
			<-ended
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > clients*each {
				t.Errorf("%d MiB were allocated", got>>20)
			}
			if used := s.core.Bodies.Used(); used != 0 {
				t.Errorf("%d bytes are still taken", used)
			}
		})
	}
}

// TestBodiesInFlight lets one client take most of the budget: large bodies are refused, compressed ones too,
// small ones are not, and all is well when it has gone.
func TestBodiesInFlight(t *testing.T) {
	t.Parallel()
	log := &lineLog{}
	s := start(t, Options{Limits: Limits{MaxBody: 90 << 10, MaxBodies: 100 << 10}, Auth: AuthOptions{Mode: "off"}, Log: LogOptions{To: log}})
	handler := httptest.NewServer(s.Handler())
	t.Cleanup(handler.Close)
	plant := func(size int) []byte {
		return fmt.Appendf(nil, `{"id":1,"name":"Rose","pad":"%s"}`, strings.Repeat("p", size))
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	w.Write(plant(60 << 10))
	w.Close()
	ways := []struct {
		name, url, encoding string
		client              *http.Client
		body                []byte
	}{
		{"socket", s.URL(), "", trusting(t, nil), plant(60 << 10)},
		{"handler", handler.URL, "", trusting(t, nil), plant(60 << 10)},
		{"transport", "http://localhost", "", s.Client(), plant(60 << 10)},
		{"compressed", s.URL(), "gzip", trusting(t, nil), zipped.Bytes()},
		{"small", s.URL(), "", trusting(t, nil), plant(1000)},
	}
	// until sends a body until it has the wanted status: what others send and leave is seen a little later.
	until := func(way, status int) *http.Response {
		t.Helper()
		for end := time.Now().Add(patience); ; {
			r, _ := http.NewRequest("POST", ways[way].url+"/plants", bytes.NewReader(ways[way].body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Content-Encoding", ways[way].encoding)
			answer, err := ways[way].client.Do(r)
			if err != nil {
				t.Fatal(ways[way].name, err)
			}
			answer.Body.Close()
			if answer.StatusCode == status {
				return answer
			}
			if time.Now().After(end) {
				t.Fatalf("%s: %s, want %d", ways[way].name, answer.Status, status)
			}
		}
	}
	large := connect(t, s, "POST /plants HTTP/1.1\r\nHost: localhost\r\nContent-Length: 92160\r\n\r\n%s", plant(80<<10))
	for end := time.Now().Add(patience); s.core.Bodies.Used() < 80<<10; runtime.Gosched() { // else another body may come first
		if time.Now().After(end) {
			t.Fatal("the large body does not arrive")
		}
	}
	for way := range 4 {
		if answer := until(way, 503); answer.Header.Get("Retry-After") != "1" {
			t.Error(ways[way].name, answer.Header)
		}
	}
	until(4, 200)
	large.Close()
	for way := range ways {
		until(way, 200)
	}
	if !strings.Contains(log.String(), "503") || !strings.Contains(log.String(), "in flight are over the budget") {
		t.Error(log)
	}
}

// TestMaxConnections opens more connections than there may be: the log says so once, and others are let in later.
func TestMaxConnections(t *testing.T) {
	t.Parallel()
	log := &lineLog{}
	s := start(t, Options{Limits: Limits{MaxConnections: 2}, Log: LogOptions{To: log}})
	const get = "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n"
	status := func(conn net.Conn) int {
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil { // too many are being refused at once
			return 0
		}
		return answer.StatusCode
	}
	first, second := connect(t, s, get), connect(t, s, get)
	if status(first) != 404 || status(second) != 404 {
		t.Error("the first two are refused")
	}
	for range 3 {
		if got := status(connect(t, s, get)); got != 503 {
			t.Errorf("one more gets %d", got)
		}
	}
	first.Close()
	for end := time.Now().Add(patience); status(connect(t, s, get)) != 404; {
		if time.Now().After(end) {
			t.Fatal("a closed connection still counts")
		}
	}
	if n := strings.Count(log.String(), "2 connections are open"); n != 1 {
		t.Errorf("said %d times:\n%s", n, log)
	}
}

// TestManyValues refuses a body whose values would take more memory than the bodies of all requests may have, however
// it comes; one with as many bytes and few values is accepted.
func TestManyValues(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Limits: Limits{MaxBody: 90 << 10, MaxBodies: 100 << 10}, Auth: AuthOptions{Mode: "off"}})
	many := []byte(`{"id":1,"name":"Rose","pad":[` + strings.Repeat("0,", 5000) + `0]}`)
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	w.Write(many)
	w.Close()
	for _, test := range []struct {
		name, encoding string
		body           []byte
		want           int
	}{
		{"few", "", fmt.Appendf(nil, `{"id":1,"name":"Rose","pad":"%s"}`, strings.Repeat("p", len(many))), 200},
		{"many", "", many, 413},
		{"compressed", "gzip", zipped.Bytes(), 413},
	} {
		r, _ := http.NewRequest("POST", s.URL()+"/plants", bytes.NewReader(test.body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Content-Encoding", test.encoding)
		answer, err := trusting(t, nil).Do(r)
		if err != nil {
			t.Fatal(test.name, err)
		}
		answer.Body.Close()
		if answer.StatusCode != test.want {
			t.Errorf("%s: %s, want %d", test.name, answer.Status, test.want)
		}
	}
	if used := s.core.Bodies.Used(); used != 0 {
		t.Errorf("%d bytes of the budget are not given back", used)
	}
}
