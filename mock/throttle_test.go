package mock

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A body with a bandwidth comes whole and at its pace, over a socket and in this
// process; the test's clock measures how long it took.
func TestBandwidth(t *testing.T) {
	s, err := New(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var took atomic.Int64
	s.core.Sleep = func(d time.Duration) { took.Add(int64(d)) }
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
