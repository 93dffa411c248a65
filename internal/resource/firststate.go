package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
)

// FirstState returns the state that a creation leads to by the past of its own verb, or of the noun of its path if the
// document lists no state before that which things begin with: invited of inviteMember, of POST /members/invite and of
// POST /invitations. begins reports whether things begin with a state. It returns nil if there is no such state.
func (b *Binding) FirstState(begins func(state string) bool) *Assignment {
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
			if slices.ContainsFunc(verbs, func(verb string) bool { return slices.Contains(pastsOf(verb), naming.Fold(state)) }) {
				return &Assignment{property, state}
			}
		}
		const least = 4 // letters of a stem
		for _, state := range states {
			stem, isPast := strings.CutSuffix(naming.Fold(state), "ed")
			if isPast && len(stem) >= least && strings.HasPrefix(noun, stem) {
				return &Assignment{property, state}
			}
			if begins(state) {
				break
			}
		}
	}
	return nil
}
