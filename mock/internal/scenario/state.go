package scenario

import (
	"sync"
	"sync/atomic"
	"time"
)

// State is what rules remember of the requests so far. It is safe for
// concurrent use; each session has its own.
type State struct {
	// Seed is what chances depend on, besides the rule and the number of
	// its requests. Set it before the first request.
	Seed uint64
	// Now is the clock of limits; nil is time.Now. Set it as Seed.
	Now func() time.Time

	*layout
	slots   []slot
	mu      sync.Mutex // held while rules decide of which one is whole
	current []int      // the state of each machine, under mu
}

// layout says where a State has what. It is shared and never written.
type layout struct {
	index    map[*counter]int
	machines map[*machine]int
}

// slot is the memory of one rule.
type slot struct {
	reached atomic.Uint64 // requests that reached the rule
	applied atomic.Uint64 // those it applied to, counted only where it is whole
	began   time.Time     // of the limit's window, under mu
	passed  uint64        // requests that the window let pass, under mu
}

// NewState starts afresh for the rules of the scenarios given. Rules of
// others never apply in it where they depend on requests before.
func NewState(scenarios ...*Scenario) *State { return newState(newLayout(scenarios)) }

func newLayout(scenarios []*Scenario) *layout {
	l := &layout{index: map[*counter]int{}, machines: map[*machine]int{}}
	for _, s := range scenarios {
		for _, c := range s.counters {
			if _, ok := l.index[c]; !ok {
				l.index[c] = len(l.index)
			}
			if _, ok := l.machines[c.machine]; !ok && c.machine != nil {
				l.machines[c.machine] = len(l.machines)
			}
		}
	}
	return l
}

func newState(l *layout) *State {
	return &State{layout: l, slots: make([]slot, len(l.index)), current: make([]int, len(l.machines))}
}

// Fork gives a State that goes on from here on its own.
func (st *State) Fork() *State {
	fork := newState(st.layout)
	fork.Seed, fork.Now = st.Seed, st.Now
	fork.goOn(st)
	return fork
}

// goOn takes over what another State remembers of the same rules.
func (st *State) goOn(from *State) {
	from.mu.Lock()
	defer from.mu.Unlock()
	for c, i := range st.index {
		if j, ok := from.index[c]; ok {
			st.slots[i].reached.Store(from.slots[j].reached.Load())
			st.slots[i].applied.Store(from.slots[j].applied.Load())
			st.slots[i].began, st.slots[i].passed = from.slots[j].began, from.slots[j].passed
		}
	}
	for m, i := range st.machines {
		if j, ok := from.machines[m]; ok {
			st.current[i] = from.current[j]
		}
	}
}

// Reset starts afresh.
func (st *State) Reset() {
	st.mu.Lock()
	defer st.mu.Unlock()
	for i := range st.slots {
		st.slots[i].reset()
	}
	clear(st.current) // the first state of each machine
}

// reset starts afresh, under State.mu.
func (s *slot) reset() {
	s.reached.Store(0)
	s.applied.Store(0)
	s.passed = 0
}

// turn is one application of a rule.
type turn struct {
	reached uint64 // requests that reached the rule, this one included
	applied uint64 // of those the ones it applied to, this one included
	retry   retry
}

// take counts a request that has reached a rule and reports whether the rule
// applies to it. st.mu must be held where the rule is whole.
func (st *State) take(c *counter) (turn, bool) {
	i, ok := st.index[c]
	if !ok {
		return turn{}, c.free
	}
	s := &st.slots[i]
	if c.whole() {
		return st.decide(c, s)
	}
	if c.times > 0 && s.reached.Load() >= c.times*c.every {
		return turn{}, false // spent: no write, so that the cache line stays shared
	}
	n := s.reached.Add(1)
	return turn{reached: n, applied: n / c.every}, n%c.every == 0 && (c.times == 0 || n/c.every <= c.times)
}

// decide is take for a rule that is whole.
func (st *State) decide(c *counter, s *slot) (turn, bool) {
	if c.state >= 0 && st.current[st.machines[c.machine]] != c.state || c.times > 0 && s.applied.Load() >= c.times {
		return turn{}, false
	}
	n := s.reached.Add(1)
	if n%c.every != 0 || c.chance > 0 && draw(st.Seed, c.key, n) >= c.chance {
		return turn{}, false
	}
	var again retry
	if c.limit != nil {
		var over bool
		if over, again = st.over(c.limit, s); !over {
			return turn{}, false
		}
	}
	if c.then >= 0 {
		st.current[st.machines[c.machine]] = c.then
	}
	return turn{n, s.applied.Add(1), again}, true
}
