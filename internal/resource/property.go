package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// property is what a parameter of a list refers to: a value in each item.
type property struct {
	path   []string
	name   string // the last of path
	view   view
	within string // the member of the elements of an array that is meant; "" for the elements themselves
}

// properties finds the properties of an item by the names that parameters have for them.
type properties struct {
	required map[string]bool // of own
	own      []member
	carrier  string   // the member that holds most properties, as attributes of JSON:API; "" if none
	carried  []member // its properties
	noun     string   // the folded name of the item's schema; "" for none
}

// mostBeside is how many properties, as a key and a type, an item has beside a carrier.
const mostBeside = 3

func propertiesOf(item view) properties {
	p := properties{own: item.members(), noun: naming.Fold(item.name())}
	if item.ok() {
		p.required = schema.Required(item.k)
	}
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
		if inner := m.view.members(); plain <= mostBeside && len(inner) >= plain && len(inner) > len(p.carried) {
			p.carrier, p.carried = m.name, inner
		}
	}
	return p
}

// all returns the properties that an item has itself, and the properties of its carrier.
func (p properties) all(yield func(property) bool) {
	for _, m := range p.own {
		if !yield(property{path: []string{m.name}, name: m.name, view: m.view}) {
			return
		}
	}
	for _, m := range p.carried {
		if !yield(property{path: []string{p.carrier, m.name}, name: m.name, view: m.view}) {
			return
		}
	}
}

// has reports whether the item itself has a property of a name.
func (p properties) has(folded string) bool {
	return slices.ContainsFunc(p.own, func(m member) bool { return m.folded == folded })
}

// find returns the property of a name: by the whole name, in the singular or plural, or in an object by both names. An
// object with one number, as {amount, currency}, stands for the number.
func (p properties) find(name string) *property {
	folded := naming.Fold(name)
	if folded == "" {
		return nil
	}
	if m := find(p.own, name); m != nil {
		return property{path: []string{m.name}, name: m.name, view: m.view}.scalar()
	}
	if m := find(p.carried, name); m != nil {
		return property{path: []string{p.carrier, m.name}, name: m.name, view: m.view}.scalar()
	}
	return below(p.own, folded, nil, 0)
}

// below finds a property in an object by both names, through what wraps it: address_city, and member_id in
// relationships.member.data.id of JSON:API.
func below(in []member, folded string, path []string, depth int) *property {
	const deepest = 4
	for _, m := range in {
		if m.view.kind() != schema.Object {
			if depth > 0 && m.folded == folded {
				return &property{path: append(slices.Clone(path), m.name), name: m.name, view: m.view}
			}
			continue
		}
		rest, begins := strings.CutPrefix(folded, m.folded)
		if !begins {
			rest = folded
		}
		if rest == "" && depth > 0 {
			if key := m.view.relatedKey(); key != nil {
				return &property{path: slices.Concat(path, []string{m.name}, key), name: m.name, view: m.view.at(key)}
			}
		}
		if isWrapper := wrapperNames.Has(m.folded) || m.folded == "relationships"; depth == deepest || rest == "" ||
			!begins && !isWrapper {
			continue
		}
		if at := below(m.view.members(), rest, append(slices.Clone(path), m.name), depth+1); at != nil {
			return at
		}
	}
	return nil
}

// relatedKey returns the path to the key in a relationship of JSON:API, {data: {type, id}}; nil for other objects.
func (v view) relatedKey() []string {
	const data, id = "data", "id"
	if to := v.member(data); to.member("type").ok() && to.member(id).ok() {
		return []string{data, id}
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
	return &property{path: append(slices.Clone(p.path), number.name), name: number.name, view: number.view}
}

// key returns the member of an object that is likeliest to identify it: slug of {slug, name}; nil if none.
func (p property) key() (found *property) {
	best := likelyKeyWords
	for _, m := range p.view.members() {
		if rank := slices.Index(keyWords, m.folded); rank >= 0 && rank < best && canBeKey(m.view.kind()) {
			best = rank
			found = &property{path: append(slices.Clone(p.path), m.name), name: m.name, view: m.view}
		}
	}
	return found
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

// ordered returns the one property with an order that fits a parameter and has some words in its name: due of dueDate,
// rate of hourly_rate. It begins with them, or else ends with them, or else contains them.
func (p properties) ordered(name []string, v view) *property {
	sought := singular(name)
	fits := func(at property) bool {
		return isOrdered(at.view) && isDate(at.view) == isDate(v) &&
			(isDate(v) || slices.Contains(numeric, at.view.kind()) && slices.Contains(numeric, v.kind()))
	}
	for _, within := range []func(w []string, i int) bool{
		func(_ []string, i int) bool { return i == 0 },
		func(w []string, i int) bool { return i == len(w)-len(sought) },
		func([]string, int) bool { return true },
	} {
		if one := p.only(func(at property) bool {
			if !fits(at) {
				return false
			}
			w := singular(naming.Words(at.name))
			for i := 0; i+len(sought) <= len(w); i++ {
				if slices.Equal(w[i:i+len(sought)], sought) && within(w, i) {
					return true
				}
			}
			return false
		}); one != nil {
			return one
		}
	}
	return nil
}

func singular(w []string) []string {
	one := make([]string, len(w))
	for i, word := range w {
		one[i] = naming.Singular(word)
	}
	return one
}

// time returns the time of a parameter that does not name one: the only one of the item, or of the
// parameter's format, or else the time of the item's creation, or the only one that all items have.
func (p properties) time(format string) *property {
	isTime := func(at property) bool { return isDate(at.view) }
	for _, fits := range []func(property) bool{
		isTime,
		func(at property) bool { return isTime(at) && at.view.format() == format },
		func(at property) bool { return isTime(at) && createdNames.Has(naming.Fold(at.name)) },
		func(at property) bool { return isTime(at) && p.required[at.name] },
	} {
		if one := p.only(fits); one != nil {
			return one
		}
	}
	return nil
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

// ofNoun returns the one property whose name is a parameter's after the name of the item's type: vehicleType of type,
// if the items are Vehicles.
func (p properties) ofNoun(name string, v view) *property {
	folded := naming.Fold(name)
	return p.only(func(at property) bool {
		noun, ends := strings.CutSuffix(naming.Fold(at.name), folded)
		return ends && noun != "" && folded != "" && strings.HasPrefix(p.noun, noun) && comparable(v, at.view)
	})
}

// comparable reports whether a parameter's values can equal a property's values: a parameter with an enum of texts
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
	return v.kind() == schema.String && v.format() == "" && k != nil && len(enum(v)) == 0
}
