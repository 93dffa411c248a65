package contracts

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/access"
	"github.com/coldframe/coldframe/internal/testbench/notes"
	"github.com/coldframe/coldframe/report"
)

// TestLockedOut has backends on which the credentials end in the middle of a run: it ends at once, and names the
// request.
func TestLockedOut(t *testing.T) {
	creations := 0
	for name, c := range map[string]struct {
		quirk func(b *access.Backend, w http.ResponseWriter, r *http.Request, body map[string]any) bool
		want  string
	}{
		"a profile that turns its access off": {func(b *access.Backend, w http.ResponseWriter, r *http.Request, body map[string]any) bool {
			if r.Method == "PATCH" && r.URL.Path == "/me" {
				b.End()
			}
			return false
		}, "that began with PATCH /me"},
		"creations above a quota": {func(b *access.Backend, w http.ResponseWriter, r *http.Request, body map[string]any) bool {
			if r.Method == "POST" && r.URL.Path == "/tasks" {
				if creations++; creations == 20 {
					b.End()
				}
			}
			return false
		}, "POST /tasks"},
	} {
		b := access.New(t)
		b.Quirk = c.quirk
		o := accessible(b)
		o.Limits.Workers = 1 // of several requests that are on their way, any may have done it
		result := mustRun(t, t.Context(), o)
		if !strings.Contains(result.Ended, "the credentials do not work any more") || !strings.Contains(result.Ended, c.want) {
			t.Errorf("%s: ended %q", name, result.Ended)
		}
		asked := b.Asked()
		last := 0
		for i, line := range asked {
			if strings.HasSuffix(line, " 200") || strings.HasSuffix(line, " 201") || strings.HasSuffix(line, " 204") {
				last = i
			}
		}
		if late := len(asked) - last; late > 40 {
			t.Errorf("%s: %d of %d requests after the end", name, late, len(asked))
		}
		for _, f := range result.Findings {
			t.Errorf("%s: %s %s: %s", name, f.Check, f.Operation, f.Message)
		}
	}
}

// TestBanned has a backend that bans the token after a few bad credentials.
func TestBanned(t *testing.T) {
	var bad atomic.Int64
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		if token := r.Header.Get("Authorization"); token != "Bearer good" && token != "" && r.URL.Path != "/" {
			bad.Add(1)
		}
		if bad.Load() < 8 {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(403)
		fmt.Fprint(w, `{"error":"banned"}`)
		return true
	})
	result := mustRun(t, t.Context(), small(b))
	if !strings.Contains(result.Ended, "requests with bad credentials") {
		t.Errorf("ended %q", result.Ended)
	}
	for _, f := range result.Findings {
		t.Errorf("%s %s: %s", f.Check, f.Operation, f.Message)
	}
}

// TestRenewed has a run that fetches new credentials when a request ends them: it goes on, and sends no more of those.
func TestRenewed(t *testing.T) {
	b := access.New(t)
	o := accessible(b)
	o.Credentials.Token, o.Credentials.Refresh = "", func(context.Context) (string, error) { return b.Renew(), nil }
	result := mustRun(t, t.Context(), o)
	if result.Ended != "" {
		t.Errorf("ended: %s", result.Ended)
	}
	if !slices.ContainsFunc(result.Skipped, func(s report.Skipped) bool {
		return s.Operation == "POST /logout" && strings.Contains(s.Reason, "it ended the credentials of the run")
	}) {
		t.Errorf("%+v", result.Skipped)
	}
	for _, f := range result.Findings {
		t.Errorf("%s %s: %s", f.Check, f.Operation, f.Message)
	}
}

// TestCleanup leaves what was there before, and nothing else, also if the run is stopped.
func TestCleanup(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		b := access.New(t)
		before, n := b.Seeds(), 0
		b.Quirk = func(*access.Backend, http.ResponseWriter, *http.Request, map[string]any) bool {
			if n++; stopped && n == 300 {
				cancel()
			}
			return false
		}
		o := accessible(b)
		o.Cleanup = true
		mustRun(t, ctx, o)
		most := 4
		if stopped {
			most += 8 // of the requests that were on their way nobody knows what they have created
		}
		if b.Items() > most || b.Seeds() != before {
			t.Errorf("stopped %v: %d items, %s", stopped, b.Items(), b.Seeds())
		}
	}
}
