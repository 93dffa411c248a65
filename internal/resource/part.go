package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Part is the part of an item that an operation on a path below the item changes: the lines of a cart that
// POST /carts/{id}/lines adds to.
type Part struct {
	Property string         // of the item
	Below    []string       // the way from the property to the list, if that is in an object: FeeList.Fee; else nil
	Value    *spec.Keywords // schema of an element if Many, else of the property
	Many     bool           // the property is a list
	// Variable is the variable of the path that names an element; "" if the path names none.
	Variable string
	// Key is the property of an element that Variable names; "" if elements are scalars, or if there is no variable.
	Key    string
	Change PartChange
	// From is the property of the body that has the new value of a SetPart, or the element; "" means the whole body.
	From string
}

// Path is the names of the properties from the item down to the part.
func (p *Part) Path() []string { return append([]string{p.Property}, p.Below...) }

// PartChange is what an operation does to a part of an item.
type PartChange uint8

const (
	AddPart    PartChange = iota // adds an element, or merges into the element that Variable names
	ChangePart                   // merges into the element that Variable names
	RemovePart                   // removes the element that Variable names
	SetPart                      // sets the property
	ClearPart                    // clears the property; a list has no elements then
)

var partChanges = [...]string{"adds to", "changes", "removes from", "sets", "clears"}

// String returns the change for people: "adds to items", "changes items[id]".
func (p *Part) String() string {
	text := partChanges[p.Change] + " " + strings.Join(p.Path(), ".")
	if p.Key != "" {
		text += "[" + p.Key + "]"
	}
	return text
}

// literalBelow returns the literal segment that a path has directly below an item, or below a singleton:
// /carts/{id}/lines for itself and for /carts/{id}/lines/{line}. It is nil for other paths.
func literalBelow(n *node) *node {
	if n.last.variable() {
		n = n.parent
	}
	if n == nil || n.parent == nil || n.last.variable() {
		return nil
	}
	return n
}

// withElements returns the operations of a path and of the paths one variable below it.
func (n *node) withElements() []*operation {
	operations := slices.Clone(n.operations)
	for _, child := range n.children {
		if child.last.variable() {
			operations = append(operations, child.operations...)
		}
	}
	return operations
}

// above returns the candidate whose item a path is below, by one literal and at most one variable; nil if there is
// none.
func (in *inference) above(n *node) *candidate {
	l := literalBelow(n)
	if l == nil {
		return nil
	}
	c := in.candidates[l.parent]
	if c == nil || !c.value.ok() || c.item != l.parent && !(c.singleton && c.collection == l.parent) {
		return nil
	}
	return c
}

// answersOneOf reports whether an operation answers one item of a candidate, by its schema.
func (o *operation) answersOneOf(c *candidate) bool {
	s := c.itemIn(o.answer)
	return s != nil && !s.Many && similarity(o.answer.of(s.Value), c.value) >= sameType
}

// sameType is the least similarity of two schemas of one item type if no path says that they are.
const sameType = 0.8

// changesAbove names the method by which a path changes the item above it, and keeps nothing itself: POST
// /carts/{id}/lines that answers the cart. It is "" if none.
func (in *inference) changesAbove(n *node) string {
	c := in.above(n)
	if c == nil {
		return ""
	}
	saw := ""
	for _, o := range literalBelow(n).withElements() {
		switch {
		case o.Method == "GET" || o.Method == "HEAD":
			return ""
		case o.answersOneOf(c):
			if o.Method == "POST" && o.documents("201") && in.partOf(o, c) == nil {
				return "" // it creates another item
			}
			saw = o.Method
		case o.answer.ok() && !isOutcome(o.answer):
			return ""
		}
	}
	return saw
}

// partOf returns the part of the item above that an operation changes; nil if that is the item itself.
func (in *inference) partOf(o *operation, c *candidate) *Part {
	l := literalBelow(o.at)
	if l == nil || !slices.Contains([]string{"POST", "PUT", "PATCH", "DELETE"}, o.Method) {
		return nil
	}
	if p := in.listPart(o, c, l); p != nil || o.at != l {
		return p
	}
	return valuePart(o, c, l)
}

// listPart finds the list whose elements an operation adds, changes or removes: named like the path, or with the
// properties that are sent.
func (in *inference) listPart(o *operation, c *candidate, l *node) *Part {
	variable := ""
	if o.at != l {
		variable = o.keyVariable()
	}
	sent, from := o.request.members(), ""
	if s := onlyObject(o.request); s.ok() {
		sent = s.members()
	} else if len(sent) == 1 && sent[0].view.kind() == schema.Object { // {fee: {…}}
		sent, from = sent[0].view.members(), sent[0].name
	}
	own := namesOf(l)
	var best *Part
	most := 0.0
	for _, list := range listsIn(c.value) {
		m := list.member
		e := m.view.element()
		if !e.ok() || similarity(e, c.value) >= sameType {
			continue
		}
		p := &Part{
			Property: list.path[0], Below: list.path[1:], Value: e.plain().k, Many: true, Variable: variable, From: from,
		}
		score := 0.0
		singular := naming.SingularName(m.name)
		switch {
		case singular == own[0]:
			score = 1
		case slices.Contains(own, singular):
			score = 0.8
		case len(list.path) > 1: // it is too far from the path to be meant
			continue
		}
		isObject := len(e.members()) > 0
		if isObject && variable != "" {
			match := in.matchKey(o, variable, e, own)
			if len(match.path) != 1 {
				continue
			}
			p.Key = match.path[0]
			score += 0.2 * match.score
		}
		if isObject && len(sent) > 0 {
			score += float64(e.common(sent)) / float64(len(sent))
		}
		if !isObject && (variable == "" && len(sent) > 1 || score == 0) {
			continue
		}
		switch {
		case o.Method == "DELETE" && variable == "" && o.emptiesList(l):
			p.Change = ClearPart
		case o.Method == "DELETE" && variable == "", o.Method == "PATCH" && variable == "":
			continue
		case o.Method == "DELETE":
			p.Change = RemovePart
		case o.Method == "PATCH":
			p.Change = ChangePart
		case o.Method == "PUT" && variable == "": // all of it
			continue
		}
		if score >= 0.5 && score > most {
			best, most = p, score
		}
	}
	return best
}

// listIn is a list of an item.
type listIn struct {
	member
	path []string
}

// listsIn returns the lists that an item has, and the only ones of objects in it that are not items, as of
// {feeList: {fee: […]}}.
func listsIn(item view) (all []listIn) {
	for _, m := range item.members() {
		switch m.view.kind() {
		case schema.Array:
			all = append(all, listIn{m, []string{m.name}})
		case schema.Object:
			var inside []listIn
			for _, list := range m.view.members() {
				if list.view.kind() == schema.Array {
					inside = append(inside, listIn{list, []string{m.name, list.name}})
				}
			}
			if len(inside) == 1 && !hasIdentity(m.view.members()) {
				all = append(all, inside[0])
			}
		}
	}
	return all
}

// emptiesList reports whether a DELETE on the path of a list removes all elements: it says by nothing which ones. If a
// POST on the path has no body, both concern an element of the caller, such as a vote.
func (o *operation) emptiesList(l *node) bool {
	if o.request.ok() || slices.ContainsFunc(o.Parameters, func(p *spec.Parameter) bool { return p.In == "query" }) {
		return false
	}
	return !slices.ContainsFunc(l.operations, func(other *operation) bool {
		return other.Method == "POST" && !other.request.ok()
	})
}

// valuePart finds the property that an operation sets or clears: couponCode by PUT /carts/{id}/coupon {code}.
func valuePart(o *operation, c *candidate, l *node) *Part {
	if o.Method == "DELETE" {
		for _, other := range l.operations {
			if other.Method == "PUT" || other.Method == "POST" || other.Method == "PATCH" {
				if p := valuePart(other, c, l); p != nil {
					p.Change, p.From = ClearPart, ""
					return p
				}
			}
		}
	}
	own := naming.Fold(l.last.text)
	set := func(m member, from string) *Part {
		return &Part{Property: m.name, Value: m.view.k, Change: SetPart, From: from}
	}
	for _, m := range c.value.members() {
		sent := o.request.member(m.name)
		switch {
		case o.Method == "DELETE" && m.folded == own && spec.Conforms(m.view.k, nil):
			return &Part{Property: m.name, Value: m.view.k, Change: ClearPart}
		case o.Method == "DELETE" || !o.request.ok():
			continue
		case m.folded == own && sent.ok():
			return set(m, m.name)
		case m.folded == own && m.view.kind() == o.request.kind():
			return set(m, "")
		}
		for _, s := range o.request.members() {
			if rest, ok := strings.CutPrefix(m.folded, own); ok && rest == s.folded && m.view.kind() == s.view.kind() {
				return set(m, s.name)
			}
		}
	}
	return nil
}

// onlyObject returns the elements of a list, or of the only list of objects in an object; otherwise a view that is not
// ok.
func onlyObject(body view) view {
	if body.kind() == schema.Array {
		return body.element()
	}
	return view{}
}

// takes maps the properties of an action's body to properties of the item that it changes: by name, or by the end of
// the only name that ends so, as {note} is decisionNote. What has the enum of only one property, in the body or the
// query, is that property: ?value=open is the state.
func takes(sent, query []member, item view) map[string]string {
	found := map[string]string{}
	for _, s := range sent {
		var ending []member
		for _, m := range item.members() {
			if m.folded == s.folded && m.view.kind() == s.view.kind() {
				found[s.name] = m.name
				break
			}
			words, end := naming.Words(m.name), naming.Words(s.name)
			isEnd := len(words) > len(end) && slices.Equal(words[len(words)-len(end):], end)
			if isEnd && m.view.kind() == s.view.kind() {
				ending = append(ending, m)
			}
		}
		if _, ok := found[s.name]; !ok && len(ending) == 1 {
			found[s.name] = ending[0].name
		}
	}
	for _, s := range slices.Concat(sent, query) {
		values := enum(s.view)
		of := slices.DeleteFunc(slices.Clone(item.members()), func(m member) bool {
			return !slices.Equal(enum(m.view), values)
		})
		if _, ok := found[s.name]; !ok && len(values) > 1 && len(of) == 1 && of[0].view.kind() == s.view.kind() {
			found[s.name] = of[0].name
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found
}

// queryOf returns the query parameters of an operation.
func (in *inference) queryOf(o *operation) (all []member) {
	for _, p := range o.Parameters {
		if p.In == exchange.InQuery {
			all = append(all, member{name: p.Name, folded: naming.Fold(p.Name), view: in.cache.parameter(p)})
		}
	}
	return all
}
