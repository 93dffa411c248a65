package resource

import (
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// Bulk is what an operation does to several items: it creates or replaces those that the request has
// (Binding.Request), or changes or deletes those that it names.
type Bulk struct {
	// Keys is the member of the body that names the items; "" if the body is the array of keys itself, or has the items.
	Keys string
	// ByKey says that the request names the items.
	ByKey bool
	// Changes is the member of the body whose properties change the items; "" for the body itself.
	Changes string
	Deletes bool
	Results []BulkResult // what the response says of the items
}

// BulkResult is a property of the response that says what became of the items.
type BulkResult struct {
	Path    []string
	Outcome Outcome
	Form    BulkForm
	Each    *EachResult // of EachOf
}

// EachResult is the names of the properties that say what became of one item: {status: 201, item: {…}}.
type EachResult struct {
	Item, Key    string // "" if none
	Status       string
	StatusSchema *spec.Keywords
	Statuses     map[Outcome]any // the values of an enum that have a meaning; nil for HTTP statuses
}

// Outcome is what became of an item.
type Outcome uint8

const (
	Done    Outcome = iota // created, changed or deleted
	Created                // created
	Changed                // changed
	Failed                 // none of these: there is no such item
)

// BulkForm is how a response says what became of items.
type BulkForm uint8

const (
	CountOf BulkForm = iota // how many there are
	KeysOf                  // their keys
	ItemsOf                 // they themselves
	EachOf                  // an object for each that the request has or names
)

// findBulk finds the actions that concern several items: beside or below a collection, with an array of items or of
// keys in the body.
func (in *inference) findBulk() {
	for _, o := range in.operations {
		b, c := o.binding, in.candidateOf(o)
		isKept := b.Resource != nil && b.Resource.Key != nil
		if isKept && b.Role == Create && b.Request != nil && b.Request.Many && in.isBesideItems(o, c) {
			b.Response = nil
			b.Bulk = &Bulk{Results: slices.DeleteFunc(bulkResults(o.answer, b.Resource, nil, 0), func(r BulkResult) bool {
				return len(r.Path) > 0 && slices.Contains(o.variables(), r.Path[0]) // the key of the parent
			})}
			continue
		}
		if name := in.keysInQuery(o, c); name != "" && isKept {
			b.Role, b.KeyIn, b.Variable, b.Reads, b.Response = DeleteMany, InQuery, name, false, nil
			b.Reason += "; the query names the items"
		}
		if isKept && b.Role == DeleteMany {
			b.Bulk = &Bulk{ByKey: true, Deletes: true, Results: bulkResults(o.answer, b.Resource, nil, 0)}
			continue
		}
		if b.Role != Action || b.Declared || b.Resource == nil || b.Part != nil || c == nil || c.singleton ||
			o.Method == "GET" || o.Method == "HEAD" || b.KeyIn == InPath || b.Resource.Key == nil || o.at.last.variable() {
			continue
		}
		bulk := in.sentBulk(o, c)
		if bulk == nil {
			continue
		}
		bulk.Results = bulkResults(o.answer, b.Resource, nil, 0)
		if e := o.answer.element(); o.answer.kind() == schema.Array && b.Resource.Value != nil && isSame(e, c.value) {
			b.Response = e.shape(true) // the answer is the items
		}
		b.Bulk = bulk
		b.Reason += "; several " + b.Resource.Name
		b.Evidence = append(b.Evidence, Evidence{"bulk", "array of items or keys in the body", 1, o.Path})
	}
}

// keysInQuery names the query parameter that holds the keys of the items which a DELETE below a collection is for;
// "" if none.
func (in *inference) keysInQuery(o *operation, c *candidate) string {
	b := o.binding
	isBelow := c != nil && c.collection == o.at.parent
	if o.Method != "DELETE" || o.Body != nil || b.Role != Action || b.Declared || !isBelow {
		return ""
	}
	for _, p := range o.Parameters {
		v := in.cache.parameter(p)
		if p.In == exchange.InQuery && v.kind() == schema.Array && b.Resource != nil && b.Resource.Key != nil &&
			holdsKeys(member{name: p.Name, folded: naming.Fold(p.Name), view: v}, b.Resource) {
			return p.Name
		}
	}
	return ""
}

// isBesideItems reports whether an operation answers no item of a candidate: nothing, how it went, or an object that
// shares nothing with the items: {stored: 3}.
func (in *inference) isBesideItems(o *operation, c *candidate) bool {
	shown := o.binding.Response
	if shown == nil || shown.Many || c == nil || !c.value.ok() {
		return shown == nil
	}
	return c.value.common(o.answer.of(shown.Value).members()) == 0
}

// sentBulk returns what a body says of several items, nil if it says nothing of them.
func (in *inference) sentBulk(o *operation, c *candidate) *Bulk {
	b, body := o.binding, o.request
	element, named := body.element(), ""
	if body.kind() != schema.Array {
		arrays := 0
		for _, m := range body.members() {
			if m.view.kind() == schema.Array && (isItem(m.view.element()) || holdsKeys(m, b.Resource)) {
				arrays, element, named = arrays+1, m.view.element(), m.name
			}
		}
		if arrays != 1 {
			return nil
		}
	}
	switch {
	case isItem(element) && c.value.ok() && isPartOf(element, c.value):
		b.Request = element.shape(true)
		if named != "" {
			b.Request = element.shape(true, named)
		}
		return &Bulk{}
	case element.kind() != b.Resource.Key.Kind:
		return nil
	}
	bulk := &Bulk{Keys: named, ByKey: true}
	var sent []member
	for _, m := range body.members() {
		if m.name == named {
			continue
		}
		sent = append(sent, m)
		if m.view.kind() == schema.Object && !c.value.member(m.name).ok() && len(takes(m.view.members(), nil, c.value)) > 0 {
			bulk.Changes, sent = m.name, m.view.members()
			break
		}
	}
	b.Takes = takes(sent, nil, c.value)
	verbs := naming.Words(o.at.last.text)
	for _, verb := range verbs {
		if b.Sets = effectOf([]string{verb}, b.Resource); len(b.Sets) == 0 {
			b.Sets = flagged(verb, "true", b.Resource)
		}
		if len(b.Sets) > 0 {
			break
		}
	}
	bulk.Deletes = len(b.Sets) == 0 && (o.Method == "DELETE" || slices.ContainsFunc(verbs, isDeletion))
	if len(b.Sets) == 0 && len(b.Takes) == 0 && !bulk.Deletes {
		return nil
	}
	return bulk
}

func isDeletion(verb string) bool {
	return slices.ContainsFunc(pastsOf(verb), func(past string) bool { return words.Outcomes.Has(past, "deleted") })
}

// holdsKeys reports whether an array holds keys of a resource's items: ids, skus of sku, orderIds.
func holdsKeys(m member, r *Resource) bool {
	if m.view.element().kind() != r.Key.Kind {
		return false
	}
	if keyListNames.Has(m.folded) {
		return true
	}
	one := naming.SingularName(m.name)
	if len(r.Key.Property) > 0 && one == naming.SingularName(r.Key.Property[len(r.Key.Property)-1]) {
		return true
	}
	name := naming.SingularName(lastName(r))
	return one == name+"id" || one == name
}

// bulkResults returns what an answer says of the items that a request was about: numbers, lists of keys and of items,
// each of the items that its name says.
func bulkResults(body view, r *Resource, path []string, depth int) (all []BulkResult) {
	var counts []int
	if each := eachResult(body, r); each != nil {
		return []BulkResult{{Path: path, Form: EachOf, Each: each}}
	}
	for _, m := range body.members() {
		result := BulkResult{Path: append(slices.Clone(path), m.name), Outcome: outcomeOf(m.name)}
		_, named := outcomes[m.folded]
		isStatus := schema.Values(m.view.k) != nil || outcomeNames.Has(m.folded) && !named
		switch kind := m.view.kind(); {
		case kind == schema.Integer && isStatus: // of the request
		case kind == schema.Integer:
			counts = append(counts, len(all))
			all = append(all, result)
		case kind == schema.Array && m.view.element().kind() == r.Key.Kind:
			result.Form = KeysOf
			all = append(all, result)
		case kind == schema.Array && r.Value != nil && isSame(m.view.element(), m.view.of(r.Value)):
			result.Form = ItemsOf
			all = append(all, result)
		case eachResult(m.view, r) != nil:
			result.Form, result.Each = EachOf, eachResult(m.view, r)
			all = append(all, result)
		case kind == schema.Object && depth == 0 && wrapperNames.Has(m.folded):
			all = append(all, bulkResults(m.view, r, result.Path, depth+1)...)
		}
	}
	if len(counts) == 1 && all[counts[0]].Outcome != Failed {
		all[counts[0]].Outcome = Done
	}
	return all
}

// eachResult returns what the elements of an array say of one item each: the item or its key, and its status; nil if
// they say less.
func eachResult(list view, r *Resource) *EachResult {
	if list.kind() != schema.Array {
		return nil
	}
	each := &EachResult{}
	for _, m := range list.element().members() {
		kind := m.view.kind()
		statuses := map[Outcome]any{}
		for _, value := range schema.Values(m.view.k) {
			text, _ := value.(string)
			if outcome := outcomeOf(text); statuses[outcome] == nil && (outcome != Done || text == "deleted") {
				statuses[outcome] = value
			}
		}
		switch {
		case kind == schema.Object && r.Value != nil && isSame(m.view, m.view.of(r.Value)):
			each.Item = m.name
		case kind == schema.Integer && each.Status == "" && outcomeNames.Has(m.folded):
			each.Status, each.StatusSchema = m.name, m.view.k
		case kind == schema.String && len(statuses) > 1:
			each.Status, each.StatusSchema, each.Statuses = m.name, m.view.k, statuses
		case kind == r.Key.Kind && len(r.Key.Property) == 1 && m.name == r.Key.Property[0]:
			each.Key = m.name
		}
	}
	if each.Status == "" || each.Item == "" && each.Key == "" {
		return nil
	}
	return each
}

// outcomes are the meanings of the words for what became of items.
var outcomes = func() map[string]Outcome {
	all := map[string]Outcome{}
	for row := range words.Outcomes.Rows() {
		all[row[0]] = map[string]Outcome{
			"created": Created, "changed": Changed, "deleted": Done, "failed": Failed,
		}[row[1]]
	}
	return all
}()

func outcomeOf(name string) Outcome {
	w := naming.Words(name)
	if len(w) > 1 && w[0] == "not" { // not_found
		return Failed
	}
	for _, word := range w {
		if outcome, known := outcomes[word]; known {
			return outcome
		}
	}
	return Done
}
