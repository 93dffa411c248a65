package mock

import (
	"os"
	"runtime"
	"testing"
	"weak"

	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// TestReloadFreesContract reloads a document that sessions and snapshots were used with: what it was compiled to is
// freed while they stay idle, and what was put for them is there when they are used again.
func TestReloadFreesContract(t *testing.T) {
	file := write(t, "openapi.yaml", thingsDocument)
	rules := write(t, "rules.yaml", "rules: [ { on: GET /things, times: 1, delay: 1ms } ]")
	s := start(t, Options{Document: file, Scenarios: []string{rules}, UnknownItems: "refuse"})
	const putRules = `{"rules":[{"on":"GET /things","respond":{"status":200,"body":[]}}]}`
	for _, name := range []string{"", "idle", "put"} {
		send(s, name, "POST", "/things", `{"name":"one"}`)
		send(s, name, "GET", "/things", "")
		send(s, name, "GET", "/things/1", "")
		session := s.sessions.Lookup(name)
		if name == "put" {
			edit := func(c *scenario.Changes) *scenario.Changes {
				return c.Put(scenario.Text{Name: "empty", Text: []byte(putRules)})
			}
			if findings, err := s.changeScenarios(&name, edit); err != nil {
				t.Fatal(err, findings)
			}
		}
		if err := session.Snapshot("saved"); err != nil {
			t.Fatal(err)
		}
		send(s, name, "GET", "/things", "")
	}
	if _, err := s.sessions.Fork("idle", "fork"); err != nil {
		t.Fatal(err)
	}
	before := weak.Make(s.current.Load().Contract)
	if err := os.WriteFile(file, []byte(thingsDocument+"    Other: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 3 { // what pools have is freed by the second
		runtime.GC()
	}
	if before.Value() != nil {
		t.Error("the contract before the reload is kept in memory")
	}
	if got := string(send(s, "idle", "GET", "/things", "").Body); got != `[{"id":1,"name":"one"}]` {
		t.Error(got)
	}
	if got := string(send(s, "put", "GET", "/things", "").Body); got != `[]` {
		t.Error("what was put for the session does not apply after the reload:", got)
	}
	if s.sessions.Lookup("put").Restore("saved"); string(send(s, "put", "GET", "/things", "").Body) != `[]` {
		t.Error("what was put for the session is not in its snapshot after the reload")
	}
}
