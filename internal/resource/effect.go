package resource

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// Assignment is a property and the value that an action sets it to: the text of a value, "null", or Now. A property of
// an object is named with the object: state.status.
type Assignment struct{ Property, Value string }

// Values of assignments that depend on the item or on the time of the action.
const (
	Now   = "now" // the time of the action
	More  = "+1"  // one more than the item has, if the action changes anything else
	Fewer = "-1"  // one fewer
)

// effect is what an action with a verb leads to, besides the past of the verb itself: other words for the state, the
// likeliest first, and flags that it clears. like is another verb with the same effect, "" if none; pasts are the past
// forms of an irregular verb.
type effect struct {
	verb, like            string
	states, clears, pasts []string
}

// effects are the rows of words.Effects by their verbs, and in their order.
var effects = sync.OnceValues(func() (by map[string]*effect, all []*effect) {
	by = map[string]*effect{}
	for row := range words.Effects.Rows() {
		e := by[row[0]]
		if e == nil {
			e = &effect{verb: row[0]}
			by[e.verb], all = e, append(all, e)
		}
		switch row[1] {
		case "like":
			e.like = row[2]
		case "clears":
			e.clears = append(e.clears, row[2])
		case "past":
			e.pasts = append(e.pasts, row[2])
		default:
			e.states = append(e.states, row[2])
		}
	}
	for _, e := range all {
		if other := by[e.like]; other != nil {
			e.states = slices.Concat(other.participles(), other.states)
			e.clears = other.clears
		}
	}
	return by, all
})

// effectOfVerb returns the effect of a verb; a verb that says "again" has the effect of the rest of it: reopen.
func effectOfVerb(verb string) *effect {
	by, _ := effects()
	if e := by[verb]; e != nil {
		return e
	}
	rest, _ := strings.CutPrefix(verb, "re")
	if again := by[rest]; again != nil {
		return &effect{verb: verb, states: slices.Concat(again.participles(), again.states), clears: again.clears}
	}
	return &effect{verb: verb}
}

// opposites begin verbs that undo what the rest of the verb does: unpin, disconnect.
var opposites = words.RoleOf("opposite-prefix")

// pastsOf returns the past participle of a verb in its spellings: cancelled, canceled.
func pastsOf(verb string) []string { return effectOfVerb(verb).participles() }

// particles end verbs of two words: check in, pick up.
var particles = words.RoleOf("particle-word")

func (e *effect) participles() []string {
	verb, n := e.verb, len(e.verb)-1
	switch {
	case e.pasts != nil:
		return e.pasts
	case n < 1:
		return nil
	case verb[n] == 'e':
		return []string{verb + "d"}
	case verb[n] == 'y' && !strings.ContainsRune("aeiou", rune(verb[n-1])):
		return []string{verb[:n] + "ied"}
	}
	all := []string{verb + "ed", verb + verb[n:] + "ed"}
	for i := range verb {
		if i > 0 && particles.Has(verb[i:]) {
			all = append(all, verb[:i]+"ed"+verb[i:])
		}
	}
	return all
}

// stateNames hold the state of an item, the likeliest first.
var stateNames = words.Ranked("state-name")

// eventWords are what stands beside a participle in the name of the time of an event: cancelled_at, dateCancelled.
var eventWords = words.RoleOf("event-word")

// findEffects finds what actions do to the items that they name: the last segment is a verb, and the item has a state
// that is called so, its time, or a flag.
func (in *inference) findEffects() {
	for _, o := range in.operations {
		b := o.binding
		if b.Resource == nil || b.Role != Action || b.Lookup != nil {
			continue
		}
		c := in.candidates[o.at.parent]
		named := b.KeyIn == InPath || c != nil && c.item != o.at.parent && namedInRequest(b, o.request)
		if !named {
			continue
		}
		if o.override.has("sets") || o.override.tables["sets"] != nil {
			continue // see overrideChanges
		}
		changes := slices.Contains([]string{"POST", "PUT", "PATCH"}, o.Method)
		isBelow := c != nil && (c.item == o.at.parent || b.KeyIn != InPath)
		undoes := o.Method == "DELETE" && isBelow && b.KeyIn == InPath && b.Part == nil
		if !changes && !undoes || !isBelow || o.at.last.variable() {
			b.unname()
			continue
		}
		if b.Part == nil || !b.Part.Many {
			b.Sets = in.effectAt(o)
		}
		if len(b.Sets) == 0 {
			b.unname()
		} else {
			if b.KeyIn != InPath {
				b.Response = c.shownIn(o)
				b.Reads = b.Response != nil && isSame(o.answer.of(b.Response.Value), c.value)
			}
			saw := SetsText(b.Sets)
			b.Reason += "; sets " + saw
			b.Evidence = append(b.Evidence, Evidence{"effect", "verb of a state", 1, saw})
		}
	}
}

// stateOfWords returns the only state, apart from the first, that has a word of a path's last segment after its verb:
// IN_KITCHEN of send-to-kitchen; nil if none or several.
func stateOfWords(w []string, r *Resource) (found *Assignment) {
	const least = 4 // letters, which leaves out to, for and the like
	if len(w) < 2 {
		return nil
	}
	for property, states := range r.stateProperties() {
		for _, state := range states[1:] {
			has := func(word string) bool { return len(word) >= least && slices.Contains(naming.Words(state), word) }
			if !slices.ContainsFunc(w[1:], has) {
				continue
			}
			if found != nil {
				return nil
			}
			found = &Assignment{property, state}
		}
		if found != nil {
			break
		}
	}
	return found
}

// setByActions returns the properties of a resource that actions set to their time.
func (r *Resource) setByActions() (names []string) {
	for _, b := range r.Bindings {
		for _, set := range b.Sets {
			if set.Value == Now {
				names = append(names, set.Property)
			}
		}
	}
	return names
}

// IsSetByAction reports whether an action sets a property to its time: a new item does not have it yet.
func (r *Resource) IsSetByAction(property string) bool {
	return slices.Contains(r.setByActions(), property)
}

// namedInRequest notes where the request of an action without a key in its path names the item, as {id} or {orderId} of
// the body or the query, and reports whether it does.
func namedInRequest(b *Binding, request view) bool {
	r := b.Resource
	if r.Key == nil || len(r.Key.Property) != 1 {
		return false
	}
	key, singular := naming.Fold(r.Key.Property[0]), naming.SingularName(lastName(r))
	names := []string{singular + key, singular + "id", key}
	if found := leavesOf(request, 1).firstOf(names, func(*leaf) bool { return true }); found != nil {
		b.KeyIn, b.Keys = InBody, found.path
		return true
	}
	for _, p := range b.Operation.Parameters {
		if p.In == exchange.InQuery && slices.Contains(names, naming.Fold(p.Name)) {
			b.KeyIn, b.Variable = InQuery, p.Name
			return true
		}
	}
	return false
}

// unname takes back what namedInRequest noted.
func (b *Binding) unname() {
	if b.KeyIn != InPath {
		b.KeyIn, b.Keys, b.Variable = Nowhere, nil, ""
	}
}

// effectAt returns what an action below an item sets: by the verb, by the flag that has the path's name, or by the
// opposite of either.
func (in *inference) effectAt(o *operation) []Assignment {
	r, words := o.binding.Resource, naming.Words(o.at.last.text)
	verb := strings.Join(words, "")
	if o.Method == "DELETE" {
		return undone(verb, r)
	}
	if sets := effectOf(words, r); len(sets) > 0 {
		return sets
	}
	for i := range verb {
		if opposites.Has(verb[:i]) {
			if sets := undone(verb[i:], r); len(sets) > 0 {
				return sets
			}
		}
	}
	if sets := flagged(verb, "true", r); len(sets) > 0 {
		return sets
	}
	for _, states := range r.stateProperties() {
		for _, state := range states {
			if past := naming.Fold(state); isPastOf(past, verb) && o.answersOneOf(in.candidateOf(o)) {
				return setBy(verb, []string{past, verb}, &effect{}, r)
			}
		}
	}
	if set := in.counted(verb, r); set != nil {
		return []Assignment{*set}
	}
	if s := stateOfWords(words, r); s != nil && o.answersOneOf(in.candidateOf(o)) {
		return []Assignment{*s}
	}
	again, repeats := strings.CutPrefix(verb, "re")
	e := effectOfVerb(again)
	if s := initialState(r); repeats && len(e.states)+len(e.clears) > 0 && s != nil && o.answersOneOf(in.candidateOf(o)) {
		return []Assignment{*s} // reopen leads to the first state if there is no state open
	}
	return nil
}

// undone returns what the opposite of an action sets: the first state, no flag, and no properties that describe the
// action, such as its time and its reason.
func undone(verb string, r *Resource) (sets []Assignment) {
	effect := effectOf([]string{verb}, r)
	first := initialState(r)
	for _, set := range effect {
		switch p := r.property(set.Property); {
		case p == nil:
		case first != nil && p.Name == first.Property && set.Value != first.Value:
			sets = append(sets, *first)
		case p.Kind == schema.Boolean && set.Value == "true":
			sets = append(sets, Assignment{set.Property, "false"})
		case set.Value == Now && spec.Conforms(p.Schema, nil):
			sets = append(sets, Assignment{set.Property, "null"})
		case set.Value == More:
			sets = append(sets, Assignment{set.Property, Fewer})
		}
	}
	if len(sets) == 0 {
		return flagged(verb, "false", r)
	}
	names := append(pastsOf(verb), verb)
	for _, p := range r.Properties {
		w := naming.Words(p.Name)
		tells := len(w) > 1 && slices.Contains(names, w[0]) && p.Kind == schema.String && spec.Conforms(p.Schema, nil)
		isSet := func(s Assignment) bool { return s.Property == p.Name }
		if tells && !slices.ContainsFunc(effect, isSet) {
			sets = append(sets, Assignment{p.Name, "null"})
		}
	}
	return sets
}

// flagged returns what sets the flag of a name, with the number of those that have it: favourite and favouriteCount.
func flagged(name, value string, r *Resource) (sets []Assignment) {
	for _, p := range r.Properties {
		folded := naming.Fold(p.Name)
		if p.Kind == schema.Boolean && strings.TrimPrefix(folded, "is") == name {
			sets = append(sets, Assignment{p.Name, value})
		}
	}
	if len(sets) == 0 {
		return nil
	}
	if value == "false" {
		return append(sets, countedBy(name, Fewer, r)...)
	}
	return append(sets, countedBy(name, More, r)...)
}

// countedBy returns the change of the numbers that count what has a flag of a name, or what an action of that name was
// done to: favourite_count, likes_count.
func countedBy(name, change string, r *Resource) (sets []Assignment) {
	for _, p := range r.Properties {
		folded := naming.Fold(p.Name)
		if p.Kind == schema.Integer && (folded == name+"count" || folded == name+"scount") {
			sets = append(sets, Assignment{p.Name, change})
		}
	}
	return sets
}

// counted returns what adds one to the only number that counts how often an action took place, and that clients do not
// send: renewals of renew; nil if none.
func (in *inference) counted(verb string, r *Resource) (set *Assignment) {
	const least, ending = 4, 4 // letters of a verb's stem, and of what makes a noun of it
	stem := verb[:max(0, len(verb)-1)]
	for i := range r.Properties {
		p := &r.Properties[i]
		noun := naming.SingularName(strings.TrimSuffix(naming.Fold(p.Name), "count"))
		rest, isNoun := strings.CutPrefix(noun, stem) // extension of extend
		isCount := isNoun && len(stem) >= least-1 && len(rest) <= ending && noun != naming.Fold(p.Name)
		if p.Kind != schema.Integer || !isCount || in.isSent(r, p.Name) {
			continue
		}
		if set != nil {
			return nil
		}
		set = &Assignment{p.Name, More}
	}
	return set
}

// isSent reports whether clients can send a property of a resource's items.
func (in *inference) isSent(r *Resource, property string) bool {
	return slices.ContainsFunc(in.about[r], func(o *operation) bool {
		if o.binding.Request == nil {
			return false
		}
		sent := o.request.of(o.binding.Request.Value).member(property)
		return sent.ok() && !schema.ReadOnly(sent.k)
	})
}

func (r *Resource) property(name string) *Property {
	for i := range r.Properties {
		if r.Properties[i].Name == name {
			return &r.Properties[i]
		}
	}
	return nil
}

// initialState returns the state that a new item has: the default, or the first that the document lists.
func initialState(r *Resource) *Assignment {
	for _, name := range r.stateNames() {
		for _, p := range r.Properties {
			listed := schema.Values(p.Schema)
			if naming.Fold(p.Name) != name || len(listed) < 2 {
				continue
			}
			first := listed[0]
			if r.Item != nil {
				if value := r.Item.Default(p.Schema); value != nil {
					first = value
				}
			}
			if text, ok := first.(string); ok {
				return &Assignment{p.Name, text}
			}
		}
	}
	return nil
}

// effectOf returns what an action of a verb's words sets in the items of a resource; nil for nothing.
func effectOf(words []string, r *Resource) (sets []Assignment) {
	if len(words) == 0 {
		return nil
	}
	verb := strings.Join(words, "")
	done := pastsOf(verb)
	if as := slices.Index(words, "as"); as > 0 && as < len(words)-1 { // mark-as-paid
		verb = strings.Join(words[as+1:], "")
		done = append([]string{verb}, pastsOf(verb)...)
	}
	return setBy(verb, done, effectOfVerb(verb), r)
}

// setBy returns what an action sets in the items of a resource: by what is done then, and by other effects.
func setBy(verb string, done []string, e *effect, r *Resource) (sets []Assignment) {
	states := slices.Concat(done, e.states)
	if s := stateAfter(r, states); s != nil {
		sets = append(sets, *s)
	} else if s := r.innerState(states); s != nil {
		sets = append(sets, *s)
	}
	for _, p := range r.Properties {
		folded := naming.Fold(p.Name)
		flag := strings.TrimPrefix(folded, "is")
		switch {
		case p.Kind == schema.Boolean && (slices.Contains(done, flag) || slices.Contains(e.states, flag)):
			sets = append(sets, Assignment{p.Name, "true"})
		case p.Kind == schema.Boolean && slices.Contains(e.clears, flag):
			sets = append(sets, Assignment{p.Name, "false"})
		case (p.Kind == schema.String || p.Kind == schema.Integer) && isTimeOf(folded, done):
			sets = append(sets, Assignment{p.Name, Now})
		}
	}
	if slices.ContainsFunc(sets, func(s Assignment) bool { return s.Value == "true" }) {
		sets = append(sets, countedBy(verb, More, r)...)
	}
	return sets
}

// stateAfter returns the state that the document lists and that is called like one of some, the first that is; nil for
// none.
func stateAfter(r *Resource, states []string) *Assignment {
	for property, listed := range r.stateProperties() {
		for _, state := range states {
			for _, text := range listed {
				if naming.Fold(text) == state {
					return &Assignment{property, text}
				}
			}
		}
	}
	return nil
}

// States returns the property that holds the state of an item, and the states that the document lists, in its order; ""
// and nil if none.
func (r *Resource) States() (property string, states []string) {
	for property, listed := range r.stateProperties() {
		return property, listed
	}
	return "", nil
}

// stateProperties yields the properties that hold a state, the likeliest first, with the states that the document
// lists, which are two at least.
func (r *Resource) stateProperties() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for _, name := range r.stateNames() {
			for _, p := range r.Properties {
				if naming.Fold(p.Name) != name {
					continue
				}
				var states []string
				for _, v := range schema.Values(p.Schema) {
					if text, _ := v.(string); text != "" {
						states = append(states, text)
					}
				}
				if len(states) > 1 && !yield(p.Name, states) {
					return
				}
			}
		}
	}
}

// stateNames returns the names of properties that hold the state of an item, the likeliest first.
func (r *Resource) stateNames() []string {
	names := stateNames
	if own := naming.SingularName(lastName(r)); own != "" {
		names = append(slices.Clip(names), own+"status", own+"state")
	}
	return names
}

// isTimeOf reports whether a folded name names the time of an event.
func isTimeOf(name string, done []string) bool {
	return slices.ContainsFunc(done, func(past string) bool {
		after, ends := strings.CutPrefix(name, past)
		return ends && eventWords.Has(after) || name == "date"+past || name == "time"+past
	})
}

// SetsText writes assignments: status=cancelled, cancelledAt=now.
func SetsText(sets []Assignment) string {
	all := make([]string, len(sets))
	for i, s := range sets {
		all[i] = s.Property + "=" + s.Value
	}
	return strings.Join(all, ", ")
}
