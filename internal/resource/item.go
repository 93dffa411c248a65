package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

const maxWrappers = 3 // that are looked into for an item or a list

func isItem(v view) bool {
	return v.kind() == schema.Object || v.kind() == schema.AnyType && v.ok() && v.k.Bool == nil
}

type wrapped struct {
	member
	inner    view
	many     bool // an array of items
	known    view // the item if its schema is known already
	named    bool // like the resource
	endsLike bool // the resource
	others   int  // properties of the body that say nothing of the answer or the page
	siblings []member
}

func (w *wrapped) isWrapper() bool { return wrapperNames.Has(w.folded) }

// itemRules find the property that holds the item; the first that holds counts.
var itemRules = rules[*wrapped]{
	{name: "schema of the item", weight: 0.9, source: bySchema, example: "{plant: Plant} where GET /plants/{id} returns a Plant", sees: func(w *wrapped) string {
		fits := w.known.ok() && isSame(w.inner, w.known)
		return when(fits && (w.named || w.isWrapper() || w.others <= 1 || !isReference(w.inner)), w.name)
	}},
	{name: "part of the item", weight: 0.85, source: bySchema, example: "{house_id: 5, plant: {name}} where a Plant has a name", sees: func(w *wrapped) string {
		return when(w.known.ok() && w.named && !w.many && isPartOf(w.inner, w.known), w.name)
	}},
	{name: "only part with properties of the item", weight: 0.82, source: bySchema, example: "{notify: true, plant_info: {name}} where a Plant has a name", sees: func(w *wrapped) string {
		return when(w.known.ok() && !w.many && w.isOnlyPart(), w.name)
	}},
	{name: "schema of something else", weight: 0.1, source: bySchema, example: "{owner: Owner} of a plant", sees: func(w *wrapped) string { return when(w.known.ok() && w.inner.name() != "", w.name) }},
	{name: "named like the resource", weight: 0.8, source: byName, example: "{plant: {…}} of /plants", sees: func(w *wrapped) string { return when(w.named && w.others <= 1, w.name) }},
	{name: "ends like the resource", weight: 0.77, source: byName, example: "{house_plant: {…}} of /plants", sees: func(w *wrapped) string {
		return when(!w.many && w.endsLike && w.others <= 1, w.name)
	}},
	{name: "name of a wrapper", weight: 0.75, source: byWrapper, example: "{data: {…}, status: …}", sees: func(w *wrapped) string {
		return when(w.isWrapper() && !w.many && (w.others <= 1 || w.folded == "data"), w.name)
	}},
	{name: "meta beside the outcome", weight: 0.7, source: byWrapper, example: "{meta: {…}, errors: …}", sees: func(w *wrapped) string {
		return when(w.folded == "meta" && !w.many && w.others == 0 && w.isBesideOutcome(), w.name)
	}},
}

var itemDetails = rules[*wrapped]{
	{name: "name of a wrapper or of the resource", weight: 0.05, source: byName, example: "data, plant", sees: func(w *wrapped) string { return when(w.named || w.isWrapper(), w.name) }},
	{name: "array", weight: -0.03, source: byWrapper, example: "{plants: [{…}]} for one plant", sees: func(w *wrapped) string { return when(w.many, w.name) }},
}

// isOnlyPart reports whether most properties of an object are the item's, and no other property of the body is.
func (w *wrapped) isOnlyPart() bool {
	return isPartOf(w.inner, w.known) && !hasIdentity(w.inner.members()) &&
		!slices.ContainsFunc(w.siblings, func(m member) bool { return w.known.member(m.name).ok() }) &&
		!slices.ContainsFunc(w.siblings, func(m member) bool {
			return m.name != w.name && m.view.kind() == schema.Object && isPartOf(m.view, w.known)
		})
}

func (w *wrapped) isBesideOutcome() bool {
	return !slices.ContainsFunc(w.siblings, func(m member) bool { return !outcomeNames.Has(m.folded) && m.name != w.name })
}

// findItem finds the item in a body. known is its schema if that is known
// already, names are those that the resource goes by.
func findItem(body view, names []string, known view) *Shape { return itemAt(body, names, known, 0) }

func itemAt(body view, names []string, known view, depth int) *Shape {
	if !body.ok() || depth > maxWrappers || body.kind() == schema.Array {
		return nil
	}
	if known.ok() && isSame(body, known) {
		return body.shape(false)
	}
	if s := wrappedItem(body.members(), names, known, depth); s != nil {
		return s
	}
	if body.kind() == schema.Object || len(body.members()) > 0 {
		return body.shape(false)
	}
	return nil
}

func wrappedItem(members []member, names []string, known view, depth int) *Shape {
	best, score := (*Shape)(nil), 0.0
	w := wrapped{known: known, siblings: members}
	for _, m := range members {
		if !metaNames.Has(m.folded) && pageRole(m) == NoField {
			w.others++
		}
	}
	for _, m := range members {
		w.member, w.inner, w.many = m, m.view, m.view.kind() == schema.Array
		if w.many {
			w.inner = m.view.element()
		}
		if w.inner.kind() != schema.Object || tellsOfTrouble(m.name, names) {
			continue
		}
		own := naming.SingularName(m.name)
		w.named = slices.Contains(names, own)
		w.endsLike = slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(own, n) })
		if s := w.score(nil); s > 0.5 && s > score && (w.named || s >= 0.9 || !hasIdentity(members)) {
			best, score = w.inner.shape(w.many, m.name), s
			w.score(&best.evidence)
		}
		isAround := nestingNames.Has(m.folded) || len(members) == 1 && !w.many && !w.named && !w.isWrapper()
		if !isAround || score >= nestedScore || hasKey(m.view) {
			continue
		}
		deeper := itemAt(m.view, names, known, depth+1)
		if deeper != nil && (len(deeper.Path) > 0 || m.view.isAround(names)) {
			deeper.Path = append([]string{m.name}, deeper.Path...)
			best, score = deeper, nestedScore
		}
	}
	return best
}

// isAround reports whether objects have an object with a key and one of some names: {plant: {id, name}, watered}.
func (v view) isAround(names []string) bool {
	return slices.ContainsFunc(v.members(), func(m member) bool {
		return m.view.kind() == schema.Object && hasKey(m.view) && slices.Contains(names, naming.SingularName(m.name))
	})
}

// nestingNames are wrappers that have others in them: {result: {plant: {…}}}.
var nestingNames = words.RoleOf("nesting-name")

const nestedScore = 0.89

func (w *wrapped) score(record *[]Evidence) float64 {
	r, saw := itemRules.first(w)
	if r == nil {
		return 0
	}
	if record != nil {
		*record = append(*record, Evidence{"item", r.name, r.weight, saw})
	}
	return itemDetails.sum("item", w, r.weight, record)
}

// isReference reports whether an object says hardly more than which item it means: {id, type}.
func isReference(v view) bool {
	members := v.members()
	return len(members) <= 2 && hasIdentity(members)
}

func hasIdentity(members []member) bool {
	return slices.ContainsFunc(members, func(m member) bool { return identityNames.Has(m.folded) })
}

// HasIdentity reports whether one of the properties shows that an object is an item itself.
func HasIdentity(properties map[string]*spec.Keywords) bool {
	for name := range properties {
		if identityNames.Has(naming.Fold(name)) {
			return true
		}
	}
	return false
}

// isOutcome reports whether an object only says how a request went: {success, message}.
func isOutcome(v view) bool {
	members := v.members()
	return len(members) > 0 && !slices.ContainsFunc(members, func(m member) bool {
		return !metaNames.Has(m.folded) || itemMetaNames.Has(m.folded)
	})
}

func (c *candidate) itemIn(body view) *Shape {
	key := found{body.k, c.value.k, c.listed.k}
	s, isKnown := c.found[key]
	if !isKnown {
		s = c.findIn(body)
		c.found[key] = s
	}
	s = c.nest(body, s)
	if s != nil && s.Many && c.singleton && c.value.ok() && !isSame(body.of(s.Value), c.value) {
		return body.shape(false) // what is there once is not made of several: {cards: [{…}]} of cards
	}
	return s
}

func (c *candidate) findIn(body view) *Shape {
	for _, known := range []view{c.value, c.listed} {
		if !known.ok() {
			continue
		}
		s := findItem(body, c.names, known)
		if s == nil {
			continue
		}
		found := body.of(s.Value)
		sharesMore := func() bool {
			return known.common(found.members()) > known.common(body.members())
		}
		if isSame(found, known) || len(s.Path) == 1 && isPartOf(found, known) && sharesMore() {
			return s
		}
	}
	return findItem(body, c.names, view{})
}

// readIn finds the candidate's item in the answer to a read: also as the only element of an array.
func (c *candidate) readIn(body view) *Shape {
	if body.kind() == schema.Array && isItem(body.element()) {
		return c.nest(body, body.element().shape(true))
	}
	return c.itemIn(body)
}

func (c *candidate) shows(body view) bool {
	s := c.itemIn(body)
	return s != nil && c.value.ok() && isSame(body.of(s.Value), c.value)
}

// itemSources are where the schema of an item is looked for, the best first.
var itemSources = []struct {
	atItem bool // else at the collection
	method string
	answer bool // else the request
}{
	{true, "GET", true}, {true, "PUT", true}, {true, "PATCH", true},
	{}, // the collection's list
	{false, "POST", true}, {false, "POST", false},
	{true, "PUT", false}, {true, "PATCH", false}, {true, "POST", false},
}

func (c *candidate) findItemSchema() {
	if get := c.collection.method("GET"); get != nil && !c.singleton {
		if l, score := findList(get.answer, c.names); score >= 0.4 {
			c.listed = get.answer.of(l.Items.Value)
		}
	}
	for _, source := range itemSources {
		v, saw := c.listed, "list"
		if source.method != "" {
			at := c.collection
			if source.atItem && !c.singleton {
				at = c.item
			}
			if at == nil || at.method(source.method) == nil {
				continue
			}
			v, saw = c.itemOf(at.method(source.method), source.answer, source.atItem)
		}
		if isItemSchema(v) {
			c.value, c.document = v, v.schema
			c.evidence = append(c.evidence, Evidence{"item", "schema", 1, saw})
			break
		}
	}
	if !c.listed.ok() {
		c.listed = c.value
	}
	c.flatten()
}

func isItemSchema(v view) bool { return v.ok() && (v.kind() == schema.Object || len(v.members()) > 0) }

func (c *candidate) itemOf(o *operation, answer, read bool) (view, string) {
	if !answer {
		if s := c.itemIn(o.request); s != nil {
			return o.request.of(s.Value), o.Method + " request"
		}
		return view{}, ""
	}
	s := c.itemIn(o.answer)
	if read {
		s = c.readIn(o.answer)
	}
	if s == nil || s.Value == nil || isOutcome(o.answer.of(s.Value)) {
		return view{}, ""
	}
	return o.answer.of(s.Value), o.Method + " response"
}
