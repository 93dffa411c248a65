package scenario

import (
	"sync"
	"sync/atomic"
	"testing"
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
