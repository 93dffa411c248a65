package scenario

import (
	"fmt"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
)

// RuleOutline is what a rule says of itself.
type RuleOutline struct {
	Number      int      // in the file, from 1
	On          []string // as it is written
	Description string
	Place       exchange.Place
	counter     *counter
}

// Outline gives the rules, first to last.
func (s *Scenario) Outline() []RuleOutline { return s.outline }

// States gives the names of the scenario's states, that where sessions begin
// first; none where its rules do without.
func (s *Scenario) States() []string {
	if s.machine == nil {
		return nil
	}
	return s.machine.names
}

// Applied gives how often a rule has applied.
func (st *State) Applied(r RuleOutline) uint64 {
	i, ok := st.index[r.counter]
	if !ok {
		return 0
	}
	if r.counter.whole() {
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
	i, ok := st.machines[s.machine]
	if !ok {
		return ""
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	return s.machine.names[st.current[i]]
}

// Become sets the named state of a scenario.
func (st *State) Become(s *Scenario, name string) error {
	i, ok := st.machines[s.machine]
	if !ok {
		return fmt.Errorf("the scenario %q has no states", s.Name)
	}
	at := slices.Index(s.machine.names, name)
	if at < 0 {
		return fmt.Errorf("the scenario %q has no state %q%s", s.Name, shorten(name), meant(name, s.machine.names, "there are"))
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	st.current[i] = at
	return nil
}

// Rewind starts one scenario afresh.
func (st *State) Rewind(s *Scenario) {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, c := range s.counters {
		if i, ok := st.index[c]; ok {
			st.slots[i].reset()
		}
	}
	if i, ok := st.machines[s.machine]; ok {
		st.current[i] = 0
	}
}

// GoOn gives a State of the book that remembers what another one does of the
// rules in both.
func (b *Book) GoOn(from *State) *State {
	st := b.NewState()
	st.Seed, st.Now = from.Seed, from.Now
	st.goOn(from)
	return st
}
