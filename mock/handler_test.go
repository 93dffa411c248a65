package mock

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// inside makes a server without a listener.
func inside(t testing.TB, o Options) *Server {
	t.Helper()
	o.Listen.NoListener = true
	s, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestInProcessAnswersAlike sends the same requests over a socket, through the
// handler and through the transport.
func TestInProcessAnswersAlike(t *testing.T) {
	t.Parallel()
	o := Options{Limits: Limits{MaxBody: 100}}
	wire := start(t, o)
	handler := httptest.NewServer(inside(t, o).Handler())
	t.Cleanup(handler.Close)
	within := inside(t, o)
	ways := []struct {
		name   string
		client *http.Client
		url    string
	}{
		{"wire", trusting(t, nil), wire.URL()},
		{"handler", trusting(t, nil), handler.URL},
		{"transport", within.Client(), within.URL()},
	}
	for _, c := range []struct {
		name, method, target, body string
		fields                     []string
		status                     int
	}{
		{"created", "POST", "/plants", rose, []string{"Authorization", "Bearer token"}, 200},
		{"query", "POST", "/plants?__code=400", rose, []string{"Authorization", "Bearer token"}, 400},
		{"refused", "POST", "/plants", `{}`, []string{"Authorization", "Bearer token"}, 400},
		{"no credentials", "POST", "/plants", rose, nil, 400},
		{"too large", "POST", "/plants", `"` + strings.Repeat("a", 100) + `"`, []string{"Authorization", "Bearer token"}, 413},
		{"too large for nothing", "POST", "/none", `"` + strings.Repeat("a", 100) + `"`, nil, 413},
		{"origin", "POST", "/plants", rose, []string{"Authorization", "Bearer token", "Origin", "http://a.example"}, 200},
		{"unknown", "GET", "/plant%2Fs", "", nil, 404},
		{"method", "GET", "/plants", "", nil, 405},
		{"head", "HEAD", "/plants", "", nil, 405},
		{"options", "OPTIONS", "/plants", "", nil, 204},
		{"state", "GET", "/__coldframe/state", "", nil, 200},
		{"foreign", "GET", "/__coldframe/state", "", []string{"Origin", "http://a.example"}, 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want any
			for _, way := range ways {
				r, err := http.NewRequestWithContext(t.Context(), c.method, way.url+c.target, strings.NewReader(c.body))
				if err != nil {
					t.Fatal(err)
				}
				if c.body != "" {
					r.Header.Set("Content-Type", "application/json")
				}
				for i := 0; i < len(c.fields); i += 2 {
					r.Header.Set(c.fields[i], c.fields[i+1])
				}
				a, err := way.client.Do(r)
				if err != nil {
					t.Fatal(way.name, err)
				}
				body, err := io.ReadAll(a.Body)
				a.Body.Close()
				if err != nil || a.StatusCode != c.status {
					t.Fatal(way.name, a.Status, string(body), err)
				}
				for _, name := range []string{"Date", "Content-Length", "Connection"} {
					a.Header.Del(name)
				}
				got := []any{a.Header, string(body)}
				if want == nil {
					want = got
				} else if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %v, the wire has %v", way.name, got, want)
				}
			}
		})
	}
}

func faulty(t *testing.T, fault string) Options {
	return Options{Scenarios: []string{write(t, "fault.yaml", "rules: [ { on: POST /plants, fault: "+fault+" } ]")}}
}

// try posts a plant and returns the outcome.
func try(client *http.Client, url string) (string, error) {
	r, _ := http.NewRequest("POST", url+"/plants", strings.NewReader(rose))
	r.Header.Set("Authorization", "Bearer token")
	r.Header.Set("Content-Type", "application/json")
	a, err := client.Do(r)
	if err != nil {
		return "", err
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	return string(body), err
}

func TestInProcessFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault, body string
		err         error
	}{
		{"reset", "", syscall.ECONNRESET},
		{"truncate", `{"name":`, io.ErrUnexpectedEOF},
		{"malformed", `{"name":"Rose"}` + "\xff{<", nil},
	} {
		t.Run(c.fault, func(t *testing.T) {
			s := inside(t, faulty(t, c.fault))
			server := httptest.NewServer(s.Handler())
			defer server.Close()
			for name, client := range map[string]*http.Client{"handler": trusting(t, nil), "transport": s.Client()} {
				body, err := try(client, server.URL)
				if !errors.Is(err, c.err) || len(body) > len(c.body) || !strings.HasPrefix(c.body, body) || err == nil && body != c.body {
					t.Errorf("%s: %q, %v", name, body, err)
				}
			}
		})
	}
}

// TestInProcessHang waits on a clock of its own.
func TestInProcessHang(t *testing.T) {
	o := faulty(t, "hang")
	synctest.Test(t, func(t *testing.T) {
		s := inside(t, o)
		began := time.Now()
		client := s.Client()
		client.Timeout = time.Minute
		var failed *url.Error
		if _, err := try(client, s.URL()); !errors.As(err, &failed) || !failed.Timeout() || time.Since(began) != time.Minute {
			t.Error(err, time.Since(began))
		}
	})
}

func TestInProcessDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := inside(t, Options{Delay: time.Hour})
		began := time.Now()
		if body, err := try(s.Client(), s.URL()); err != nil || time.Since(began) != time.Hour {
			t.Error(body, err, time.Since(began))
		}
	})
}

func TestInProcessFeed(t *testing.T) {
	t.Parallel()
	s := inside(t, Options{})
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	for name, client := range map[string]*http.Client{"handler": trusting(t, nil), "transport": s.Client()} {
		ctx, cancel := context.WithCancel(t.Context())
		r, _ := http.NewRequestWithContext(ctx, "GET", server.URL+"/__coldframe/events", nil)
		a, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(a.Body)
		lines.Scan()
		if _, err := try(client, server.URL); err != nil {
			t.Error(name, err)
		}
		for lines.Scan() && !strings.HasPrefix(lines.Text(), "data: ") {
		}
		if !strings.Contains(lines.Text(), "Rose") {
			t.Error(name, lines.Text(), lines.Err())
		}
		cancel()
		a.Body.Close()
	}
	s.Close() // ends the feeds before the server waits for them
}

func TestNoListener(t *testing.T) {
	t.Parallel()
	s := inside(t, Options{})
	if s.http != nil || s.URL() != "http://localhost" {
		t.Error(s.http, s.URL())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Run(ctx); err != nil {
		t.Error(err)
	}
	if _, err := try(s.Client(), s.URL()); !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}
