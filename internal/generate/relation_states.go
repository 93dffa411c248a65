package generate

import (
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/words"
)

// ending is something that happens to a thing late or never. See words.Endings.
type ending struct {
	names  []string        // of its time and of details about it
	states map[string]bool // in which it has happened
	flags  []string        // that are true once it has happened
	rare   bool            // it has not happened unless something says so
}

var endings = sync.OnceValue(func() []ending {
	var all []ending
	last := ""
	for c := range words.Endings.Rows() {
		if c[0] != last {
			last, all = c[0], append(all, ending{states: map[string]bool{}})
		}
		e := &all[len(all)-1]
		switch what, word := c[1], c[2]; what {
		case "event":
			e.names = append(e.names, eventNames(word)...)
		case "name":
			e.names = append(e.names, word)
		case "flag":
			e.flags = append(e.flags, word)
		case "state", "rare-state":
			e.states[word] = true
			e.rare = e.rare || what == "rare-state"
		}
	}
	for _, e := range all {
		if len(e.states) == 0 {
			for _, state := range words.States.With("over") {
				e.states[state] = true
			}
		}
	}
	return all
})

// eventNames returns the ways to name the time of an event by its verb: deleted_at, date_deleted.
func eventNames(verb string) []string {
	names := []string{"date" + verb, "time" + verb}
	for _, ending := range words.Parts.With("time") {
		names = append(names, verb+ending)
	}
	return names
}

// stateNames are the names of states, the most telling first.
var stateNames = sync.OnceValue(func() []string {
	return slices.Concat(words.Members.With("state-1"), words.Members.With("state-2"), words.Members.With("state-3"))
})

// stateRelations keep flags, and properties about an end, in agreement with the state.
func stateRelations() []relation {
	states := "?" + strings.Join(stateNames(), " ")
	flags := func(what string) string { return strings.Join(words.Members.With(what), " ") }
	rows := []relation{
		{parts: []string{flags("state-flag"), states}, apply: clearFlag, answer: true},
		{parts: []string{flags("done-flag"), states}, apply: agreeWithState, answer: true},
	}
	for _, e := range endings() {
		parts := []string{strings.Join(e.names, " "), states}
		for _, flag := range e.flags {
			parts = append(parts, "?"+flag)
		}
		rows = append(rows, relation{parts: parts, answer: true, apply: func(m *members) { m.end(e.states, e.rare) }})
	}
	return append(rows, relation{find: stateTold, answer: true, apply: clearUnreached},
		relation{find: flagTold, answer: true, apply: clearUnset})
}

// flagTold finds the flag whose time the i-th property is, in the object or in its state: closed_on of is_closed and of
// status.is_closed.
func flagTold(p *objectPlan, i int) [][]int {
	past := pastOfTime(p.named[i].words)
	if past == "" {
		return nil
	}
	for _, name := range slices.Concat([]string{past, "is" + past}, stateNames()) {
		if flag, ok := p.places[name]; ok && flag != i {
			return [][]int{{i, flag}}
		}
	}
	return nil
}

// pastOfTime returns what the name of a time says has happened: closed of closed_on; "" if it is not named so.
func pastOfTime(name []string) string {
	n := len(name) - 1
	if n < 1 || !words.Parts.Has(name[n], "time") || !strings.HasSuffix(name[n-1], "ed") {
		return ""
	}
	return strings.Join(name[:n], "")
}

// clearUnset clears the time of a flag that is false.
func clearUnset(m *members) {
	past := pastOfTime(m.plan(0).words)
	state, _ := m.value(1).(map[string]any)
	value := m.value(1)
	for name, inner := range state {
		if own := strings.TrimPrefix(naming.Fold(name), "is"); own == past {
			value = inner
		}
	}
	if on, isFlag := value.(bool); isFlag && !on {
		m.clear(0)
	}
}

// stateTold finds the state that the i-th property describes: sold_at.
func stateTold(p *objectPlan, i int) [][]int {
	if tellsOfState(p.named[i].words) {
		if state, ok := p.stateOf(p.places); ok && state != i {
			return [][]int{{i, state}}
		}
	}
	return nil
}

// stateOf returns the place of the state of an object by the places of its names, false if no states are listed.
func (p *objectPlan) stateOf(places map[string]int) (int, bool) {
	for _, name := range stateNames() {
		if place, ok := places[name]; ok {
			return place, len(p.named[place].states()) > 0
		}
	}
	return 0, false
}

// states returns the values that are listed for a property.
func (e *propertyPlan) states() []any {
	for _, c := range e.node.constraints {
		if c.op == conforms {
			if listed := schema.Values(c.schema); len(listed) > 0 {
				return listed
			}
		}
	}
	return nil
}

// tellsOfState reports whether a name's words say something that is so in one state only: sold_at, soldPrice.
func tellsOfState(name []string) bool {
	return len(name) > 1 && words.Parts.Has(name[len(name)-1], "state-detail")
}

// clearUnreached clears properties about states that the thing has not reached. Enums list states in their order.
func clearUnreached(m *members) {
	states := m.plan(1).states()
	name := m.plan(0).words
	told, now := -1, -1
	for i, v := range states {
		state, _ := v.(string)
		own := fields.Words(state)
		if len(own) > 0 && len(own) < len(name) && slices.Equal(own, name[:len(own)]) {
			told = i
		}
		if state != "" && state == m.text(1) {
			now = i
		}
	}
	isStopped := words.States.Has(strings.Join(fields.Words(m.text(1)), ""), "stopped")
	if told >= 0 && now >= 0 && (now < told || now > told && isStopped) {
		m.clear(0)
	}
}

// state returns the state of the object in lower case, "" if nothing says it.
func (m *members) state(part int) string {
	return strings.ReplaceAll(strings.ToLower(m.text(part)), "_", "")
}

func clearFlag(m *members) {
	if on, _ := m.value(0).(bool); !on {
		return
	}
	flag := strings.Join(naming.Words(m.plan(0).name), "")
	if state := m.state(1); state == "" || !strings.Contains(flag, state) {
		m.set(0, false)
	}
}

func agreeWithState(m *members) {
	if on, isFlag := m.value(0).(bool); !isFlag || !on || m.state(1) == "" {
		return
	}
	if !words.States.Has(m.state(1), "over") {
		m.set(0, false)
	}
}

// end clears properties about an end that the thing has not reached: by its state, else by a flag, else if the end is
// rare.
func (m *members) end(states map[string]bool, rare bool) {
	if m.r.g.options.Errors {
		return // error bodies keep properties about errors
	}
	happened, said := false, false
	if state := m.state(1); state != "" {
		happened, said = states[state], true
	}
	for part := 2; part < len(m.parts); part++ {
		if on, isFlag := m.value(part).(bool); isFlag {
			happened, said = happened || on, true
		}
	}
	if !happened && (said || rare) && (isNoFailure(m.state(1)) || !m.isErrorItself()) {
		m.clear(0)
	}
}

// isNoFailure reports whether a state says that there is no error.
func isNoFailure(state string) bool {
	return words.States.Has(state, "beginning") || words.States.Has(state, "well")
}

// maxErrorMembers is how many properties an object has at most that only describes an error.
const maxErrorMembers = 4

// isErrorItself reports whether the object has hardly more than what describes an error.
func (m *members) isErrorItself() bool {
	named := m.sh.object.named
	isOther := func(p propertyPlan) bool { return !isOfError(p.name) }
	return len(named) <= maxErrorMembers && !slices.ContainsFunc(named, isOther)
}

// isOfError reports whether a property describes an error.
func isOfError(name string) bool {
	return words.Members.Has(strings.Join(naming.Words(name), ""), "error")
}
