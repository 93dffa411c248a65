package contracts

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/testbench/access"
	"github.com/coldframe/coldframe/internal/testbench/notes"
	"github.com/coldframe/coldframe/report"
)

// TestWarmingUp has a backend that answers 503 with Retry-After for a while: the run waits, and finds nothing.
func TestWarmingUp(t *testing.T) {
	var o Options
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		if !o.Clock().Before(time.Unix(1_000_000_000, 0).Add(30 * time.Second)) {
			return false
		}
		w.Header().Set("Retry-After", "2")
		w.WriteHeader(503)
		return true
	})
	o = small(b)
	withFakeTime(&o)
	result := mustRun(t, t.Context(), o)
	if len(result.Findings) > 0 || result.Requests < 100 || result.Ended != "" || result.Insufficient != "" {
		t.Errorf("%d requests, ended %q, %q, %+v", result.Requests, result.Ended, result.Insufficient, result.Findings)
	}
}

// TestOwnLimit has a backend that admits ten creations a minute: the other operations wait for that one once.
func TestOwnLimit(t *testing.T) {
	var o Options
	var asked atomic.Int64
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != "POST" || asked.Add(1) <= 10 {
			return false
		}
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(429)
		return true
	})
	o = small(b)
	o.Select.Phases = []string{"coverage", "security"}
	waited := withFakeTime(&o)
	result := mustRun(t, t.Context(), o)
	if now := waited.clock(); now.After(time.Unix(1_000_000_000, 0).Add(70 * time.Second)) {
		t.Errorf("waited until %v", now)
	}
	isLimit := func(s report.Skipped) bool { return strings.Contains(s.Reason, "429") && s.Cases > 10 }
	if !slices.ContainsFunc(result.Skipped, isLimit) {
		t.Errorf("%+v, %+v", result.Findings, result.Skipped)
	}
}

// TestNeverReady has a backend that is never ready: the run does not wait for ever, and says that it tested nothing.
func TestNeverReady(t *testing.T) {
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Retry-After", "5")
		w.WriteHeader(503)
		return true
	})
	o := small(b)
	waited := withFakeTime(&o)
	result := mustRun(t, t.Context(), o)
	if !strings.Contains(result.Insufficient, "none of 4 operations") {
		t.Errorf("%q", result.Insufficient)
	}
	if now := waited.clock(); now.After(time.Unix(1_000_000_000, 0).Add(5 * time.Minute)) {
		t.Errorf("waited until %v", now)
	}
}

// TestMinTested has a backend of which most operations refuse everything.
func TestMinTested(t *testing.T) {
	for least, want := range map[float64]string{0: "1 of 4 operations accepted a request, and 50 % must", 25: "", -1: ""} {
		b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == "GET" && r.URL.Path == "/notes" {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(422)
			fmt.Fprint(w, `{"error":"no"}`)
			return true
		})
		o := small(b)
		o.Limits.MinTested = least
		if result := mustRun(t, t.Context(), o); !strings.Contains(result.Insufficient, want) || want == "" && result.Insufficient != "" {
			t.Errorf("%v: %q", least, result.Insufficient)
		}
	}
}

// TestTooLittle has runs of which most that was asked for was not tested: none ends well.
func TestTooLittle(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Options)
		quirk  func(b *access.Backend, w http.ResponseWriter, n int) bool
		want   string
	}{
		"all spared":  {func(o *Options) { o.Select.Operations = []string{"POST /logout"} }, nil, "none of 1 operations accepted a request; 1 were spared"},
		"most spared": {func(o *Options) { o.Select.Operations = []string{"GET /settings", "POST /logout", "/me/password"} }, nil, "1 of 3 operations accepted a request, and 50 % must (Options.Limits.MinTested); 2 were spared"},
		"one phase": {func(o *Options) {
			o.Select.Operations, o.Select.Phases = []string{"/me/password", "POST /logout"}, []string{"security"}
		}, nil, "none of 2 operations"},
		"not for long": {func(*Options) {}, func(_ *access.Backend, w http.ResponseWriter, n int) bool {
			if n > 100 {
				w.WriteHeader(503)
			}
			return n > 100
		}, "the backend is not available any more: "},
		"not found from then on": {func(*Options) {}, func(_ *access.Backend, w http.ResponseWriter, n int) bool {
			if n > 100 {
				access.Reply(w, 404, map[string]any{"error": "no"})
			}
			return n > 100
		}, "accepted some at first, and then refused all"},
		"enough": {func(o *Options) { o.Select.Operations = []string{"/settings", "POST /logout"} }, nil, ""},
	} {
		b := access.New(t)
		n := 0
		b.Quirk = func(b *access.Backend, w http.ResponseWriter, r *http.Request, _ map[string]any) bool {
			n++
			return c.quirk != nil && c.quirk(b, w, n)
		}
		o := accessible(b)
		c.change(&o)
		result := mustRun(t, t.Context(), o)
		if why := result.Ended + result.Insufficient; !strings.Contains(why, c.want) || c.want == "" && why != "" {
			t.Errorf("%s: %q, want %q", name, why, c.want)
		}
		if result.Requests > 2000 {
			t.Errorf("%s: %d requests", name, result.Requests)
		}
	}
}

const streamsDocument = `openapi: 3.1.0
info: {title: Streams, version: "1"}
paths:
  /events:
    get: {responses: {"200": {description: events, content: {text/event-stream: {schema: {type: string}}}}}}
  /changes:
    get: {description: Long polling. The answer comes with the next change., responses: {"200": {description: change, content: {application/json: {}}}}}
  /chat:
    get: {parameters: [{name: Upgrade, in: header, schema: {type: string}}], responses: {"200": {description: chat}}}
  /late:
    get: {responses: {"200": {description: now, content: {application/json: {}}}}}
`

// TestStreams has answers that never end, that come late, and that are no exchanges of HTTP: none is a finding, unless
// the document says nothing of it.
func TestStreams(t *testing.T) {
	var late, chat atomic.Int64
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		switch r.URL.Path {
		case "/events":
			w.Header().Set("Content-Type", "text/event-stream")
			for r.Context().Err() == nil {
				fmt.Fprint(w, "data: tick\n\n")
				w.(http.Flusher).Flush()
				time.Sleep(5 * time.Millisecond)
			}
		case "/changes":
			<-r.Context().Done()
		case "/chat":
			chat.Add(1)
		case "/late":
			if late.Add(1) == 1 { // it is slow once, under load
				<-r.Context().Done()
			}
			fmt.Fprint(w, "{}")
		}
		w.Header().Set("Content-Type", "application/json")
		return strings.Count(r.URL.Path, "/") == 1 && len(r.URL.Path) > 1
	})
	o := Options{Document: "streams.yaml", Text: []byte(streamsDocument), URL: b.URL, Limits: Limits{Timeout: 300 * time.Millisecond},
		Select: Selection{Phases: []string{"examples", "coverage"}}}
	result := mustRun(t, t.Context(), o)
	for _, f := range result.Findings {
		if f.Check != "media-type" {
			t.Errorf("%s %s: %s", f.Check, f.Operation, f.Message)
		}
	}
	if chat.Load() > 0 {
		t.Errorf("%d requests to an operation of another protocol", chat.Load())
	}
}

// TestRestartCommand has a backend that one request ends: it is started again, the run goes on, and the finding names
// that request, however many were on their way.
func TestRestartCommand(t *testing.T) {
	var listening atomic.Pointer[net.Listener]
	var ends atomic.Int64
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Connection", "close")
		if r.Method == "DELETE" && strings.HasPrefix(r.URL.Path, "/notes/") && r.Header.Get("Authorization") == "Bearer good" && ends.Load() < 15 {
			ends.Add(1)
			(*listening.Load()).Close()
			panic(http.ErrAbortHandler)
		}
		return false
	})
	o := small(b)
	o.Limits.Workers, o.Select.Phases = 8, []string{"examples", "security"}
	withFakeTime(&o)
	var servers []*http.Server
	t.Cleanup(func() {
		for _, s := range servers {
			s.Close()
		}
	})
	address := b.Listener.Addr().String()
	listening.Store(&b.Listener)
	o.Restart = func(context.Context) error {
		listener, err := net.Listen("tcp", address)
		if err == nil {
			listening.Store(&listener)
			server := &http.Server{Handler: b}
			servers = append(servers, server)
			go server.Serve(listener)
		}
		return err
	}
	result := mustRun(t, t.Context(), o)
	found := findingsOf(result, "answer")
	if len(found) != 1 || found[0].Operation != "DELETE /notes/{id}" || result.Ended != "" {
		t.Errorf("ended %q, %+v", result.Ended, found)
	}
}

// TestFlaky has a fault that comes once: it is listed apart.
func TestFlaky(t *testing.T) {
	var n atomic.Int64
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == "POST" && n.Add(1) == 5 {
			w.WriteHeader(500)
			return true
		}
		return false
	})
	result := mustRun(t, t.Context(), small(b))
	if len(result.Findings) != 0 || len(result.Flaky) != 1 || result.Flaky[0].Check != "server-error" {
		t.Errorf("%+v\n%+v", result.Findings, result.Flaky)
	}
}
