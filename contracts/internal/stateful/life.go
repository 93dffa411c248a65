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
func life(s *story) {
	if s.resource.Singleton {
		s.singleton()
		return
	}
	i := s.create(nil, request{all: true, have: s.unusual(resource.Create), title: "create an item"})
	if i == nil {
		if i = s.create(nil, request{title: "create an item"}); i == nil {
			return
		}
	}
	s.location(i)
	first := s.read(i, "read what was created")
	if first != nil {
		if gone(first) {
			s.accuse("created-readable", "", fmt.Sprintf("what was created is answered %d", first.Status()), i.made, first)
			return
		}
		if value, ok := s.value(first); ok {
			s.shows("read-back", i.by, i.sent, value, s.Plan.Of(first.Case.Operation), i.made, first)
		}
		s.steady(i, first, s.again(first, "read it again"))
	}
	younger := s.create(i.Scope, request{title: "create another one"})
	s.listed(i, true, "list after the creations", younger)
	full := s.replaced(i, first)
	s.patched(i)
	s.lean(i, full)
	s.replaced(i, nil)
	s.cleared(i)
	s.removed(i, younger)
}

// singleton changes the one item of a singleton, and puts it back.
func (s *story) singleton() {
	b := s.binding(resource.Read)
	if b == nil {
		return
	}
	scope := s.scope(b, "")
	if scope == nil {
		return
	}
	i := &item{Item: &itempool.Item{Resource: s.resource, Scope: scope}, by: b}
	full := s.replaced(i, nil)
	s.patched(i)
	s.lean(i, full)
	s.replaced(i, nil)
	s.cleared(i)
	s.taken(i)
}

// gone reports whether an answer says that there is no such item.
func gone(x *checks.Exchange) bool { return x != nil && (x.Status() == 404 || x.Status() == 410) }

// shows holds what an answer shows to what was sent.
func (s *story) shows(check string, by *resource.Binding, sent, value any, in *resource.Binding, exchanges ...*checks.Exchange) {
	for _, d := range s.compare(by, sent, value, in) {
		s.accuse(check, "body"+dotted(d.pointer), d.message, exchanges...)
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
func (s *story) location(i *item) {
	location, ok := i.made.Response.Header.Get("Location")
	if !ok || i.made.Status() != 201 && i.made.Status() != 202 {
		return
	}
	b := s.binding(resource.Read)
	if b == nil {
		return
	}
	path := s.Path(location)
	if path == "" {
		return // of another origin, or of none
	}
	r := s.prepare(b, request{scope: i.Scope, key: i.Key, title: "follow Location"})
	if r == nil {
		return
	}
	r.Request.Path = path
	x := s.Send(s.ctx, r)
	if x != nil && gone(x) {
		s.accuse("location", "header.Location", fmt.Sprintf("Location leads to %s, which is answered %d", location, x.Status()), i.made, x)
		return
	}
	if other := s.elsewhereShown(i, b, path, x); other != "" {
		s.accuse("location", "header.Location", fmt.Sprintf("Location leads to another item: the key of what was created is %q, and that of what is there is %q", i.Key, other), i.made, x)
	}
}

// elsewhereShown gives the key of the item that an answer shows, where that is another
// than was made: the path names it as well, and the answer to the creation
// shows the one that was made.
func (s *story) elsewhereShown(i *item, b *resource.Binding, path string, x *checks.Exchange) string {
	property := keyProperty(s.resource)
	if property == nil || i.made.Status() != 201 || b.KeyIn != resource.InPath || len(b.Lookup) > 0 {
		return ""
	}
	made, ok := s.value(i.made)
	shown, also := s.value(x)
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
func (s *story) decided(by *resource.Binding, was, is any) []difference {
	properties := propertiesOf(by.Request)
	return slices.DeleteFunc(differ(was, is, nil, ""), func(d difference) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(d.pointer, "/"), "/")
		k := properties[name]
		return k == nil || k.ReadOnly || k.WriteOnly || s.madeByServer(name)
	})
}

// steady holds two reads in a row to show the same: what clients decide, and all
// where both have one strong tag (RFC 9110 section 8.8.1). Else what the backend
// decides may change by itself.
func (s *story) steady(i *item, first, second *checks.Exchange) {
	a, ok := s.value(first)
	b, also := s.value(second)
	if !ok || !also || equal(a, b) {
		return
	}
	tag, tagged := first.Response.Header.Get("ETag")
	still, _ := second.Response.Header.Get("ETag")
	found := differ(a, b, nil, "")
	if !tagged || tag != still || weak(tag) {
		found = s.decided(i.by, a, b)
	}
	if len(found) > 0 {
		s.accuse("read-back", "twice", "two reads in a row show different things: "+strings.TrimPrefix(dotted(found[0].pointer), "."), first, second)
	}
}

// listed looks for an item in the list, and for another one made beside it. The
// exchanges before it are those that lead to what is wanted.
func (s *story) listed(i *item, want bool, title string, other *item, before ...*checks.Exchange) {
	list := s.binding(resource.List)
	if list == nil {
		return
	}
	scope := s.home(i, list)
	if scope == nil {
		return // the item does not say below what it is listed
	}
	w := s.walk(scope, nil, title)
	if w == nil || !w.whole {
		return
	}
	for _, one := range []*item{i, other} {
		if one == nil {
			continue
		}
		found := w.has(s, one)
		switch {
		case found == nil: // the list does not show keys
		case want && !*found:
			s.accuse("listed", "", "what was created is not in the list", one.made, w.last())
		case !want && *found && !s.mixed(list):
			s.accuse("removed", "list", "what was removed is still in the list", append(before, w.last())...)
		}
	}
}

func keyProperty(r *resource.Resource) []string {
	if r.Key == nil {
		return nil
	}
	return r.Key.Property
}
