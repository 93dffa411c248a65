package scenario

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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
			if rule, _ := rules.Match(nil, state); rule.Rule != nil {
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

// Of many requests at once only one can leave a state, whatever else the rule
// asks for; a fork is in the state of its base, and leaves it on its own.
func TestTransitionsUnderConcurrency(t *testing.T) {
	for text, want := range map[string]int64{
		"rules: [{on: '*', state: start, then: done}]":                                                 1,
		"rules: [{on: '*', state: start, then: done, times: 5}]":                                       1,
		"rules: [{on: '*', state: start, then: b}, {on: '*', state: b, then: c}]":                      2,
		"rules: [{on: '*', every: 10, state: start, then: b}, {on: '*', state: b, then: c}]":           2,
		"rules: [{on: '*', state: start, then: start, times: 7}]":                                      7,
		"rules: [{on: '*', cycle: true, times: 9, respond: [{status: 400}, {status: 200}]}]":           9,
		"rules: [{on: '*', limit: {requests: 990, per: 24h}, delay: 1}]":                               10,
		"rules: [{on: '*', chance: 1, times: 9, delay: 1}]":                                            9,
		"rules: [{on: '*', state: start, then: b}, {on: '*', state: b, then: start, delay: 1}]":        1000,
		"{initial: a, rules: [{on: '*', state: a, then: b}, {on: '*', state: b, delay: 1, times: 3}]}": 4,
	} {
		if got := applied(t, text, 1000); got != want {
			t.Errorf("%s applied %d times, want %d", text, got, want)
		}
	}
}

func TestForkedStates(t *testing.T) {
	c := plantStore(t)
	s, findings := Parse(c, "a.yaml", []byte("rules: [{on: '*', state: start, then: b}, {on: '*', state: b, then: c}]"))
	if s == nil {
		t.Fatal(findings)
	}
	base := NewState(s)
	number := func(st *State) int {
		rule, _ := s.Rules(c.Operations[0]).Match(nil, st)
		if rule.Rule == nil {
			return 0
		}
		return rule.Number
	}
	if number(base) != 1 {
		t.Error("the scenario begins in start")
	}
	fork := base.fork()
	if number(fork) != 2 || number(fork) != 0 || number(base) != 2 {
		t.Error("a fork goes on from b on its own")
	}
	base.Reset()
	if number(base) != 1 || number(fork) != 0 {
		t.Error("reset leads back to start")
	}
}

// A chance is decided by the seed, the rule and the number of the request:
// the same again for the same seed, another for another one, near its share.
func TestChance(t *testing.T) {
	c := plantStore(t)
	s, findings := Parse(c, "a.yaml", []byte("rules: [{on: '*', chance: 0.3, delay: 1}]"))
	if s == nil {
		t.Fatal(findings)
	}
	run := func(seed uint64) (string, int) {
		hits, count := make([]byte, 10_000), 0
		st := NewState(s)
		st.Seed = seed
		for i := range hits {
			if rule, _ := s.Rules(c.Operations[0]).Match(nil, st); rule.Rule != nil {
				hits[i] = 1
				count++
			}
		}
		return string(hits), count
	}
	first, count := run(1)
	again, _ := run(1)
	other, _ := run(2)
	if first != again || first == other {
		t.Error("the seed decides")
	}
	if count < 2800 || count > 3200 {
		t.Errorf("%d of 10000 requests, want about 3000", count)
	}
}

// Windows of a limit follow the clock that the state is given; they begin with
// a request, and one that stands in the past does not last.
func TestLimit(t *testing.T) {
	c := plantStore(t)
	s, findings := Parse(c, "a.yaml", []byte("rules: [{on: '*', limit: {requests: 2, per: 1m}, respond: {status: 400}}]"))
	if s == nil {
		t.Fatal(list(findings))
	}
	st := NewState(s)
	now := time.Unix(0, 0)
	st.Now = func() time.Time { return now }
	for _, step := range []struct {
		after time.Duration
		want  string // Retry-After, "" if the request passes
	}{
		{0, ""}, {time.Second, ""}, {time.Second, "58"}, {57500 * time.Millisecond, "1"}, {500 * time.Millisecond, ""},
		{0, ""}, {0, "60"}, {-time.Hour, ""}, {0, ""}, {0, "60"},
	} {
		now = now.Add(step.after)
		hit, _ := s.Rules(c.Operations[0]).Match(nil, st)
		got := ""
		if hit.Rule != nil {
			a, err := hit.Answer(nil)
			if err != nil {
				t.Fatal(err)
			}
			got, _ = a.Header.Get("Retry-After")
		}
		if got != step.want {
			t.Errorf("at %s: Retry-After %q, want %q", now.UTC(), got, step.want)
		}
	}
}

// Drawn delays keep their bounds, and half of the lognormal ones are under the
// median.
func TestLatency(t *testing.T) {
	under := 0
	even := delay{low: 50 * time.Millisecond, high: 200 * time.Millisecond}
	log := delay{median: 100 * time.Millisecond, sigma: 5, longest: time.Second}
	for n := range uint64(10_000) {
		if d := even.of(1, 2, n); d < even.low || d >= even.high {
			t.Fatalf("uniform: %s", d)
		}
		d := log.of(1, 2, n)
		if d < 0 || d > log.longest {
			t.Fatalf("lognormal: %s", d)
		}
		if d < log.median {
			under++
		}
	}
	if under < 4800 || under > 5200 {
		t.Errorf("%d of 10000 are under the median", under)
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
		return rule.Rule != nil
	}
	base := NewState(s)
	if !applies(base) {
		t.Error("the first request must be taken")
	}
	fork := base.fork()
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
			if rule.Rule == nil || failed != nil {
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

// Rules with for: item remember so many items, and say how much memory they take; forks remember the same apart.
func TestItemsAreBounded(t *testing.T) {
	c := contract(t, []byte(jobs))
	s, findings := Parse(c, "a.yaml", []byte(`rules: [{on: "GET /jobs/{id}", for: item, times: 1, delay: 1}]`))
	if s == nil {
		t.Fatal(findings)
	}
	st := NewState(s)
	grown := int64(0)
	st.Grown = func(bytes int64) { grown += bytes }
	rules := s.Rules(c.Operation("GET /jobs/{id}"))
	applies := func(st *State, id string) bool {
		hit, _ := rules.Match(&Request{Params: map[string]any{"id": id}}, st)
		return hit.Rule != nil
	}
	const bytes = itemBytes + slotBytes
	for i := range maxItems {
		if id := strconv.Itoa(i); !applies(st, id) || applies(st, id) {
			t.Fatal(id)
		}
	}
	if got := st.itemBytes.Load(); got != maxItems*bytes || grown != got {
		t.Errorf("%d bytes, grown by %d", got, grown)
	}
	fork := st.fork()
	if applies(fork, "0") || !applies(st, strings.Repeat("x", 1<<20)) || !applies(st, "0") || applies(fork, "0") || applies(fork, "1") {
		t.Error("the first item must be forgotten, in the one that met another")
	}
	if got := st.itemBytes.Load(); got != maxItems*bytes || len(st.perItem.order) != maxItems {
		t.Errorf("%d bytes of %d items", got, len(st.perItem.order))
	}
	st.Reset()
	if got := st.itemBytes.Load(); !applies(st, "9") || got != maxItems*itemBytes {
		t.Errorf("%d bytes after a reset", got)
	}
	if st.Applied(s.All[0]) != 1 || fork.Applied(s.All[0]) != maxItems {
		t.Error("applications", st.Applied(s.All[0]), fork.Applied(s.All[0]))
	}
}
