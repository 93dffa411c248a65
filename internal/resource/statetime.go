package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
)

// StateTime is a time that an item has once it is in a state: solved_at of the state solved, archivedAt of the flag
// archived.
type StateTime struct {
	Property string // that holds the time
	State    string // the property that holds the state
	Value    any    // the state: a text, or true
	// Before are the states that the document lists before it: an item that is in one again does not have the time.
	Before []any
}

// StateTimes returns the times of the states of items, by the document's lists of states, and by its flags.
func (r *Resource) StateTimes() (all []StateTime) {
	for _, p := range r.Properties {
		isTime := p.Format == "date-time" || p.Format == "date"
		if !isTime || p.Name == r.Created || p.Name == r.Updated {
			continue
		}
		if t := r.timeOfState(naming.Fold(p.Name)); t != nil {
			t.Property = p.Name
			all = append(all, *t)
		}
	}
	return all
}

// innerState is stateAfter for the state in an object that has the name of a state: state.status of {state: {status}}.
func (r *Resource) innerState(states []string) *Assignment {
	for _, name := range r.stateNames() {
		for _, p := range r.Properties {
			if naming.Fold(p.Name) != name || p.Kind != schema.Object {
				continue
			}
			inner := &Resource{Name: r.Name}
			for member, k := range schema.Properties(p.Schema) {
				inner.Properties = append(inner.Properties, Property{Name: member, Kind: schema.String, Schema: k})
			}
			if s := stateAfter(inner, states); s != nil {
				return &Assignment{p.Name + "." + s.Property, s.Value}
			}
		}
	}
	return nil
}

// timeOfState returns the state that a time with a folded name belongs to: a state or a flag of the same word, else the
// state that an action leads to which has this word as its past; nil if none.
func (r *Resource) timeOfState(name string) *StateTime {
	of := func(property, state string, listed []string) *StateTime {
		t := &StateTime{State: property, Value: state}
		for _, before := range listed[:slices.Index(listed, state)] {
			t.Before = append(t.Before, before)
		}
		return t
	}
	for property, listed := range r.stateProperties() {
		for _, state := range listed {
			folded := naming.Fold(state)
			if isTimeOf(name, append(pastsOf(folded), folded, spelledOtherwise(folded))) {
				return of(property, state, listed)
			}
		}
		_, all := effects()
		for _, e := range all {
			after := stateAfter(r, e.states)
			if after != nil && after.Property == property && isTimeOf(name, pastsOf(e.verb)) {
				return of(property, after.Value, listed)
			}
		}
	}
	for _, p := range r.Properties {
		flag := strings.TrimPrefix(naming.Fold(p.Name), "is")
		if p.Kind == schema.Boolean && isTimeOf(name, []string{flag}) {
			return &StateTime{State: p.Name, Value: true, Before: []any{false}}
		}
	}
	return nil
}

// spelledOtherwise returns the other of two spellings of a past: canceled of cancelled.
func spelledOtherwise(past string) string {
	stem, isPast := strings.CutSuffix(past, "ed")
	n := len(stem)
	switch {
	case !isPast || n < 2:
		return past
	case stem[n-1] == stem[n-2]:
		return stem[:n-1] + "ed"
	}
	return stem + stem[n-1:] + "ed"
}
