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

	// Grown is called where more memory is used for items, with how many bytes. Default: nobody counts.
	Grown func(bytes int64)

	requests  atomic.Uint64 // of the session, whatever the operation
	scenarios []*Scenario
	slots     map[*Rule]*slot
	perItem   perItem         // under mu
	itemBytes atomic.Int64    // of perItem
	mu        sync.Mutex      // held while rules of which one locks decide
	current   map[*states]int // the current one of each states, under mu
}

type slot struct {
	reached     atomic.Uint64 // requests that reached the rule
	applied     atomic.Uint64 // those it applied to, counted only where it locks
	windowStart time.Time     // of the limit, under mu
	passed      uint64        // requests that the window let pass, under mu
	first       time.Time     // when the first request reached the rule, under mu; zero where nothing asks for it
}

func (s *slot) clone() *slot {
	c := &slot{windowStart: s.windowStart, passed: s.passed, first: s.first}
	c.reached.Store(s.reached.Load())
	c.applied.Store(s.applied.Load())
	return c
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

// fork gives an independent copy.
func (st *State) fork() *State { return st.resume(st.scenarios...) }

// resume gives a State of scenarios that remembers what this one does of the rules in both.
func (st *State) resume(scenarios ...*Scenario) *State {
	to := NewState(scenarios...)
	to.Seed, to.Now, to.Grown = st.Seed, st.Now, st.Grown
	to.requests.Store(st.requests.Load())
	st.mu.Lock()
	defer st.mu.Unlock()
	for rule := range to.slots {
		if from := st.slots[rule]; from != nil {
			to.slots[rule] = from.clone()
		}
	}
	for s := range to.current {
		to.current[s] = st.current[s]
	}
	to.perItem = st.perItem.continued(to.slots, to.current)
	to.itemBytes.Store(to.perItem.bytes)
	return to
}

// Reset takes all rules and states back to the beginning.
func (st *State) Reset() {
	st.requests.Store(0)
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
			slot.passed, slot.first = 0, time.Time{}
		}
	}
	st.perItem.reset(s)
	st.itemBytes.Store(st.perItem.bytes)
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

// SetCurrent sets the named state of a scenario, that of all items where each has its own.
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
	for _, m := range st.perItem.byPath {
		delete(m.current, s.states)
	}
	return nil
}

type application struct {
	reached uint64 // requests that reached the rule, this one included
	applied uint64 // of those the ones it applied to, this one included
	key     uint64 // of random draws, besides seed and ordinal
	window
}

// namedItem is the item that a request is about, for rules that count for each item apart.
type namedItem struct {
	path    string
	created time.Time // zero where nobody created it, or that is not known
}

// apply counts a request that has reached a rule and reports whether the rule
// applies to it. st.mu must be held where the rule locks.
func (st *State) apply(r *Rule, about namedItem) (application, bool) {
	s := st.slots[r]
	switch {
	case s == nil:
		return application{}, r.stateless
	case r.locks():
		return st.applyLocked(r, s, about)
	case r.times > 0 && s.reached.Load() >= r.times*r.every:
		return application{}, false // without a write, so that the cache line stays shared
	}
	n := s.reached.Add(1)
	a := application{reached: n, applied: n / r.every, key: r.key}
	return a, n%r.every == 0 && (r.times == 0 || a.applied <= r.times)
}

func (st *State) applyLocked(r *Rule, total *slot, about namedItem) (application, bool) {
	s, key, item := total, r.key, (*itemMemory)(nil)
	if r.forItem {
		before := st.perItem.bytes
		item = st.perItem.find(itemKey(about.path), about.created)
		s, key = st.perItem.slot(item, r), mix(r.key^item.key)
		st.grow(st.perItem.bytes - before)
	}
	if r.state >= 0 && st.currentOf(r.states, item) != r.state || r.times > 0 && s.applied.Load() >= r.times {
		return application{}, false
	}
	if r.after > 0 && !st.passed(r.after, s, item) {
		return application{}, false
	}
	n := s.reached.Add(1)
	if n%r.every != 0 || r.chance > 0 && draw(st.Seed, key, n) >= r.chance {
		return application{}, false
	}
	var exceeded window
	if r.limit != nil {
		if exceeded = st.exceeded(r.limit, s); exceeded.wait == 0 {
			return application{}, false
		}
	}
	switch {
	case r.then < 0:
	case item != nil:
		item.current[r.states] = r.then
	default:
		st.current[r.states] = r.then
	}
	if item != nil {
		total.applied.Add(1)
	}
	return application{n, s.applied.Add(1), key, exceeded}, true
}

// grow notes what perItem takes, under the lock.
func (st *State) grow(bytes int64) {
	st.itemBytes.Store(st.perItem.bytes)
	if bytes > 0 && st.Grown != nil {
		st.Grown(bytes)
	}
}

// currentOf gives the number of the named state that the session is in, or the item where each has its own.
func (st *State) currentOf(s *states, item *itemMemory) int {
	if item != nil {
		if number, ok := item.current[s]; ok {
			return number
		}
	}
	return st.current[s]
}

// passed reports whether so much time has passed since an item was created or, where that is not known, since the
// first request that reached the rule.
func (st *State) passed(after time.Duration, s *slot, item *itemMemory) bool {
	now := st.Now()
	if s.first.IsZero() {
		s.first = now
	}
	since := s.first
	if item != nil && !item.created.IsZero() {
		since = item.created
	}
	return now.Sub(since) >= after
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

// sameOwner demands that all rules with states are for each item where the first is, or none.
func (c *compiler) sameOwner(first *Rule) {
	for _, rule := range c.scenario.All {
		if rule.states != nil && rule.forItem != first.forItem {
			c.fail(c.rules[rule.Number-1], CodeState, "rules %d and %d have states, one for each item and the other for "+
				"the session; set for: item in all rules with state or then, or in none", first.Number, rule.Number)
		}
	}
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
