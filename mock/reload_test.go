package mock

import (
	"os"
	"strings"
	"testing"
)

func TestReload(t *testing.T) {
	t.Parallel()
	file := write(t, "openapi.yaml", document("one"))
	s := start(t, Options{Document: file})
	expect := func(path string, want int) {
		t.Helper()
		if status, body := get(t, s, path); status != want {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	expect("/one", 200)
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Reload(t.Context()); err == nil {
		t.Error("a broken document is taken over")
	}
	expect("/one", 200)
	if err := os.WriteFile(file, []byte(document("two")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Reload(t.Context()); err != nil {
		t.Error(err)
	}
	expect("/one", 404)
	expect("/two", 200)
	if title := s.Info().Title; title != "two" {
		t.Error(title)
	}
}

// TestWatch edits files of a running server: a broken edit keeps the last good
// one and says why.
func TestWatch(t *testing.T) {
	t.Parallel()
	file := write(t, "openapi.yaml", document("one"))
	rules := write(t, "rules.yaml", "rules: [ { on: GET /one, delay: 1ms } ]")
	log := &lineLog{}
	s, err := New(t.Context(), Options{Document: file, Scenarios: []string{rules}, Watch: true, Log: LogOptions{To: log}})
	if err != nil {
		t.Fatal(err)
	}
	watching, err := newWatcher(s) // before Run, so that no edit is missed
	if err != nil {
		t.Fatal(err)
	}
	s.options.Watch = false
	done := make(chan error, 1)
	go func() { done <- s.Run(t.Context()) }()
	go watching.run(s.context)
	edit := func(name, text, logged string) {
		t.Helper()
		// As editors do it: a new file takes the place of the old one.
		if err := os.WriteFile(name+".new", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		before := len(log.String())
		if err := os.Rename(name+".new", name); err != nil {
			t.Fatal(err)
		}
		log.until(t, func(text string) bool { return strings.Contains(text[before:], logged) })
	}
	edit(rules, "rules: [ { on: GET /two, delay: 1ms } ]", `unknown operation`)
	if status, _ := get(t, s, "/one"); status != 200 {
		t.Error(status)
	}
	edit(rules, "rules: [ { on: '*', delay: 1ms } ]", "reloaded: one 1, 1 operation")
	edit(file, "openapi: 3.1.0\npaths: [", "the change is not taken over, the mock goes on as before:\n  "+file)
	if status, _ := get(t, s, "/one"); status != 200 {
		t.Error(status)
	}
	edit(file, document("two"), "reloaded: two 1, 1 operation")
	if status, body := get(t, s, "/two"); status != 200 || body != `"two"` {
		t.Error(status, body)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
