package scenario

import (
	"fmt"
	"slices"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Saved is a session's scenarios and the memory of their rules, to be written as JSON and read by another process.
type Saved struct {
	Requests  uint64          `json:"requests"` // of the session
	Scenarios []SavedScenario `json:"scenarios"`
	Items     []SavedMemory   `json:"items,omitempty"` // the memory of rules with for: item, oldest first
}

// SavedScenario is one scenario.
type SavedScenario struct {
	Name   string `json:"name"`
	Text   string `json:"text"`
	Active bool   `json:"active"`
	SavedTally
}

// SavedMemory is the memory of an item, by the name of each scenario that counts for it.
type SavedMemory struct {
	Path      string                `json:"path"`
	Created   time.Time             `json:"created,omitzero"` // zero if unknown
	Scenarios map[string]SavedTally `json:"scenarios"`
}

// SavedTally is the named state of a scenario and the counts of its rules, by the rule's number.
type SavedTally struct {
	State string            `json:"state,omitempty"`
	Rules map[int]SavedRule `json:"rules,omitempty"`
}

// SavedRule is the counts of a rule.
type SavedRule struct {
	Reached uint64    `json:"reached,omitempty"` // requests that reached the rule
	Applied uint64    `json:"applied,omitempty"` // requests that it applied to
	Passed  uint64    `json:"passed,omitempty"`  // requests that the window of its limit let pass
	Window  time.Time `json:"window,omitzero"`   // when the window began
	First   time.Time `json:"first,omitzero"`    // when the first request reached the rule
}

// Save returns the scenarios of a View and what their rules remember.
func (v *View) Save() *Saved {
	st := v.State
	st.mu.Lock()
	defer st.mu.Unlock()
	saved := &Saved{Requests: st.requests.Load()}
	known := map[*tally]*Scenario{}
	rules := map[*slot]*Rule{}
	for _, s := range v.Scenarios {
		one := SavedScenario{Name: s.Name, Text: string(s.Source), Active: s.Active}
		if t := st.tally(s); t != nil {
			known[t] = s
			for i, rule := range s.All {
				rules[t.slots[i]] = rule
				one.count(rule, t.slots[i])
			}
			if s.states != nil {
				one.State = s.states.names[t.current]
			}
		}
		saved.Scenarios = append(saved.Scenarios, one)
	}
	for _, path := range st.perItem.order {
		m := st.perItem.byPath[path]
		item := SavedMemory{Path: path, Created: m.created, Scenarios: map[string]SavedTally{}}
		of := func(t *tally, add func(*SavedTally)) {
			if s := known[t]; s != nil {
				one := item.Scenarios[s.Name]
				add(&one)
				item.Scenarios[s.Name] = one
			}
		}
		for total, slot := range m.slots {
			of(total.tally, func(one *SavedTally) { one.count(rules[total], slot) })
		}
		for t, number := range m.current {
			of(t, func(one *SavedTally) { one.State = known[t].states.names[number] })
		}
		saved.Items = append(saved.Items, item)
	}
	return saved
}

func (t *SavedTally) count(r *Rule, s *slot) {
	saved := SavedRule{s.reached.Load(), s.applied.Load(), s.passed, s.windowStart, s.first}
	if saved == (SavedRule{}) {
		return
	}
	if t.Rules == nil {
		t.Rules = map[int]SavedRule{}
	}
	t.Rules[r.Number] = saved
}

// Load returns a session of a Set with the saved scenarios and what their rules remember. If the Set has other
// scenarios, the session has its own in their place. total is as for Session.Change. The findings are on texts; the
// error is ErrInvalid, or says what a session cannot have.
func (saved *Saved) Load(set *Set, now func() time.Time, total int) (*Session, []exchange.Finding, error) {
	s := &Session{Now: now}
	var findings []exchange.Finding
	if !saved.isOf(set.Book) {
		var err error
		if findings, err = s.Change(set, saved.replace, total); err != nil {
			return nil, findings, err
		}
	}
	v := s.View(set)
	v.State.requests.Store(saved.Requests)
	for i, one := range saved.Scenarios {
		if err := v.load(one.Name, nil, one.SavedTally); err != nil {
			return nil, nil, fmt.Errorf("/scenarios/%d: %w", i, err)
		}
	}
	if len(saved.Items) > maxItems {
		return nil, nil, fmt.Errorf("/items: there are more than %d", maxItems)
	}
	for i, item := range saved.Items {
		m := v.State.perItem.find(item.Path, item.Created)
		for name, one := range item.Scenarios {
			if err := v.load(name, m, one); err != nil {
				return nil, nil, fmt.Errorf("/items/%d: %w", i, err)
			}
		}
	}
	v.State.itemBytes.Store(v.State.perItem.bytes)
	return s, findings, nil
}

// isOf reports whether a Book has the same scenarios.
func (saved *Saved) isOf(b *Book) bool {
	return slices.EqualFunc(saved.Scenarios, b.Scenarios, func(one SavedScenario, s *Scenario) bool {
		return one.Name == s.Name && one.Text == string(s.Source) && one.Active == s.Active
	})
}

// replace replaces all scenarios by the saved ones.
func (saved *Saved) replace(*Changes) *Changes {
	texts := make([]Text, len(saved.Scenarios))
	for i, one := range saved.Scenarios {
		texts[i] = Text{one.Name, []byte(one.Text)}
	}
	changes := Replacement(texts)
	for _, one := range saved.Scenarios {
		changes = changes.Switch(one.Name, one.Active)
	}
	return changes
}

// load sets the state and the counts of a scenario, of an item if m is not nil.
func (v *View) load(scenario string, m *itemMemory, saved SavedTally) error {
	s := v.Scenario(scenario)
	if s == nil {
		return fmt.Errorf("there is no scenario %q", shorten(scenario))
	}
	t := v.State.tally(s)
	if saved.State != "" {
		number := slices.Index(s.States(), saved.State)
		switch {
		case number < 0:
			return fmt.Errorf("the scenario %q has no state %q", shorten(scenario), shorten(saved.State))
		case m != nil:
			m.current[t] = number
		default:
			t.current = number
		}
	}
	for number, counts := range saved.Rules {
		if number < 1 || number > len(t.slots) {
			return fmt.Errorf("the scenario %q has no rule %d", shorten(scenario), number)
		}
		slot := t.slots[number-1]
		if m != nil {
			slot = v.State.perItem.slot(m, slot)
		}
		slot.reached.Store(counts.Reached)
		slot.applied.Store(counts.Applied)
		slot.passed, slot.windowStart, slot.first = counts.Passed, counts.Window, counts.First
	}
	return nil
}
