// Package supply finds or makes the items at the backend that requests are
// about: keys for the variables of paths, and references for bodies.
package supply

import (
	"context"

	"github.com/coldframe/coldframe/contracts/cases"
	"github.com/coldframe/coldframe/contracts/checks"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// Send sends a case and gives the exchange. It fills no variables.
type Send func(context.Context, *cases.Case) *checks.Exchange

// Supply knows what exists at the backend. It is safe for concurrent use.
type Supply struct {
	plan *resource.Plan
	send Send
}

// New makes a supply that creates what it lacks by the operations of the plan.
func New(plan *resource.Plan, send Send) *Supply { return &Supply{plan: plan, send: send} }

// Variables gives texts, percent-encoded, for variables of an operation's path.
// Where the operation removes its item, no other request has been given that
// item. exists says that all of them name items that are known to be there;
// variables that nothing is known of are left out.
func (s *Supply) Variables(ctx context.Context, o *spec.Operation) (texts map[string]string, exists bool) {
	return nil, false
}

// References gives values of body properties that refer to items that exist, by
// the property's name: {"ownerId": 7}.
func (s *Supply) References(ctx context.Context, o *spec.Operation) map[string]any {
	return nil
}
