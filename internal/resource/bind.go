package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
)

// place is where a path stands in its candidate.
type place uint8

const (
	onCollection place = iota
	onItem
	onSingleton
	elsewhere // a path that keeps nothing, perhaps below one that does
)

type bindFacts struct {
	in *inference
	*operation
	place     place
	candidate *candidate // of the path, elsewhere of the path above; nil if none
	first     string     // word of the operation's name
	list      *Listing   // in the answer, nil if none
	listScore float64
	sent      *Shape // of the item in the request, nil if none
	creation  creationScore
}

func (in *inference) bindFacts(o *operation) *bindFacts {
	f := &bindFacts{in: in, operation: o, candidate: in.candidates[o.at]}
	switch {
	case o.creates != nil:
		f.candidate = o.creates
	case f.candidate == nil:
		f.place = elsewhere
		if f.candidate = in.candidates[o.at.parent]; f.candidate == nil && in.changesAbove(o.at) != "" {
			f.candidate = in.above(o.at)
		}
	case in.changesOnlyAbove(o, f.candidate):
		f.place, f.candidate = elsewhere, in.above(o.at)
	case f.candidate.singleton:
		f.place = onSingleton
	case f.candidate.item == o.at:
		f.place = onItem
	}
	if w := nameWords(o); len(w) > 0 {
		f.first = w[0]
	}
	if f.candidate != nil {
		f.list, f.listScore = findList(o.answer, f.candidate.names)
		f.sent = f.candidate.itemIn(o.request)
	}
	if o.Method == "POST" && f.place != onItem {
		known := f.candidate
		if f.place == elsewhere {
			known = nil
		}
		f.creation = in.creation(o, known)
	}
	return f
}

// changesOnlyAbove reports whether an operation answers the item above its path, and none of the items at its path.
func (in *inference) changesOnlyAbove(o *operation, own *candidate) bool {
	c := in.above(o.at)
	return c != nil && c != own && o.Method != "GET" && o.Method != "HEAD" && o.answersOneOf(c) && !own.shows(o.answer) &&
		in.partOf(o, c) != nil
}

// onItemAbove reports whether the path is below the items of the candidate.
func (f *bindFacts) onItemAbove() bool {
	item := f.candidate.item
	if item == nil {
		return false
	}
	l := literalBelow(f.at)
	return item == f.at.parent || l != nil && item == l.parent
}

func (f *bindFacts) answersItem() bool { return f.candidate.shows(f.answer) }

// answersOne is answersItem for one item, not a list of them.
func (f *bindFacts) answersOne() bool { return f.answersItem() && !f.candidate.itemIn(f.answer).Many }

func (f *bindFacts) sendsItem() bool {
	value := f.candidate.value
	return f.sent != nil && value.ok() && isPartOf(f.request.of(f.sent.Value), value)
}

// sendsProperties is sendsItem or a body that is one itself.
func (f *bindFacts) sendsProperties() bool {
	value := f.candidate.value
	return f.request.ok() && value.ok() && (isPartOf(f.request, value) || f.sendsItem())
}

func (f *bindFacts) postCreates() bool {
	return f.in.isCreation(f.candidate.collection.method("POST"), f.candidate)
}

func (f *bindFacts) bodyHasKey() bool {
	c := f.candidate.final()
	if c.item == nil || len(c.item.operations) == 0 {
		return false
	}
	o := c.item.operations[0]
	m := f.in.matchKey(o, o.keyVariable(), c.value, c.names)
	return m.path != nil && f.request.of(f.sent.Value).at(m.path).ok()
}

// keyList finds, beside an item that is sent in a wrapper, the keys of the items
// to change: keys in {keys, data}. "" if none.
func (f *bindFacts) keyList() string {
	if f.sent == nil || len(f.sent.Path) != 1 || f.sent.Many {
		return ""
	}
	for _, m := range f.request.members() {
		isKeys := m.name != f.sent.Path[0] && keyListNames.Has(m.folded) && m.view.kind() == schema.Array
		if isKeys && canBeKey(m.view.element().kind()) {
			return m.name
		}
	}
	return ""
}

func (f *bindFacts) keyQuery() string {
	for _, p := range f.Parameters {
		if p.In == exchange.InQuery && keyQueryNames.Has(naming.Fold(p.Name)) {
			return p.Name
		}
	}
	return ""
}

func (f *bindFacts) changes() bool {
	if f.documents("201") {
		return false
	}
	for _, w := range [][]string{nameWords(f.operation), naming.Words(f.Summary)} {
		if len(w) > 0 && updateVerbs.Has(w[0]) {
			return !slices.Contains(w, "create")
		}
	}
	return false
}

// searches reports whether a POST is named as a search: what it sends says which items are asked for.
func (f *bindFacts) searches() bool {
	named := append(naming.Words(f.at.last.text), f.first)
	return f.Method == "POST" && slices.ContainsFunc(named, func(word string) bool { return searchVerbs.Has(word) })
}

func (f *bindFacts) noRole() string {
	last := f.at.last
	switch {
	case last.custom:
		return "custom method"
	case isVerb(last.text) && !last.variable():
		return "ends in a verb"
	case f.Method == "POST":
		return f.creation.reason
	case f.Method == "GET" || f.Method == "HEAD":
		return "nothing changes it"
	}
	return "neither collection nor item"
}

func (in *inference) bind(o *operation) {
	f, b := in.bindFacts(o), o.binding
	if f.place == onItem || f.place == elsewhere && f.candidate != nil && f.onItemAbove() {
		b.KeyIn, b.Variable = InPath, o.keyVariable()
		if f.place == elsewhere {
			b.Variable = o.variableAt(f.candidate.item)
		}
	}
	isAlias := f.bindAlias()
	for i := range roleRules {
		r := &roleRules[i]
		if isAlias || r.place != f.place || r.methods != "" && !slices.Contains(strings.Fields(r.methods), o.Method) {
			continue
		}
		if saw := r.sees(f); saw != "" {
			r.decide(f, saw)
			break
		}
	}
	if f.place == elsewhere && f.candidate != nil && b.Role == Action && b.Resource != nil {
		in.bindChange(f)
	}
	in.overrideRole(o)
	if b.Resource != nil {
		in.locate(o)
	}
	b.Headers = headersOf(o)
}

// bindChange notes what an action below an item changes: a part of the item, or what its body says of it.
func (in *inference) bindChange(f *bindFacts) {
	b, c := f.binding, f.candidate
	if in.above(f.at) != c || f.Method == "GET" || f.Method == "HEAD" {
		return
	}
	answers := f.answersOneOf(c)
	if !answers && f.answer.ok() && !isOutcome(f.answer) {
		return
	}
	if b.Part = in.partOf(f.operation, c); b.Part != nil && (answers || in.changesAbove(f.at) != "") {
		b.Reason += "; " + b.Part.String()
		b.Evidence = append(b.Evidence, Evidence{"part", "answers the item above", 1, b.Part.String()})
		return
	}
	b.Part = nil
	if !f.at.last.variable() && f.Method != "DELETE" {
		b.Takes = takes(f.request.members(), f.in.queryOf(f.operation), c.value)
	}
}

func (r *roleRule) decide(f *bindFacts, saw string) {
	b := f.binding
	b.Role, b.Confidence = r.role, r.weigh(f)
	b.Reason = r.name
	if strings.Contains(r.name, "{") {
		words := strings.NewReplacer("{method}", f.Method, "{key}", "{"+b.Variable+"}", "{why}", f.noRole())
		b.Reason = words.Replace(r.name)
	}
	if f.candidate != nil {
		b.Resource = f.candidate.resource
	}
	b.Evidence = append(b.Evidence, Evidence{"role", b.Reason, b.Confidence, saw})
	if r.supported {
		b.Confidence = support[f.place].sum("role", f, b.Confidence, &b.Evidence)
	}
	b.Evidence = append(b.Evidence, f.creation.evidence...)
	if r.then != nil {
		r.then(f)
	}
}

// roleRule says what an operation at a place does. Its name is the reason in the plan, with {method},
// {key} and {why} (of a path without role) filled in; its weight is the confidence.
type roleRule struct {
	place   place
	methods string // "" for any
	role    Role
	rule[*bindFacts]
	supported bool // the rows of support add to the confidence
}

var support = map[place]rules[*bindFacts]{
	onItem: {
		{name: "the collection is read or created in", weight: 0.05, source: byPath, example: "GET /plants beside /plants/{id}", sees: func(f *bindFacts) string { return f.candidate.collection.methods("GET", "POST") }},
		{name: "GET reads it", weight: 0.03, source: byPath, example: "GET /plants/{id}", sees: func(f *bindFacts) string { return f.at.methods("GET") }},
	},
	onSingleton: {
		{name: "GET reads it", weight: 0.1, source: byPath, example: "GET /settings", sees: func(f *bindFacts) string { return f.at.methods("GET") }},
		{name: "it is read and changed", weight: 0.25, source: byPath, example: "GET and PUT /settings", sees: func(f *bindFacts) string { return when(f.at.method("GET") != nil, f.at.methods("PUT", "PATCH")) }},
	},
}

type byPlace = rule[*bindFacts]

func always(f *bindFacts) string { return f.Method }

// roleRules decide what operations do; the first that holds counts.
var roleRules = []roleRule{
	{onItem, "GET HEAD", Read, byPlace{name: "path of an item", weight: 0.6, source: byPath, example: "GET /files/{id} returns a text", sees: func(f *bindFacts) string {
		kind := f.answer.kind()
		return when(f.answer.ok() && kind != schema.Object && kind != schema.AnyType, kind.String())
	}}, false},
	{onItem, "GET HEAD", Read, byPlace{name: "path of an item", weight: 0.9, source: byPath, example: "GET /plants/{id}", sees: always}, true},
	{onItem, "PUT", Replace, byPlace{name: "path of an item", weight: 0.88, source: byMethod, example: "PUT /plants/{id}, POST /plants creates", sees: func(f *bindFacts) string { return when(f.postCreates(), "POST") }, then: noteMissingBody}, true},
	{onItem, "PUT", Replace, byPlace{name: "path of an item, named as a change", weight: 0.8, source: byName, example: "PUT /plants/{id}, updatePlant", sees: func(f *bindFacts) string { return when(f.changes(), f.ID) }, then: noteMissingBody}, true},
	{onItem, "PUT", Upsert, byPlace{name: "path of an item, nothing is sent", weight: 0.6, source: byMethod, example: "PUT /stars/{id}", sees: func(f *bindFacts) string { return when(f.Body == nil, "request") }}, false},
	{onItem, "PUT", Upsert, byPlace{name: "path of an item, no POST creates any", weight: 0.75, source: byMethod, example: "PUT /plants/{id}", sees: always}, true},
	{onItem, "PATCH", Update, byPlace{name: "path of an item", weight: 0.9, source: byPath, example: "PATCH /plants/{id}", sees: always}, true},
	{onItem, "DELETE", Delete, byPlace{name: "path of an item", weight: 0.9, source: byPath, example: "DELETE /plants/{id}", sees: always}, true},
	{onItem, "POST", Create, byPlace{name: "named as a creation, below {key}", weight: 0.6, source: byName, example: "POST /plants/{ownerId}, addPlant, GET /plants/{id}", sees: func(f *bindFacts) string {
		get, variable := f.at.method("GET"), f.binding.Variable
		other := get != nil && get.keyVariable() != variable
		return when(createVerbs.Has(f.first) && other && parentProperty(variable, nil, f.candidate.value) != nil, f.ID)
	}, then: func(f *bindFacts) { f.binding.KeyIn, f.binding.Variable = Nowhere, "" }}, false},
	{onItem, "POST", Action, byPlace{name: "named as a question", weight: 0.7, source: byName, example: "POST /plants/{id}, checkPlant", sees: func(f *bindFacts) string { return when(readVerbs.Has(f.first) && !nounVerbs.Has(f.first), f.ID) }, then: readsItem}, false},
	{onItem, "POST", Action, byPlace{name: "nothing is sent", weight: 0.5, source: byMethod, example: "POST /plants/{id}, updatePlant, no body", sees: func(f *bindFacts) string { return when(f.namedUpdate() && !f.request.ok(), f.ID) }, then: readsItem}, false},
	{onItem, "POST", Update, byPlace{name: "path of an item, named as a change", weight: 0.8, source: byName, example: "POST /plants/{id}, updatePlant", sees: func(f *bindFacts) string { return when(f.namedUpdate(), f.ID) }}, false},
	{onItem, "POST", Upsert, byPlace{name: "path of an item, created by POST", weight: 0.65, source: byStatus, example: "POST /plants/{id} returns 201 and a Plant", sees: func(f *bindFacts) string {
		creates := createVerbs.Has(f.first) || f.documents("201")
		return when(creates && (f.at.methods("PUT", "PATCH") != "" || f.answersItem() || f.sendsProperties()), f.ID)
	}}, false},
	{onItem, "POST", Action, byPlace{name: "PUT or PATCH change it", weight: 0.6, source: byMethod, example: "POST and PUT /plants/{id}", sees: func(f *bindFacts) string { return f.at.methods("PUT", "PATCH") }, then: readsItem}, false},
	{onItem, "POST", Upsert, byPlace{name: "path of an item, DELETE undoes it", weight: 0.6, source: byMethod, example: "POST and DELETE /stars/{id}", sees: func(f *bindFacts) string {
		onlyDelete := f.at.method("GET") == nil && f.candidate.collection.method("POST") == nil && !f.sendsProperties()
		return when(onlyDelete, f.at.methods("DELETE"))
	}}, false},
	{onItem, "POST", Update, byPlace{name: "path of an item, item answered", weight: 0.75, source: bySchema, example: "POST /plants/{id} returns a Plant", sees: func(f *bindFacts) string { return when(f.answersItem() && f.request.ok(), "response") }}, false},
	{onItem, "POST", Update, byPlace{name: "path of an item, item sent", weight: 0.6, source: bySchema, example: "POST /plants/{id} takes a Plant", sees: func(f *bindFacts) string { return when(f.sendsProperties(), "request") }}, false},
	{onItem, "POST", Action, byPlace{name: "no sign of a change", weight: 0.5, source: byMethod, example: "POST /plants/{id}", sees: always, then: readsItem}, false},
	{onItem, "QUERY", Action, byPlace{name: "a query", weight: 0.6, source: byMethod, example: "QUERY /plants/{id}", sees: always}, false},
	{onItem, "", Unknown, byPlace{name: "{method} has no meaning for items", weight: 0.3, source: byMethod, example: "TRACE /plants/{id}", sees: always}, false},

	{onCollection, "GET HEAD QUERY", List, byPlace{name: "answers a list", source: bySchema, example: "GET /plants returns [Plant]", sees: func(f *bindFacts) string { return when(f.listScore >= 0.4, f.answer.kind().String()) }, more: func(f *bindFacts) float64 { return min(0.98, 0.45+f.listScore*0.5) }, then: recordList}, false},
	{onCollection, "GET", Read, byPlace{name: "a query parameter names the item", weight: 0.8, source: bySchema, example: "GET /plant?id=7 returns a Plant", sees: func(f *bindFacts) string {
		return when(f.candidate.item == nil && f.answersOne(), f.keyInQuery(f.candidate.names))
	}, then: func(f *bindFacts) {
		f.binding.KeyIn, f.binding.Variable = InQuery, f.keyInQuery(f.candidate.names)
	}}, false},
	{onCollection, "HEAD", List, byPlace{name: "HEAD of a collection", weight: 0.6, source: byPath, example: "HEAD /plants", sees: always}, false},
	{onCollection, "GET QUERY", Action, byPlace{name: "answers one item", weight: 0.4, source: bySchema, example: "GET /plants returns a Plant", sees: func(f *bindFacts) string {
		c := f.candidate
		return when(c.value.ok() && c.itemIn(f.answer) != nil && isSame(f.answer, c.value), "response")
	}, then: func(f *bindFacts) { f.binding.Reads = true }}, false},
	{onCollection, "GET QUERY", Action, byPlace{name: "answers no list", weight: 0.5, source: bySchema, example: "GET /plants returns a text", sees: always, then: noResource}, false},
	{onCollection, "POST", Create, byPlace{name: "upload, downloaded elsewhere", weight: 0.8, source: bySchema, example: "POST /upload returns {fileId}, GET /files/{fileId} a file", sees: func(f *bindFacts) string { return when(f.creates != nil, "response") }}, false},
	{onCollection, "POST", Create, byPlace{name: "creation", source: byMethod, example: "POST /plants", sees: func(f *bindFacts) string { return when(f.creation.score >= createFrom, "POST") }, more: func(f *bindFacts) float64 { return f.creation.confidence() }, then: takeCreationReason}, false},
	{onCollection, "POST", Action, byPlace{name: "no creation", weight: 0.6, source: byMethod, example: "POST /plants/search", sees: always, then: takeCreationReason}, false},
	{onCollection, "PUT PATCH", Action, byPlace{name: "the body is no item", weight: 0.5, source: bySchema, example: "PUT /plants takes {order: […]}", sees: func(f *bindFacts) string { return when(!f.sendsItem(), "request") }}, false},
	{onCollection, "PUT PATCH", Create, byPlace{name: "named as a creation, item sent", weight: 0.7, source: byName, example: "PUT /plants, createPlant", sees: func(f *bindFacts) string { return when(createVerbs.Has(f.first), f.ID) }}, false},
	{onCollection, "PUT", Replace, byPlace{name: "item sent with keys", weight: 0.75, source: byName, example: "PUT /plants takes {keys: […], data: Plant}", sees: (*bindFacts).keyList, then: takeKeyList}, false},
	{onCollection, "PATCH", Update, byPlace{name: "item sent with keys", weight: 0.75, source: byName, example: "PATCH /plants takes {keys: […], data: Plant}", sees: (*bindFacts).keyList, then: takeKeyList}, false},
	{onCollection, "PUT PATCH", Action, byPlace{name: "body without a key", weight: 0.5, source: bySchema, example: "PUT /plants takes {name}", sees: func(f *bindFacts) string { return when(!f.bodyHasKey(), "request") }}, false},
	{onCollection, "PUT PATCH", Action, byPlace{name: "items are changed by their own path", weight: 0.6, source: byPath, example: "PATCH /plants beside PATCH /plants/{id}, returns {count}", sees: func(f *bindFacts) string {
		if item := f.candidate.final().item; item != nil && !f.answersOne() {
			return item.methods("PUT", "PATCH")
		}
		return ""
	}}, false},
	{onCollection, "PUT PATCH", Upsert, byPlace{name: "item sent with its key", weight: 0.75, source: byMethod, example: "PUT /plants takes {id, name}, no POST creates", sees: func(f *bindFacts) string {
		return when(f.first == "upsert" || f.Method == "PUT" && !f.postCreates(), "request")
	}, then: keyInBody}, false},
	{onCollection, "PUT", Replace, byPlace{name: "item sent with its key", weight: 0.75, source: byMethod, example: "PUT /plants takes {id, name}", sees: always, then: keyInBody}, false},
	{onCollection, "PATCH", Update, byPlace{name: "item sent with its key", weight: 0.75, source: byMethod, example: "PATCH /plants takes {id, name}", sees: always, then: keyInBody}, false},
	{onCollection, "DELETE", DeleteMany, byPlace{name: "the query names the items", weight: 0.7, source: byName, example: "DELETE /plants?ids=1,2", sees: (*bindFacts).keyQuery, then: func(f *bindFacts) { f.binding.KeyIn, f.binding.Variable = InQuery, f.keyQuery() }}, false},
	{onCollection, "DELETE", DeleteMany, byPlace{name: "DELETE of the items in the body", weight: 0.5, source: byMethod, example: "DELETE /plants takes [1, 2]", sees: func(f *bindFacts) string { return when(f.Body != nil, "request") }, then: keyInBody}, false},
	{onCollection, "DELETE", DeleteMany, byPlace{name: "DELETE of a collection", weight: 0.75, source: byMethod, example: "DELETE /plants", sees: always}, false},
	{onCollection, "", Unknown, byPlace{name: "{method} has no meaning for collections", weight: 0.3, source: byMethod, example: "TRACE /plants", sees: always}, false},

	{onSingleton, "GET HEAD", Read, byPlace{name: "singleton", weight: 0.5, source: byPath, example: "GET /settings", sees: always}, true},
	{onSingleton, "PUT", Upsert, byPlace{name: "singleton", weight: 0.5, source: byMethod, example: "PUT and DELETE /avatar, no POST", sees: func(f *bindFacts) string { return when(f.at.method("POST") == nil, f.at.methods("DELETE")) }}, true},
	{onSingleton, "PUT", Replace, byPlace{name: "singleton", weight: 0.5, source: byPath, example: "PUT /settings", sees: always}, true},
	{onSingleton, "PATCH", Update, byPlace{name: "singleton", weight: 0.5, source: byPath, example: "PATCH /settings", sees: always}, true},
	{onSingleton, "DELETE", Delete, byPlace{name: "singleton", weight: 0.5, source: byPath, example: "DELETE /avatar", sees: always}, true},
	{onSingleton, "POST", Create, byPlace{name: "creation", weight: -0.1, source: byMethod, example: "POST and PUT /avatar; POST returns 201, and GET may return 404", sees: func(f *bindFacts) string {
		get, seen := f.at.method("GET"), f.at.methods("PUT", "PATCH")
		if seen == "" && get != nil && get.documents("404") && f.documents("201") {
			seen = "404"
		}
		return when(f.creation.score >= createFrom, seen)
	}, more: func(f *bindFacts) float64 { return f.creation.confidence() }, then: takeCreationReason}, false},
	{onSingleton, "POST", Update, byPlace{name: "singleton, changed by POST", weight: 0.55, source: byPath, example: "POST /settings", sees: always}, false},
	{onSingleton, "", Unknown, byPlace{name: "{method} has no meaning for singletons", weight: 0.3, source: byMethod, example: "TRACE /settings", sees: always}, false},

	{elsewhere, "", Action, byPlace{name: "the root", weight: 0.5, source: byPath, example: "GET /", sees: func(f *bindFacts) string { return when(f.at.parent == nil, f.Path) }}, false},
	{elsewhere, "", Action, byPlace{name: "{why}", weight: 0.6, source: byPath, example: "GET /health", sees: func(f *bindFacts) string { return when(f.candidate == nil, f.Path) }}, false},
	{elsewhere, "GET QUERY POST", List, byPlace{name: "part of the list above", weight: 0.55, source: bySchema, example: "GET /plants/search returns [Plant]", sees: func(f *bindFacts) string {
		asks := f.Method != "POST" || f.searches()
		if !asks || f.onItemAbove() || f.candidate.singleton || f.listScore < 0.5 {
			return ""
		}
		return when(isSame(f.answer.of(f.list.Items.Value), f.candidate.value), "response")
	}, then: func(f *bindFacts) { f.binding.Subset = true }}, false},
	{elsewhere, "PUT PATCH", Update, byPlace{name: "view of an item, item sent", weight: 0.5, source: bySchema, example: "PUT /plants/{id}/label takes a Plant", sees: func(f *bindFacts) string {
		if r := f.candidate.final().resource; isVerb(f.at.last.text) || len(effectOf(naming.Words(f.at.last.text), r)) > 0 {
			return ""
		}
		return when(f.answersItem() && f.onItemAbove() && isPartOf(f.request, f.candidate.value), "request")
	}}, false},
	{elsewhere, "", Action, byPlace{name: "{why}, item answered", weight: 0.7, source: bySchema, example: "POST /plants/{id}/water returns a Plant", sees: func(f *bindFacts) string { return when(f.answersItem(), "response") }, then: func(f *bindFacts) { f.binding.Reads = f.onItemAbove() || f.candidate.singleton }}, false},
	{elsewhere, "", Action, byPlace{name: "{why}", weight: 0.6, source: byPath, example: "POST /plants/{id}/water", sees: always}, false},
}

func (f *bindFacts) namedUpdate() bool { return updateVerbs.Has(f.first) }

func noResource(f *bindFacts) { f.binding.Resource = nil }

func noteMissingBody(f *bindFacts) {
	if f.Body == nil {
		f.binding.Reason = "path of an item, nothing is sent"
	}
}

func readsItem(f *bindFacts) { f.binding.Reads = f.answersItem() }

func recordList(f *bindFacts) {
	f.binding.Evidence = append(f.binding.Evidence, f.list.Items.evidence...)
}

func takeCreationReason(f *bindFacts) { f.binding.Reason = f.creation.reason }

func keyInBody(f *bindFacts) { f.binding.KeyIn = InBody }

func takeKeyList(f *bindFacts) { f.binding.KeyIn, f.binding.Keys = InBody, []string{f.keyList()} }
