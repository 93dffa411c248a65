package callbacks

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

func TestAllow(t *testing.T) {
	for _, c := range []struct{ allow, allowed, refused string }{
		{"off", "", "http://127.0.0.1/ http://localhost:80/"},
		{"", "", "http://127.0.0.1/"},
		{"loopback", "http://127.0.0.1:9/ http://[::1]/x https://127.8.8.8/ http://localhost:1/", "http://10.0.0.1/ http://[::2]/ ftp://127.0.0.1/ file:///etc/passwd http:///x /x http://user@127.0.0.1/ http://169.254.169.254/"},
		{"example.test", "http://example.test/ https://EXAMPLE.test:8443/", "http://www.example.test/ http://127.0.0.1/ http://example.test.evil/"},
		{"example.test:443, 10.0.0.1:8080,[::1]:9", "https://example.test/ http://10.0.0.1:8080/a http://[::1]:9/", "http://example.test/ http://10.0.0.1/ http://[::1]/"},
	} {
		a, err := ParseAllow(c.allow)
		if err != nil {
			t.Fatal(err)
		}
		for location := range strings.FieldsSeq(c.allowed) {
			if err := a.check(location); err != nil {
				t.Errorf("%s refuses %s: %v", c.allow, location, err)
			}
		}
		for location := range strings.FieldsSeq(c.refused) {
			if a.check(location) == nil {
				t.Errorf("%s allows %s", c.allow, location)
			}
		}
	}
	for _, text := range []string{"http://a.test", "a.test/x", "*", "a b", ",", "a.test,", "user@a.test", ":80", "a:b"} {
		if _, err := ParseAllow(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// TestNamesAreJudgedByTheirAddress dials an address as a name would resolve.
func TestNamesAreJudgedByTheirAddress(t *testing.T) {
	a, _ := ParseAllow("loopback")
	for address, want := range map[string]bool{"127.0.0.1:80": true, "[::1]:80": true, "10.0.0.1:80": false, "169.254.169.254:80": false, "nonsense": false} {
		if got := a.control("tcp", address, nil) == nil; got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

// sender makes one without pauses between attempts.
func sender(t *testing.T) *Sender {
	a, err := ParseAllow("loopback")
	if err != nil {
		t.Fatal(err)
	}
	s := New(a, 1000)
	s.backoff = 0
	t.Cleanup(s.Close)
	return s
}

func send(s *Sender, location string) *Result {
	done := make(chan *Result, 1)
	s.Enqueue(&Message{URL: location, Request: &exchange.Request{Method: "POST", Body: []byte("{}")}, Done: func(r *Result) { done <- r }})
	return <-done
}

func TestFailuresAreRepeated(t *testing.T) {
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := calls.Add(1); r.URL.Path == "/always" || n < 3 {
			w.WriteHeader(503)
		}
	}))
	defer server.Close()
	s := sender(t)
	if r := send(s, server.URL); r.Err != nil || r.Response.Status != 200 || r.Attempts != 3 {
		t.Errorf("%+v", r)
	}
	if r := send(s, server.URL+"/always"); r.Err != nil || r.Response.Status != 503 || r.Attempts != maxAttempts {
		t.Errorf("%+v", r)
	}
	server.Close()
	if r := send(s, server.URL); r.Err == nil || r.Attempts != maxAttempts {
		t.Errorf("%+v", r)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	if r := send(sender(t), server.URL); r.Err != nil || r.Response.Status != 307 || calls.Load() != 1 {
		t.Errorf("%+v after %d calls", r, calls.Load())
	}
}

// TestMessagesAreBounded fills the queue while the target holds on to what it
// has, and closes the sender over it: every message comes to an end.
func TestMessagesAreBounded(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer server.Close()
	defer close(release)
	s := sender(t)
	const messages = queueSize + workers + 500
	done := make(chan error, messages)
	for range messages {
		s.Enqueue(&Message{URL: server.URL, Request: &exchange.Request{Method: "POST"}, Done: func(r *Result) { done <- r.Err }})
	}
	s.Close()
	full := 0
	for range messages {
		if err := <-done; err == errFull {
			full++
		} else if err == nil {
			t.Error("a message was answered")
		}
	}
	if full < 500 {
		t.Errorf("%d messages were not taken", full)
	}
}

// TestWaitingBytesAreBounded: a few large messages fill the queue as well.
func TestWaitingBytesAreBounded(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer server.Close()
	defer close(release)
	s := sender(t)
	done := make(chan error, 20)
	for range 20 {
		s.Enqueue(&Message{URL: server.URL, Request: &exchange.Request{Method: "POST", Body: make([]byte, 100)}, Done: func(r *Result) { done <- r.Err }})
	}
	for range 10 {
		if err := <-done; err != errFull {
			t.Error(err)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, seed := range []string{"http://127.0.0.1/", "//x", "http://[::1", "http://a@b/", "\x00", "http://127.0.0.1.evil:80/"} {
		f.Add(seed)
	}
	a, _ := ParseAllow("127.0.0.1:80")
	f.Fuzz(func(t *testing.T, location string) {
		if a.check(location) != nil {
			return
		}
		if u, err := url.Parse(location); err != nil || u.Hostname() != "127.0.0.1" {
			t.Fatalf("%q is allowed", location)
		}
	})
}
