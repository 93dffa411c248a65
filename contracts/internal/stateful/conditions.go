package stateful

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/resource"
)

// conditions follows the tag of an item through a change.
func conditions(s *story) {
	b := s.binding(resource.Read)
	if b == nil || b.Headers.ETag == "" {
		return
	}
	i := s.create(nil, request{all: true, title: "create an item"})
	if i == nil {
		return
	}
	first := s.read(i, "read it")
	if first == nil || !first.Succeeded() {
		return
	}
	tag, ok := first.Response.Header.Get("ETag")
	if !ok {
		return
	}
	if field := b.Headers.IfNoneMatch; field != "" {
		x := s.send(b, request{scope: i.Scope, key: i.Key, values: map[string]any{field: tag}, title: "read it unless it is as it was"})
		if x != nil && x.Succeeded() && documents(b.Operation, 304) {
			s.accuse("condition", "header."+field, fmt.Sprintf("a read on the condition that the item has changed is answered %d though it has not, and should be 304", x.Status()), first, x)
		}
		x = s.send(b, request{scope: i.Scope, key: i.Key, values: map[string]any{field: staleTag}, title: "read it unless it is another version"})
		if x != nil && x.Status() == 304 {
			s.accuse("condition", "header."+field, "a read unless it is a version that there never was is answered 304, and should be 200", first, x)
		}
	}
	s.tagged(i.by, i.made, first)
	s.unconditional(i)
	s.removedStale(i)
	for _, role := range []resource.Role{resource.Update, resource.Replace, resource.Upsert} {
		if change := s.binding(role); change != nil && change.KeyIn == resource.InPath {
			s.versions(i, change)
		}
	}
	s.unquoted(i)
}

// staleTag is the tag of no version.
const staleTag = `"coldframe-stale"`

// tagged compares the tag in the answer of a creation or a change with that of
// the read after it: a tag there is that of what is stored now (RFC 9110 sections
// 9.3.4 and 15.3.2). Answers that differ may have weak tags that differ.
func (s *story) tagged(change *resource.Binding, x, read *checks.Exchange) {
	if change == nil || change.Headers.ETag == "" || x == nil || x.Response == nil || change.Response == nil || contentOf(x) != contentOf(read) {
		return
	}
	said, ok := x.Response.Header.Get("ETag")
	tag, also := read.Response.Header.Get("ETag")
	if !ok || !also || said == tag {
		return
	}
	if (weak(said) || weak(tag)) && (weak(said) != weak(tag) || !bytes.Equal(x.Response.Body, read.Response.Body)) {
		return
	}
	again := s.again(read, "read it again")
	if again == nil || !again.Succeeded() {
		return
	}
	if still, _ := again.Response.Header.Get("ETag"); still == tag {
		s.accuse("condition", "header.ETag", fmt.Sprintf("is %s in the answer that stored it, and %s in the read after that", said, tag), x, read, again)
	}
}

func weak(tag string) bool { return strings.HasPrefix(tag, "W/") }

// contentOf says how an answer is written: one thing has as many tags as it has
// ways of being written (RFC 9110 section 8.8.3.3).
func contentOf(x *checks.Exchange) string {
	media, _ := x.Response.Header.Get("Content-Type")
	encoding, _ := x.Response.Header.Get("Content-Encoding")
	return media + " " + encoding
}

// unquoted changes an item whose version it names in a way that is none (RFC 9110
// section 13.1.1): whatever is not an error of the backend's own is right.
func (s *story) unquoted(i *item) {
	for _, role := range []resource.Role{resource.Update, resource.Replace, resource.Upsert, resource.Delete} {
		b := s.binding(role)
		if b == nil || b.KeyIn != resource.InPath || b.Headers.IfMatch == "" {
			continue
		}
		s.send(b, request{scope: i.Scope, key: i.Key, have: s.fixed(i, b), values: map[string]any{b.Headers.IfMatch: "abc"}, title: "change a version whose tag is not in quotes", absent: true})
	}
}

// versions changes an item whose version it names: a wrong one, that at hand,
// and one that is past.
func (s *story) versions(i *item, change *resource.Binding) {
	field := change.Headers.IfMatch
	first := s.read(i, "read it before the change")
	if first == nil || !first.Succeeded() {
		return
	}
	tag, _ := first.Response.Header.Get("ETag")
	refuses := documents(change.Operation, 412, 428, 409)
	send := func(tag, title string) *checks.Exchange {
		values := map[string]any{}
		if field != "" {
			values[field] = tag
		}
		return s.send(change, request{scope: i.Scope, key: i.Key, all: true, have: s.fixed(i, change), values: values, title: title})
	}
	if field != "" {
		if x := send(staleTag, "change another version of it"); x != nil && x.Succeeded() && refuses {
			s.accuse("condition", "header."+field, fmt.Sprintf("a change of a version that there never was is answered %d, and should be 412", x.Status()), first, x)
		}
	}
	x := send(tag, "change the version at hand")
	switch {
	case x == nil:
		return
	case x.Status() == 412 && field != "":
		s.accuse("condition", "header."+field, "a change of the version at hand is answered 412", first, x)
		return
	case !x.Succeeded():
		return
	}
	second := s.read(i, "read it after the change")
	if second == nil || !second.Succeeded() {
		return
	}
	after, _ := second.Response.Header.Get("ETag")
	before, okBefore := s.value(first)
	now, okNow := s.value(second)
	if after == tag {
		if okBefore && okNow && (!weak(tag) && !equal(before, now) || len(s.decided(change, before, now)) > 0) {
			s.accuse("condition", "header.ETag", "the tag is the same before and after a change", first, x, second)
		}
		return
	}
	s.tagged(change, x, second)
	if field == "" {
		return
	}
	stale := send(tag, "change the version that it was")
	switch {
	case stale == nil:
	case stale.Succeeded() && refuses:
		s.accuse("condition", "header."+field, fmt.Sprintf("a change of a version that is past is answered %d, and should be 412", stale.Status()), first, x, stale)
	case !stale.Succeeded():
		third := s.read(i, "read it after the change that was refused")
		if is, ok := s.value(third); ok && okNow && len(s.decided(change, now, is)) > 0 {
			s.accuse("condition", "refused", "a change that was refused has changed it", second, stale, third)
		}
	}
}

// unconditional changes an item without naming its version, where the document
// says that this is not taken.
func (s *story) unconditional(i *item) {
	for _, role := range []resource.Role{resource.Update, resource.Replace, resource.Delete} {
		b := s.binding(role)
		if b == nil || b.KeyIn != resource.InPath || b.Headers.IfMatch == "" || !documents(b.Operation, 428) {
			continue
		}
		c := s.prepare(b, request{scope: i.Scope, key: i.Key, have: s.fixed(i, b), title: "change it without naming its version"})
		if c == nil {
			continue
		}
		c.Request.Header.Del(b.Headers.IfMatch)
		c.Literal = append(c.Literal, b.Headers.IfMatch)
		if x := s.Send(s.ctx, c); x != nil && x.Succeeded() {
			s.accuse("condition", "unconditional "+role.String(), fmt.Sprintf("a change that does not name its version is answered %d, and should be 428", x.Status()), x)
		}
	}
}

// removedStale removes an item of a version that there never was.
func (s *story) removedStale(i *item) {
	b := s.binding(resource.Delete)
	if b == nil || b.KeyIn != resource.InPath || b.Headers.IfMatch == "" || !documents(b.Operation, 412, 409) {
		return
	}
	x := s.send(b, request{scope: i.Scope, key: i.Key, values: map[string]any{b.Headers.IfMatch: staleTag}, title: "remove another version of it"})
	if x != nil && x.Succeeded() {
		s.accuse("condition", "remove", fmt.Sprintf("the removal of a version that there never was is answered %d, and should be 412", x.Status()), x)
	}
}
