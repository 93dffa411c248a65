package contracts

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestKilledInTheMiddle(t *testing.T) {
	var n atomic.Int64
	var b *backend
	b = newBackend(t, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == "POST" && n.Add(1) >= 10 {
			go b.Listener.Close()
			b.CloseClientConnections()
			panic(http.ErrAbortHandler)
		}
		return false
	})
	o := small(b)
	o.Workers = 1
	withFakeTime(&o)
	report := mustRun(t, t.Context(), o)
	if !strings.Contains(report.Ended, "could not be reached any more after POST /notes") {
		t.Errorf("ended %q", report.Ended)
	}
	found := findingsOf(report, "answer")
	if len(found) != 1 || found[0].Operation != "POST /notes" || !strings.Contains(found[0].Message, "closed without an answer") || !strings.Contains(found[0].Sent[0].Curl, "/notes") {
		t.Errorf("%+v", found)
	}
}

// TestKilledByOneOfMany has several requests on their way when the backend goes.
func TestKilledByOneOfMany(t *testing.T) {
	var n atomic.Int64
	var b *backend
	b = newBackend(t, func(w http.ResponseWriter, r *http.Request) bool {
		if n.Add(1) == 100 {
			b.Listener.Close()
			go b.CloseClientConnections()
			panic(http.ErrAbortHandler)
		}
		return false
	})
	o := small(b)
	o.Workers = 8
	withFakeTime(&o)
	report := mustRun(t, t.Context(), o)
	if found := findingsOf(report, "answer"); !strings.Contains(report.Ended, "could not be reached any more after ") || len(found) == 0 || len(found) > 5 {
		t.Errorf("ended %q, %+v", report.Ended, found)
	}
}

// TestAllHang has a backend that takes every request and answers none.
func TestAllHang(t *testing.T) {
	b := newBackend(t, func(w http.ResponseWriter, r *http.Request) bool {
		<-r.Context().Done()
		return true
	})
	o := small(b)
	o.Timeout = 50 * time.Millisecond
	report := mustRun(t, t.Context(), o)
	if found := findingsOf(report, "answer"); len(found) != 4 || report.Requests > 40 {
		t.Errorf("%d findings over %d requests", len(found), report.Requests)
	}
}

// TestEndlessBodies has a backend whose answers do not end.
func TestEndlessBodies(t *testing.T) {
	b := newBackend(t, func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Content-Type", "application/json")
		text := []byte(strings.Repeat(" ", 64<<10))
		for {
			if _, err := w.Write(text); err != nil {
				return true
			}
		}
	})
	o := small(b)
	o.Operations, o.Phases, o.Workers = []string{"listNotes"}, []string{"security"}, 1
	report := mustRun(t, t.Context(), o)
	if found := findingsOf(report, "answer"); len(found) != 1 || !strings.Contains(found[0].Message, "more than 10485760 bytes") || len(found[0].Sent[0].Response.Body) > maxShown {
		t.Errorf("%d findings", len(found))
	}
}

// TestKilledBetween has a backend that goes without leaving a request
// unanswered: the last one that it answered is named.
func TestKilledBetween(t *testing.T) {
	var n atomic.Int64
	var b *backend
	b = newBackend(t, func(w http.ResponseWriter, r *http.Request) bool {
		if n.Add(1) == 30 {
			b.Listener.Close()
		}
		w.Header().Set("Connection", "close")
		return false
	})
	o := small(b)
	o.Workers = 1
	waited := withFakeTime(&o)
	report := mustRun(t, t.Context(), o)
	if found := findingsOf(report, "answer"); len(found) != 1 || !strings.Contains(found[0].Message, "could not be reached any more after this request") {
		t.Errorf("%+v", found)
	}
	if !strings.Contains(report.Ended, "could not be reached any more after ") || report.Requests < 25 || report.Requests > 30 {
		t.Errorf("ended %q after %d", report.Ended, report.Requests)
	}
	total := time.Duration(0)
	for _, wait := range waited.waits {
		total += wait
	}
	if total > 5*time.Second {
		t.Errorf("waited for %v", total)
	}
	if last := report.LeftOut[len(report.LeftOut)-1]; !strings.Contains(last.Reason, "the run ended before") {
		t.Errorf("%+v", report.LeftOut)
	}
}

// TestHangs has one operation that never answers.
func TestHangs(t *testing.T) {
	var hung atomic.Int64
	b := newBackend(t, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == "GET" && r.URL.Path == "/notes" && r.Header.Get("Authorization") != "" {
			hung.Add(1)
			<-r.Context().Done()
			return true
		}
		return false
	})
	o := small(b)
	o.Timeout, o.Workers = 100*time.Millisecond, 2
	report := mustRun(t, t.Context(), o)
	if report.Ended != "" {
		t.Errorf("ended: %s", report.Ended)
	}
	if n := hung.Load(); n < maxHangs || n > maxHangs+3 {
		t.Errorf("%d requests hung", n)
	}
	if found := findingsOf(report, "answer"); len(found) != 1 || found[0].Operation != "GET /notes" || !strings.Contains(found[0].Message, "no whole answer within 100ms") {
		t.Errorf("%+v", found)
	}
	if !slices.ContainsFunc(report.LeftOut, func(l LeftOut) bool {
		return l.Operation == "GET /notes" && l.Phase == "coverage" && l.Cases > 3 && strings.Contains(l.Reason, "3 requests in a row had no answer in time")
	}) {
		t.Errorf("%+v", report.LeftOut)
	}
	if report.Operations[1].Cases < 10 {
		t.Errorf("others have %d cases", report.Operations[1].Cases)
	}
}

func TestNeverAnswers(t *testing.T) {
	b := newBackend(t, func(w http.ResponseWriter, r *http.Request) bool { panic(http.ErrAbortHandler) })
	report := mustRun(t, t.Context(), small(b))
	if !strings.Contains(report.Ended, "20 requests in a row had no answer") {
		t.Errorf("ended %q", report.Ended)
	}
	if len(findingsOf(report, "answer")) == 0 {
		t.Error("no finding")
	}
}
