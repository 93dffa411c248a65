package stateful

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// identities looks at and changes an item with the credentials of another identity than its creator's (OWASP
// API1:2023). Sharing is no fault. The evidence that an item is private is a view that refuses or hides it, and that
// shows the other identity an item of its own.
func identities(t *tester) {
	for _, name := range t.Identities {
		t.step(func() { compareIdentities(t, name) })
	}
}

// trespass is an item of one identity, and another identity that asks for it.
type trespass struct {
	*tester // with the credentials of the item's creator
	other   *tester
	mine    *item
	theirs  *item // of the other identity; nil if it may create none
	before  *reading
	hides   *checks.Exchange // the read that refuses the item to the other identity; nil if none
	lacks   *checks.Exchange // the list that lacks it, or is refused; nil if none
	shows   exchanges        // reads that show it
}

func compareIdentities(t *tester, name string) {
	other := *t
	other.as = name
	p := &trespass{tester: t, other: &other}
	p.mine = must(t, p.create(t))
	p.theirs = must(t, p.create(&other)) // otherwise its role explains all refusals
	p.before = p.readMine()
	p.lookDirectly()
	p.lookInList()
	isPrivate := p.hides != nil || p.lacks != nil || p.isDeclared(resource.Read, resource.List)
	p.reportReads()
	if p.hides != nil {
		t.step(p.lookBelowAnother)
		t.step(p.lookByFilters)
		t.step(p.lookInExports)
	}
	p.change(isPrivate)
	t.step(p.assignOwner)
	if !isPrivate && len(p.shows) > 0 {
		t.Note(p.shows[0].Case.Operation, "whether "+name+" may see what another identity created is undecided: no view "+
			"hides it (Options.Select.Private)")
	}
}

// create creates an item below parents of the same identity; nil if there can be none.
func (p *trespass) create(as *tester) *item {
	b := as.operation(resource.Create, resource.Upsert)
	if b == nil {
		return nil
	}
	scope := map[string]string{}
	for _, v := range b.Scope {
		if v.Parent == nil {
			return nil
		}
		above := *as
		above.resource = v.Parent
		parent := above.create(request{scope: scope, title: "create a parent" + as.asWhom()})
		as.requests = above.requests
		if parent == nil {
			return nil
		}
		scope = maps.Clone(scope)
		scope[v.Name] = parent.Key
	}
	i := as.create(request{scope: scope, all: true, title: "create an item" + as.asWhom()})
	if i == nil {
		i = as.create(request{scope: scope, title: "create an item" + as.asWhom()})
	}
	return i
}

// asWhom names the identity of a tester's requests for their titles.
func (t *tester) asWhom() string {
	if t.as == "" {
		return ""
	}
	return " as " + t.as
}

// readMine reads the item as its creator, by the first operation that shows it; nil if none does.
func (p *trespass) readMine() *reading {
	for _, b := range p.reads() {
		if r := p.shown(p.readBy(p.tester, b, p.mine)); r != nil {
			return r
		}
	}
	return nil
}

// reads returns the operations that read an item by a value in the path.
func (p *trespass) reads() (all []*resource.Binding) {
	for _, b := range p.resource.Bindings {
		if b.Role == resource.Read && b.KeyIn == resource.InPath && p.tested(b) {
			all = append(all, b)
		}
	}
	return all
}

// readBy reads an item with an operation, which may name it by another property than its key; nil if it cannot.
func (p *trespass) readBy(as *tester, b *resource.Binding, i *item) *checks.Exchange {
	r := request{item: i, title: "read it" + as.asWhom(), mayFail: true}
	if len(b.Lookup) > 0 {
		by := i.Value
		if p.before != nil && i == p.mine {
			by = p.before.item
		}
		r.item, r.scope, r.key = nil, i.Scope, itempool.Text(valueAt(by, b.Lookup))
		if r.key == "" {
			return nil
		}
	}
	return as.send(b, r)
}

// lookDirectly reads the item as the other identity, by each operation that shows its creator the item, and the other
// identity an item of its own.
func (p *trespass) lookDirectly() {
	for _, b := range p.reads() {
		if !p.readBy(p.tester, b, p.mine).Succeeded() || !p.readBy(p.other, b, p.theirs).Succeeded() {
			continue
		}
		var x *checks.Exchange
		p.await(p.mine.created, func() bool { // the item may show late, to others too
			x = p.readBy(p.other, b, p.mine)
			return x.Succeeded()
		})
		switch {
		case isDenied(x) && p.hides == nil:
			p.hides = x
		case p.showsMine(p.shown(x)):
			p.shows = append(p.shows, x)
		}
	}
}

// lookBelowAnother reads the item below the other identity's own parent.
func (p *trespass) lookBelowAnother() {
	for _, b := range p.reads() {
		if len(b.Scope) == 0 || len(b.Lookup) > 0 {
			continue
		}
		x := p.other.send(b, request{scope: p.theirs.Scope, key: p.mine.Key, title: "read it below another parent" +
			p.other.asWhom(), mayFail: true})
		p.report(p.showsMine(p.shown(x)), violation{check: "private", about: "read", sent: p.mine.after(p.hides, x)},
			"%s reads the item of another identity below a parent of its own, and below the item's parent the read is answered "+
				"with %d", p.other.as, p.hides.Status())
	}
}

// isDenied reports whether a response refuses an item, or hides that there is one.
func isDenied(x *checks.Exchange) bool { return slices.Contains([]int{401, 403, 404, 410}, x.Status()) }

// showsMine reports whether a reading has all that the creator of the item sees.
func (p *trespass) showsMine(r *reading) bool {
	return r != nil && p.before != nil && p.hasAll(r.item)
}

// hasAll reports whether a value has all properties of the item that differ between items, with its values.
func (p *trespass) hasAll(value any) bool {
	shown := object(value)
	for name, is := range object(p.before.item) {
		if other, has := shown[name]; !has || differs(is, other, nil) {
			return false
		}
	}
	return shown != nil
}

// lookInList lists the items as both identities. The evidence is a list that has the item for its creator, and for the
// other identity its own item only; or a list that is refused below the creator's parent.
func (p *trespass) lookInList() {
	b := p.operation(resource.List)
	if b == nil || p.key() == nil {
		return
	}
	own := listWith(p.tester, p.mine, "list the items")
	theirs := listWith(p.other, p.theirs, "list the items"+p.other.asWhom())
	if own == nil || theirs == nil || !slices.Contains(own.knownKeys(), p.mine.Key) ||
		!slices.Contains(theirs.knownKeys(), p.theirs.Key) {
		return
	}
	if len(b.Scope) > 0 {
		var x *checks.Exchange
		p.await(p.mine.created, func() bool {
			x = p.other.send(b, request{scope: p.mine.Scope, title: "list the items" + p.other.asWhom(), mayFail: true})
			return x.Succeeded()
		})
		if isDenied(x) {
			p.lacks = x
			return
		}
	}
	var list *listing
	has := false
	p.await(p.mine.created, func() bool {
		list = listWith(p.other, p.mine, "list the items"+p.other.asWhom())
		has = list != nil && slices.Contains(list.knownKeys(), p.mine.Key)
		return has
	})
	switch {
	case list == nil:
	case !has:
		p.lacks = list.last()
	case p.hides != nil:
		p.reportListed(list, "list")
	}
}

// reportListed reports a list that shows the item, though a read refuses it. A list may show less than a read.
func (p *trespass) reportListed(l *listing, about string) {
	for _, element := range l.items {
		if itempool.Text(valueAt(element, p.key())) == p.mine.Key {
			p.report(true, violation{severity: severity(p.before != nil && p.hasAll(element)), check: "private", about: about,
				sent: p.mine.after(p.hides, l.last())}, "%s gets the item from a list, and a read of it is answered with %d",
				p.other.as, p.hides.Status())
			return
		}
	}
}

// reportReads reports reads that show the item to the other identity, though another view hides it.
func (p *trespass) reportReads() {
	for _, x := range p.shows {
		switch {
		case p.hides != nil:
			p.report(true, violation{check: "private", about: "read", sent: p.mine.after(p.hides, x)},
				"%s reads the item of another identity, which another read answers with %d", p.other.as, p.hides.Status())
		case p.lacks != nil:
			p.report(true, violation{severity: severity(isGuessable(p.mine.Key)), check: "private", about: "read",
				sent: p.mine.after(p.lacks, x)},
				"%s reads the item of another identity, which the list does not show to %[1]s", p.other.as)
		case p.isPrivate(x.Case.Operation):
			p.report(true, violation{check: "private", about: "read", sent: p.mine.after(x)},
				"%s reads the item of another identity, though the operation is declared as private", p.other.as)
		}
	}
}

// isGuessable reports whether somebody can find a key without being told. An item with another key may be meant for all
// who know it.
func isGuessable(key string) bool {
	const least = 16
	return len(key) < least
}

func (p *trespass) isPrivate(o *spec.Operation) bool { return p.Private != nil && p.Private(o) }

// isDeclared reports whether an operation of a role is declared as private.
func (p *trespass) isDeclared(roles ...resource.Role) bool {
	return slices.ContainsFunc(p.resource.Bindings, func(b *resource.Binding) bool {
		return slices.Contains(roles, b.Role) && p.isPrivate(b.Operation)
	})
}

// lookByFilters lists the items as the other identity by each value of the item that the list can be filtered by.
func (p *trespass) lookByFilters() {
	list := must(p.tester, p.operation(resource.List))
	p.require(p.before != nil && p.lacks != nil)
	for at := range list.List.Params {
		param := &list.List.Params[at]
		var value any
		switch {
		case param.Role == resource.Filter && len(param.Property) > 0 && param.Compare == resource.Equal:
			value = valueAt(p.before.item, param.Property)
		case param.Role == resource.Search:
			value = p.longestText()
		}
		if value == nil || isComposite(value) || !p.takes(list, param, value) {
			continue
		}
		l := p.other.list(p.mine.Scope, map[string]any{param.Parameter.Name: value}, "list the items"+p.other.asWhom())
		if l != nil && slices.Contains(l.knownKeys(), p.mine.Key) {
			p.reportListed(l, param.Parameter.Name)
		}
	}
}

// longestText returns the longest text that the item's creator sent; nil if it is too short to be unique.
func (p *trespass) longestText() any {
	const least = 4
	longest := ""
	for _, name := range sortedNames(p.mine.sent) {
		if text, ok := p.mine.sent[name].(string); ok && len(text) > len(longest) {
			longest = text
		}
	}
	if len(longest) < least {
		return nil
	}
	return longest
}

// lookInExports looks for the item in tables of the items.
func (p *trespass) lookInExports() {
	text, _ := p.longestText().(string)
	p.require(text != "")
	for _, b := range p.resource.Bindings {
		if b.Exports == nil || !p.tester.tested(b) {
			continue
		}
		has := func(as *tester, i *item, text string) *checks.Exchange {
			x := as.send(b, request{scope: i.Scope, title: "export the items" + as.asWhom(), mayFail: true})
			if x.Succeeded() && strings.Contains(string(x.Response.Body), text) {
				return x
			}
			return nil
		}
		if has(p.tester, p.mine, text) == nil {
			continue
		}
		x := has(p.other, p.mine, text)
		p.report(x != nil, violation{check: "private", about: "export", sent: p.mine.after(p.hides, x)},
			"%s gets the item from an export, and a read of it is answered with %d", p.other.as, p.hides.Status())
	}
}

// attempt is a change of the item by the other identity.
type attempt struct {
	by   *resource.Binding
	sent *checks.Exchange
	seen exchanges // what shows that it had an effect
}

// change changes and deletes items as the other identity. It is a fault if the item is private, or if another operation
// with the same effect is refused to that identity, which may change its own item by both.
func (p *trespass) change(isPrivate bool) {
	var accepted, deleted []attempt
	var refused, undeleted *checks.Exchange
	for _, b := range p.resource.Bindings {
		if p.Builder(b.Operation) == nil || b.Operation.Method == "GET" || len(b.Lookup) > 0 {
			continue
		}
		p.step(func() {
			a := attempt{by: b}
			switch {
			case b.KeyIn != resource.InPath && !namesSeveral(b):
			case b.Role == resource.Delete || b.Bulk != nil && b.Bulk.Deletes:
				if p.delete(&a); a.seen != nil {
					deleted = append(deleted, a)
				} else if isDenied(a.sent) {
					undeleted = a.sent
				}
			case b.Role == resource.Update || b.Role == resource.Replace || b.Bulk != nil || len(b.Sets) > 0:
				if p.update(&a); a.seen != nil {
					accepted = append(accepted, a)
				} else if isDenied(a.sent) && b.Role != resource.Action {
					refused = a.sent
				}
			}
		})
	}
	p.reportChanges(accepted, refused, isPrivate, "changes")
	p.reportChanges(deleted, undeleted, isPrivate, "deletes")
}

func (p *trespass) reportChanges(all []attempt, refused *checks.Exchange, isPrivate bool, does string) {
	for _, a := range all {
		v := violation{check: "private-change", about: does, sent: p.mine.after(append(exchanges{a.sent}, a.seen...)...)}
		hidden := p.hides
		if hidden == nil {
			hidden = p.lacks
		}
		switch {
		case p.isPrivate(a.by.Operation):
			p.report(true, v, "%s %s an item of another identity, though the operation is declared as private", p.other.as, does)
		case hidden != nil:
			v.sent = p.mine.after(append(exchanges{hidden, a.sent}, a.seen...)...)
			p.report(true, v, "%s %s an item of another identity that %[1]s does not get to see", p.other.as, does)
		case refused != nil && !isPrivate && a.by.Role != resource.Action:
			v.sent = p.mine.after(append(exchanges{refused, a.sent}, a.seen...)...)
			p.report(true, v, "%s %s an item of another identity, which %s %s answers with %d", p.other.as, does,
				refused.Case.Operation.Method, refused.Case.Operation.Path, refused.Status())
		}
	}
}

// namesSeveral reports whether the body of a request has the keys of the items that it changes.
func namesSeveral(b *resource.Binding) bool {
	return len(b.Keys) > 0 || b.Bulk != nil && b.Bulk.ByKey && b.Bulk.Keys != ""
}

// body returns the body of a request about an item; nil for a generated one.
func (p *trespass) body(b *resource.Binding, i *item) any {
	if !namesSeveral(b) {
		return nil
	}
	c := must(p.tester, p.build(b, request{scope: i.Scope, all: true, title: "change several items"}))
	var key any = i.Key
	if isDigits(i.Key) && p.resource.Key != nil && schema.Conforms(p.resource.Key.Schema, json.Number(i.Key)) {
		key = json.Number(i.Key)
	}
	keys := b.Keys
	if len(keys) == 0 {
		keys = []string{b.Bulk.Keys}
	}
	return jsonvalue.WithProperty(c.Value, keys, []any{key})
}

// delete deletes an item of the first identity as the other one, and reads it as its creator.
func (p *trespass) delete(a *attempt) {
	victim := must(p.tester, p.create(p.tester))
	p.require(p.tryRead(victim, "read it").Succeeded())
	a.sent = p.other.send(a.by, request{item: victim, body: p.body(a.by, victim), title: "delete it" + p.other.asWhom(),
		mayFail: true})
	if after := p.tryRead(victim, "read it"); a.sent.Succeeded() && notFound(after) {
		a.seen = exchanges{after}
	}
	p.control(a)
}

// update changes an item of the first identity as the other one, and reads it as its creator.
func (p *trespass) update(a *attempt) {
	victim := must(p.tester, p.create(p.tester))
	before := must(p.tester, p.readItem(victim, "read it"))
	a.sent = p.other.send(a.by, request{item: victim, all: true, body: p.body(a.by, victim),
		title: "change it" + p.other.asWhom(), mayFail: true})
	if after := p.readItem(victim, "read it"); a.sent.Succeeded() && after != nil {
		hasChanged := len(clientDifferences(p.tester, victim.by, before.item, after.item)) > 0
		if hasChanged || a.by.Role == resource.Action && p.differsByState(before, after) {
			a.seen = exchanges{after.Exchange}
		}
	}
	p.control(a)
}

// differsByState reports whether a property of few values differs, which actions set.
func (p *trespass) differsByState(before, after *reading) bool {
	return slices.ContainsFunc(p.resource.Properties, func(q resource.Property) bool {
		return schema.Values(q.Schema) != nil && differs(before.get(q.Name), after.get(q.Name), nil)
	})
}

// control forgets a refusal if the other identity may not do the same to its own item.
func (p *trespass) control(a *attempt) {
	if !isDenied(a.sent) {
		return
	}
	own := p.create(p.other)
	if own == nil || !p.other.send(a.by, request{item: own, body: p.body(a.by, own), title: "do the same to its own item" +
		p.other.asWhom(), mayFail: true}).Succeeded() {
		a.sent = nil
	}
}

// assignOwner creates an item as the other identity that says it belongs to the first (OWASP API Security, API3:2023).
// The property with the owner is one that no client sends, with the same value in all items of one identity.
func (p *trespass) assignOwner() {
	create, second := p.operation(resource.Create), must(p.tester, p.create(p.tester))
	own := must(p.tester, p.create(p.other))
	shown := func(as *tester, i *item) *reading { return must(p.tester, as.shown(as.read(i, "read it"+as.asWhom()))) }
	mine, again := must(p.tester, p.before), shown(p.tester, second)
	theirs, also := shown(p.other, p.theirs), shown(p.other, own)
	p.require(create != nil && create.Request != nil)
	for _, name := range sortedNames(object(mine.item)) {
		value := mine.get(name)
		k := properties(create.Request)[name]
		isOwner := value != nil && !isComposite(value) && !p.isKey(name) && (k == nil || schema.ReadOnly(k)) &&
			!differs(value, again.get(name), nil) && differs(value, theirs.get(name), nil) &&
			theirs.get(name) != nil && !differs(theirs.get(name), also.get(name), nil)
		if !isOwner || len(create.Scope) > 0 && slices.Equal(p.resource.ParentProperty, []string{name}) {
			continue
		}
		p.step(func() {
			c := must(p.tester, p.other.build(create, request{scope: own.Scope, title: "create an item"}))
			sent, isObject := create.Request.Item(c.Value)
			p.require(isObject && object(sent) != nil)
			body := create.Request.Put(c.Value, jsonvalue.WithMember(object(sent), name, value))
			x := p.other.send(create, request{scope: own.Scope, body: body, mayFail: true,
				title: "create an item of another owner" + p.other.asWhom()})
			i := must(p.tester, p.other.createdBy(create, x, own.Scope))
			read := must(p.tester, p.shown(p.read(i, "read it")))
			p.report(!differs(value, read.get(name), nil),
				violation{check: "owner", about: "body." + name, sent: exchanges{p.mine.created, x, read.Exchange}},
				"%s creates an item that belongs to another identity", p.other.as)
		})
	}
}
