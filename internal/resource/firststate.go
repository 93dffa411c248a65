package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
)

// FirstState returns the state that a creation leads to by the past of its own verb, or of the noun of its path, if the
// document lists no state before it in which things wait: invited of inviteMember, of POST /members/invite and of POST
// /invitations, but queued of sendMail if queued is listed before sent. waits reports whether things wait in a state.
// FirstState returns nil if no such state exists.
func (b *Binding) FirstState(waits func(state string) bool) *Assignment {
	if b.Role != Create {
		return nil
	}
	segments := strings.Split(b.Operation.Path, "/")
	noun := naming.Fold(segments[len(segments)-1])
	verbs := []string{noun}
	if named := nameWords(&operation{Operation: b.Operation}); len(named) > 0 {
		verbs = append(verbs, named[0])
	}
	for property, states := range b.Resource.stateProperties() {
		for _, state := range states {
			folded := naming.Fold(state)
			isPast := func(verb string) bool { return slices.Contains(pastsOf(verb), folded) }
			if isPastOf(folded, noun) || slices.ContainsFunc(verbs, isPast) {
				return &Assignment{property, state}
			}
			if waits(state) {
				break
			}
		}
	}
	return nil
}

// isPastOf reports whether a folded state is the past of what a noun names: cancelled of cancellation.
func isPastOf(state, noun string) bool {
	const least = 4 // letters of a stem
	stem, isPast := strings.CutSuffix(state, "ed")
	return isPast && len(stem) >= least && strings.HasPrefix(noun, stem)
}
