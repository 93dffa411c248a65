package scenario

import (
	"slices"

	"github.com/coldframe/coldframe/internal/tree"
)

// initialState is the first state of a scenario without initial.
const initialState = "start"

// maxStates bounds the named states of a scenario.
const maxStates = 256

// states are the named states of one scenario; the first is the initial one.
type states struct{ names []string }

// transition is what one rule does with states.
type transition struct {
	counter *counter
	number  int
	state   *tree.Node // nil where the rule requires none
}

// state gives the number of a state, which is new at its first mention; -1 for
// none.
func (c *compiler) state(n *tree.Node, name string) int {
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
	for _, t := range c.transitions {
		if then := t.counter.then; then >= 0 && !set[then] {
			set[then] = true
			names = append(names, c.states.names[then])
		}
	}
	for changed := true; changed; {
		changed = false
		for _, t := range c.transitions {
			if k := t.counter; k.then >= 0 && !reached[k.then] && (k.state < 0 || reached[k.state]) {
				reached[k.then], changed = true, true
			}
		}
	}
	for _, t := range c.transitions {
		required := t.counter.state
		if required < 0 || reached[required] {
			continue
		}
		name := shorten(c.states.names[required])
		if !set[required] {
			c.fail(t.state, CodeState, "no rule sets the state %q, and the scenario does not begin there%s",
				name, hint(name, names, "there are"))
			continue
		}
		c.warn(t.state.Place(), CodeState, "rule %d never applies: no way leads from %q to the state %q",
			t.number, shorten(names[0]), name)
	}
}
