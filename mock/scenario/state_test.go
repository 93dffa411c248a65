package scenario

import (
	"encoding/json"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

// applied sends n requests at once and counts those that the rule takes.
func applied(t *testing.T, text string, n int) int64 {
	t.Helper()
	c := plantStore(t)
	s, findings := Parse(c, "a.yaml", []byte(text))
	if s == nil {
		t.Fatal(findings)
	}
	rules, state := s.Rules(c.Operations[0]), NewState(s)
	var count atomic.Int64
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			if rule, _ := rules.Match(nil, state); rule != nil {
				count.Add(1)
			}
		})
	}
	all.Wait()
	return count.Load()
}

func TestCountersUnderConcurrency(t *testing.T) {
	for text, want := range map[string]int64{
		"rules: [{on: '*', delay: 1, times: 10}]":            10,
		"rules: [{on: '*', delay: 1, every: 3}]":             333,
		"rules: [{on: '*', delay: 1, every: 3, times: 100}]": 100,
	} {
		if got := applied(t, text, 1000); got != want {
			t.Errorf("%s applied %d times, want %d", text, got, want)
		}
	}
}

func TestFork(t *testing.T) {
	c := plantStore(t)
	s, findings := Parse(c, "a.yaml", []byte("rules: [{on: '*', delay: 1, times: 2}]"))
	if s == nil {
		t.Fatal(findings)
	}
	rules := s.Rules(c.Operations[0])
	applies := func(st *State) bool {
		rule, _ := rules.Match(nil, st)
		return rule != nil
	}
	base := NewState(s)
	if !applies(base) {
		t.Error("the first request must be taken")
	}
	fork := base.Fork()
	if !applies(fork) || applies(fork) {
		t.Error("a fork counts on from one")
	}
	if !applies(base) || applies(base) {
		t.Error("a fork changed its base")
	}
	base.Reset()
	if !applies(base) {
		t.Error("reset must count from zero")
	}
	if applies(NewState()) {
		t.Error("a rule that a state does not know must not apply")
	}
}

// Expressions of one scenario serve many requests at once.
func TestExpressionsUnderConcurrency(t *testing.T) {
	c := plantStore(t)
	s, findings := Parse(c, "a.yaml", []byte(`
rules:
  - on: POST /plants
    when: 'any(request.body.tags, # == request.headers["X-Tag"])'
    respond: {status: 400, body: {error: 1, message: "${request.body.name} in ${len(request.body.tags)}"}}
`))
	if s == nil {
		t.Fatal(list(findings))
	}
	rules, state := s.Rules(c.Operations[0]), NewState(s)
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			name := strconv.Itoa(i)
			r := &Request{
				Header: exchange.Header{{Name: "X-Tag", Value: name}},
				Body:   map[string]any{"name": name, "tags": []any{"x", json.Number("1"), name}},
			}
			rule, failed := rules.Match(r, state)
			if rule == nil || failed != nil {
				t.Error(rule, failed)
				return
			}
			a, err := rule.Answer(r)
			if want := `{"error":1,"message":"` + name + ` in 3"}`; err != nil || string(a.Body) != want {
				t.Errorf("%s, %v, want %s", a.Body, err, want)
			}
		})
	}
	all.Wait()
}
