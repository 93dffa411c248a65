package mock

import (
	"slices"
	"sync/atomic"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
)

// unbound is what requests to an operation can say without effect.
type unbound struct {
	binding    *resource.Binding
	parameters []*remark // of the query
	properties []*remark // of the body
	whole      *remark   // the operation itself; nil if it has an effect
	// sort is the parameter of a list whose values may name properties; nil if the document lists the values.
	sort  *resource.Param
	other remark // about a value of sort
}

// remark is a note, and whether it was logged.
type remark struct {
	resource.Unbound
	note   exchange.Note
	logged atomic.Bool
}

// unboundOf returns what requests to an operation can say without effect, nil for nothing.
func unboundOf(b *resource.Binding) *unbound {
	all := &unbound{binding: b}
	for _, u := range b.Unbound {
		r := &remark{Unbound: u, note: b.Note(u)}
		switch u.In {
		case exchange.InQuery:
			all.parameters = append(all.parameters, r)
		case exchange.InBody:
			all.properties = append(all.properties, r)
		default:
			all.whole = r
		}
	}
	if b.List != nil {
		for i := range b.List.Params {
			if p := &b.List.Params[i]; p.Role == resource.Sort && p.Member == "" && !p.Listed {
				all.sort = p
			}
		}
	}
	if len(b.Unbound) == 0 && all.sort == nil {
		return nil
	}
	return all
}

// notesOn returns what of an accepted request is not simulated. Nothing is allocated if all of it is. It is safe on
// nil.
func (o *operation) notesOn(x *exchanged) (notes []exchange.Note) {
	if o == nil || o.unbound == nil || x.answer.Status >= 300 || x.rule != nil || x.replayed != "" {
		return nil
	}
	u, q := o.unbound, &x.ask
	add := func(r *remark) { notes = append(notes, r.note) }
	for _, r := range u.parameters {
		if value, sent := q.Values.Query[r.Name]; sent && (r.Value == "" || isOneOf(value, r.Value)) {
			add(r)
		}
	}
	if u.sort != nil {
		if n, ok := u.unknownOrder(q.Values.Query[u.sort.Parameter.Name]); ok {
			n.Message, n.Setting = x.credentials().Hide(n.Message), x.credentials().Hide(n.Setting)
			notes = append(notes, n)
		}
	}
	for _, r := range u.properties {
		if hasProperty(x, r.Name) {
			add(r)
		}
	}
	if u.whole != nil {
		add(u.whole)
	}
	return notes
}

func isOneOf(value any, text string) bool {
	if values, ok := value.([]any); ok {
		return slices.Contains(values, any(text))
	}
	return value == text
}

// unknownOrder returns a note on a value of the sort parameter that names no property.
func (u *unbound) unknownOrder(value any) (exchange.Note, bool) {
	values, several := value.([]any)
	if !several {
		text, _ := jsonvalue.Text(value)
		return u.unknownOrderText(text)
	}
	for _, value := range values {
		text, _ := jsonvalue.Text(value)
		if n, ok := u.unknownOrderText(text); ok {
			return n, true
		}
	}
	return exchange.Note{}, false
}

// maxNoted is how many bytes of a value a note repeats.
const maxNoted = 100

func (u *unbound) unknownOrderText(text string) (exchange.Note, bool) {
	if text = text[:min(len(text), maxNoted)]; text == "" || u.binding.List.Order.Knows(text) {
		return exchange.Note{}, false
	}
	return u.binding.Note(resource.Unbound{In: exchange.InQuery, Name: u.sort.Parameter.Name, Value: text}), true
}

// hasProperty reports whether the body of a request, or the item in it, has a property.
func hasProperty(x *exchanged, name string) bool {
	values := &x.ask.Values
	if flat := values.Flat(); flat != nil {
		return flat.Index(name) >= 0
	}
	body := values.Body()
	if r := x.operation.unbound.binding.Request; r != nil {
		items, ok := r.Items(body)
		if !ok || len(items) == 0 {
			return false
		}
		body = items[0]
	}
	object, _ := body.(map[string]any)
	_, has := object[name]
	return has
}

// unlogged returns the notes that were not logged before.
func (o *operation) unlogged(notes []exchange.Note) (first []exchange.Note) {
	for _, n := range notes {
		if r := o.unbound.remarkOf(n); !r.logged.Swap(true) {
			first = append(first, n)
		}
	}
	return first
}

func (u *unbound) remarkOf(n exchange.Note) *remark {
	for _, all := range [][]*remark{u.parameters, u.properties} {
		for _, r := range all {
			if r.note == n {
				return r
			}
		}
	}
	if n.In == exchange.InRequest {
		return u.whole
	}
	return &u.other
}
