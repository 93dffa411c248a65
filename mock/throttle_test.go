package mock

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A throttled body is whole, takes the time of its bandwidth, and no more than
// maxThrottled.
func TestThrottled(t *testing.T) {
	for _, c := range []struct {
		length, bandwidth int
		want              time.Duration
	}{{0, 5, 0}, {10, 5, 2 * time.Second}, {1, 1, time.Second}, {64 << 10, 64 << 10, time.Second}, {6000, 1, maxThrottled}, {10, 1 << 30, 0}} {
		body := bytes.Repeat([]byte("x"), c.length)
		took := time.Duration(0)
		got, err := io.ReadAll(newThrottled(body, c.bandwidth, func(d time.Duration) { took += d }))
		if err != nil || !bytes.Equal(got, body) || took.Round(time.Millisecond) != c.want {
			t.Errorf("%d bytes at %d: %d bytes in %s, %v, want %s", c.length, c.bandwidth, len(got), took, err, c.want)
		}
	}
}

// A body with a bandwidth comes whole and at its pace, over a socket and in this
// process; the test's clock tells how long it took.
func TestBandwidth(t *testing.T) {
	s, err := New(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var took atomic.Int64
	s.sleep = func(d time.Duration) { took.Add(int64(d)) }
	go s.Run(t.Context())
	defer s.Close()
	rules := `rules: [{on: POST /plants, bandwidth: 1KiB, violates: true, respond: {status: 200, headers: {Content-Type: text/plain}, body: "` + strings.Repeat("x", 10<<10) + `"}}]`
	if a := s.controlled("PUT", "scenarios/slow", rules); a.Status != 200 {
		t.Fatal(string(a.Body))
	}
	handler := httptest.NewServer(s.Handler())
	defer handler.Close()
	for _, c := range []struct {
		name, url string
		client    *http.Client
	}{
		{"socket", s.URL(), http.DefaultClient},
		{"handler", handler.URL, http.DefaultClient},
		{"transport", "http://localhost", s.Client()},
	} {
		took.Store(0)
		r, err := http.NewRequest("POST", c.url+"/plants", strings.NewReader(`{"id":1,"name":"Rose"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer token")
		answer, err := c.client.Do(r)
		if err != nil {
			t.Fatal(c.name, err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || len(body) != 10<<10 || answer.ContentLength != 10<<10 {
			t.Errorf("%s: %d bytes of %d, %v", c.name, len(body), answer.ContentLength, err)
		}
		if got := time.Duration(took.Load()).Round(time.Millisecond); got != 10*time.Second {
			t.Errorf("%s: took %s", c.name, got)
		}
	}
}
