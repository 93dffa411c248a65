package scenario

import (
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/internal/tree"
)

// State is what the rules of scenarios remember of requests. It is safe for
// concurrent use; each session has its own.
type State struct {
	// Seed is what chances and delays depend on, besides the rule and the number of
	// its requests. Set it before the first request.
	Seed uint64
	// Now is the clock of limits, by default time.Now. Set it as Seed.
	Now func() time.Time

	scenarios []*Scenario
	slots     map[*Rule]*slot
	mu        sync.Mutex      // held while rules of which one locks decide
	current   map[*states]int // the current one of each states, under mu
}

type slot struct {
	reached     atomic.Uint64 // requests that reached the rule
	applied     atomic.Uint64 // those it applied to, counted only where it locks
	windowStart time.Time     // of the limit, under mu
	passed      uint64        // requests that the window let pass, under mu
}

// NewState gives the state of scenarios before the first request. Rules of other
// scenarios never apply in it where they depend on earlier requests.
func NewState(scenarios ...*Scenario) *State {
	st := &State{Now: time.Now, scenarios: scenarios, slots: map[*Rule]*slot{}, current: map[*states]int{}}
	for _, s := range scenarios {
		for _, rule := range s.All {
			st.slots[rule] = &slot{}
		}
		if s.states != nil {
			st.current[s.states] = 0
		}
	}
	return st
}

// Fork gives an independent copy.
func (st *State) Fork() *State { return st.Continue(st.scenarios...) }

// Continue gives a State of scenarios that remembers what this one does of the rules in both.
func (st *State) Continue(scenarios ...*Scenario) *State {
	to := NewState(scenarios...)
	to.Seed, to.Now = st.Seed, st.Now
	st.mu.Lock()
	defer st.mu.Unlock()
	for rule, s := range to.slots {
		if from := st.slots[rule]; from != nil {
			s.reached.Store(from.reached.Load())
			s.applied.Store(from.applied.Load())
			s.windowStart, s.passed = from.windowStart, from.passed
		}
	}
	for s := range to.current {
		to.current[s] = st.current[s]
	}
	return to
}

// Reset takes all rules and states back to the beginning.
func (st *State) Reset() {
	for _, s := range st.scenarios {
		st.ResetScenario(s)
	}
}

// ResetScenario takes the rules and the state of one scenario back to the beginning.
func (st *State) ResetScenario(s *Scenario) {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, rule := range s.All {
		if slot := st.slots[rule]; slot != nil {
			slot.reached.Store(0)
			slot.applied.Store(0)
			slot.passed = 0
		}
	}
	if _, ok := st.current[s.states]; ok {
		st.current[s.states] = 0
	}
}

// Applied gives how often a rule has applied.
func (st *State) Applied(r *Rule) uint64 {
	s := st.slots[r]
	switch {
	case s == nil:
		return 0
	case r.locks():
		return s.applied.Load()
	case r.times > 0:
		return min(s.reached.Load()/r.every, r.times)
	}
	return s.reached.Load() / r.every
}

// Current gives the named state of a scenario, "" where it has none.
func (st *State) Current(s *Scenario) string {
	st.mu.Lock()
	defer st.mu.Unlock()
	number, ok := st.current[s.states]
	if !ok {
		return ""
	}
	return s.states.names[number]
}

// SetCurrent sets the named state of a scenario.
func (st *State) SetCurrent(s *Scenario, name string) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	if _, ok := st.current[s.states]; !ok {
		return fmt.Errorf("the scenario %q has no states", s.Name)
	}
	number := slices.Index(s.states.names, name)
	if number < 0 {
		return fmt.Errorf("the scenario %q has no state %q%s", s.Name, shorten(name), hint(name, s.states.names, "there are"))
	}
	st.current[s.states] = number
	return nil
}

type application struct {
	reached uint64 // requests that reached the rule, this one included
	applied uint64 // of those the ones it applied to, this one included
	window
}

// apply counts a request that has reached a rule and reports whether the rule
// applies to it. st.mu must be held where the rule locks.
func (st *State) apply(r *Rule) (application, bool) {
	s := st.slots[r]
	switch {
	case s == nil:
		return application{}, r.stateless
	case r.locks():
		return st.applyLocked(r, s)
	case r.times > 0 && s.reached.Load() >= r.times*r.every:
		return application{}, false // without a write, so that the cache line stays shared
	}
	n := s.reached.Add(1)
	return application{reached: n, applied: n / r.every}, n%r.every == 0 && (r.times == 0 || n/r.every <= r.times)
}

func (st *State) applyLocked(r *Rule, s *slot) (application, bool) {
	if r.state >= 0 && st.current[r.states] != r.state || r.times > 0 && s.applied.Load() >= r.times {
		return application{}, false
	}
	n := s.reached.Add(1)
	if n%r.every != 0 || r.chance > 0 && draw(st.Seed, r.key, n) >= r.chance {
		return application{}, false
	}
	var exceeded window
	if r.limit != nil {
		if exceeded = st.exceeded(r.limit, s); exceeded.wait == 0 {
			return application{}, false
		}
	}
	if r.then >= 0 {
		st.current[r.states] = r.then
	}
	return application{n, s.applied.Add(1), exceeded}, true
}

// ruleKey gives what the random draws of a rule depend on besides seed and ordinal.
func ruleKey(scenario string, rule int) uint64 {
	h := fnv.New64a()
	h.Write([]byte(scenario))
	return mix(h.Sum64() + uint64(rule))
}

// draw gives a number from 0 to below 1 that depends on the arguments alone.
func draw(seed, key, ordinal uint64) float64 {
	return float64(mix(mix(seed^key)+ordinal*0x9e3779b97f4a7c15)>>11) / (1 << 53)
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable
// pseudorandom number generators, 2014).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

const initialState = "start"

const maxStates = 256

// states are the named states of one scenario; the first is the initial one.
type states struct{ names []string }

// state gives the number of a state, which is new at its first mention; -1 for none.
func (c *compiler) state(n *tree.Node) int {
	name := n.Str()
	if name == "" {
		return -1
	}
	if i := slices.Index(c.states.names, name); i >= 0 {
		return i
	}
	if len(c.states.names) == maxStates {
		c.fail(n, CodeState, "more than %d states", maxStates)
		return -1
	}
	c.states.names = append(c.states.names, name)
	return len(c.states.names) - 1
}

// reachable compares the states that rules require with those that can be
// reached: the initial one, and what rules set that can apply themselves.
func (c *compiler) reachable() {
	reached, set := map[int]bool{0: true}, map[int]bool{0: true}
	names := c.states.names[:1:1]
	for _, rule := range c.scenario.All {
		if rule.then >= 0 && !set[rule.then] {
			set[rule.then] = true
			names = append(names, c.states.names[rule.then])
		}
	}
	for changed := true; changed; {
		changed = false
		for _, rule := range c.scenario.All {
			if rule.then >= 0 && !reached[rule.then] && (rule.state < 0 || reached[rule.state]) {
				reached[rule.then], changed = true, true
			}
		}
	}
	for _, rule := range c.scenario.All {
		if rule.state < 0 || reached[rule.state] {
			continue
		}
		n, name := c.rules[rule.Number-1].Get("state"), shorten(c.states.names[rule.state])
		if !set[rule.state] {
			c.fail(n, CodeState, "no rule sets the state %q, and the scenario does not begin there%s",
				name, hint(name, names, "there are"))
			continue
		}
		c.warn(n.Place(), CodeState, "rule %d never applies: no way leads from %q to the state %q",
			rule.Number, shorten(names[0]), name)
	}
}
