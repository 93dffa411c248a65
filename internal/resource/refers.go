package resource

import (
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
)

// findRefers finds the properties that hold other items by their types: lists of them, and keys by the types of the
// objects beside them: {assigneeId, assignee}, if the assignee is a Member, or has some of its properties and its key.
func (in *inference) findRefers() {
	var all []*candidate
	for _, c := range in.order {
		if c.mergedInto == nil && !c.singleton && c.value.ok() && c.resource.Key != nil {
			all = append(all, c)
		}
	}
	for _, c := range all {
		for _, m := range c.value.members() {
			if to := listedBy(m.view, all); to != nil && to != c {
				if c.resource.Lists == nil {
					c.resource.Lists = map[string]*Resource{}
				}
				c.resource.Lists[m.name] = to.resource
			}
			w := naming.Words(m.name)
			if len(w) < 2 || !referring.Has(w[len(w)-1]) || !canBeKey(m.view.kind()) {
				continue
			}
			stem := strings.Join(w[:len(w)-1], "")
			for _, object := range c.value.members() {
				if object.folded != stem || object.view.kind() != schema.Object {
					continue
				}
				if to := referredBy(object.view, all); to != nil && to != c {
					if c.resource.Refers == nil {
						c.resource.Refers = map[string]*Resource{}
					}
					c.resource.Refers[m.name] = to.resource
				}
			}
		}
	}
}

// referredBy returns the candidate whose items an object shows, or the only one of whose items it shows a part with the
// key, and whose name is part of the name of the object's component: AgentRef of agents. It is nil if none.
func referredBy(object view, all []*candidate) (found *candidate) {
	object = object.plain() // it may be null
	for _, c := range all {
		if name := object.name(); name != "" && name == c.value.name() {
			return c
		}
	}
	members := object.members()
	for _, c := range all {
		key := c.resource.Key.Property
		isNamed := strings.Contains(naming.Fold(object.name()), c.names[0])
		isPart := isNamed && len(members) > 1 && len(key) == 1 && object.member(key[0]).ok() &&
			c.value.common(members) == len(members)
		if !isPart {
			continue
		}
		if found != nil {
			return nil
		}
		found = c
	}
	return found
}

// listedBy returns the candidate whose items a list shows; nil if none.
func listedBy(list view, all []*candidate) *candidate {
	if list.kind() != schema.Array {
		return nil
	}
	return referredBy(list.element(), all)
}

// Lists reports whether any resource has a property that lists items of r.
func (p *Plan) Lists(r *Resource) bool {
	for _, other := range p.Resources {
		for _, listed := range other.Lists {
			if listed == r {
				return true
			}
		}
	}
	return false
}
