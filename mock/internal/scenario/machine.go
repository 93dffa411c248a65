package scenario

import "slices"

// initialState is where a scenario begins that says nothing else.
const initialState = "start"

// maxStates bounds the named states of a scenario.
const maxStates = 256

// machine is the named states of one scenario; the first is where it begins.
type machine struct{ names []string }

// named gives the number of a state, which is new at its first mention; -1
// where there is no room for it.
func (m *machine) named(name string) int {
	i := slices.Index(m.names, name)
	if i < 0 {
		if len(m.names) == maxStates {
			return -1
		}
		i = len(m.names)
		m.names = append(m.names, name)
	}
	return i
}

// transition is what one rule says of states, for checking them all at the end.
type transition struct {
	counter *counter
	number  int
	state   *node // nil where the rule requires none
}

// states reads state and then of a rule.
func (p *parser) states(c *counter, number int, state, then *node) {
	if state == nil && then == nil {
		return
	}
	c.machine = p.machine
	if state != nil {
		c.state = p.stateName(state, "state")
	}
	if then != nil {
		c.then = p.stateName(then, "then")
	}
	p.transitions = append(p.transitions, transition{c, number, state})
}

func (p *parser) stateName(n *node, key string) int {
	name, ok := p.string(n, key)
	if ok && name == "" {
		p.fail(n, CodeValue, "%s must not be empty", key)
	}
	if name == "" {
		return -1
	}
	i := p.machine.named(name)
	if i < 0 {
		p.fail(n, CodeState, "more than %d states", maxStates)
	}
	return i
}

// reachable holds the states that rules require to those that can come about:
// the initial one, and what rules set that can apply themselves.
func (p *parser) reachable(initial *node) {
	if p.transitions == nil {
		if initial != nil {
			p.fail(initial, CodeState, "initial has no effect, since no rule has state or then")
		}
		return
	}
	names := p.machine.names[:1:1]
	reached := map[int]bool{0: true}
	for changed := true; changed; {
		changed = false
		for _, t := range p.transitions {
			if t.counter.then >= 0 && !reached[t.counter.then] && (t.counter.state < 0 || reached[t.counter.state]) {
				reached[t.counter.then], changed = true, true
			}
		}
	}
	set := map[int]bool{0: true}
	for _, t := range p.transitions {
		if then := t.counter.then; then >= 0 && !set[then] {
			set[then] = true
			names = append(names, p.machine.names[then])
		}
	}
	for _, t := range p.transitions {
		switch required := t.counter.state; {
		case required < 0 || reached[required]:
		case !set[required]:
			name := p.machine.names[required]
			p.fail(t.state, CodeState, "no rule sets the state %q, and the scenario does not begin there%s", shorten(name), meant(name, names, "there are"))
		default:
			p.warn(t.state.place(p.file), CodeState, "rule %d never applies: no way leads from %q to the state %q",
				t.number, shorten(names[0]), shorten(p.machine.names[required]))
		}
	}
}
