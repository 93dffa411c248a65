package mock

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestFault has the clock fail at one request: it alone gets a 500, and the log says where the mock failed.
func TestFault(t *testing.T) {
	var fails atomic.Bool
	var log bytes.Buffer
	s, err := New(t.Context(), Options{Log: LogOptions{To: &log}, Clock: func() time.Time {
		if fails.CompareAndSwap(true, false) {
			panic("no time")
		}
		return time.Unix(1e9, 0)
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	get := func() (int, string) {
		answer, err := s.Client().Get(s.URL() + "/plants")
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(body)
	}
	fails.Store(true)
	if status, body := get(); status != http.StatusInternalServerError || !strings.Contains(body, "the mock failed: no time") {
		t.Errorf("%d %s", status, body)
	}
	if text := log.String(); !strings.Contains(text, "no time") || !strings.Contains(text, "\n  goroutine ") ||
		!strings.Contains(text, "pipeline.go") {
		t.Errorf("logged: %s", text)
	}
	if status, body := get(); status == http.StatusInternalServerError {
		t.Errorf("the next request: %d %s", status, body)
	}
}
