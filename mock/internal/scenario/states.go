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

// state gives the number of a state, which is new at its first mention; -1 for
// none.
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
