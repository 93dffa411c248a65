package stateful

import (
	"maps"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
)

// replace replaces an item by one with other values. It gives the exchange that
// did so, nil where none has. before is an earlier read of the item, or nil.
func replace(t *tester, i *item, before *checks.Exchange) *checks.Exchange {
	b := t.itemOperation(resource.Replace, resource.Upsert)
	if b == nil || b.Request == nil {
		return nil
	}
	identity := t.identity(i)
	have := nonDefaults(b)
	maps.Copy(have, identity)
	r := request{scope: i.Scope, key: i.Key, all: true, have: have, title: "replace it"}
	x := t.send(b, r)
	if x == nil {
		r.have = identity
		x = t.send(b, r)
	}
	if !x.Succeeded() {
		return nil
	}
	sentItem, _ := b.Request.Item(itempool.Sent(x))
	sent := object(sentItem)
	read := t.read(i, "read the replaced item")
	if notFound(read) {
		t.report("updated", "", i.after(x, read), "the replaced item is answered with %d", read.Status())
		return nil
	}
	if r := t.shown(read); r != nil {
		t.reportDifferences("updated", t.compare(b, sent, r.item, r.by), x, read)
		if b.Role == resource.Replace && x.Status() != 201 {
			compareCreationTime(t, before, x, r)
		}
	}
	again := t.resend(x, "replace it by the same")
	if again.Status() >= 500 || notFound(again) {
		t.report("idempotent", "PUT", exchanges{x, again},
			"the same replacement is answered with %d and then %d", x.Status(), again.Status())
	}
	if again.Succeeded() {
		if r := t.readItem(i, "read the item that was replaced twice"); r != nil {
			found := t.compare(b, sent, r.item, r.by)
			for at := range found {
				found[at].message += " after it was sent twice"
			}
			t.reportDifferences("idempotent", found, x, again, r.Exchange)
		}
	}
	i.sent, i.by = sent, b
	return x
}

// compareCreationTime checks that a replacement keeps the time at which the item
// was created. Backends may round it.
func compareCreationTime(t *tester, before, x *checks.Exchange, after *reading) {
	name := t.resource.Created
	first := t.shown(before)
	if first == nil || name == "" || !isServerOnly(name, t.Plan.Of(x.Case.Operation), after.by) {
		return
	}
	was, is := valueAt(first.item, []string{name}), valueAt(after.item, []string{name})
	then, ok := instant(was)
	now, also := instant(is)
	if ok && also && then.Sub(now).Abs() > time.Millisecond {
		t.report("replaced", "body."+name, exchanges{before, x, after.Exchange},
			"was %s, and is %s after a PUT, which did not create the item", text(was), text(is))
	}
}

// isServerOnly reports whether clients have no say in a property: requests have it
// as readOnly or not at all.
func isServerOnly(name string, change, read *resource.Binding) bool {
	sent, shown := properties(change.Request)[name], properties(read.Response)[name]
	return shown != nil && (sent == nil || sent.ReadOnly)
}

func instant(value any) (time.Time, bool) {
	s, _ := value.(string)
	at, err := time.Parse(time.RFC3339, s)
	return at, err == nil
}

// replaceByLess replaces an item by one without optional properties, which must
// remove those that it had.
func replaceByLess(t *tester, i *item, full *checks.Exchange) {
	if full == nil {
		return
	}
	b := t.Plan.Of(full.Case.Operation)
	x := t.send(b, request{
		scope: i.Scope, key: i.Key, have: t.identity(i), title: "replace it by one without optional properties",
	})
	if !x.Succeeded() {
		return
	}
	read := t.readItem(i, "read the remaining properties")
	if read == nil {
		return
	}
	sent, _ := b.Request.Item(itempool.Sent(x))
	kept, shown, properties := object(sent), object(read.item), properties(b.Request)
	for _, name := range sortedNames(i.sent) {
		k, had := properties[name], i.sent[name]
		if _, has := kept[name]; has || !t.clientDecides(name, k) {
			continue
		}
		is, has := shown[name]
		if has && had != nil && isDistinctive(is, k) && !isDefault(b, k, is) && !differs(had, is, k) {
			t.report("replaced", "body."+name, exchanges{full, x, read.Exchange}, "is still there after a PUT without it")
		}
	}
}
