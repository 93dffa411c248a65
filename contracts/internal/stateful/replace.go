package stateful

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// replaced puts other values in place of all. It gives the exchange that did so,
// nil where none has. The item was read before, or that is nil.
func (t *tester) replaced(i *item, before *checks.Exchange) *checks.Exchange {
	b := t.binding(resource.Replace)
	if b == nil {
		b = t.binding(resource.Upsert)
	}
	if b == nil || !t.resource.Singleton && b.KeyIn != resource.InPath || b.Request == nil {
		return nil
	}
	have := t.fixed(i, b)
	for name, value := range t.unusual(b.Role) {
		if _, fixed := have[name]; !fixed {
			have[name] = value
		}
	}
	x := t.send(b, request{scope: i.Scope, key: i.Key, all: true, have: have, title: "replace it"})
	if x == nil {
		x = t.send(b, request{scope: i.Scope, key: i.Key, all: true, have: t.fixed(i, b), title: "replace it"})
	}
	if x == nil || !x.Succeeded() {
		return nil
	}
	sent, _ := b.Request.Item(itempool.Sent(x))
	if read := t.read(i, "read what was replaced"); read != nil {
		if gone(read) {
			t.report("updated", "", fmt.Sprintf("what was replaced is answered %d", read.Status()), i.before(x, read)...)
			return nil
		}
		if value, ok := t.value(read); ok {
			t.shows("updated", b, sent, value, t.Plan.Of(read.Case.Operation), x, read)
			if b.Role == resource.Replace && x.Status() != 201 {
				t.born(before, x, read)
			}
		}
	}
	again := t.again(x, "replace it by the same")
	if again != nil && x.Succeeded() && (again.Status() >= 500 || gone(again)) {
		t.report("idempotent", "PUT", fmt.Sprintf("the same replacement is answered %d and then %d", x.Status(), again.Status()), x, again)
	}
	if again != nil && again.Succeeded() {
		read := t.read(i, "read what was replaced twice")
		if value, ok := t.value(read); ok {
			for _, d := range t.compare(b, sent, value, t.Plan.Of(read.Case.Operation)) {
				t.report("idempotent", "body"+dotted(d.pointer), d.message+" when it was sent twice", x, again, read)
			}
		}
	}
	i.sent, i.by = sent, b
	return x
}

// born holds the time at which an item was made to be what it was before a
// change. Backends may keep it rounded.
func (t *tester) born(before, x, after *checks.Exchange) {
	was, ok := t.value(before)
	is, also := t.value(after)
	name := t.resource.Created
	if !ok || !also || name == "" || !decidedByServer(name, t.Plan.Of(x.Case.Operation), t.Plan.Of(after.Case.Operation)) {
		return
	}
	then, _ := resource.Get(was, []string{name})
	now, _ := resource.Get(is, []string{name})
	first, ok := instant(then)
	second, also := instant(now)
	if ok && also && first.Sub(second).Abs() > time.Millisecond {
		t.report("replaced", "body."+name, fmt.Sprintf("was %s, and is %s after a PUT: it was not made then", text(then), text(now)), before, x, after)
	}
}

// decidedByServer reports whether clients have no say in a property: it is
// readOnly where answers have it, and no other where requests do.
func decidedByServer(name string, change, read *resource.Binding) bool {
	asked, shown := propertiesOf(change.Request)[name], propertiesOf(read.Response)[name]
	return shown != nil && (asked == nil || asked.ReadOnly)
}

func instant(value any) (time.Time, bool) {
	s, _ := value.(string)
	at, err := time.Parse(time.RFC3339, s)
	return at, err == nil
}

// lean replaces an item by one without what is optional: what it had must go.
func (t *tester) lean(i *item, full *checks.Exchange) {
	if full == nil {
		return
	}
	b := t.Plan.Of(full.Case.Operation)
	x := t.send(b, request{scope: i.Scope, key: i.Key, have: t.fixed(i, b), title: "replace it by one with less"})
	if x == nil || !x.Succeeded() {
		return
	}
	read := t.read(i, "read what is left")
	value, ok := t.value(read)
	if !ok {
		return
	}
	had, _ := i.sent.(map[string]any)
	sent, _ := b.Request.Item(itempool.Sent(x))
	has, _ := sent.(map[string]any)
	shown, _ := value.(map[string]any)
	for _, name := range sortedNames(had) {
		k := propertiesOf(b.Request)[name]
		if _, kept := has[name]; kept || k == nil || k.ReadOnly || k.WriteOnly || t.madeByServer(name) {
			continue
		}
		still, ok := shown[name]
		if ok && had[name] != nil && telling(k, still) && !isDefault(b, listed(b.Request.Value, name, 0), still) && len(differ(had[name], still, k, "")) == 0 {
			t.report("replaced", "body."+name, "is still there after a PUT without it", full, x, read)
		}
	}
}

// telling reports whether a value is one that no backend comes to by itself: not
// one of few, not empty, not zero.
func telling(k *spec.Keywords, value any) bool {
	if k.Enum != nil || k.Const != nil {
		return false
	}
	switch v := value.(type) {
	case string:
		return v != ""
	case json.Number:
		return v != "0" && v != "1"
	case []any:
		return len(v) > 0
	}
	return false
}

// unusual gives values other than their defaults for properties of few values,
// so that what falls back to a default is seen.
func (t *tester) unusual(role resource.Role) map[string]any {
	b := t.binding(role)
	have := map[string]any{}
	if b == nil || b.Request == nil {
		return have
	}
	for name, k := range propertiesOf(b.Request) {
		usual := defaultOf(b, k)
		switch value := usual.(type) {
		case bool:
			have[name] = !value
		case string:
			if k.Enum == nil {
				continue
			}
			for _, other := range k.Enum.Values {
				if other != usual {
					have[name] = other
					break
				}
			}
		}
	}
	return have
}

// fixed are the properties that a change must leave as they are: the key, and
// what refers to a parent.
func (t *tester) fixed(i *item, b *resource.Binding) map[string]any {
	have := map[string]any{}
	for _, property := range [][]string{keyProperty(t.resource), t.resource.ParentProperty} {
		if len(property) != 1 {
			continue
		}
		for _, from := range []any{i.sent, i.Value} {
			if value, ok := resource.Get(from, property); ok {
				have[property[0]] = value
				break
			}
		}
	}
	return have
}
