package stateful

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

const (
	// maxPatched is how many properties of an item are changed, one after the
	// other. A change may set a property that it does not name to its usual value.
	maxPatched = 2
	// maxCleared is how many properties of an item are set to null.
	maxCleared = 3
)

// replace replaces an item by one with other values. It returns the exchange that
// did so, nil if none has. before is an earlier read of the item, or nil.
func replace(t *tester, i *item, before *reading) *checks.Exchange {
	b := t.itemOperation(resource.Replace, resource.Upsert)
	if b == nil || b.Request == nil {
		return nil
	}
	have := nonDefaults(b)
	maps.Copy(have, t.identity(i))
	x := t.send(b, request{item: i, all: true, have: have, title: "replace it"})
	if x == nil {
		x = t.send(b, request{item: i, all: true, title: "replace it"})
	}
	if !x.Succeeded() {
		return nil
	}
	sent := sentItem(b, x)
	var read *checks.Exchange
	t.await(x, func() bool {
		read = t.read(i, "read the replaced item")
		return read == nil || read.Succeeded() && t.isSettled(b, sent, x, t.shown(read))
	})
	if t.reportIf(notFound(read), "updated", "", i.after(x, read),
		"the replaced item is answered with %d", read.Status()) {
		return nil
	}
	r := t.shown(read)
	lost := t.compareStored(b, sent, r)
	t.reportEach("updated", lost, "", x, read)
	if r != nil && before != nil && b.Role == resource.Replace && x.Status() != 201 {
		compareCreationTime(t, before, x, r)
	}
	again := t.resend(x, "replace it by the same")
	t.reportIf(again.Status() >= 500 || notFound(again), "idempotent", "PUT", exchanges{x, again},
		"the same replacement is answered with %d and then %d", x.Status(), again.Status())
	if again.Succeeded() {
		read := t.read(i, "read the item that was replaced twice")
		wasLost := func(d difference) bool { // by the first already
			return slices.ContainsFunc(lost, func(l difference) bool { return slices.Equal(l.path, d.path) })
		}
		found := slices.DeleteFunc(t.compareStored(b, sent, t.shown(read)), wasLost)
		t.reportEach("idempotent", found, " after it was sent twice", x, again, read)
	}
	i.sent, i.by = sent, b
	return x
}

// compareCreationTime checks that a change keeps the time at which the item was created, if clients have no say in it.
// Backends may round it, to 3.3 ms at most if they keep fractions of seconds. A PUT may create the item anew.
func compareCreationTime(t *tester, before *reading, x *checks.Exchange, after *reading) {
	name := t.resource.Created
	b := t.Plan.Of(x.Case.Operation)
	k := properties(b.Request)[name]
	if properties(after.by.Response)[name] == nil || k != nil && !schema.ReadOnly(k) {
		return
	}
	was, is := before.get(name), after.get(name)
	textBefore, _ := was.(string)
	textAfter, _ := is.(string)
	then, err := time.Parse(time.RFC3339, textBefore)
	now, wrong := time.Parse(time.RFC3339, textAfter)
	i, off := itemOf(t, b, x), now.Sub(then)
	if err == nil && wrong == nil && off > 0 && off < mostRounded(then, now) && i != nil && t.Settling != nil &&
		t.Settling.Wait(t.ctx, time.Second/10) { // it is rounded, or is the time of a change that came soon
		again := t.resend(x, "change it once more")
		if later := t.readItem(i, "read it again"); again.Succeeded() && later != nil {
			x, after, is = again, later, later.get(name)
			textAfter, _ = is.(string)
			now, wrong = time.Parse(time.RFC3339, textAfter)
		}
	}
	t.report(err == nil && wrong == nil && then.Sub(now).Abs() >= mostRounded(then, now),
		violation{severity: severity(b.Role == resource.Update), check: "replaced", about: "body." + name,
			sent: exchanges{before.Exchange, x, after.Exchange}},
		"was %s, and is %s after a %s, which did not create the item", text(was), text(is), b.Operation.Method)
}

// mostRounded returns how much of a time may be rounded: a second if two times have no fractions of it.
func mostRounded(a, b time.Time) time.Duration {
	if a.Nanosecond() == 0 || b.Nanosecond() == 0 {
		return time.Second
	}
	return 5 * time.Millisecond
}

// replaceByLess replaces an item by one without optional properties, which must remove those that it had. If one is
// still there, the same is tried with other values: a backend that chooses values for what is left out may have chosen
// the one that was there.
func replaceByLess(t *tester, i *item, full *checks.Exchange) {
	t.require(full != nil)
	b := t.Plan.Of(full.Case.Operation)
	found := leftAfterReplace(t, i, full, i.sent)
	if len(found.properties) > 0 {
		full = t.mustSend(b, request{item: i, all: true, title: "replace it by one with other values"})
		again := leftAfterReplace(t, i, full, sentItem(b, full))
		found.sent = again.sent
		found.properties = slices.DeleteFunc(found.properties, func(name string) bool {
			return !slices.Contains(again.properties, name)
		})
	}
	said := t.doubtOf(doubt.Replaced, b.Operation)
	for _, name := range found.properties {
		k := properties(b.Request)[name]
		t.report(true,
			violation{
				check: "replaced", about: "body." + name,
				doubt: cmp.Or(said, t.doubtOfProperty(doubt.Value, name, []*spec.Keywords{k}, b)),
				sent:  found.sent},
			"is still there after a PUT without it")
	}
}

// left has the properties that a PUT without them has not removed, and what shows that.
type left struct {
	properties []string
	sent       exchanges
}

// leftAfterReplace replaces an item that has some properties by one without those that are optional.
func leftAfterReplace(t *tester, i *item, full *checks.Exchange, had map[string]any) left {
	b := t.Plan.Of(full.Case.Operation)
	x := t.mustSend(b, request{item: i, title: "replace it by one without optional properties"})
	read := must(t, t.readItem(i, "read the remaining properties"))
	kept, properties := sentItem(b, x), properties(b.Request)
	found := left{sent: exchanges{full, x, read.Exchange}}
	for _, name := range sortedNames(had) {
		k, is := properties[name], read.get(name)
		_, has := kept[name]
		mustShow := read.by.Response != nil && schema.Required(read.by.Response.Value)[name]
		if !mustShow && !has && had[name] != nil && t.clientDecides(name, k) && isDistinctive(is, k) &&
			!isDefault(b, k, is) && !differs(had[name], is, k) {
			found.properties = append(found.properties, name)
		}
	}
	return found
}

func patchEach(t *tester, i *item) {
	b := must(t, patchOperation(t))
	before := must(t, t.readItem(i, "read before the change"))
	full := must(t, t.build(b, request{item: i, all: true, title: "change one property"}))
	proposed, _ := b.Request.Item(full.Value)
	patchable, creatable := properties(b.Request), properties(i.by.Request)
	values, clientProperties, patched := object(proposed), map[string]*spec.Keywords{}, 0
	maps.Copy(clientProperties, creatable)
	maps.Copy(clientProperties, patchable)
	for _, name := range sortedNames(values) {
		value, k, was := values[name], patchable[name], before.get(name)
		if value == nil || !isFree(t, name, k) || isDefault(i.by, creatable[name], value) ||
			was != nil && !differs(value, was, k) || patched == maxPatched {
			continue
		}
		sent := map[string]any{name: value}
		x := t.send(b, request{item: i, body: b.Request.Wrap(sent), title: "change " + name + " alone"})
		if !x.Succeeded() {
			continue
		}
		i.setSent(name, value)
		isRight := func(r *reading) bool { return r != nil && t.isSettled(b, sent, x, r) }
		after := must(t, awaitItem(t, i, "read the changed item", x, isRight))
		t.reportEach("updated", t.compareStored(b, sent, after), "", x, after.Exchange)
		t.reportEach("patched", sideEffects(t, before, after, name, true, clientProperties), " when "+name+" was changed",
			x, after.Exchange)
		compareCreationTime(t, before, x, after)
		before = after
		patched++
	}
}

// patchInside patches two members of an object one after the other: a merge patch of an object keeps the members that
// it does not name (RFC 7396 section 2).
func patchInside(t *tester, i *item) {
	b := must(t, patchOperation(t))
	t.require(mediaOf(b, resource.MergePatch).Subtype == "merge-patch+json")
	full := must(t, t.build(b, request{item: i, all: true, title: "change an object"}))
	proposed, _ := b.Request.Item(full.Value)
	values, patchable := object(proposed), properties(b.Request)
	for _, name := range sortedNames(values) {
		inner := object(values[name])
		if len(inner) < 2 || !isFree(t, name, patchable[name]) {
			continue
		}
		members := sortedNames(inner)
		patch := func(member string) (*checks.Exchange, *reading) {
			sent := map[string]any{name: map[string]any{member: inner[member]}}
			x := t.mustSend(b, request{item: i, body: b.Request.Wrap(sent), title: "change " + name + "." + member + " alone"})
			return x, must(t, t.readItem(i, "read the changed item"))
		}
		first, before := patch(members[0])
		had, has := jsonvalue.Property(before.item, []string{name, members[0]})
		t.require(has)
		second, after := patch(members[1])
		_, isShown := jsonvalue.Property(after.item, []string{name, members[1]})
		is, still := jsonvalue.Property(after.item, []string{name, members[0]})
		t.report(isShown && (!still || differs(had, is, nil)),
			violation{check: "patched", about: "body." + name, sent: exchanges{first, before.Exchange, second, after.Exchange}},
			"body.%s: the member %q was %s, and is %s when another was patched", name, members[0], text(had), text(is))
	}
}

// patchOperation returns the operation that changes some properties of an item, nil if none.
func patchOperation(t *tester) *resource.Binding {
	if b := t.itemOperation(resource.Update); b != nil && b.Request != nil && mediaOf(b, resource.MergePatch) != nil {
		return b
	}
	return nil
}

// mediaOf returns the first media type of an operation's body that is a patch of some kind.
func mediaOf(b *resource.Binding, kind resource.PatchKind) *spec.MediaType {
	if b.Operation.Body == nil {
		return nil
	}
	for _, media := range b.Operation.Body.Content {
		if resource.PatchOf(media.Subtype) == kind && (kind == resource.JSONPatch || media.IsJSON()) {
			return media
		}
	}
	return nil
}

// isFree reports whether a property can be changed without regard to others: it
// refers to nothing, and does not identify the item.
func isFree(t *tester, name string, k *spec.Keywords) bool {
	return t.clientDecides(name, k) && !t.isKey(name) && t.Plan.Referred(name) == nil &&
		!slices.Equal(t.resource.ParentProperty, []string{name})
}

// clearEach sets one property after the other to null, which leaves null, nothing or the default: in a merge
// patch (RFC 7396 section 1), and in another change of a property that may be null.
func clearEach(t *tester, i *item) {
	b := must(t, patchOperation(t))
	before := must(t, t.readItem(i, "read before the change"))
	had, properties, cleared := object(before.item), properties(b.Request), 0
	for _, name := range sortedNames(had) {
		k := properties[name]
		if !isFree(t, name, k) || had[name] == nil || isDefault(b, k, had[name]) || cleared == maxCleared {
			continue
		}
		body := b.Request.Wrap(map[string]any{name: nil})
		x := t.send(b, request{item: i, body: body, title: "set " + name + " to null"})
		if !x.Succeeded() {
			continue // it may not be null, or the backend refuses that
		}
		cleared++
		i.setSent(name, nil)
		after := must(t, t.readItem(i, "read the remaining properties"))
		is := after.get(name)
		t.report(isDistinctive(is, k) && !differs(had[name], is, k),
			violation{severity: severity(isMergePatch(x)), check: "updated", about: "body." + name,
				doubt: t.doubtOfProperty(doubt.Value, name, []*spec.Keywords{k}, b), sent: exchanges{x, after.Exchange}},
			"is still there after a change to null")
	}
}

// isMergePatch reports whether a request has a JSON Merge Patch, in which null removes (RFC 7396 section 1).
func isMergePatch(x *checks.Exchange) bool {
	media, _ := x.Request.Header.Get("Content-Type")
	return strings.Contains(media, "merge-patch+json")
}

func upsert(t *tester) {
	b := must(t, t.keyedOperation(resource.Upsert))
	scope := t.mustScope(b)
	x := t.send(b, request{scope: scope, title: "put an item where there is none"})
	t.report(notFound(x) && b.Operation.Documents(201),
		violation{severity: severity(!b.Operation.Documents(404, 410)), check: "upsert", about: "new", sent: exchanges{x}},
		"a PUT of a new item is answered with %d, though the document has 201", x.Status())
	t.require(x.Succeeded())
	t.step(func() { putRemoved(t, b, x, scope) })
	again := t.resend(x, "put it there again")
	t.require(again.Succeeded() && x.Status() == 201)
	t.reportIf(again.Status() == 201 && b.Operation.Documents(200, 204), "upsert", "again", exchanges{x, again},
		"the second PUT of an item is answered with 201 like the first")
	i, list := t.createdBy(b, x, scope), must(t, t.walk(scope, nil, "list after the second PUT"))
	t.require(i != nil)
	keys, _ := list.keys()
	n := len(slices.DeleteFunc(keys, func(key string) bool { return key != i.Key }))
	t.reportIf(n > 1, "upsert", "once", exchanges{x, again, list.last()},
		"an item that was put twice is in the list %d times", n)
}

// putRemoved puts an item if a read has just found none: that must be answered with 201 (RFC 9110 section 9.3.4).
func putRemoved(t *tester, b *resource.Binding, x *checks.Exchange, scope map[string]string) {
	i, remove := must(t, t.createdBy(b, x, scope)), must(t, t.keyedOperation(resource.Delete))
	t.require(x.Status() != 201 && b.Operation.DocumentsExactly(201))
	removal := t.mustSend(remove, request{item: i, title: "delete it"})
	read := t.tryRead(i, "read the deleted item")
	t.require(notFound(read))
	again := t.resend(x, "put it there once more")
	t.reportIf(again.Status() == 200 || again.Status() == 204, "upsert", "created", exchanges{removal, read, again},
		"a PUT that creates an item is answered with %d and not with 201", again.Status())
}

func actions(t *tester) {
	for _, b := range t.resource.Bindings {
		if b.Role != resource.Action || b.Operation.Method == "GET" || t.Builder(b.Operation) == nil {
			continue
		}
		if b.KeyIn == resource.InPath && b.Part == nil {
			t.step(func() { changeAroundAction(t, b) })
		}
		if !b.Reads && b.KeyIn == resource.InPath {
			t.step(func() { // the answer to the read has its own checks
				i := must(t, createFor(t, b))
				t.mustSend(b, request{item: i, title: "act on it"})
				t.readItem(i, "read it after the action")
			})
		}
		if !b.Reads {
			continue
		}
		i := createFor(t, b)
		if i == nil {
			continue
		}
		shown := t.shown(t.send(b, request{item: i, title: "act on it"}))
		if shown == nil {
			continue
		}
		read := t.readItem(i, "read it after the action")
		if read == nil {
			continue
		}
		was, is := object(shown.item), object(read.item)
		for _, name := range sortedNames(was) {
			now, has := is[name]
			if !has || !differs(was[name], now, nil) {
				continue
			}
			again := t.readItem(i, "read it again")
			if again == nil || differs(now, again.get(name), nil) {
				continue // it changes by itself
			}
			how := explain(was[name], now)
			d := difference{path: []string{name}, how: how, severity: severity(how == "")}
			d.message = fmt.Sprintf("the action shows %s, and a read then %s", text(was[name]), text(now))
			k := properties(b.Response)[name]
			d.doubt = t.doubtOfProperty(doubt.Value, name, []*spec.Keywords{k}, b)
			t.reportEach("updated", []difference{d}, "", i.created, shown.Exchange, read.Exchange)
		}
	}
}

// createFor creates an item in a state that admits an operation; nil if there is none.
func createFor(t *tester, b *resource.Binding) *item {
	i := t.create(request{title: "create an item"})
	if i == nil || !t.Pool.Bring(t.ctx, i.Item, b.Operation) {
		return nil
	}
	return i
}

// changeAroundAction changes an item, acts on it, and changes it again: the action keeps the first change, and the
// second change keeps what the action did and clients do not send.
func changeAroundAction(t *tester, action *resource.Binding) {
	b := must(t, t.itemOperation(resource.Update, resource.Replace))
	t.require(b.Request != nil && (b.Role == resource.Replace || patchOperation(t) == b))
	i := must(t, createFor(t, action))
	x := t.mustSend(b, request{item: i, all: true, title: "change it"})
	before := must(t, t.readItem(i, "read the changed item"))
	acted := t.mustSend(action, request{item: i, title: "act on it", mayFail: true})
	done := must(t, t.readItem(i, "read it after the action"))
	created := must(t, t.readItem(&item{Item: i.Item}, "read it again"))
	t.require(!differs(done.item, created.item, nil)) // or it changes by itself
	sent, initial := sentItem(b, x), object(i.Value)
	state, _ := t.resource.States()
	movesOn := initial[state] != nil && differs(initial[state], done.get(state), nil) // what restores does not
	for _, name := range sortedNames(sent) {
		k := properties(b.Request)[name]
		isUndone := before.shows(name, sent[name], nil) && differs(sent[name], done.get(name), nil) &&
			initial != nil && !differs(initial[name], done.get(name), nil)
		t.report(isUndone && isDistinctive(sent[name], k) && isFree(t, name, k),
			violation{severity: severity(movesOn), check: "updated", about: "body." + name,
				sent: i.after(x, before.Exchange, acted, done.Exchange)},
			"was changed to %s, and is %s again after an action", text(sent[name]), text(done.get(name)))
	}
	again := t.mustSend(b, request{item: i, title: "change it again", mayFail: true})
	sent = sentItem(b, again)
	after := must(t, t.readItem(i, "read it after the second change"))
	for _, name := range sortedNames(object(done.item)) {
		was, is := done.get(name), after.get(name)
		if _, has := sent[name]; has || t.serverDecides(name) || !differs(before.get(name), was, nil) {
			continue
		}
		k := properties(b.Request)[name]
		mayReset := b.Role == resource.Replace && k != nil && !schema.ReadOnly(k)
		t.report(!mayReset && differs(was, is, nil) && !differs(before.get(name), is, nil),
			violation{severity: exchange.Warning, check: "patched", about: "body." + name, // some changes reopen
				sent: i.after(acted, done.Exchange, again, after.Exchange)},
			"was %s after an action, and is %s again after a change without it", text(was), text(is))
	}
}

// jsonPatch changes an item by JSON Patches (RFC 6902).
func jsonPatch(t *tester) {
	b, media := jsonPatchOperation(t)
	t.require(b != nil)
	i := must(t, t.create(request{all: true, title: "create an item"}))
	before := must(t, t.readItem(i, "read it"))
	other := must(t, t.create(request{scope: i.Scope, all: true, title: "create an item with other values"}))
	patch := func(title string, steps ...any) request {
		return request{item: i, media: media, body: steps, title: title}
	}
	stored, properties := object(before.item), properties(i.by.Request)
	var names []string // of properties that a step can change to the value of the other item
	for _, name := range sortedNames(other.sent) {
		was, has := stored[name]
		value, k := other.sent[name], properties[name]
		if has && t.clientDecides(name, k) && t.Plan.Referred(name) == nil && differs(value, was, k) &&
			t.build(b, patch("", patchStep("replace", name, value))) != nil {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		holds := patchStep("test", names[0], stored[names[0]])
		changeFirst := patchStep("replace", names[0], other.sent[names[0]])
		checkRefusedPatch(t, b, i, patch("a change, and a test that fails then", changeFirst, holds), before)
		steps := []any{holds}
		for _, name := range names[:min(2, len(names))] {
			steps = append(steps, patchStep("replace", name, other.sent[name]))
		}
		t.step(func() { checkPatch(t, b, i, patch("a test that holds, and changes", steps...), stored) })
	}
	for _, name := range sortedNames(stored) {
		x := t.send(b, patch("remove "+name, patchStep("remove", name, nil)))
		if !x.Succeeded() {
			continue
		}
		after := must(t, t.readItem(i, "read the remaining properties"))
		is := after.get(name)
		t.reportIf(isDistinctive(is, nil) && (!differs(stored[name], is, nil) || !differs(other.sent[name], is, nil)),
			"json-patch", "remove", exchanges{x, after.Exchange}, "%s was removed by a step, and is still %s", name, text(is))
		return
	}
}

func patchStep(op, name string, value any) any {
	s := map[string]any{"op": op, "path": "/" + exchange.EscapePointer(name)}
	if op != "remove" {
		s["value"] = value
	}
	return s
}

func checkPatch(t *tester, b *resource.Binding, i *item, r request, stored map[string]any) {
	patched, err := jsonvalue.Patch(stored, r.body)
	x := t.mustSend(b, r)
	after := must(t, t.readItem(i, "read the patched item"))
	t.require(err == nil)
	for _, name := range sortedNames(object(patched)) {
		value, is := object(patched)[name], after.get(name)
		t.reportIf(!jsonvalue.Equals(value, stored[name]) && differs(value, is, nil),
			"json-patch", "body."+name, exchanges{x, after.Exchange}, "was replaced by a step, and is %s", text(is))
	}
}

func checkRefusedPatch(t *tester, b *resource.Binding, i *item, r request, before *reading) {
	x := t.send(b, r)
	wasApplied := t.reportIf(x.Succeeded(), "json-patch", "test", exchanges{x},
		"a patch whose test fails is answered with %d", x.Status())
	if x == nil || wasApplied {
		return
	}
	if after := t.readItem(i, "read it after the test that failed"); after != nil {
		t.reportIf(differs(before.item, after.item, nil), "json-patch", "atomic", exchanges{x, after.Exchange},
			"a patch that was refused has changed it")
	}
}

// jsonPatchOperation returns an operation that takes JSON Patches, and their media type.
func jsonPatchOperation(t *tester) (*resource.Binding, string) {
	for _, b := range t.resource.Bindings {
		if b.Role == resource.Update && b.KeyIn == resource.InPath && t.Builder(b.Operation) != nil {
			if media := mediaOf(b, resource.JSONPatch); media != nil {
				return b, media.Range
			}
		}
	}
	return nil, ""
}
