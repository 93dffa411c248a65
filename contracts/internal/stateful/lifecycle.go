package stateful

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
)

// life follows an item from its creation to its end.
func life(t *tester) {
	if t.resource.Singleton {
		t.singleton()
		return
	}
	i := t.create(nil, request{all: true, have: t.unusual(resource.Create), title: "create an item"})
	if i == nil {
		if i = t.create(nil, request{title: "create an item"}); i == nil {
			return
		}
	}
	t.location(i)
	first := t.read(i, "read what was created")
	if first != nil {
		if gone(first) {
			t.report("created-readable", "", fmt.Sprintf("what was created is answered %d", first.Status()), i.made, first)
			return
		}
		if value, ok := t.value(first); ok {
			t.shows("read-back", i.by, i.sent, value, t.Plan.Of(first.Case.Operation), i.made, first)
		}
		t.steady(i, first, t.again(first, "read it again"))
	}
	younger := t.create(i.Scope, request{title: "create another one"})
	t.listed(i, true, "list after the creations", younger)
	full := t.replaced(i, first)
	t.patched(i)
	t.lean(i, full)
	t.replaced(i, nil)
	t.cleared(i)
	t.removed(i, younger)
}

// singleton changes the one item of a singleton, and puts it back.
func (t *tester) singleton() {
	b := t.binding(resource.Read)
	if b == nil {
		return
	}
	scope := t.scope(b, "")
	if scope == nil {
		return
	}
	i := &item{Item: &itempool.Item{Resource: t.resource, Scope: scope}, by: b}
	full := t.replaced(i, nil)
	t.patched(i)
	t.lean(i, full)
	t.replaced(i, nil)
	t.cleared(i)
	t.taken(i)
}

// gone reports whether an answer says that there is no such item.
func gone(x *checks.Exchange) bool { return x != nil && (x.Status() == 404 || x.Status() == 410) }

// shows holds what an answer shows to what was sent.
func (t *tester) shows(check string, by *resource.Binding, sent, value any, in *resource.Binding, exchanges ...*checks.Exchange) {
	for _, d := range t.compare(by, sent, value, in) {
		t.report(check, "body"+dotted(d.pointer), d.message, exchanges...)
	}
}

// before puts an item's creation, where there was one, in front of exchanges.
func (i *item) before(exchanges ...*checks.Exchange) []*checks.Exchange {
	if i.made == nil {
		return exchanges
	}
	return append([]*checks.Exchange{i.made}, exchanges...)
}

func dotted(pointer string) string {
	b := []byte(pointer)
	for i := range b {
		if b[i] == '/' {
			b[i] = '.'
		}
	}
	return string(b)
}

// location follows the Location of a creation.
func (t *tester) location(i *item) {
	location, ok := i.made.Response.Header.Get("Location")
	if !ok || i.made.Status() != 201 && i.made.Status() != 202 {
		return
	}
	b := t.binding(resource.Read)
	if b == nil {
		return
	}
	path := t.Path(location)
	if path == "" {
		return // of another origin, or of none
	}
	r := t.prepare(b, request{scope: i.Scope, key: i.Key, title: "follow Location"})
	if r == nil {
		return
	}
	r.Request.Path = path
	x := t.Send(t.ctx, r)
	if x != nil && gone(x) {
		t.report("location", "header.Location", fmt.Sprintf("Location leads to %s, which is answered %d", location, x.Status()), i.made, x)
		return
	}
	if other := t.elsewhereShown(i, b, path, x); other != "" {
		t.report("location", "header.Location", fmt.Sprintf("Location leads to another item: the key of what was created is %q, and that of what is there is %q", i.Key, other), i.made, x)
	}
}

// elsewhereShown gives the key of the item that an answer shows, where that is another
// than was made: the path names it as well, and the answer to the creation
// shows the one that was made.
func (t *tester) elsewhereShown(i *item, b *resource.Binding, path string, x *checks.Exchange) string {
	property := keyProperty(t.resource)
	if property == nil || i.made.Status() != 201 || b.KeyIn != resource.InPath || len(b.Lookup) > 0 {
		return ""
	}
	made, ok := t.value(i.made)
	shown, also := t.value(x)
	if !ok || !also {
		return ""
	}
	mine, _ := resource.Get(made, property)
	theirs, _ := resource.Get(shown, property)
	key, other := itempool.Text(mine), itempool.Text(theirs)
	if key == "" || other == "" || key != i.Key || strings.EqualFold(key, other) || variables(b.Operation.Path, path)[b.Variable] != other {
		return ""
	}
	return other
}

// decided finds how an item differs from what it was in what clients decide.
func (t *tester) decided(by *resource.Binding, was, is any) []difference {
	properties := propertiesOf(by.Request)
	return slices.DeleteFunc(differ(was, is, nil, ""), func(d difference) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(d.pointer, "/"), "/")
		k := properties[name]
		return k == nil || k.ReadOnly || k.WriteOnly || t.madeByServer(name)
	})
}

// steady holds two reads in a row to show the same: what clients decide, and all
// where both have one strong tag (RFC 9110 section 8.8.1). Else what the backend
// decides may change by itself.
func (t *tester) steady(i *item, first, second *checks.Exchange) {
	a, ok := t.value(first)
	b, also := t.value(second)
	if !ok || !also || equal(a, b) {
		return
	}
	tag, tagged := first.Response.Header.Get("ETag")
	still, _ := second.Response.Header.Get("ETag")
	found := differ(a, b, nil, "")
	if !tagged || tag != still || weak(tag) {
		found = t.decided(i.by, a, b)
	}
	if len(found) > 0 {
		t.report("read-back", "twice", "two reads in a row show different things: "+strings.TrimPrefix(dotted(found[0].pointer), "."), first, second)
	}
}

// listed looks for an item in the list, and for another one made beside it. The
// exchanges before it are those that lead to what is wanted.
func (t *tester) listed(i *item, want bool, title string, other *item, before ...*checks.Exchange) {
	list := t.binding(resource.List)
	if list == nil {
		return
	}
	scope := t.home(i, list)
	if scope == nil {
		return // the item does not say below what it is listed
	}
	w := t.walk(scope, nil, title)
	if w == nil || !w.whole {
		return
	}
	for _, one := range []*item{i, other} {
		if one == nil {
			continue
		}
		found := w.has(t, one)
		switch {
		case found == nil: // the list does not show keys
		case want && !*found:
			t.report("listed", "", "what was created is not in the list", one.made, w.last())
		case !want && *found && !t.mixed(list):
			t.report("removed", "list", "what was removed is still in the list", append(before, w.last())...)
		}
	}
}

func keyProperty(r *resource.Resource) []string {
	if r.Key == nil {
		return nil
	}
	return r.Key.Property
}
