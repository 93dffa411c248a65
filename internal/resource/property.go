package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// property is what a parameter of a list is about: a value in each item.
type property struct {
	path []string
	name string // the last of path
	view view
}

// properties finds the properties of an item by the names that parameters have for them.
type properties struct {
	own     []member
	carrier string   // the member that holds most properties, as attributes of JSON:API; "" if there is none
	carried []member // its properties
}

func propertiesOf(item view) properties {
	p := properties{own: item.members()}
	plain := 0
	for _, m := range p.own {
		if m.view.kind() != schema.Object {
			plain++
		}
	}
	for _, m := range p.own {
		if m.view.kind() != schema.Object {
			continue
		}
		if inner := m.view.members(); len(inner) > max(plain, len(p.carried)) {
			p.carrier, p.carried = m.name, inner
		}
	}
	return p
}

// all returns the properties that an item has itself, and those of its carrier.
func (p properties) all(yield func(property) bool) {
	for _, m := range p.own {
		if !yield(property{[]string{m.name}, m.name, m.view}) {
			return
		}
	}
	for _, m := range p.carried {
		if !yield(property{[]string{p.carrier, m.name}, m.name, m.view}) {
			return
		}
	}
}

// has reports whether the item itself has a property of a name.
func (p properties) has(folded string) bool {
	return slices.ContainsFunc(p.own, func(m member) bool { return m.folded == folded })
}

// find returns the property of a name: by the whole name, in the singular or plural, or by the names of an object and a
// property of it (address_city). An object with one number, as {amount, currency}, stands for the number.
func (p properties) find(name string) *property {
	folded := naming.Fold(name)
	if folded == "" {
		return nil
	}
	if m := find(p.own, name); m != nil {
		return property{[]string{m.name}, m.name, m.view}.scalar()
	}
	if m := find(p.carried, name); m != nil {
		return property{[]string{p.carrier, m.name}, m.name, m.view}.scalar()
	}
	for _, m := range p.own {
		rest, below := strings.CutPrefix(folded, m.folded)
		if !below || rest == "" || m.view.kind() != schema.Object {
			continue
		}
		for _, inner := range m.view.members() {
			if inner.folded == rest {
				return property{[]string{m.name, inner.name}, inner.name, inner.view}.scalar()
			}
		}
	}
	return nil
}

func (p property) scalar() *property {
	if p.view.kind() != schema.Object {
		return &p
	}
	var number *member
	for _, m := range p.view.members() {
		if !slices.Contains(numeric, m.view.kind()) {
			continue
		}
		if number != nil {
			return &p
		}
		number = &m
	}
	if number == nil {
		return &p
	}
	return &property{append(slices.Clone(p.path), number.name), number.name, number.view}
}

// only returns the one property that fits; nil if none or several do.
func (p properties) only(fits func(property) bool) *property {
	var one *property
	for at := range p.all {
		if !fits(at) {
			continue
		}
		if one != nil {
			return nil
		}
		one = &at
	}
	return one
}

// time returns the one date or time whose name begins with some words: due of dueDate. Without words it is the only
// one of the item, or else the time of its creation.
func (p properties) time(name []string) *property {
	begins := func(at property) bool {
		w := naming.Words(at.name)
		return isDate(at.view) && len(w) >= len(name) && slices.Equal(w[:len(name)], name)
	}
	one := p.only(begins)
	if one == nil && len(name) == 0 {
		one = p.only(func(at property) bool { return isDate(at.view) && createdNames.Has(naming.Fold(at.name)) })
	}
	return one
}

// near returns the one property whose name goes on from a parameter's: requester of requester_email if both have the
// same format, assignee of assignee_id.
func (p properties) near(name string, v view) *property {
	w := naming.Words(name)
	return p.only(func(at property) bool {
		if len(w) == 0 || !strings.HasPrefix(naming.Fold(at.name), naming.Fold(name)) {
			return false
		}
		longer := naming.Words(at.name)
		if len(longer) != len(w)+1 || !slices.Equal(longer[:len(w)], w) {
			return false
		}
		format := v.format()
		return format != "" && format == at.view.format() || words.Members.Has(longer[len(w)], "identity")
	})
}

// comparable reports whether the values of a parameter can equal those of a property: a parameter with an enum of texts
// is not about a number of the same name.
func comparable(v, of view) bool {
	if of.kind() == schema.Array {
		of = of.element()
	}
	if v.kind() == schema.Array {
		v = v.element()
	}
	kind := of.kind()
	switch {
	case kind == schema.Object || kind == schema.Array:
		return false
	case v.kind() == schema.Boolean:
		return kind == schema.Boolean || kind == schema.AnyType
	}
	values := enum(v)
	if len(values) == 0 || kind == schema.AnyType || of.k == nil {
		return true
	}
	return slices.ContainsFunc(values, func(text string) bool { return spec.Conforms(of.k, text) })
}

// isOrdered reports whether values of a property come before or after others.
func isOrdered(v view) bool {
	if v.kind() == schema.Array {
		v = v.element()
	}
	kind := v.kind()
	return slices.Contains(numeric, kind) || kind == schema.AnyType || kind == schema.String && len(enum(v)) == 0
}

// isText reports whether a property holds text that people write.
func isText(v view) bool {
	k := v.plain().k
	return v.kind() == schema.String && v.format() == "" && k != nil && k.Pattern == nil && len(enum(v)) == 0
}
