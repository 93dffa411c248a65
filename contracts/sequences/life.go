package sequences

import (
	"fmt"

	"github.com/coldframe/coldframe/contracts/checks"
	"github.com/coldframe/coldframe/contracts/supply"
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
		second := s.again(first, "read it again")
		if a, ok := s.value(first); ok {
			if b, ok := s.value(second); ok && text(a) != text(b) && len(differ(a, b, nil, "")) > 0 {
				s.accuse("read-back", "twice", "two reads in a row show different things", first, second)
			}
		}
	}
	younger := s.create(i.Scope, request{title: "create another one"})
	s.listed(i, true, "list after the creations", younger)
	full := s.replaced(i)
	s.patched(i)
	s.cleared(i)
	s.lean(i, full)
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
	i := &item{Item: &supply.Item{Resource: s.resource, Scope: scope}, by: b}
	full := s.replaced(i)
	s.patched(i)
	s.cleared(i)
	s.lean(i, full)
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
	if x := s.Send(s.ctx, r); x != nil && gone(x) {
		s.accuse("location", "header.Location", fmt.Sprintf("Location leads to %s, which is answered %d", location, x.Status()), i.made, x)
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
		case !want && *found:
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
