package scenario

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/internal/tree"
)

// State is the memory of scenario rules. It is safe for concurrent use; each session has its own.
type State struct {
	// Seed is the seed of chances and delays, combined with the rule and the number of its request. Set it before the
	// first request.
	Seed uint64
	// Now is the clock of limits, by default time.Now. Set it before the first request.
	Now func() time.Time

	// Grown is called with a number of bytes when items take more memory. Default: none.
	Grown func(bytes int64)

	*memory
	scenarios []*Scenario
	slots     map[*Rule]*slot // of memory; only read
}

// memory is what the States of one session share, each for other scenarios: requests before and after a change of the
// scenarios count together.
type memory struct {
	requests  atomic.Uint64 // of the session, whatever the operation
	itemBytes atomic.Int64  // memory of perItem

	mu      sync.Mutex          // held while rules decide, if one of them locks
	perItem perItem             // under mu
	tallies map[identity]*tally // for the scenarios of the last State, under mu
	retired map[identity]*tally // for the State before, for requests that came before the change; under mu
}

func newMemory() *memory {
	return &memory{tallies: map[identity]*tally{}, retired: map[identity]*tally{}}
}

// tally is the memory of one scenario. It refers to nothing compiled.
type tally struct {
	slots   []*slot // for its rules
	current int     // the number of the named state, under mu
}

type slot struct {
	tally       *tally
	reached     atomic.Uint64 // requests that reached the rule
	applied     atomic.Uint64 // requests that it applied to, counted only if it locks
	windowStart time.Time     // of the limit, under mu
	passed      uint64        // requests that the window let pass, under mu
	first       time.Time     // time of the first request that reached the rule, under mu; zero if not needed
}

func (s *slot) clone(in *tally) *slot {
	c := &slot{tally: in, windowStart: s.windowStart, passed: s.passed, first: s.first}
	c.reached.Store(s.reached.Load())
	c.applied.Store(s.applied.Load())
	return c
}

func newTally(s *Scenario) *tally {
	t := &tally{slots: make([]*slot, len(s.All))}
	for i := range t.slots {
		t.slots[i] = &slot{tally: t}
	}
	return t
}

// NewState returns the initial state of scenarios. Rules of other scenarios never apply in it if they depend on
// earlier requests.
func NewState(scenarios ...*Scenario) *State {
	st := &State{Now: time.Now, memory: newMemory()}
	return st.resume(scenarios...)
}

// fork returns an independent copy.
func (st *State) fork() *State {
	st.mu.Lock()
	copied := newMemory()
	copied.requests.Store(st.requests.Load())
	slots, tallies := map[*slot]*slot{}, map[*tally]*tally{}
	for id, from := range st.tallies {
		to := &tally{make([]*slot, len(from.slots)), from.current}
		for i, s := range from.slots {
			to.slots[i] = s.clone(to)
			slots[s] = to.slots[i]
		}
		copied.tallies[id], tallies[from] = to, to
	}
	copied.perItem = st.perItem.fork(slots, tallies)
	copied.itemBytes.Store(copied.perItem.bytes)
	st.mu.Unlock()
	to := *st
	to.memory = copied
	return to.of(st.scenarios)
}

// of returns a State for scenarios with the same memory. Scenarios without a tally have no counts.
func (st *State) of(scenarios []*Scenario) *State {
	to := *st
	to.scenarios, to.slots = scenarios, map[*Rule]*slot{}
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, s := range scenarios {
		if t := st.tally(s); t != nil {
			for i, rule := range s.All {
				to.slots[rule] = t.slots[i]
			}
		}
	}
	return &to
}

// tally returns the tally of a scenario, nil if none. The lock is held.
func (m *memory) tally(s *Scenario) *tally {
	if t := m.tallies[s.identity]; t != nil {
		return t
	}
	return m.retired[s.identity]
}

// resume returns the State for the scenarios that replace the current ones. Unchanged scenarios keep their counts,
// the others start again.
func (st *State) resume(scenarios ...*Scenario) *State {
	st.mu.Lock()
	known := make(map[identity]bool, len(scenarios))
	for _, s := range scenarios {
		known[s.identity] = true
	}
	st.keep(func(id identity) bool { return known[id] })
	for _, s := range scenarios {
		if st.tallies[s.identity] == nil {
			st.tallies[s.identity] = newTally(s)
			delete(st.retired, s.identity)
		}
	}
	st.mu.Unlock()
	return st.of(scenarios)
}

// late returns a State for scenarios that were replaced, for a request that came before. Scenarios that are still
// current share their counts.
func (st *State) late(scenarios ...*Scenario) *State {
	st.mu.Lock()
	for _, s := range scenarios {
		if st.tally(s) == nil {
			st.retired[s.identity] = newTally(s) // one for all such requests
		}
	}
	st.mu.Unlock()
	return st.of(scenarios)
}

// keep retires the tallies of other scenarios. If there are any, it drops the previously retired ones. The lock is
// held.
func (m *memory) keep(isKept func(identity) bool) {
	retired, known := map[identity]*tally{}, map[*tally]bool{}
	for id, t := range m.tallies {
		known[t] = true
		if !isKept(id) {
			retired[id] = t
		}
	}
	if len(retired) == 0 {
		return
	}
	maps.DeleteFunc(m.tallies, func(id identity, _ *tally) bool { return retired[id] != nil })
	m.retired = retired
	m.perItem.retain(func(t *tally) bool { return known[t] })
	m.itemBytes.Store(m.perItem.bytes)
}

// Reset resets all counts and states.
func (st *State) Reset() {
	st.requests.Store(0)
	for _, s := range st.scenarios {
		st.ResetScenario(s)
	}
}

// ResetScenario resets the counts and the state of one scenario.
func (st *State) ResetScenario(s *Scenario) {
	st.mu.Lock()
	defer st.mu.Unlock()
	t := st.tally(s)
	if t == nil {
		return
	}
	t.current = 0
	for _, slot := range t.slots {
		slot.reached.Store(0)
		slot.applied.Store(0)
		slot.passed, slot.first = 0, time.Time{}
	}
	st.perItem.forgetTally(t)
	st.itemBytes.Store(st.perItem.bytes)
}

// Applied returns how often a rule has applied.
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

// Current returns the named state of a scenario, "" if it has none.
func (st *State) Current(s *Scenario) string {
	st.mu.Lock()
	defer st.mu.Unlock()
	t := st.tally(s)
	if t == nil || s.states == nil {
		return ""
	}
	return s.states.names[t.current]
}

// SetCurrent sets the named state of a scenario, for all items if each has its own.
func (st *State) SetCurrent(s *Scenario, name string) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	t := st.tally(s)
	if t == nil || s.states == nil {
		return fmt.Errorf("the scenario %q has no states", s.Name)
	}
	number := slices.Index(s.states.names, name)
	if number < 0 {
		return fmt.Errorf("the scenario %q has no state %q%s", s.Name, shorten(name), hint(name, s.states.names, "there are"))
	}
	t.current = number
	for _, m := range st.perItem.byPath {
		delete(m.current, t)
	}
	return nil
}

type application struct {
	reached uint64 // requests that reached the rule, including this one
	applied uint64 // requests that it applied to, including this one
	key     uint64 // seed of random draws
	window
}

// namedItem is the item of a request, for rules that count for each item.
type namedItem struct {
	path    string
	created time.Time // zero if nobody created it, or the time is unknown
}

// apply counts a request that has reached a rule and reports whether the rule applies to it. If the rule locks, st.mu
// must be held.
func (st *State) apply(r *Rule, about namedItem) (application, bool) {
	s := st.slots[r]
	switch {
	case s == nil:
		return application{}, r.stateless
	case r.locks():
		return st.applyLocked(r, s, about)
	case r.times > 0 && s.reached.Load() >= r.times*r.every:
		return application{}, false // without a write, to keep the cache line shared
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
		s, key = st.perItem.slot(item, total), mix(r.key^item.key)
		st.grow(st.perItem.bytes - before)
	}
	if r.state >= 0 && currentOf(total.tally, item) != r.state || r.times > 0 && s.applied.Load() >= r.times {
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
		item.current[total.tally] = r.then
	default:
		total.tally.current = r.then
	}
	if item != nil {
		total.applied.Add(1)
	}
	return application{n, s.applied.Add(1), key, exceeded}, true
}

// grow reports additional memory of perItem. The lock is held.
func (st *State) grow(bytes int64) {
	st.itemBytes.Store(st.perItem.bytes)
	if bytes > 0 && st.Grown != nil {
		st.Grown(bytes)
	}
}

// currentOf returns the number of the named state of the session, or of the item if each item has its own.
func currentOf(t *tally, item *itemMemory) int {
	if item != nil {
		if number, ok := item.current[t]; ok {
			return number
		}
	}
	return t.current
}

// passed reports whether the time has passed since an item was created or, if that is unknown, since the first
// request that reached the rule.
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

// ruleKey returns the part of the seed of random draws that depends on the rule.
func ruleKey(scenario string, rule int) uint64 {
	h := fnv.New64a()
	h.Write([]byte(scenario))
	return mix(h.Sum64() + uint64(rule))
}

// draw returns a number from 0 to below 1 that depends only on the arguments.
func draw(seed, key, ordinal uint64) float64 {
	return float64(mix(mix(seed^key)+ordinal*0x9e3779b97f4a7c15)>>11) / (1 << 53)
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
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

// state returns the number of a state, and adds it at its first mention; -1 if none.
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

// sameOwner requires that all rules with states agree on for: item.
func (c *compiler) sameOwner(first *Rule) {
	for _, rule := range c.scenario.All {
		if rule.states != nil && rule.forItem != first.forItem {
			c.fail(c.rules[rule.Number-1], CodeState, "rules %d and %d have states, one for each item and the other for "+
				"the session; set for: item in all rules with state or then, or in none", first.Number, rule.Number)
		}
	}
}

// reachable checks that the states that rules require can be reached: the initial one, and states set by rules that
// can apply themselves.
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
