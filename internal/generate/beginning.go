package generate

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/words"
)

// ends are the names of properties about the end of a thing, which a new thing has not reached.
var ends = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, e := range endings() {
		for _, name := range e.names {
			names[name] = true
		}
	}
	return names
})

// Beginning returns the initial value of a property of a new thing: 0 for a counter, false for a flag about its end,
// the first initial state for a state. It is nil if the property has no initial value; absent says that a new thing
// does not have the property, such as the time of its end.
func Beginning(name string, property *schema.Keywords) (value any, absent bool) {
	own := naming.Words(name)
	if len(own) == 0 {
		return nil, false
	}
	joined, last := strings.Join(own, ""), own[len(own)-1]
	is := func(what string) bool { return words.Members.Has(joined, what) }
	isBound := slices.ContainsFunc(own, func(word string) bool { return words.Parts.Has(word, "bound") })
	var candidate any
	switch {
	case ends()[joined], is("profile"):
		return nil, true
	case is("state-flag"), is("done-flag"), is("new-flag"), words.Members.Has(last, "past-flag"):
		candidate = false
	case slices.Contains(stateNames(), joined):
		for _, v := range schema.Values(property) {
			state, _ := v.(string)
			if Begins(state) {
				return v, false
			}
		}
	case is("counter"), words.Members.Has(naming.Singular(last), "ends-counter") && len(own) > 1 && !isBound:
		candidate = json.Number("0")
	}
	if candidate == nil || !schema.Conforms(property, candidate) {
		return nil, false
	}
	return candidate, false
}

// Begins reports whether things begin with a state: pending, draft.
func Begins(state string) bool {
	return words.States.Has(strings.ToLower(strings.Join(naming.Words(state), "")), "beginning")
}

// Waits reports whether things begin with a state and are not yet what they are made for: pending, not active.
func Waits(state string) bool {
	return Begins(state) && !words.States.Has(strings.ToLower(strings.Join(naming.Words(state), "")), "well")
}

// Neutral returns what a property that only the server sets is for a new thing if its name says nothing: null, false
// for a flag that is not usually true, an empty list, 0 for a number. It is nil, false if there is no such value.
// absent says that a new thing does not have the property: an optional time. required says that the property must be
// there.
func Neutral(name string, property *schema.Keywords, required bool) (value any, ok, absent bool) {
	own := naming.Words(name)
	if len(own) == 0 {
		return nil, false, false
	}
	joined, last := strings.Join(own, ""), own[len(own)-1]
	if schema.Conforms(property, nil) {
		return nil, true, false
	}
	var candidate any
	switch types := schema.CertainTypes(property); {
	case types == schema.Boolean:
		if words.Flags.Has(joined, "true") || words.Flags.Has(last, "true") {
			return nil, false, false
		}
		candidate = false
	case types == schema.Array:
		candidate = []any{}
	case types != 0 && types&^schema.Number == 0:
		isName := isIdentity(joined) || isIdentity(last) || words.Parts.Has(last, "not-counted")
		if isName || len(schema.Values(property)) > 0 {
			return nil, false, false
		}
		candidate = json.Number("0")
	default:
		isTime := property.Format != nil && strings.HasPrefix(property.Format.Name, "date")
		return nil, false, isTime && !required
	}
	return candidate, schema.Conforms(property, candidate), false
}

// Counters returns the properties that count the elements of another, a list, by name: comments_count.
func Counters(properties map[string]*schema.Keywords) map[string]string {
	names := sorted(properties)
	own, places := make([][]string, len(names)), map[string]int{}
	for i, name := range names {
		if own[i] = fields.Words(name); schema.CertainTypes(properties[name])&schema.Array != 0 {
			places[relatedName(own[i])] = i
		}
	}
	counters := map[string]string{}
	for i, name := range names {
		if list, ok := countedList(own[i], places); ok {
			counters[name] = names[list]
		}
	}
	return counters
}

// Begun returns the names, in order, of the times at which something is created and changed: something new has them.
func Begun(names iter.Seq[string]) []string {
	var times []string
	for name := range names {
		if own := fields.Words(name); fields.IsCreation(own) || isUpdate(own) {
			times = append(times, name)
		}
	}
	slices.Sort(times)
	return times
}

// Renew returns the named times of an object that were not sent, set to now and in the form that the object has.
func Renew(object, sent map[string]any, names []string, now time.Time) map[string]any {
	times := map[string]any{}
	for _, name := range names {
		if _, isSent := sent[name]; isSent {
			continue
		}
		if _, write, ok := ReadTime(object[name]); ok {
			times[name] = write(now)
		}
	}
	return times
}

// Agree returns the members of an object with the other members in agreement with the members that were sent.
func (g *Generator) Agree(key Key, members, sent map[string]any) map[string]any {
	return g.agree(key, members, sent, false)
}

// Sums is Agree for nothing but amounts that follow from others: totals of lines, quantity × price.
func (g *Generator) Sums(key Key, members, sent map[string]any) map[string]any {
	return g.agree(key, members, sent, true)
}

func (g *Generator) agree(key Key, members, sent map[string]any, onlySums bool) map[string]any {
	if onlySums && !g.HasSums() {
		return members
	}
	r := runs.Get().(*run)
	defer r.release()
	r.begin(g, 0, nil)
	r.steps = maxSteps
	m := g.see(g.root)
	for m.choice != nil {
		i := m.choice.named(members)
		if i < 0 {
			i = r.branch(m.choice.branches, members)
		}
		if i < 0 {
			return members
		}
		m = g.see(m.choice.branches[i])
	}
	if m.shape.Types&schema.Object == 0 || m.shape.Listed {
		return members
	}
	changed := maps.Clone(members)
	r.relate(m.shape, changed, valueContext{key: key, object: key, given: true}, sent, onlySums)
	return changed
}

// HasSums reports whether Sums may change anything.
func (g *Generator) HasSums() bool {
	if !g.isObject() {
		return false
	}
	p := &g.see(g.root).shape.object
	return slices.ContainsFunc(p.related, func(r related) bool {
		return relations()[r.row].sums
	})
}

// Says reports whether a setting or the document says what a property of the generator's objects is: a value of
// coldframe.yaml, an extension, or an example.
func (g *Generator) Says(property string) bool {
	m := g.see(g.root)
	if m.choice != nil {
		return false
	}
	plan := &m.shape.object
	plan.hinted()
	i := slices.IndexFunc(plan.named, func(e propertyPlan) bool { return e.name == property })
	if i < 0 {
		return false
	}
	e := &plan.named[i]
	return e.value != nil || len(g.see(e.node).shape.samples) > 0
}

// isObject reports whether all values that are objects are of one shape.
func (g *Generator) isObject() bool {
	m := g.see(g.root)
	return m.choice == nil && m.shape.Types&schema.Object != 0 && !m.shape.Listed
}
