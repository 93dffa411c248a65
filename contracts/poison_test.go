package contracts

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/access"
)

// TestPoison has a value that the backend takes, and by which other requests fail from then on: the finding names the
// request that left the value behind, and shows both.
func TestPoison(t *testing.T) {
	longest := func(text string) bool { return len([]rune(text)) == 40 }
	fail := func(w http.ResponseWriter) bool {
		access.Reply(w, 500, map[string]any{"error": "index out of range in the view"})
		return true
	}
	for name, c := range map[string]struct {
		quirk     func(b *access.Backend, w http.ResponseWriter, r *http.Request, body map[string]any) bool
		restarts  bool
		operation string // that the finding is about
		want      string // in its message
		requests  int
	}{
		"a list with an item": {func(b *access.Backend, w http.ResponseWriter, r *http.Request, _ map[string]any) bool {
			return r.Method == "GET" && r.URL.Path == "/tasks" && b.Has(longest) && fail(w)
		}, false, "POST /tasks", "GET /tasks: answered 500, after this request of POST /tasks (body.title", 2},
		"an item": {func(b *access.Backend, w http.ResponseWriter, r *http.Request, _ map[string]any) bool {
			id, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/tasks/"))
			return r.Method == "GET" && longest(b.Title(id)) && fail(w)
		}, false, "POST /tasks", "GET /tasks/{id}: answered 500, after this request of POST /tasks (body.title", 2},
		"creations after it": {func(b *access.Backend, w http.ResponseWriter, r *http.Request, body map[string]any) bool {
			if r.Method != "POST" || r.URL.Path != "/tasks" {
				return false
			}
			if b.Poison {
				return fail(w)
			}
			title, _ := body["title"].(string)
			b.Poison = longest(title)
			return false
		}, true, "POST /tasks", "POST /tasks: answered 500, after this request of POST /tasks (body.title", 2},
		"what cannot be deleted": {poisonsList(longest, fail), true, "POST /tasks", "after this request of POST /tasks (body.title", 2},
		"what cannot be brought back": {poisonsList(longest, fail), false, "GET /tasks",
			"answered 500; the same request was answered well before, so an earlier one is the reason", 1},
	} {
		t.Run(name, func(t *testing.T) {
			b := access.New(t)
			b.Quirk = c.quirk
			o := accessible(b)
			o.Select.Operations = []string{"!/users*", "!/me*", "!/logout"}
			withFakeTime(&o)
			if c.restarts {
				o.Restart = func(context.Context) error { b.Reset(); return nil }
			}
			report := mustRun(t, t.Context(), o)
			found := findingsOf(report, "server-error")
			if len(found) != 1 || found[0].Operation != c.operation || !strings.Contains(found[0].Message, c.want) ||
				len(found[0].Sent) != c.requests {
				for _, f := range found {
					t.Errorf("%s: %s", f.Operation, f.Message)
					for _, s := range f.Sent {
						t.Log(s.Curl)
					}
				}
				t.Errorf("%d findings, %d flaky", len(found), len(report.Flaky))
			}
			if print := again(t, b, o); len(found) == 1 && print != found[0].Fingerprint {
				t.Errorf("fingerprint %s, was %s", print, found[0].Fingerprint)
			}
		})
	}
}

// poisonsList has a backend that remembers for good that a title of a task once was of some kind.
func poisonsList(is func(string) bool, fail func(http.ResponseWriter) bool) func(*access.Backend, http.ResponseWriter,
	*http.Request, map[string]any) bool {
	return func(b *access.Backend, w http.ResponseWriter, r *http.Request, body map[string]any) bool {
		title, _ := body["title"].(string)
		if r.Method == "POST" && r.URL.Path == "/tasks" && is(title) {
			b.Poison = true
		}
		return r.Method == "GET" && r.URL.Path == "/tasks" && b.Poison && fail(w)
	}
}

// again returns the fingerprint of the only server error of another run on a fresh backend.
func again(t *testing.T, b *access.Backend, o Options) string {
	t.Helper()
	b.Reset()
	if found := findingsOf(mustRun(t, t.Context(), o), "server-error"); len(found) == 1 {
		return found[0].Fingerprint
	}
	return ""
}
