package contracts

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/testbench/notes"
	"github.com/coldframe/coldframe/report"
)

// fakeTime is a clock that moves when somebody waits.
type fakeTime struct {
	mu    sync.Mutex
	now   time.Time
	waits []time.Duration
}

func (f *fakeTime) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

func (f *fakeTime) sleep(ctx context.Context, wait time.Duration) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(wait)
	f.waits = append(f.waits, wait)
	return ctx.Err()
}

func withFakeTime(o *Options) *fakeTime {
	f := &fakeTime{now: time.Unix(1_000_000_000, 0)}
	o.Clock, o.sleep = f.clock, f.sleep
	return f
}

// findingsOf returns the findings of a check.
func findingsOf(r *report.Report, check string) []report.Finding {
	var all []report.Finding
	for _, f := range r.Findings {
		if f.Check == check {
			all = append(all, f)
		}
	}
	return all
}

func TestStoppedFromOutside(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var n atomic.Int64
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		if n.Add(1) == 50 {
			cancel()
			<-r.Context().Done()
		}
		return false
	})
	result := mustRun(t, ctx, small(b))
	if result.Ended != "the run was stopped" || len(result.Operations) != 4 || len(findingsOf(result, "answer")) > 0 {
		t.Errorf("%+v", result)
	}
}

func TestMaxTime(t *testing.T) {
	b := notes.New(t, nil)
	o := small(b)
	o.Limits.MaxTime = time.Nanosecond
	if result := mustRun(t, t.Context(), o); !strings.Contains(result.Ended, "Options.Limits.MaxTime") || len(result.Skipped) != len(Phases()) {
		t.Errorf("%q %+v", result.Ended, result.Skipped)
	}
}

// expiring is a context whose time is up when a test says so.
type expiring struct {
	context.Context
	done chan struct{}
}

func (e *expiring) Done() <-chan struct{} { return e.done }

func (e *expiring) Err() error {
	select {
	case <-e.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// TestConfirmAfterTime has a backend whose last response before the time is up is 500. A fault that does not come
// again is still flaky.
func TestConfirmAfterTime(t *testing.T) {
	for _, comesAgain := range []bool{false, true} {
		ctx := &expiring{t.Context(), make(chan struct{})}
		var requests atomic.Int64
		b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
			n := requests.Add(1)
			if n == 21 {
				close(ctx.done)
				<-r.Context().Done()
			}
			if n < 20 || n > 20 && !comesAgain {
				return false
			}
			w.WriteHeader(500)
			return true
		})
		o := small(b)
		o.Limits.Workers, o.Select.Phases = 1, []string{"coverage"}
		result := mustRun(t, ctx, o)
		found, flaky := len(result.Findings) > 0, len(result.Flaky) > 0
		if result.Ended == "" || found != comesAgain || flaky == comesAgain {
			t.Errorf("comes again: %v: ended %q, findings %+v, flaky %+v", comesAgain, result.Ended, result.Findings, result.Flaky)
		}
	}
}

func TestMaxCases(t *testing.T) {
	b := notes.New(t, nil)
	for _, most := range []int{10, 40, 100, 200} {
		o := small(b)
		o.Limits.MaxCases = most
		result := mustRun(t, t.Context(), o)
		if result.Requests > most+20 { // what was begun is brought to an end
			t.Errorf("%d requests of at most %d", result.Requests, most)
		}
		left := 0
		for _, l := range result.Skipped {
			if strings.Contains(l.Reason, "Options.Limits.MaxCases") {
				left += max(l.Cases, 1)
			}
		}
		if left == 0 || result.Ended != "" {
			t.Errorf("%d skipped of more than %d; ended %q", left, most, result.Ended)
		}
	}
}

func TestRate(t *testing.T) {
	b := notes.New(t, nil)
	o := small(b)
	o.Limits.Rate, o.Limits.Workers = 10, 1
	waited := withFakeTime(&o)
	result := mustRun(t, t.Context(), o)
	total := time.Duration(0)
	for _, wait := range waited.waits {
		total += wait
	}
	if want := time.Duration(result.Requests-1) * 100 * time.Millisecond; total < want-time.Second || total > want+time.Second {
		t.Errorf("waited for %v over %d requests, want %v", total, result.Requests, want)
	}
}

func TestTooManyRequests(t *testing.T) {
	for header, want := range map[string]time.Duration{"7": 7 * time.Second, "": 250 * time.Millisecond, "soon": 250 * time.Millisecond, "99999": time.Minute, "-1": 250 * time.Millisecond,
		time.Unix(1_000_000_000, 0).Add(9 * time.Second).UTC().Format(http.TimeFormat): 9 * time.Second} {
		var n atomic.Int64
		b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == "POST" && n.Add(1) == 1 {
				w.Header().Set("Retry-After", header)
				w.WriteHeader(429)
				return true
			}
			return false
		})
		o := small(b)
		o.Select.Phases, o.Limits.Workers = []string{"examples"}, 1
		waited := withFakeTime(&o)
		result := mustRun(t, t.Context(), o)
		if len(result.Findings) > 0 || len(waited.waits) != 1 || waited.waits[0] != want {
			t.Errorf("Retry-After: %s: waited for %v, want %v; %+v", header, waited.waits, want, result.Findings)
		}
	}
}

func TestAlwaysTooMany(t *testing.T) {
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool { w.WriteHeader(429); return true })
	o := small(b)
	o.Select.Operations, o.Select.Phases = []string{"listNotes"}, []string{"examples"}
	waited := withFakeTime(&o)
	mustRun(t, t.Context(), o)
	if n := len(waited.waits); n < 6-1 || n > 3*(6-1)+20 {
		t.Errorf("%d waits", n)
	}
}

func TestRefreshToken(t *testing.T) {
	var made, good atomic.Int64
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Authorization") == "Bearer t"+string(rune('0'+good.Load())) {
			if r.Method == "POST" && good.Load() < 3 {
				good.Add(1) // the token is used up
			}
			r.Header.Set("Authorization", "Bearer good")
		}
		return false
	})
	good.Store(1)
	o := small(b)
	o.Credentials.Token, o.Select.Checks = "", []string{"valid-refused", "credentials-ignored"}
	o.Credentials.Refresh = func(context.Context) (string, error) { return "t" + string(rune('0'+made.Add(1))), nil }
	result := mustRun(t, t.Context(), o)
	if len(result.Findings) > 0 || made.Load() != 3 {
		t.Errorf("%d tokens: %+v", made.Load(), result.Findings)
	}
	o.Credentials.Refresh = func(context.Context) (string, error) { return "", errors.New("the vault is closed") }
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "the vault is closed") {
		t.Errorf("%v", err)
	}
}

func TestReadOnly(t *testing.T) {
	b := notes.New(t, nil)
	o := small(b)
	o.Select.ReadOnly = true
	result := mustRun(t, t.Context(), o)
	for _, asked := range b.Requests() {
		if !strings.HasPrefix(asked, "GET ") && !strings.HasPrefix(asked, "HEAD ") {
			t.Error(asked)
		}
	}
	if len(result.Operations) != 2 || len(result.Findings) > 0 || !result.Operations[1].Accepted {
		t.Errorf("%d operations: %+v", len(result.Operations), result.Findings)
	}
}

// TestOneOrigin has a backend that sends everybody elsewhere.
func TestOneOrigin(t *testing.T) {
	var elsewhere atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
		return true
	})
	o := small(b)
	result := mustRun(t, t.Context(), o)
	if elsewhere.Load() > 0 {
		t.Errorf("%d requests to another origin", elsewhere.Load())
	}
	if len(result.Findings) == 0 {
		t.Error("no finding")
	}
}

func TestShards(t *testing.T) {
	b := notes.New(t, nil)
	var all []string
	for shard := 1; shard <= 3; shard++ {
		o := small(b)
		o.Select.Shard, o.Select.Shards = shard, 3
		for _, operation := range mustRun(t, t.Context(), o).Operations {
			all = append(all, operation.Name)
		}
	}
	slices.Sort(all)
	if want := []string{"DELETE /notes/{id}", "GET /notes", "GET /notes/{id}", "POST /notes"}; !slices.Equal(all, want) {
		t.Errorf("%v", all)
	}
	for _, shard := range [][2]int{{4, 3}, {-1, 3}, {1, 0}} {
		o := small(b)
		o.Select.Shard, o.Select.Shards = shard[0], shard[1]
		var bad *OptionError
		if _, err := Run(t.Context(), o); !errors.As(err, &bad) || bad.Option != "Select.Shard" {
			t.Errorf("%v: %v", shard, err)
		}
	}
}

func TestProgress(t *testing.T) {
	reports := make(chan Progress, 1000)
	seen := make(chan struct{})
	var once sync.Once
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == "POST" {
			<-seen // until progress has been reported
		}
		return false
	})
	o := small(b)
	o.Progress = func(p Progress) {
		reports <- p
		once.Do(func() { close(seen) })
	}
	result := mustRun(t, t.Context(), o)
	close(reports)
	var last Progress
	news, tested := map[string]bool{}, map[string]int{}
	for p := range reports {
		for _, f := range p.News {
			news[f.Fingerprint] = true
		}
		for _, o := range p.Tested {
			tested[o.Name] = o.Cases
		}
		if p.Cases < last.Cases || p.Operations != 4 || p.Left > 5*time.Minute {
			t.Errorf("%+v after %+v", p, last)
		}
		last = p
	}
	for _, o := range result.Operations {
		if tested[o.Name] != o.Cases {
			t.Errorf("%s: progress has %d of %d cases", o.Name, tested[o.Name], o.Cases)
		}
	}
	for _, f := range result.Findings {
		if !news[f.Fingerprint] {
			t.Errorf("progress has no news of %s: %s", f.Check, f.Message)
		}
	}
	if last.Phase != "fuzz" || last.Operation != 4 || last.Cases == 0 || last.Findings != len(result.Findings) {
		t.Errorf("%+v", last)
	}
}

func TestNothingCanBeTested(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	plain := notes.New(t, nil)
	for name, test := range map[string]struct {
		url  string
		want string
	}{
		"nobody listens":         {gone.URL, "connection refused"},
		"an unknown authority":   {secure.URL, "Options.Insecure"},
		"TLS where there is not": {strings.Replace(plain.URL, "http:", "https:", 1), "does not speak TLS"},
		"no TLS where there is":  {strings.Replace(secure.URL, "https:", "http:", 1), "should begin with https"},
	} {
		var access *AccessError
		if _, err := Run(t.Context(), Options{Text: []byte(notes.Document), Document: "notes.yaml", URL: test.url}); !errors.As(err, &access) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	o := small(plain)
	o.Credentials.Token = "bad"
	var access *AccessError
	if _, err := Run(t.Context(), o); !errors.As(err, &access) || !strings.Contains(err.Error(), "Options.Credentials.Token") {
		t.Errorf("%v", err)
	}
}

func TestOptionErrors(t *testing.T) {
	b := notes.New(t, nil)
	for want, change := range map[string]func(*Options){
		"URL":               func(o *Options) { o.URL = "localhost:80" },
		"Select.Phases":     func(o *Options) { o.Select.Phases = []string{"covrage"} },
		"Select.Checks":     func(o *Options) { o.Select.Checks = []string{"!boddy"} },
		"Select.Operations": func(o *Options) { o.Select.Operations = []string{"tag:none"} },
	} {
		o := small(b)
		change(&o)
		var bad *OptionError
		if _, err := Run(t.Context(), o); !errors.As(err, &bad) || bad.Option != want {
			t.Errorf("%s: %v", want, err)
		}
	}
	if n := len(b.Requests()); n > 0 {
		t.Errorf("%d requests", n)
	}
}
