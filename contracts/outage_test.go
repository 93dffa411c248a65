package contracts

import (
	"context"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/testbench/notes"
	"github.com/coldframe/coldframe/report"
)

func TestKilledInTheMiddle(t *testing.T) {
	var n atomic.Int64
	var b *notes.Backend
	b = notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == "POST" && n.Add(1) >= 10 {
			b.Listener.Close()
			panic(http.ErrAbortHandler)
		}
		return false
	})
	o := small(b)
	o.Limits.Workers = 1
	withFakeTime(&o)
	result := mustRun(t, t.Context(), o)
	if !strings.Contains(result.Ended, "could not be reached any more after POST /notes") {
		t.Errorf("ended %q", result.Ended)
	}
	found := findingsOf(result, "answer")
	if len(found) != 1 || found[0].Operation != "POST /notes" || !strings.Contains(found[0].Message, "closed without an answer") || !strings.Contains(found[0].Sent[0].Curl, "/notes") {
		t.Errorf("%+v", found)
	}
}

// barrier makes requests wait for each other.
type barrier struct {
	n    atomic.Int64
	all  chan struct{}
	once sync.Once
}

// wait waits until as many wait; then one of them does something.
func (h *barrier) wait(many int64, do func()) {
	if h.n.Add(1) >= many {
		h.once.Do(func() { do(); close(h.all) })
	}
	<-h.all
}

// TestKilledByOneOfMany has several requests on their way when the backend goes:
// they are one finding.
func TestKilledByOneOfMany(t *testing.T) {
	var n atomic.Int64
	var b *notes.Backend
	together := barrier{all: make(chan struct{})}
	b = notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Connection", "close")
		if n.Add(1) > 30 {
			together.wait(4, func() { b.Listener.Close() })
			panic(http.ErrAbortHandler)
		}
		return false
	})
	o := small(b)
	o.Limits.Workers = 8
	withFakeTime(&o)
	result := mustRun(t, t.Context(), o)
	if !strings.Contains(result.Ended, "could not be reached any more after ") {
		t.Errorf("ended %q", result.Ended)
	}
	found := findingsOf(result, "answer")
	if len(found) != 1 || found[0].Count > 8 || len(found[0].Sent) != found[0].Count || !strings.Contains(found[0].Message, "could not be reached any more") {
		t.Errorf("%+v", found)
	}
}

// TestUnreachableBehindProxy has a backend behind something that takes connections and
// closes them once the backend has gone.
func TestUnreachableBehindProxy(t *testing.T) {
	var n atomic.Int64
	together := barrier{all: make(chan struct{})}
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		if n.Add(1) > 30 {
			together.wait(4, func() {})
			panic(http.ErrAbortHandler)
		}
		return false
	})
	o := small(b)
	o.Limits.Workers = 8
	withFakeTime(&o)
	result := mustRun(t, t.Context(), o)
	if found := findingsOf(result, "answer"); len(found) != 1 || !strings.Contains(result.Ended, "could not be reached any more after ") {
		t.Errorf("ended %q, %+v", result.Ended, found)
	}
}

// TestRestarted has a backend that goes, and is there again once somebody has
// waited: the requests that were lost are one finding, and the run goes on.
func TestRestarted(t *testing.T) {
	var n atomic.Int64
	var b *notes.Backend
	together := barrier{all: make(chan struct{})}
	b = notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Connection", "close")
		if at := n.Add(1); at > 30 && at <= 34 {
			together.wait(4, func() { b.Listener.Close() })
			panic(http.ErrAbortHandler)
		}
		return false
	})
	o := small(b)
	o.Limits.Workers = 8
	withFakeTime(&o)
	var again http.Server
	t.Cleanup(func() { again.Close() })
	var once sync.Once
	o.sleep = func(ctx context.Context, _ time.Duration) error {
		once.Do(func() {
			listener, err := net.Listen("tcp", b.Listener.Addr().String())
			if err != nil {
				t.Error(err)
				return
			}
			again.Handler = b
			go again.Serve(listener)
		})
		return ctx.Err()
	}
	result := mustRun(t, t.Context(), o)
	if found := findingsOf(result, "answer"); len(found) != 1 || found[0].Count < 4 || !strings.Contains(found[0].Message, "for a while") || result.Ended != "" {
		t.Errorf("ended %q, %+v", result.Ended, found)
	}
	if result.Requests < 100 {
		t.Errorf("%d requests", result.Requests)
	}
}

// TestOneKillsItsConnection has an operation of which every request is cut,
// while the backend lives on: that is the operation's own finding, and the
// others are tested.
func TestOneKillsItsConnection(t *testing.T) {
	for _, workers := range []int{1, 8} {
		b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == "POST" && r.URL.Path == "/notes" {
				panic(http.ErrAbortHandler)
			}
			return false
		})
		o := small(b)
		o.Limits.Workers = workers
		waited := withFakeTime(&o)
		result := mustRun(t, t.Context(), o)
		found := findingsOf(result, "answer")
		if len(found) != 1 || found[0].Operation != "POST /notes" || len(found[0].Sent) != 1 || found[0].Count < 20 || !strings.HasSuffix(found[0].Message, "closed without an answer") {
			t.Errorf("%d workers: %+v", workers, found)
		}
		if result.Ended != "" || len(waited.waits) > 0 || result.Operations[0].Cases < 10 {
			t.Errorf("%d workers: ended %q after %d waits", workers, result.Ended, len(waited.waits))
		}
	}
}

// TestAllHang has a backend that takes every request and answers none.
func TestAllHang(t *testing.T) {
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		<-r.Context().Done()
		return true
	})
	o := small(b)
	o.Limits.Timeout = 50 * time.Millisecond
	withFakeTime(&o)
	result := mustRun(t, t.Context(), o)
	if found := findingsOf(result, "answer"); len(found) != 1 || !strings.Contains(found[0].Message, "no whole answer within 50ms") || result.Requests > 20 {
		t.Errorf("%d requests, %+v", result.Requests, found)
	}
}

// TestEndlessBodies has a backend whose answers do not end.
func TestEndlessBodies(t *testing.T) {
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Content-Type", "application/json")
		text := []byte(strings.Repeat(" ", 64<<10))
		for {
			if _, err := w.Write(text); err != nil {
				return true
			}
		}
	})
	o := small(b)
	o.Select.Operations, o.Select.Phases, o.Limits.Workers = []string{"listNotes"}, []string{"security"}, 1
	result := mustRun(t, t.Context(), o)
	if found := findingsOf(result, "answer"); len(found) != 1 || !strings.Contains(found[0].Message, "more than 10485760 bytes") || len(found[0].Sent[0].Response.Body) > 16<<10 {
		t.Errorf("%d findings", len(found))
	}
}

// TestKilledBetween has a backend that goes without leaving a request
// unanswered: the last one that it answered is named.
func TestKilledBetween(t *testing.T) {
	var n atomic.Int64
	var b *notes.Backend
	b = notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		if n.Add(1) == 30 {
			b.Listener.Close()
		}
		w.Header().Set("Connection", "close")
		return false
	})
	o := small(b)
	o.Limits.Workers = 1
	waited := withFakeTime(&o)
	result := mustRun(t, t.Context(), o)
	if found := findingsOf(result, "answer"); len(found) != 1 || !strings.Contains(found[0].Message, "could not be reached any more after this request") {
		t.Errorf("%+v", found)
	}
	if !strings.Contains(result.Ended, "could not be reached any more after ") || result.Requests < 25 || result.Requests > 30 {
		t.Errorf("ended %q after %d", result.Ended, result.Requests)
	}
	total := time.Duration(0)
	for _, wait := range waited.waits {
		total += wait
	}
	if total > 5*time.Second {
		t.Errorf("waited for %v", total)
	}
	if last := result.Skipped[len(result.Skipped)-1]; !strings.Contains(last.Reason, "the run ended before") {
		t.Errorf("%+v", result.Skipped)
	}
}

// TestHangs has one operation that never answers.
func TestHangs(t *testing.T) {
	var hung atomic.Int64
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == "GET" && r.URL.Path == "/notes" && r.Header.Get("Authorization") != "" {
			hung.Add(1)
			<-r.Context().Done()
			return true
		}
		return false
	})
	o := small(b)
	o.Limits.Timeout, o.Limits.Workers = 400*time.Millisecond, 2
	result := mustRun(t, t.Context(), o)
	if result.Ended != "" {
		t.Errorf("ended: %s", result.Ended)
	}
	if n := hung.Load(); n < 3 || n > 3+3 {
		t.Errorf("%d requests hung", n)
	}
	if found := findingsOf(result, "answer"); len(found) != 1 || found[0].Operation != "GET /notes" || !strings.Contains(found[0].Message, "no whole answer within 400ms") {
		t.Errorf("%+v", found)
	}
	if !slices.ContainsFunc(result.Skipped, func(l report.Skipped) bool {
		return l.Operation == "GET /notes" && l.Phase == "coverage" && l.Cases > 3 && strings.Contains(l.Reason, "3 requests in a row had no answer in time")
	}) {
		t.Errorf("%+v", result.Skipped)
	}
	if result.Operations[1].Cases < 10 {
		t.Errorf("others have %d cases", result.Operations[1].Cases)
	}
}

// TestNeverAnswers has a backend that closes every connection.
func TestNeverAnswers(t *testing.T) {
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool { panic(http.ErrAbortHandler) })
	o := small(b)
	withFakeTime(&o)
	result := mustRun(t, t.Context(), o)
	if !strings.Contains(result.Ended, "could not be reached any more after ") {
		t.Errorf("ended %q", result.Ended)
	}
	if found := findingsOf(result, "answer"); len(found) != 1 {
		t.Errorf("%+v", found)
	}
}
