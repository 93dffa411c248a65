package scenario

import (
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// counter is what makes a rule depend on earlier requests: its limits, its place
// in a sequence and its named states. What it counts is in a State, the number
// of its applications in any case.
type counter struct {
	times     uint64  // how often the rule applies at most; 0 is without limit
	every     uint64  // it applies to each every-th request; at least 1
	chance    float64 // share of these that it applies to; 0 is all
	states    *states // the named states; nil where the rule has none
	state     int     // the one that it requires; -1 is any
	then      int     // the one that it sets; -1 is none
	limit     *limit  // the rule applies only over it; nil is always
	key       uint64  // what random draws depend on besides seed and ordinal
	stateless bool    // it only counts: earlier requests mean nothing
}

// newCounter gives a counter that lets everything through.
func newCounter(scenario string, rule int) *counter {
	h := fnv.New64a()
	h.Write([]byte(scenario))
	return &counter{every: 1, state: -1, then: -1, key: mix(h.Sum64() + uint64(rule))}
}

// always reports whether the rule applies to each request that reaches it.
func (c *counter) always() bool {
	return c.times == 0 && c.every == 1 && c.chance == 0 && c.state < 0 && c.limit == nil
}

// locks reports whether the decision has several parts that must be taken at
// once, together with those of the other rules for the operation: a request
// sees one state, and leaves it before another one sees it.
func (c *counter) locks() bool { return c.states != nil || c.chance > 0 || c.limit != nil }

// State is what the rules of scenarios remember of requests. It is safe for
// concurrent use; each session has its own.
type State struct {
	// Seed is what chances and delays depend on, besides the rule and the number of
	// its requests. Set it before the first request.
	Seed uint64
	// Now is the clock of limits; nil is time.Now. Set it as Seed.
	Now func() time.Time

	*layout
	slots   []slot
	mu      sync.Mutex // held while rules of which one locks decide
	current []int      // the current one of each states, under mu
}

// layout gives the indexes of counters and states. It is shared and never
// written.
type layout struct {
	counters map[*counter]int
	states   map[*states]int
}

// slot is what one rule remembers.
type slot struct {
	reached     atomic.Uint64 // requests that reached the rule
	applied     atomic.Uint64 // those it applied to, counted only where it locks
	windowStart time.Time     // of the limit, under mu
	passed      uint64        // requests that the window let pass, under mu
}

// NewState gives the state of scenarios before the first request. Rules of other
// scenarios never apply in it where they depend on earlier requests.
func NewState(scenarios ...*Scenario) *State { return newState(newLayout(scenarios)) }

func newLayout(scenarios []*Scenario) *layout {
	l := &layout{counters: map[*counter]int{}, states: map[*states]int{}}
	for _, s := range scenarios {
		for _, c := range s.counters {
			if _, ok := l.counters[c]; !ok {
				l.counters[c] = len(l.counters)
			}
			if _, ok := l.states[c.states]; !ok && c.states != nil {
				l.states[c.states] = len(l.states)
			}
		}
	}
	return l
}

func newState(l *layout) *State {
	return &State{layout: l, slots: make([]slot, len(l.counters)), current: make([]int, len(l.states))}
}

// Fork gives an independent copy.
func (st *State) Fork() *State { return st.copy(st.layout) }

// Continue gives a State of the book that remembers what another one does of the
// rules in both.
func (b *Book) Continue(from *State) *State { return from.copy(b.layout()) }

func (st *State) copy(l *layout) *State {
	to := newState(l)
	to.Seed, to.Now = st.Seed, st.Now
	st.mu.Lock()
	defer st.mu.Unlock()
	for c, i := range to.counters {
		if j, ok := st.counters[c]; ok {
			to.slots[i].reached.Store(st.slots[j].reached.Load())
			to.slots[i].applied.Store(st.slots[j].applied.Load())
			to.slots[i].windowStart, to.slots[i].passed = st.slots[j].windowStart, st.slots[j].passed
		}
	}
	for s, i := range to.states {
		if j, ok := st.states[s]; ok {
			to.current[i] = st.current[j]
		}
	}
	return to
}

// Reset takes all rules and states back to the beginning.
func (st *State) Reset() {
	st.mu.Lock()
	defer st.mu.Unlock()
	for i := range st.slots {
		st.slots[i].reset()
	}
	clear(st.current) // the first of each states
}

// ResetScenario takes the rules and the state of one scenario back to the
// beginning.
func (st *State) ResetScenario(s *Scenario) {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, c := range s.counters {
		if i, ok := st.counters[c]; ok {
			st.slots[i].reset()
		}
	}
	if i, ok := st.states[s.states]; ok {
		st.current[i] = 0
	}
}

// reset needs State.mu.
func (s *slot) reset() {
	s.reached.Store(0)
	s.applied.Store(0)
	s.passed = 0
}

// Applied gives how often a rule has applied.
func (st *State) Applied(r RuleOutline) uint64 {
	i, ok := st.counters[r.counter]
	if !ok {
		return 0
	}
	if r.counter.locks() {
		return st.slots[i].applied.Load()
	}
	applied := st.slots[i].reached.Load() / r.counter.every
	if times := r.counter.times; times > 0 {
		applied = min(applied, times)
	}
	return applied
}

// Current gives the named state of a scenario, "" where it has none.
func (st *State) Current(s *Scenario) string {
	i, ok := st.states[s.states]
	if !ok {
		return ""
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	return s.states.names[st.current[i]]
}

// SetCurrent sets the named state of a scenario.
func (st *State) SetCurrent(s *Scenario, name string) error {
	i, ok := st.states[s.states]
	if !ok {
		return fmt.Errorf("the scenario %q has no states", s.Name)
	}
	number := slices.Index(s.states.names, name)
	if number < 0 {
		return fmt.Errorf("the scenario %q has no state %q%s", s.Name, shorten(name), hint(name, s.states.names, "there are"))
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	st.current[i] = number
	return nil
}

// application is one application of a rule.
type application struct {
	reached uint64 // requests that reached the rule, this one included
	applied uint64 // of those the ones it applied to, this one included
	window
}

// apply counts a request that has reached a rule and reports whether the rule
// applies to it. st.mu must be held where the rule locks.
func (st *State) apply(c *counter) (application, bool) {
	i, ok := st.counters[c]
	if !ok {
		return application{}, c.stateless
	}
	s := &st.slots[i]
	if c.locks() {
		return st.applyLocked(c, s)
	}
	if c.times > 0 && s.reached.Load() >= c.times*c.every {
		return application{}, false // without a write, so that the cache line stays shared
	}
	n := s.reached.Add(1)
	return application{reached: n, applied: n / c.every}, n%c.every == 0 && (c.times == 0 || n/c.every <= c.times)
}

func (st *State) applyLocked(c *counter, s *slot) (application, bool) {
	if c.state >= 0 && st.current[st.states[c.states]] != c.state || c.times > 0 && s.applied.Load() >= c.times {
		return application{}, false
	}
	n := s.reached.Add(1)
	if n%c.every != 0 || c.chance > 0 && draw(st.Seed, c.key, n) >= c.chance {
		return application{}, false
	}
	var exceeded window
	if c.limit != nil {
		if exceeded = st.exceeded(c.limit, s); exceeded.wait == 0 {
			return application{}, false
		}
	}
	if c.then >= 0 {
		st.current[st.states[c.states]] = c.then
	}
	return application{n, s.applied.Add(1), exceeded}, true
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
