package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
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
	candidate *candidate // of the path, elsewhere of the path above; nil for none
	first     string     // word of the operation's name
	list      *Listing   // in the answer, nil for none
	listScore float64
	sent      *Shape // of the item in the request, nil for none
	creation  creationScore
}

func (in *inference) bindFacts(o *operation) *bindFacts {
	f := &bindFacts{in: in, operation: o, candidate: in.candidates[o.at]}
	switch {
	case f.candidate == nil:
		f.place = elsewhere
		f.candidate = in.candidates[o.at.parent]
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

func (f *bindFacts) onItemAbove() bool { return f.candidate.item == f.at.parent }

func (f *bindFacts) answersItem() bool { return f.candidate.shows(f.answer) }

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
// that are to be changed so: keys in {keys, data}. "" where there are none.
func (f *bindFacts) keyList() string {
	if f.sent == nil || len(f.sent.Path) != 1 || f.sent.Many {
		return ""
	}
	for _, m := range f.request.members() {
		isKeys := m.name != f.sent.Path[0] && keyListNames[m.folded] && m.view.kind() == Array
		if isKeys && m.view.element().kind().isScalar() {
			return m.name
		}
	}
	return ""
}

func (f *bindFacts) keyQuery() string {
	for _, p := range f.Parameters {
		if p.In == exchange.InQuery && keyQueryNames[naming.Fold(p.Name)] {
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
		if len(w) > 0 && updateVerbs[w[0]] {
			return !slices.Contains(w, "create")
		}
	}
	return false
}

// searches reports whether a POST is named as a search: what it sends says which items are asked for.
func (f *bindFacts) searches() bool {
	named := append(naming.Words(f.at.last.text), f.first)
	return f.Method == "POST" && slices.ContainsFunc(named, func(word string) bool { return searchVerbs[word] })
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
	}
	for i := range roleRules {
		r := &roleRules[i]
		if r.place != f.place || r.methods != "" && !slices.Contains(strings.Fields(r.methods), o.Method) {
			continue
		}
		if saw := r.sees(f); saw != "" {
			r.decide(f, saw)
			break
		}
	}
	in.overrideRole(o)
	if b.Resource != nil {
		in.locate(o)
	}
	b.Headers = headersOf(o)
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
