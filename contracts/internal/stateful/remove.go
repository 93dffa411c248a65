package stateful

import (
	"fmt"
	"maps"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/resource"
)

// removed removes the item, and looks whether it is gone.
func (s *story) removed(i, younger *item) {
	b := s.binding(resource.Delete)
	if b == nil || b.KeyIn != resource.InPath || len(b.Lookup) > 0 {
		return
	}
	x := s.send(b, request{scope: i.Scope, key: i.Key, title: "remove it"})
	if x == nil || !x.Succeeded() {
		return
	}
	if read := s.look(i, request{title: "read what was removed", absent: true}); read != nil && read.Succeeded() {
		s.accuse("removed", "read", fmt.Sprintf("what was removed is still answered %d", read.Status()), i.made, x, read)
	}
	s.listed(i, false, "list after the removal", nil, i.made, x)
	if younger != nil && !(younger.Key == i.Key && maps.Equal(younger.Scope, i.Scope)) {
		if read := s.read(younger, "read the other one"); gone(read) {
			s.accuse("removed", "other", fmt.Sprintf("another item is answered %d since one was removed", read.Status()), younger.made, x, read)
		}
	}
	again := s.again(x, "remove it again")
	if again != nil && again.Succeeded() && documents(b.Operation, 404, 410) {
		s.accuse("removed-twice", "", fmt.Sprintf("the second removal is answered %d, though the document has an answer for what does not exist", again.Status()), i.made, x, again)
	}
	for _, role := range []resource.Role{resource.Update, resource.Replace} {
		change := s.binding(role)
		if change == nil || change.KeyIn != resource.InPath || !documents(change.Operation, 404, 410) {
			continue
		}
		if after := s.send(change, request{scope: i.Scope, key: i.Key, have: s.fixed(i, change), title: "change what was removed", absent: true}); after != nil && after.Succeeded() {
			s.accuse("removed", "change", fmt.Sprintf("a change of what was removed is answered %d", after.Status()), i.made, x, after)
		}
	}
}

// taken removes the one item of a singleton, after it was put there.
func (s *story) taken(i *item) {
	remove := s.binding(resource.Delete)
	if remove == nil {
		return
	}
	var put *checks.Exchange
	for _, role := range []resource.Role{resource.Upsert, resource.Replace, resource.Create} {
		if b := s.binding(role); b != nil && put == nil {
			put = s.send(b, request{scope: i.Scope, title: "put it there"})
		}
	}
	if put == nil || !put.Succeeded() {
		return
	}
	there := s.read(i, "read what was put there")
	x := s.send(remove, request{scope: i.Scope, title: "remove it"})
	if x == nil || !x.Succeeded() || there == nil || !there.Succeeded() {
		return
	}
	read := s.look(i, request{title: "read what was removed", absent: true})
	if b := s.binding(resource.Read); read != nil && read.Succeeded() && documents(b.Operation, 404, 410) {
		s.accuse("removed", "read", fmt.Sprintf("what was removed is still answered %d", read.Status()), put, x, read)
	}
}
