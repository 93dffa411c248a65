package resource

import (
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// createFrom is the least score at which a POST counts as a creation.
const createFrom = 0.35

// reasonFrom is the least weight of a rule that the reason names.
const reasonFrom = 0.2

// creationFacts are what the rules about creations look at: a POST to a path.
type creationFacts struct {
	*operation
	candidate   *candidate // nil if none is known yet
	names       []string
	first, last string // words of the operation's name; last is "" if first is all
}

// creationVetoes say that a POST creates nothing, whatever else holds.
var creationVetoes = rules[*creationFacts]{
	{name: "custom method", source: "Google AIP-136, custom methods", example: "POST /plants/{id}:water", sees: func(f *creationFacts) string { return when(f.at.last.custom, f.Path) }},
	{name: "name of a procedure", source: byName, example: "POST /documents.create", sees: func(f *creationFacts) string {
		return when(isProcedure(f.at.last.text) || f.keyIn != Nowhere, f.at.last.text)
	}},
	{name: "ends in a verb", source: byName, example: "POST /plants/search", sees: func(f *creationFacts) string {
		return when(isVerb(f.at.last.text) && !f.at.last.variable() && f.itemsBelow() == "", f.at.last.text)
	}},
}

var creationRules = rules[*creationFacts]{
	{name: "items below", weight: 0.35, source: byPath, example: "POST /plants, GET /plants/{id}", sees: (*creationFacts).itemsBelow},
	{name: "GET lists", weight: 0.3, source: byPath, example: "POST /plants, GET /plants returns [Plant]", sees: func(f *creationFacts) string {
		if get := f.at.method("GET"); get != nil {
			if l, score := findList(get.answer, f.names); score >= 0.5 {
				return "GET answers " + l.Items.String()
			}
		}
		return ""
	}},
	{name: "answers 201", weight: 0.3, source: byStatus, example: "201 Created", sees: func(f *creationFacts) string { return when(f.documents("201"), "201") }},
	{name: "refuses a taken id", weight: 0.3, source: "RFC 9110 section 15.5.10", example: "POST /plants takes {id, name}, may answer 409", sees: func(f *creationFacts) string {
		return when(f.documents("409") && hasIdentity(f.request.members()) && naming.IsPlural(f.at.last.text), "409")
	}},
	{name: "answers a Location", weight: 0.2, source: "RFC 9110 section 10.2.2", example: "Location: /plants/7", sees: func(f *creationFacts) string {
		return when(headersOf(f.operation).Location != "", "Location")
	}},

	{name: "named as a creation", weight: 0.25, group: "name", source: byName, example: "createPlant, plants_add", sees: func(f *creationFacts) string { return when(f.isNamedCreation(), f.ID) }},
	{name: "named as a question", weight: -0.6, group: "name", source: byName, example: "searchPlants", sees: func(f *creationFacts) string {
		return when(readVerbs.Has(f.first) && !nounVerbs.Has(f.first) || readVerbs.Has(f.last) && !nounVerbs.Has(f.last), f.ID)
	}},
	{name: "named as a change", weight: -0.4, group: "name", source: byName, example: "updatePlant", sees: func(f *creationFacts) string {
		return when(changeVerbs.Has(f.first) || changeVerbs.Has(f.last) && !nounVerbs.Has(f.last), f.ID)
	}},
	{name: "named as another act", weight: -0.2, group: "name", source: byName, example: "waterPlant", sees: func(f *creationFacts) string {
		return when(isVerb(f.first) && f.first != "post" && !nounVerbs.Has(f.first), f.ID)
	}},

	{name: "item answered", weight: 0.3, source: bySchema, example: "returns a Plant, as GET /plants/{id}", sees: func(f *creationFacts) string { return when(f.knowsItem() && f.candidate.shows(f.answer), "response") }},
	{name: "item sent", weight: 0.2, source: bySchema, example: "takes a NewPlant with half of a Plant's properties", sees: func(f *creationFacts) string {
		return when(f.knowsItem() && f.candidate.isSent(f.operation), "request")
	}},
	{name: "answers what is sent", weight: 0.3, group: "unknown item", source: bySchema, example: "POST /plants with one schema", sees: func(f *creationFacts) string {
		sent, shown := f.unknownItems()
		return when(sent.ok() && (len(sent.members()) > 0 && isPartOf(shown, sent) || isPartOf(sent, shown)), "response")
	}},
	{name: "answers an id", weight: 0.3, group: "unknown item", source: bySchema, example: "takes {name}, returns {id, at}", sees: func(f *creationFacts) string {
		_, shown := f.unknownItems()
		return when(f.objectForObject() && hasIdentity(shown.members()) && !hasIdentity(f.request.members()), "response")
	}},
	{name: "object for an object", weight: 0.1, group: "unknown item", source: bySchema, example: "takes {name}, returns {at}", sees: func(f *creationFacts) string { return when(f.objectForObject(), "response") }},
	{name: "answers a page", weight: -0.4, source: bySchema, example: "returns {items: […], total: …}", sees: func(f *creationFacts) string {
		l, score := findList(f.answer, f.names)
		return when(score >= 0.8 && len(l.Fields) > 0, "response")
	}},

	{name: "plural", weight: 0.15, source: byName, example: "POST /plants", sees: func(f *creationFacts) string {
		return when(!f.at.last.variable() && naming.IsPlural(f.at.last.text), f.at.last.text)
	}},
	{name: "plain values sent", weight: -0.4, source: bySchema, example: "takes [1, 2, 3]", sees: func(f *creationFacts) string {
		return when(f.request.kind() == schema.Array && !isItem(f.request.element()), "request")
	}},
	{name: "nothing sent", weight: -0.2, group: "body", source: byMethod, example: "no requestBody", sees: func(f *creationFacts) string { return when(f.Body == nil, "request") }},
	{name: "nothing answered", weight: -0.1, group: "body", source: byMethod, example: "204, and no name that says so", sees: func(f *creationFacts) string {
		s := f.binding.Success
		return when(!f.isNamedCreation() && s != nil && len(s.Content) == 0, "response")
	}},
}

func (f *creationFacts) itemsBelow() string {
	item := f.at.item()
	if item == nil {
		return ""
	}
	return item.methods("GET", "PUT", "PATCH", "DELETE")
}

func (f *creationFacts) isNamedCreation() bool {
	return createVerbs.Has(f.first) || createVerbs.Has(f.last)
}

// NamesCreation reports whether a POST is named as a creation, be it of something that no resource keeps: createTask,
// /tasks.create, /tasks/add, "Creates a task".
func NamesCreation(o *spec.Operation) bool {
	named := nameWords(&operation{Operation: o})
	segments := strings.Split(o.Path, "/")
	last := naming.Words(segments[len(segments)-1])
	said := naming.Words(o.Summary)
	switch {
	case o.Method != "POST" || len(named) > 0 && (readVerbs.Has(named[0]) || changeVerbs.Has(named[0])):
		return false
	case len(named) > 0 && (createVerbs.Has(named[0]) || newVerbs.Has(named[len(named)-1])):
		return true
	}
	return len(last) > 0 && (newVerbs.Has(last[0]) || newVerbs.Has(last[len(last)-1])) ||
		len(said) > 0 && (newVerbs.Has(said[0]) || newVerbs.Has(strings.TrimSuffix(said[0], "s")))
}

func (f *creationFacts) knowsItem() bool { return f.candidate != nil && f.candidate.value.ok() }

// unknownItems returns what is sent and answered if the items are otherwise unknown; else views that are not ok.
func (f *creationFacts) unknownItems() (sent, shown view) {
	s := findItem(f.answer, f.names, view{})
	if f.knowsItem() || s == nil {
		return view{}, view{}
	}
	if r := findItem(f.request, f.names, view{}); r != nil {
		sent = f.request.of(r.Value)
	}
	return sent, f.answer.of(s.Value)
}

func (f *creationFacts) objectForObject() bool {
	_, shown := f.unknownItems()
	return shown.ok() && f.answer.kind() == schema.Object && f.request.kind() == schema.Object
}

func (c *candidate) isSent(o *operation) bool {
	s := c.itemIn(o.request)
	return s != nil && isPartOf(o.request.of(s.Value), c.value)
}

type creationScore struct {
	score    float64
	reason   string
	evidence []Evidence
}

func (s creationScore) confidence() float64 { return min(0.98, 0.4+s.score*0.5) }

func (in *inference) creation(o *operation, c *candidate) creationScore {
	f := &creationFacts{operation: o, candidate: c, names: namesOf(o.at)}
	if w := nameWords(o); len(w) > 0 {
		f.first = w[0]
		if len(w) > 1 {
			f.last = w[len(w)-1]
		}
	}
	if veto, saw := creationVetoes.first(f); veto != nil {
		return creationScore{reason: veto.name, evidence: []Evidence{{"creation", veto.name, 0, saw}}}
	}
	var found creationScore
	found.score = creationRules.sum("creation", f, 0, &found.evidence)
	var reasons []string
	for _, e := range found.evidence {
		if e.Weight >= reasonFrom {
			reasons = append(reasons, e.Rule)
		}
	}
	switch {
	case found.score < createFrom && len(reasons) > 0:
		found.reason = "too little for a creation"
	case found.score < createFrom:
		found.reason = "no sign of a creation"
	case len(reasons) == 0:
		found.reason = "name of a collection"
	default:
		found.reason = strings.Join(reasons[:min(len(reasons), 2)], ", ")
	}
	return found
}

func (in *inference) isCreation(o *operation, c *candidate) bool {
	if o == nil {
		return false
	}
	if role, ok := o.override.role(); ok {
		return role == Create
	}
	return in.creation(o, c).score >= createFrom
}
