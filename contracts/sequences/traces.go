package sequences

import (
	"fmt"

	"github.com/coldframe/coldframe/contracts/cases"
	"github.com/coldframe/coldframe/contracts/checks"
	"github.com/coldframe/coldframe/internal/resource"
)

// maxRefused is how many refused creations are tried.
const maxRefused = 6

// traces sends creations that are refused, and looks whether the list has grown.
func traces(s *story) {
	b := s.binding(resource.Create)
	list := s.binding(resource.List)
	if b == nil || list == nil {
		return
	}
	scope := s.scope(b, "")
	if scope == nil {
		return
	}
	before := s.walk(scope, nil, "the list before")
	if before == nil || !before.whole {
		return
	}
	had, ok := before.keys(s)
	if !ok {
		return
	}
	var refused []*checks.Exchange
	have, _ := s.Supply.References(s.ctx, b.Operation)
	for c := range s.Maker(b.Operation).Coverage(s.ctx, have, 0) {
		if c.Want != cases.Refused || c.Broken == nil || c.Broken.In != "body" {
			continue
		}
		c.Phase = "stateful"
		fillScope(c, s, b, scope)
		x := s.Send(s.ctx, c)
		if x == nil {
			return
		}
		if x.Status()/100 == 4 {
			refused = append(refused, x)
		}
		if len(refused) >= maxRefused {
			break
		}
	}
	for _, x := range s.conflicts(b, scope) {
		refused = append(refused, x)
		if made := s.shown(b, x, scope); made != nil {
			had = append(had, made.Key)
		}
	}
	if len(refused) == 0 {
		return
	}
	after := s.walk(scope, nil, "the list after")
	if after == nil || !after.whole {
		return
	}
	known := map[string]bool{}
	for _, key := range had {
		known[key] = true
	}
	has, ok := after.keys(s)
	if !ok {
		return
	}
	for _, key := range has {
		if !known[key] {
			s.accuse("traces", "", fmt.Sprintf("the item %q is there after creations that were all refused", key), append(refused, after.last())...)
			return
		}
	}
}

// conflicts creates an item, and the same once more where that is a conflict. It
// gives the exchanges that made something, so that the keys are known.
func (s *story) conflicts(b *resource.Binding, scope map[string]string) []*checks.Exchange {
	if !conflicting(b, s.resource) {
		return nil
	}
	i := s.create(scope, request{title: "create an item"})
	if i == nil {
		return nil
	}
	made := []*checks.Exchange{i.made}
	if second := s.afresh(i, "create the same again"); second != nil && second.Succeeded() {
		made = append(made, second) // no trace of a refusal
	}
	return made
}
