package stateful

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

func (t *tester) reportEach(check string, found []difference, when string, sent ...*checks.Exchange) {
	for _, d := range found {
		across := ""
		if d.kept != "" { // whichever operation sends it
			across = strings.Join([]string{t.resource.Name, d.about(), d.kept}, "\n")
		}
		t.report(true,
			violation{severity: d.severity, doubt: d.doubt, check: check, about: d.about(), across: across, sent: sent},
			"%s", d.message+when)
	}
}

// compareStored is compare for a read of what was stored: what it does not show is lost.
func (t *tester) compareStored(by *resource.Binding, sent map[string]any, r *reading) []difference {
	found := t.compare(by, sent, r)
	isOptional := func(p *spec.Parameter) bool { return p.In == exchange.InQuery && !p.Required }
	for i := range found { // without an optional query parameter, a response may show less
		if found[i].missing && slices.ContainsFunc(r.by.Operation.Parameters, isOptional) {
			found[i].severity = exchange.Warning
		}
	}
	return found
}

// compareShown is compare for the response to the request that was sent, which may show less.
func (t *tester) compareShown(by *resource.Binding, sent map[string]any, r *reading) []difference {
	found := t.compare(by, sent, r)
	isMissing := func(d difference) bool { return d.missing }
	for i := range found {
		if found[i].missing {
			found[i].severity = exchange.Warning
		}
	}
	if r != nil && !slices.ContainsFunc(sortedNames(sent), func(name string) bool { return showsUnder(by, r, name) }) {
		return slices.DeleteFunc(found, isMissing) // it only says which item it is
	}
	return found
}

func showsUnder(by *resource.Binding, r *reading, name string) bool {
	if other, ok := by.Rename[name]; ok {
		name = other
	}
	_, has := object(r.item)[name]
	return has
}

// compare finds what a response shows otherwise than it was sent. Only what the
// client decides counts: properties that are readOnly or writeOnly, the key, and
// what the response's schema does not have are left out. nil shows nothing.
func (t *tester) compare(by *resource.Binding, sent map[string]any, r *reading) (all []difference) {
	if r == nil || object(r.item) == nil || r.Exchange != nil && mayShowLess(r.Exchange) {
		return nil
	}
	shown := object(r.item)
	item := newShownItem(r.by, shown)
	request, response := properties(by.Request), properties(r.by.Response)
	for _, name := range sortedNames(sent) {
		as, k := name, request[name]
		if other, ok := by.Rename[name]; ok {
			as = other
		}
		if schema.ReadOnly(k) || schema.WriteOnly(k) || t.serverDecides(as) || t.pathDerived(by, []string{as}) ||
			sent[name] == "" && t.isKey(as) { // a backend may choose a key that was sent empty
			continue
		}
		var found []difference
		if is, has := shown[as]; has {
			found = slices.DeleteFunc(differences(sent[name], is, k, as), func(d difference) bool {
				return t.pathDerived(by, d.path) || mayLack(response[as], d)
			})
		} else if mustShow(as, response[as]) && sent[name] != nil && !isAnyDefault(by, k, r.by, response[as], sent[name]) {
			found = []difference{missing(sent[name], as)}
		}
		if len(found) > 0 && (item.showable(as, sent[name]) || isOfBranch(r.by, sent, as)) {
			schemas := []*spec.Keywords{request[name], response[as]}
			all = append(all, excuse(t, name, schemas, found, by, r.by)...)
		}
	}
	return all
}

// mustShow reports whether a response shows a property by its schema. A backend that shows no password does well,
// whatever the document has.
func mustShow(name string, in *spec.Keywords) bool {
	return in != nil && !schema.WriteOnly(in) && !auth.IsSecretName(name)
}

// mayLack reports whether a member is missing that the response's schema does not have, although it has the object
// around the member.
func mayLack(in *spec.Keywords, d difference) bool {
	last := len(d.path) - 1
	if !d.missing || last == 0 {
		return false
	}
	around := schema.Properties(schema.At(in, d.path[1:last]))
	return len(around) > 0 && around[d.path[last]] == nil
}

// excuse notes the sentence that may explain the differences of a property.
func excuse(t *tester, name string, schemas []*spec.Keywords, found []difference, by ...*resource.Binding,
) []difference {
	for i := range found {
		d := &found[i]
		classes := []doubt.Class{doubt.Value}
		switch {
		case d.missing:
			classes = append(classes, doubt.Hidden)
		case d.how != "":
			classes = append(classes, doubt.Form)
		}
		for _, class := range classes {
			d.doubt = cmp.Or(d.doubt, t.doubtOfProperty(class, name, schemas, by...))
		}
		if said := t.doubtOfProperty(doubt.Named, name, schemas, by...); d.doubt == "" && d.shown != "" &&
			strings.Contains(said, strings.Trim(d.shown, `"`)) {
			d.doubt = said
		}
	}
	return found
}

// shownItem is an item that a response shows. violations counts the response's violations of its schema; they are
// counted once, at first use.
type shownItem struct {
	in         *resource.Binding
	shown      map[string]any
	violations func() int
}

func newShownItem(in *resource.Binding, shown map[string]any) shownItem {
	return shownItem{in, shown, sync.OnceValue(func() int { return violations(in, shown) })}
}

// violations returns how often a response that shows an item would violate its schema.
func violations(in *resource.Binding, item map[string]any) int {
	return len(in.Media.Schema.Check(in.Response.Wrap(item), "", ""))
}

// showable reports whether a response may show a property as it was sent: its
// schema may ask for more than the request's.
func (v shownItem) showable(name string, value any) bool {
	if v.in.Media == nil || !v.in.Media.IsJSON() || v.in.Response == nil {
		return true
	}
	with := violations(v.in, jsonvalue.WithMember(v.shown, name, value))
	return with == 0 || with <= v.violations()
}

// isOfBranch reports whether a branch of the response's schema has all that was sent and lists the value of a
// property, so that an item of that branch can be shown: what shows another value is of another branch.
func isOfBranch(in *resource.Binding, sent map[string]any, name string) bool {
	if in.Response == nil || in.Response.Value == nil {
		return false
	}
	isSame := func(value any) bool { return jsonvalue.Equals(value, sent[name]) }
	for _, branches := range [][]*spec.Keywords{in.Response.Value.OneOf, in.Response.Value.AnyOf} {
		for _, branch := range branches {
			known := schema.Properties(branch)
			isUnknown := func(sent string) bool { return known[sent] == nil }
			isListed := slices.ContainsFunc(schema.Values(known[name]), isSame)
			if isListed && !slices.ContainsFunc(sortedNames(sent), isUnknown) {
				return true
			}
		}
	}
	return false
}

// isSettled reports whether no difference between what was sent and a read needs another try: each is a usual
// transformation, or excused, and not a former value in place of the one that the response to the request shows.
func (t *tester) isSettled(by *resource.Binding, sent map[string]any, x *checks.Exchange, read *reading) bool {
	response := t.shown(x)
	return !slices.ContainsFunc(t.compareStored(by, sent, read), func(d difference) bool {
		if d.doubt == "" && d.severity == exchange.Error || response == nil {
			return d.doubt == "" && d.severity == exchange.Error
		}
		said, has := jsonvalue.Property(response.item, d.path)
		return has && differs(said, valueAt(read.item, d.path), nil)
	})
}

// serverDecides reports whether a property is one that backends set by themselves.
func (t *tester) serverDecides(name string) bool {
	r := t.resource
	return name == r.Created || name == r.Updated || t.isVersion(name) ||
		t.isKey(name) && r.Key.ChosenBy != resource.Client
}

// isVersion reports whether a property is the version of items: by the document, or as the run has learned.
func (t *tester) isVersion(name string) bool {
	return name == t.resource.Version || slices.ContainsFunc(t.resource.Bindings, func(b *resource.Binding) bool {
		return t.Pool.Version(b.Operation) == name
	})
}

// clientDecides reports whether a property of a schema is the client's to set and to see.
func (t *tester) clientDecides(name string, k *spec.Keywords) bool {
	return k != nil && !schema.ReadOnly(k) && !schema.WriteOnly(k) && !t.serverDecides(name)
}

func (t *tester) isKey(name string) bool { return slices.Equal(t.key(), []string{name}) }

// pathDerived reports whether the path of a request, or a list beside the item,
// says what a property of its item is: its key, or the key of a parent.
func (t *tester) pathDerived(by *resource.Binding, property []string) bool {
	return (by.KeyIn == resource.InPath || by.Keys != nil) && t.key() != nil && slices.Equal(t.key(), property) ||
		namesParent(by, property)
}

// namesParent reports whether a property has the value of a path variable before the key.
func namesParent(b *resource.Binding, property []string) bool {
	return slices.ContainsFunc(b.Scope, func(v resource.Variable) bool {
		return v.Property != nil && slices.Equal(v.Property, property)
	})
}

func properties(shape *resource.Shape) map[string]*spec.Keywords {
	if shape == nil {
		return nil
	}
	return schema.Properties(shape.Value)
}

// defaultOf returns the default of a property that an operation's body has, nil if it has none.
func defaultOf(b *resource.Binding, k *spec.Keywords) any {
	if k == nil || b.Operation.Body == nil {
		return nil
	}
	for _, media := range b.Operation.Body.Content {
		if media.IsJSON() && media.Schema != nil {
			return media.Schema.Default(k)
		}
	}
	return nil
}

func isDefault(b *resource.Binding, k *spec.Keywords, value any) bool {
	usual := defaultOf(b, k)
	return usual != nil && !differs(usual, value, nil)
}

// isAnyDefault reports whether a response that leaves a property out shows a value nevertheless: its default in the
// request that sent it, or in the response.
func isAnyDefault(by *resource.Binding, k *spec.Keywords, in *resource.Binding, shown *spec.Keywords, value any) bool {
	if isDefault(by, k, value) || in.Media == nil || in.Media.Schema == nil {
		return isDefault(by, k, value)
	}
	usual := in.Media.Schema.Default(shown)
	return usual != nil && !differs(usual, value, nil)
}

// clientDifferences finds how an item differs from what it was in what clients decide, and nobody else.
func clientDifferences(t *tester, by *resource.Binding, was, is any) []difference {
	properties := properties(by.Request)
	return slices.DeleteFunc(differences(was, is, nil), func(d difference) bool {
		return len(d.path) == 0 || !t.clientDecides(d.path[0], properties[d.path[0]])
	})
}

// sideEffects finds properties of the client that changed, except for the one that a request changed. mayFollow
// says that another value may follow from the change.
func sideEffects(t *tester, before, after *reading, changed string, mayFollow bool,
	properties map[string]*spec.Keywords) (all []difference) {
	was, is := object(before.item), object(after.item)
	for _, name := range sortedNames(was) {
		value, has := is[name]
		k := properties[name]
		if name == changed || k == nil || schema.ReadOnly(k) || t.serverDecides(name) || !differs(was[name], value, nil) {
			continue
		}
		d := difference{path: []string{name}, severity: exchange.Warning}
		d.message = fmt.Sprintf("was %s, and is %s", text(was[name]), text(value))
		if !has {
			d.message = fmt.Sprintf("was %s, and is not shown", text(was[name]))
		}
		isLost := isCleared(value) && !isCleared(was[name]) && (value == nil || isDistinctive(was[name], k))
		if isLost || !mayFollow {
			d.severity = exchange.Error
		}
		by := t.Plan.Of(after.Exchange.Case.Operation)
		all = append(all, excuse(t, name, []*spec.Keywords{k}, []difference{d}, by)...)
	}
	return all
}
