package stateful

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

func unknownItem(t *tester) {
	i := t.create(request{title: "create an item"})
	if i == nil {
		t.require(t.operation(resource.Read, resource.List) != nil) // or nothing shows which items exist
		i = &item{Item: &itempool.Item{}}
	}
	for _, role := range []resource.Role{resource.Read, resource.Replace, resource.Update, resource.Delete} {
		b := t.keyedOperation(role)
		if b == nil || !b.Operation.Documents(404, 410) {
			continue
		}
		if i.Scope == nil {
			i.Scope = t.mustScope(b)
		}
		unknown := unknownKey(t, b, b.Variable, i.Key)
		if unknown == "" {
			continue
		}
		if role != resource.Read && !isUnknown(t, i.Scope, unknown) {
			continue
		}
		x := t.send(b, request{scope: i.Scope, key: unknown, title: "an unknown item", mayFail: true})
		if x.Succeeded() {
			second := unknownKey(t, b, b.Variable, i.Key, unknown)
			t.require(second != "" && !hasEveryKey(t, t.resource, i.Scope, second))
			t.report(true,
				violation{severity: severity(role == resource.Read), check: "missing", about: role.String(), sent: exchanges{x}},
				"an unknown item is answered with %d", x.Status()) // PUT may create, and DELETE is idempotent
		}
	}
}

// isUnknown reports whether a read of a made-up key finds nothing, so that no item which the run has not created
// is changed or deleted.
func isUnknown(t *tester, scope map[string]string, key string) bool {
	read := t.keyedOperation(resource.Read)
	return notFound(t.send(read, request{scope: scope, key: key, title: "a read of an unknown item", mayFail: true}))
}

// parents creates an item below one parent and looks for it below another, and below an unknown one.
func parents(t *tester) {
	b := must(t, t.operation(resource.Create))
	t.require(len(b.Scope) > 0)
	one, other := t.parentScope(b, " one"), t.parentScope(b, " other")
	t.require(one != nil && other != nil && !maps.Equal(one, other))
	i := must(t, t.create(request{scope: one, title: "create an item below one parent"}))
	t.step(func() { lookBelow(t, i, other) })
	unknown, above, last := maps.Clone(one), maps.Clone(one), b.Scope[len(b.Scope)-1]
	key := unknownKey(t, b, last.Name, one[last.Name])
	unknown[last.Name] = key
	delete(above, last.Name)
	t.require(key != "" && !hasEveryKey(t, last.Parent, above, key))
	r := request{scope: unknown, title: "create an item below an unknown parent", mayFail: true}
	if documentsMissing(t, b.Operation) {
		x := t.send(b, r)
		// The creation may have created the parent.
		isStillUnknown := x.Succeeded() && !hasEveryKey(t, last.Parent, above, key)
		t.report(x.Succeeded(),
			violation{severity: severity(isStillUnknown), check: "parents", about: "missing", sent: exchanges{x}},
			"a creation below an unknown parent is answered with %d", x.Status())
	}
	if list := t.operation(resource.List); list != nil && len(list.Scope) > 0 {
		r.title = "the list of an unknown parent"
		expectRefusal(t, list, r, violation{check: "parents", about: "missing list"},
			"the list of an unknown parent is answered with %d")
	}
}

// lookBelow looks for an item below another parent.
func lookBelow(t *tester, i *item, scope map[string]string) {
	if list := t.walk(scope, nil, "the list below another parent"); list != nil {
		t.report(len(list.by.Scope) > 0 && isListed(t, i, list),
			violation{check: "parents", about: "list", doubt: t.doubtOf(doubt.List, list.by.Operation),
				sent: exchanges{i.created, list.last()}},
			"an item of one parent is listed below another")
	}
	read := must(t, t.operation(resource.Read))
	t.require(len(read.Scope) > 0 && read.KeyIn == resource.InPath)
	x := t.send(read, request{scope: scope, key: i.Key, title: "read it below another parent", mayFail: true})
	unknown := unknownKey(t, read, read.Variable, i.Key)
	t.report(x.Succeeded() && unknown != "" && !hasEveryKey(t, t.resource, scope, unknown),
		violation{check: "parents", about: "read", doubt: t.doubtOf(doubt.List, read.Operation),
			sent: exchanges{i.created, x}},
		"an item of one parent is answered with %d below another", x.Status())
	t.require(notFound(x))
	elsewhere := &item{Item: &itempool.Item{Resource: t.resource, Scope: scope, Key: i.Key}}
	changeBelow(t, i, elsewhere, "below another parent")
}

// isListed reports whether a list shows an item. Its key alone does not decide: keys may repeat below each
// parent. What changes by itself, and the list's reference to the parent, are not compared.
func isListed(t *tester, i *item, list *listing) bool {
	return t.key() != nil && slices.ContainsFunc(list.items, func(listed any) bool {
		if itempool.Text(valueAt(listed, t.key())) != i.Key {
			return false
		}
		for name, value := range object(i.Value) {
			is, has := object(listed)[name]
			mayDiffer := name == t.resource.Updated || t.isVersion(name) || isComposite(value) ||
				slices.ContainsFunc(t.resource.Bindings, func(b *resource.Binding) bool { return namesParent(b, []string{name}) })
			if has && !mayDiffer && differs(value, is, nil) {
				return false
			}
		}
		return len(t.compareShown(i.by, i.sent, &reading{item: listed, by: list.by})) == 0
	})
}

// unknownKeys are keys that no item has.
var unknownKeys = []string{
	"00000000-0000-4000-8000-0c01df4a3e00", "00000000-0000-4000-8000-0c01df4a3e01", "2147480000", "2147480001",
	"999999", "999998", "coldframe-none", "coldframe-nothing",
}

// unknownKey returns a key in the form of key that no item has and that is not among used; "" if the variable accepts
// no such key.
func unknownKey(t *tester, b *resource.Binding, variable, key string, used ...string) string {
	takes := t.Builder(b.Operation).Takes
	for _, candidate := range append(unknownForms(key), unknownKeys...) {
		if candidate != key && candidate != "" && !slices.Contains(used, candidate) &&
			(takes(variable, candidate) || isDigits(candidate) && takes(variable, json.Number(candidate))) {
			return candidate
		}
	}
	return ""
}

// unknownForms returns keys of the form of another that hopefully name no item. The number that a key ends in ("42",
// "c42") is moved beyond the numbers that a run creates; else digits are changed, and digits and letters.
func unknownForms(key string) (forms []string) {
	before := strings.TrimRight(key, "0123456789")
	number := key[len(before):]
	if number != "" && len(number) < 9 && !strings.ContainsAny(before, "0123456789") {
		for _, digit := range []string{"7", "6", "5"} {
			forms = append(forms, before+"9"+strings.Repeat(digit, max(len(number), 6)))
		}
	}
	for step := range byte(3) {
		forms = append(forms, shifted(key, step, false), shifted(key, step, true))
	}
	return slices.DeleteFunc(forms, func(form string) bool { return form == key })
}

// shifted changes the last digits of a key, and if asked to the letters, by a number of steps.
func shifted(key string, step byte, letters bool) string {
	b := []byte(key)
	for i := len(b) - 1; i >= 0 && i >= len(b)-6; i-- {
		switch c := b[i]; {
		case c >= '0' && c <= '9':
			b[i] = '0' + (c-'0'+5+step)%10
		case letters && c >= 'a' && c <= 'f':
			b[i] = 'a' + (c-'a'+3+step)%6
		case letters && c >= 'g' && c <= 'z':
			b[i] = 'g' + (c-'g'+7+step)%20
		}
	}
	return string(b)
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// hasEveryKey reports whether the backend has an item for every key, as one has whose items are computed, so
// that none is unknown: a read of a made-up key shows an item of that key. It is true as well if
// the document has no way to find out, or nothing more can be sent.
func hasEveryKey(t *tester, r *resource.Resource, scope map[string]string, key string) bool {
	other := *t
	other.resource = r
	unknown := request{scope: scope, key: key, title: "an unknown item", mayFail: true}
	if read := other.keyedOperation(resource.Read); read != nil {
		x := other.send(read, unknown)
		if x == nil {
			return true
		}
		if !x.Succeeded() {
			return false
		}
		property := other.key()
		if shown := other.shown(x); shown != nil && property != nil {
			is, ok := jsonvalue.Property(shown.item, property)
			if item := object(shown.item); ok && itempool.Text(is) != key {
				return item != nil && len(property) == 1 && !newShownItem(read, item).showable(property[0], keyLike(is, key))
			}
		}
	}
	return true // a deletion would show it, and delete what the run may not have created
}

// keyLike returns a key of a path as the kind of value that another is.
func keyLike(other any, key string) any {
	if _, ok := other.(json.Number); ok && isDigits(key) {
		return json.Number(key)
	}
	return key
}

// references creates items that refer to an unknown item.
func references(t *tester) {
	b := must(t, t.operation(resource.Create))
	t.require(b.Request != nil && b.Request.Value != nil)
	found, _ := t.Pool.References(t.ctx, b.Operation)
	documented, isCertain := refusesUnknown(b.Operation)
	t.require(documented)
	accepted, isRefused := map[string]*checks.Exchange{}, false
	for _, name := range sortedNames(found) {
		unknown := unknownReference(found[name], properties(b.Request)[name])
		if unknown == nil || t.Pool.Referred(b.Operation, name) == nil {
			continue
		}
		x := sendUnknownReference(t, b, t.parentScope(b, ""), name, unknown)
		switch {
		case x.Succeeded():
			accepted[name] = x
		case x.Status()/100 == 4:
			isRefused = true
			t.eachOperation(func(b *resource.Binding) { changeReference(t, b, name, unknown, x) },
				resource.Replace, resource.Update)
		}
	}
	for _, name := range sortedNames(accepted) {
		unknown, certainty := unknownReference(found[name], properties(b.Request)[name]), exchange.Info
		if isCertain || isRefused { // another reference, so that the status is for that
			certainty = exchange.Error
		}
		t.report(!hasEveryKey(t, t.Pool.Referred(b.Operation, name), nil, itempool.Text(unknown)),
			violation{severity: certainty, check: "reference", about: "body." + strings.TrimSuffix(name, "?"),
				sent: exchanges{accepted[name]}},
			"a creation that refers to the unknown item %s is answered with %d", text(unknown), accepted[name].Status())
	}
}

// sendUnknownReference creates an item that refers to an unknown item, in the branch of the body that has the
// reference; nil if no request has it.
func sendUnknownReference(t *tester, b *resource.Binding, scope map[string]string, name string, unknown any,
) *checks.Exchange {
	const tries = 6
	for range tries {
		c := t.build(b, request{
			scope: scope, have: map[string]any{name: unknown}, mayFail: true, all: strings.HasSuffix(name, "?"),
			title: "an item whose " + strings.TrimSuffix(name, "?") + " refers to an unknown item",
		})
		if c != nil && bytes.Contains(c.Request.Body, []byte(itempool.Text(unknown))) {
			return t.Send(t.ctx, c)
		}
	}
	return nil
}

// changeReference returns an item a reference to an unknown item, for which creations
// are refused: a change must be refused as well.
func changeReference(t *tester, b *resource.Binding, name string, unknown any, refused *checks.Exchange) {
	t.require(b.Operation.Documents(refused.Status()) && (b.Role != resource.Update || patchOperation(t) != nil))
	k := properties(b.Request)[name]
	t.require(k != nil && !schema.ReadOnly(k) && schema.Conforms(k, unknown))
	i := must(t, t.create(request{title: "create an item"}))
	change := map[string]any{name: unknown}
	r := request{item: i, have: change, title: "change its " + name + " to refer to an unknown item", mayFail: true}
	if b.Role == resource.Update {
		r.body = b.Request.Wrap(change)
	}
	x := t.mustSend(b, r)
	read := must(t, t.readItem(i, "read the changed item"))
	t.reportIf(read.shows(name, unknown, nil),
		"reference", b.Role.String()+" body."+name, exchanges{refused, x, read.Exchange},
		"a change that refers to the unknown item %s is answered with %d, though a creation that does is answered with %d",
		text(unknown), x.Status(), refused.Status())
}

// unknownReference returns a reference of the form of another that refers to an unknown item; nil if its form is
// unknown. k is the schema of the property; nil if that is not known.
func unknownReference(reference any, k *spec.Keywords) any {
	for _, form := range unknownForms(itempool.Text(reference)) {
		if unknown := keyLike(reference, form); k == nil || schema.Conforms(k, unknown) {
			return unknown
		}
	}
	return nil
}

// refusesUnknown reports whether an operation documents a status for a reference to an unknown item; isCertain says
// that the status can mean nothing else: a 404 of a path that names no item.
func refusesUnknown(o *spec.Operation) (documented, isCertain bool) {
	isCertain = o.DocumentsExactly(404) && !strings.Contains(o.Path, "{")
	return isCertain || o.DocumentsExactly(404, 409, 422), isCertain
}
