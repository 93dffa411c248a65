package scenario

import "sync/atomic"

// counter is the limit of one rule; its count is in a State.
type counter struct {
	times uint64 // how often the rule applies at most; 0 is without limit
	every uint64 // it applies to each every-th request; at least 1
}

// State is what rules remember of the requests so far. It is safe for
// concurrent use; each session has its own.
type State struct {
	index  map[*counter]int // shared by all forks, never written
	counts []atomic.Uint64  // requests that reached the rule
}

// NewState counts from zero for the rules of the scenarios given. Rules of
// others never apply in it where they have times or every.
func NewState(scenarios ...*Scenario) *State {
	st := &State{index: map[*counter]int{}}
	for _, s := range scenarios {
		for _, c := range s.counters {
			if _, ok := st.index[c]; !ok {
				st.index[c] = len(st.index)
			}
		}
	}
	st.counts = make([]atomic.Uint64, len(st.index))
	return st
}

// Fork gives a State that counts on from here on its own.
func (st *State) Fork() *State {
	fork := &State{index: st.index, counts: make([]atomic.Uint64, len(st.counts))}
	for i := range st.counts {
		fork.counts[i].Store(st.counts[i].Load())
	}
	return fork
}

// Reset counts from zero again.
func (st *State) Reset() {
	for i := range st.counts {
		st.counts[i].Store(0)
	}
}

// count counts a request that has reached a rule and reports whether the rule
// applies to it.
func (st *State) count(c *counter) bool {
	i, ok := st.index[c]
	if !ok {
		return false
	}
	if c.times > 0 && st.counts[i].Load() >= c.times*c.every {
		return false // spent: no write, so that the cache line stays shared
	}
	n := st.counts[i].Add(1)
	return n%c.every == 0 && (c.times == 0 || n/c.every <= c.times)
}
