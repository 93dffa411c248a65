package generate

import (
	"slices"

	"github.com/coldframe/coldframe/internal/schema"
)

// prefer sets the value of the discriminator of k's alternatives that stands for a branch. The first that is set stays:
// it names the whole object.
func (m *merger) prefer(k *schema.Keywords, branch int) {
	by := m.g.schema.Discriminator(k)
	if value := by.Value(branch); value != "" && m.shape.preferred[by.Property] == "" {
		put(&m.shape.preferred, by.Property, value)
	}
}

// applyExtended chooses among the schemas that extend k, a parent with a discriminator. If the place is of one of them
// already, it is that. If none of them has a value, the parent's own is taken.
func (m *merger) applyExtended(k *schema.Keywords) {
	by := m.g.schema.Discriminator(k)
	if by == nil || !by.Extended {
		return
	}
	named := by.Branch(m.shape.preferred[by.Property])
	if named < 0 { // the child through which the parent was met comes before it
		for _, part := range m.shape.Schemas {
			if named = slices.Index(by.Branches, part); named >= 0 && part != k {
				break
			}
			named = -1
		}
	}
	var order []int
	for i, b := range by.Branches {
		if b != k {
			order = append(order, i)
		}
	}
	switch {
	case named >= 0:
		m.add(constraint{op: prefers, schema: k, n: named}, constraint{op: conforms, schema: by.Branches[named]})
		return
	case m.shape.preferred[by.Property] != "": // another alternative than those that extend the parent
		return
	case len(order) == 0:
		m.prefer(k, 0)
		return
	}
	m.decide(pendingChoice{id: choiceID{k, "extended"}, by: by, spare: true, order: append(order, len(by.Branches)),
		branch: func(n int) []constraint {
			if n == len(by.Branches) {
				return []constraint{{op: prefers, schema: k}}
			}
			return []constraint{{op: prefers, schema: k, n: n}, {op: conforms, schema: by.Branches[n]}}
		}})
}

// named returns the branch that the discriminator's value in an object chooses, -1 if none.
func (c *choice) named(value any) int {
	object, ok := value.(map[string]any)
	if !ok || c.by == nil {
		return -1
	}
	name, ok := object[c.by.Property].(string)
	if !ok {
		return -1
	}
	return slices.Index(c.numbers, c.by.Branch(name))
}
