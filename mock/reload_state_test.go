package mock

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/testbench/sample"
	"github.com/coldframe/coldframe/mock/client"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// ruleKinds are rules for each thing that scenarios remember of requests.
var ruleKinds = map[string]string{
	"named states": "[{on: GET /things, state: start, then: b, respond: {status: 501}}, {on: GET /things, state: b, then: c, respond: {status: 502}}]",
	"times":        "[{on: GET /things, times: 2, respond: {status: 501}}]",
	"every":        "[{on: GET /things, every: 3, respond: {status: 501}}]",
	"sequence":     "[{on: GET /things, respond: [{status: 501}, {status: 502}, {status: 503}]}]",
	"cycle":        "[{on: GET /things, cycle: true, respond: [{status: 501}, {status: 502}]}]",
	"limit":        "[{on: GET /things, limit: {requests: 3, per: 24h}, respond: {status: 501}}]",
	"chance":       "[{on: GET /things, chance: 0.5, respond: {status: 501}}]",
	"after":        "[{on: GET /things, after: 150s, respond: {status: 501}}]",
	"applied":      "[{on: GET /things, violates: true, respond: {status: 501, body: 'n ${rule.applied}'}}]",
	"requests":     "[{on: GET /things, when: session.requests > 3, respond: {status: 501}}]",
	"item states":  "[{on: 'GET /things/{id}', for: item, state: start, then: b, respond: {status: 501}}, {on: 'GET /things/{id}', for: item, state: b, then: c, respond: {status: 502}}]",
	"item times":   "[{on: 'GET /things/{id}', for: item, times: 2, respond: {status: 501}}]",
	"item after":   "[{on: 'GET /things/{id}', for: item, after: 150s, respond: {status: 501}}]",
}

// failingThings documents all statuses.
var failingThings = strings.ReplaceAll(thingsDocument, `responses: {"200"`, `responses: {default: {description: d}, "200"`)

// reloading is a mock whose files a test changes.
type reloading struct {
	*Server
	t                      *testing.T
	document, rules, other string
	clock                  atomic.Int64
	log                    *lineLog
	ruleText               string
	changes                int
	inactive               bool // what the file of rules says
}

func startReloading(t *testing.T, rules string) *reloading {
	t.Helper()
	dir := t.TempDir()
	r := &reloading{t: t, log: &lineLog{}, ruleText: rules}
	r.document, r.rules, r.other = filepath.Join(dir, "openapi.yaml"), filepath.Join(dir, "stock.yaml"), filepath.Join(dir, "zother.yaml")
	r.write(r.document, failingThings)
	r.write(r.rules, "rules: "+r.ruleText)
	r.write(r.other, "rules: [{on: 'DELETE /things/{id}', delay: 1ms}]")
	s, err := New(t.Context(), Options{
		Document: r.document, Scenarios: []string{r.rules, r.other}, Listen: ListenOptions{NoListener: true}, Log: LogOptions{To: r.log}, Limits: Limits{RequestTimeout: time.Hour},
		Clock: func() time.Time { return time.Unix(r.clock.Load(), 0) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	r.Server = s
	return r
}

func (r *reloading) write(file, text string) {
	r.t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r *reloading) reload() {
	r.t.Helper()
	if err := r.Reload(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
}

// changeAround changes all but the content of the rules, and reloads.
func (r *reloading) changeAround() {
	r.t.Helper()
	r.changes++
	switch r.changes % 4 {
	case 0:
		r.write(r.rules, fmt.Sprintf("# change %d\n\ndescription: text %[1]d\nactive: %[3]v\nrules:   %[2]s # %[1]d\n",
			r.changes, r.ruleText, !r.inactive))
	case 1:
		r.write(r.other, fmt.Sprintf("rules: [{on: 'DELETE /things/{id}', delay: %dms}]", r.changes))
	case 2:
		r.write(r.document, fmt.Sprintf("%s    Other%d: {}\n", failingThings, r.changes))
	}
	r.reload()
}

// ask sends a request in a session, half a minute after the last, and returns what distinguishes answers.
func (r *reloading) ask(session, path string) string {
	r.clock.Add(30)
	answer := send(r.Server, session, "GET", path, "")
	if answer.Status < 500 {
		return fmt.Sprint(answer.Status)
	}
	return fmt.Sprint(answer.Status, string(answer.Body[:min(len(answer.Body), 10)]))
}

// TestReloadKeepsScenarioState reloads between requests whose answers depend on earlier ones: they are the same as
// without a reload, in each session, its fork and its snapshot, whoever put the rules.
func TestReloadKeepsScenarioState(t *testing.T) {
	t.Parallel()
	for kind, rules := range ruleKinds {
		for _, way := range []string{"file", "put", "put for a session", "switched on"} {
			t.Run(kind+", "+way, func(t *testing.T) {
				t.Parallel()
				path := "/things"
				if strings.HasPrefix(kind, "item") {
					path = "/things/7"
				}
				answers := func(change func(*reloading)) (list []string) {
					r := startReloading(t, rules)
					text := "rules: " + r.ruleText
					must := func(method, target, body string) {
						t.Helper()
						if a := r.controlled(method, target, body); a.Status >= 300 {
							t.Fatal(target, a.Status, string(a.Body))
						}
					}
					switch way {
					case "put":
						must("PUT", "scenarios/stock", text)
					case "put for a session":
						must("PUT", "scenarios/stock?session=a", text)
					case "switched on":
						r.inactive = true
						r.write(r.rules, "active: false\nrules: "+r.ruleText)
						r.reload()
						must("PATCH", "scenarios/stock?session=a", `{"active": true}`)
					}
					sessions := []string{"a", "b"}
					for i := range 7 {
						for _, session := range sessions {
							list = append(list, r.ask(session, path))
						}
						change(r)
						switch i {
						case 0:
							must("POST", "sessions/a/snapshot", "")
							change(r)
						case 1:
							must("POST", "sessions/a/fork", `{"to": "c"}`)
							sessions = append(sessions, "c")
							change(r)
						case 4:
							must("POST", "sessions/a/restore", "")
							change(r)
						}
					}
					a := r.controlled("GET", "scenarios?session=a", "")
					var known struct{ Scenarios []client.Scenario }
					if err := json.Unmarshal(a.Body, &known); err != nil {
						t.Fatal(err)
					}
					for _, one := range known.Scenarios {
						if one.Name == "stock" {
							list = append(list, fmt.Sprint(one.State, one.Rules[0].Matched))
							if !one.ResetAt.IsZero() {
								t.Error("reset at", one.ResetAt)
							}
						}
					}
					if text := r.log.String(); strings.Contains(text, "counts: stock") {
						t.Error(text)
					}
					return list
				}
				want := answers(func(*reloading) {})
				if len(slices.Compact(slices.Clone(want[:len(want)-1]))) == 1 && kind != "sequence" {
					t.Fatal("the answers do not depend on earlier requests:", want)
				}
				if got := answers((*reloading).changeAround); !slices.Equal(got, want) {
					t.Errorf("with reloads  %q\nwithout them %q", got, want)
				}
			})
		}
	}
}

// TestReloadResets changes the content of a scenario: it begins anew, which the log and the control API say; no other
// does.
func TestReloadResets(t *testing.T) {
	t.Parallel()
	r := startReloading(t, ruleKinds["times"])
	if first, second := r.ask("", "/things"), r.ask("", "/things"); first[:3] != "501" || second[:3] != "501" || r.ask("", "/things") != "200" {
		t.Error(first, second)
	}
	r.write(r.rules, strings.ReplaceAll("rules: "+r.ruleText, "501", "503"))
	r.reload()
	at := time.Unix(r.clock.Load(), 0)
	if !strings.HasSuffix(r.log.String(), "changed scenarios begin anew in all sessions, with their states and counts: stock\n") {
		t.Error(r.log.String())
	}
	resets := func() (times []time.Time) {
		var list struct{ Scenarios []client.Scenario }
		if err := json.Unmarshal(r.controlled("GET", "scenarios", "").Body, &list); err != nil {
			t.Fatal(err)
		}
		for _, one := range list.Scenarios {
			times = append(times, one.ResetAt)
		}
		return times
	}
	if got := resets(); len(got) != 2 || !got[0].Equal(at) || !got[1].IsZero() {
		t.Error(got)
	}
	if first, second := r.ask("", "/things"), r.ask("", "/things"); first[:3] != "503" || second[:3] != "503" || r.ask("", "/things") != "200" {
		t.Error("it does not begin anew:", first, second)
	}
	r.write(r.rules, "# as before\nrules: "+r.ruleText)
	r.reload()
	if first := r.ask("", "/things"); first[:3] != "501" {
		t.Error("the first content, which was replaced, does not begin anew:", first)
	}
	at = time.Unix(r.clock.Load(), 0)
	r.changeAround()
	if got := resets(); len(got) != 2 || got[0].IsZero() || got[0].After(at) {
		t.Error("a later reload forgets the reset:", got)
	}
	if a := r.controlled("PUT", "scenarios/stock", "rules: "+r.ruleText); a.Status != 200 {
		t.Fatal(a.Status)
	}
	if got := resets(); !got[0].IsZero() {
		t.Error("what was put was reset by a reload:", got)
	}
	if first := r.ask("", "/things"); first[:3] != "501" {
		t.Error("what was put does not begin anew:", first)
	}
}

// TestReloadWhileAnswering reloads while requests are on their way, which count with those that come after.
func TestReloadWhileAnswering(t *testing.T) {
	t.Parallel()
	for _, changed := range []string{"nothing", "a comment", "the rule"} {
		for _, session := range []string{"", "new", "used", "put", "fork"} {
			t.Run(changed+", "+session, func(t *testing.T) {
				t.Parallel()
				r := startReloading(t, "[{on: GET /things, times: 1, respond: {status: 501}}, {on: 'GET /things/{id}', times: 1, respond: {status: 502}}]")
				if session == "put" {
					if a := r.controlled("PUT", "scenarios/stock?session=put", "rules: "+r.ruleText); a.Status != 200 {
						t.Fatal(a.Status)
					}
				}
				if session == "used" {
					r.ask(session, "/things/1")
				}
				if session == "fork" {
					r.ask("", "/things/1")
					if a := r.controlled("POST", "sessions/default/fork", `{"to": "fork"}`); a.Status != 204 {
						t.Fatal(a.Status)
					}
				}
				change := func() {
					switch changed {
					case "a comment":
						r.write(r.rules, "# a comment\nrules: "+r.ruleText)
					case "the rule":
						r.write(r.rules, "rules: "+strings.ReplaceAll(r.ruleText, "501", "503"))
					}
					r.reload()
				}
				// Both begin before the reload. One comes to the rules before a request that began later, one after it.
				late := func(before, after func()) int {
					q := &exchange.Request{Method: "GET", Path: "/things", Header: exchange.Header{{Name: "Host", Value: "localhost"}}}
					q.Header.Set(sessionField, session)
					if session == "" {
						q.Header = q.Header[:1]
					}
					h := r.handle(q, func(x *exchanged) *respond.Refusal {
						before()
						defer after()
						return r.process(x)
					})
					return h.answer.Status
				}
				var statuses []int
				nothing := func() {}
				statuses = append(statuses, late(func() {
					statuses = append(statuses, late(change, nothing), late(nothing, nothing))
				}, nothing))
				for range 3 {
					statuses = append(statuses, send(r.Server, session, "GET", "/things", "").Status)
				}
				old := len(slices.DeleteFunc(slices.Clone(statuses), func(status int) bool { return status != 501 }))
				if old != 1 {
					t.Errorf("the rule that applies once has applied %d times: %v", old, statuses)
				}
			})
		}
	}
}

// TestReloadNeverOversells has many clients ask for one item while the files are reloaded and other scenarios change.
func TestReloadNeverOversells(t *testing.T) {
	t.Parallel()
	for _, rules := range []string{
		"[{on: GET /things, times: 1, respond: {status: 501}}]",
		"[{on: GET /things, state: start, then: sold, respond: {status: 501}}]",
		"[{on: GET /things, limit: {requests: 1, per: 24h}, respond: {status: 503}}, {on: GET /things, respond: {status: 501}}]",
	} {
		r := startReloading(t, rules)
		stop := make(chan bool)
		var changing sync.WaitGroup
		changing.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					r.changeAround()
					r.controlled("PUT", "scenarios/another", "rules: [{on: 'DELETE /things/{id}', times: 1, delay: 1ms}]")
					r.controlled("PUT", "scenarios/own?session=round-1", "rules: [{on: 'DELETE /things/{id}', times: 1, delay: 1ms}]")
				}
			}
		})
		for round := range 150 / sample.Every(3, 5) {
			session := fmt.Sprint("round-", round)
			var sold atomic.Int64
			var clients sync.WaitGroup
			for range 8 {
				clients.Go(func() {
					for range 5 {
						if send(r.Server, session, "GET", "/things", "").Status == 501 {
							sold.Add(1)
						}
					}
				})
			}
			clients.Wait()
			if got := sold.Load(); got != 1 {
				t.Errorf("%s: sold %d times in round %d", rules, got, round)
			}
		}
		close(stop)
		changing.Wait()
	}
}
