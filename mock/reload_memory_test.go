package mock

import (
	"encoding/json"
	"os"
	"runtime"
	"testing"
	"unsafe"
	"weak"

	"go.yaml.in/yaml/v4"

	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// TestReloadFreesContract reloads a document that sessions and snapshots were used with: its text and what it was
// compiled to are freed while they stay idle, and what was put for them is there when they are used again.
func TestReloadFreesContract(t *testing.T) {
	var document any
	if err := yaml.Unmarshal([]byte(thingsDocument), &document); err != nil {
		t.Fatal(err)
	}
	inJSON, err := json.MarshalIndent(document, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("yaml", func(t *testing.T) { testReloadFrees(t, "openapi.yaml", thingsDocument) })
	t.Run("json", func(t *testing.T) { testReloadFrees(t, "openapi.json", string(inJSON)) })
}

func testReloadFrees(t *testing.T, name, document string) {
	file := write(t, name, document)
	rules := write(t, "rules.yaml", "rules: [ { on: GET /things, times: 1, delay: 1ms } ]")
	s := start(t, Options{Document: file, Scenarios: []string{rules}, State: StateOptions{UnknownItems: "refuse"}})
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
	contract := s.current.Load().Contract
	before := weak.Make(contract)
	text := weak.Make(unsafe.StringData(contract.Excerpt(contract.Operations[0].Place))) // a part of the text
	contract = nil
	if runtime.GC(); text.Value() == nil {
		t.Fatal("it is a copy")
	}
	if err := os.WriteFile(file, []byte(document+"\n"), 0o600); err != nil {
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
	if text.Value() != nil {
		t.Error("the text of the document before the reload is kept in memory, by a string that is a part of it")
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
