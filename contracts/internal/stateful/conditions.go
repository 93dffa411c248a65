package stateful

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/resource"
)

// conditions follows the tag of an item through a change.
func conditions(t *tester) {
	b := t.binding(resource.Read)
	if b == nil || b.Headers.ETag == "" {
		return
	}
	i := t.create(nil, request{all: true, title: "create an item"})
	if i == nil {
		return
	}
	first := t.read(i, "read it")
	if first == nil || !first.Succeeded() {
		return
	}
	tag, ok := first.Response.Header.Get("ETag")
	if !ok {
		return
	}
	if field := b.Headers.IfNoneMatch; field != "" {
		x := t.send(b, request{scope: i.Scope, key: i.Key, values: map[string]any{field: tag}, title: "read it unless it is as it was"})
		if x != nil && x.Succeeded() && documents(b.Operation, 304) {
			t.report("condition", "header."+field, fmt.Sprintf("a read on the condition that the item has changed is answered %d though it has not, and should be 304", x.Status()), first, x)
		}
		x = t.send(b, request{scope: i.Scope, key: i.Key, values: map[string]any{field: staleTag}, title: "read it unless it is another version"})
		if x != nil && x.Status() == 304 {
			t.report("condition", "header."+field, "a read unless it is a version that there never was is answered 304, and should be 200", first, x)
		}
	}
	t.tagged(i.by, i.made, first)
	t.unconditional(i)
	t.removedStale(i)
	for _, role := range []resource.Role{resource.Update, resource.Replace, resource.Upsert} {
		if change := t.binding(role); change != nil && change.KeyIn == resource.InPath {
			t.versions(i, change)
		}
	}
	t.unquoted(i)
}

// staleTag is the tag of no version.
const staleTag = `"coldframe-stale"`

// tagged compares the tag in the answer of a creation or a change with that of
// the read after it: a tag there is that of what is stored now (RFC 9110 sections
// 9.3.4 and 15.3.2). Answers that differ may have weak tags that differ.
func (t *tester) tagged(change *resource.Binding, x, read *checks.Exchange) {
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
	again := t.again(read, "read it again")
	if again == nil || !again.Succeeded() {
		return
	}
	if still, _ := again.Response.Header.Get("ETag"); still == tag {
		t.report("condition", "header.ETag", fmt.Sprintf("is %s in the answer that stored it, and %s in the read after that", said, tag), x, read, again)
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
func (t *tester) unquoted(i *item) {
	for _, role := range []resource.Role{resource.Update, resource.Replace, resource.Upsert, resource.Delete} {
		b := t.binding(role)
		if b == nil || b.KeyIn != resource.InPath || b.Headers.IfMatch == "" {
			continue
		}
		t.send(b, request{scope: i.Scope, key: i.Key, have: t.fixed(i, b), values: map[string]any{b.Headers.IfMatch: "abc"}, title: "change a version whose tag is not in quotes", absent: true})
	}
}

// versions changes an item whose version it names: a wrong one, that at hand,
// and one that is past.
func (t *tester) versions(i *item, change *resource.Binding) {
	field := change.Headers.IfMatch
	first := t.read(i, "read it before the change")
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
		return t.send(change, request{scope: i.Scope, key: i.Key, all: true, have: t.fixed(i, change), values: values, title: title})
	}
	if field != "" {
		if x := send(staleTag, "change another version of it"); x != nil && x.Succeeded() && refuses {
			t.report("condition", "header."+field, fmt.Sprintf("a change of a version that there never was is answered %d, and should be 412", x.Status()), first, x)
		}
	}
	x := send(tag, "change the version at hand")
	switch {
	case x == nil:
		return
	case x.Status() == 412 && field != "":
		t.report("condition", "header."+field, "a change of the version at hand is answered 412", first, x)
		return
	case !x.Succeeded():
		return
	}
	second := t.read(i, "read it after the change")
	if second == nil || !second.Succeeded() {
		return
	}
	after, _ := second.Response.Header.Get("ETag")
	before, okBefore := t.value(first)
	now, okNow := t.value(second)
	if after == tag {
		if okBefore && okNow && (!weak(tag) && !equal(before, now) || len(t.decided(change, before, now)) > 0) {
			t.report("condition", "header.ETag", "the tag is the same before and after a change", first, x, second)
		}
		return
	}
	t.tagged(change, x, second)
	if field == "" {
		return
	}
	stale := send(tag, "change the version that it was")
	switch {
	case stale == nil:
	case stale.Succeeded() && refuses:
		t.report("condition", "header."+field, fmt.Sprintf("a change of a version that is past is answered %d, and should be 412", stale.Status()), first, x, stale)
	case !stale.Succeeded():
		third := t.read(i, "read it after the change that was refused")
		if is, ok := t.value(third); ok && okNow && len(t.decided(change, now, is)) > 0 {
			t.report("condition", "refused", "a change that was refused has changed it", second, stale, third)
		}
	}
}

// unconditional changes an item without naming its version, where the document
// says that this is not taken.
func (t *tester) unconditional(i *item) {
	for _, role := range []resource.Role{resource.Update, resource.Replace, resource.Delete} {
		b := t.binding(role)
		if b == nil || b.KeyIn != resource.InPath || b.Headers.IfMatch == "" || !documents(b.Operation, 428) {
			continue
		}
		c := t.prepare(b, request{scope: i.Scope, key: i.Key, have: t.fixed(i, b), title: "change it without naming its version"})
		if c == nil {
			continue
		}
		c.Request.Header.Del(b.Headers.IfMatch)
		c.Literal = append(c.Literal, b.Headers.IfMatch)
		if x := t.Send(t.ctx, c); x != nil && x.Succeeded() {
			t.report("condition", "unconditional "+role.String(), fmt.Sprintf("a change that does not name its version is answered %d, and should be 428", x.Status()), x)
		}
	}
}

// removedStale removes an item of a version that there never was.
func (t *tester) removedStale(i *item) {
	b := t.binding(resource.Delete)
	if b == nil || b.KeyIn != resource.InPath || b.Headers.IfMatch == "" || !documents(b.Operation, 412, 409) {
		return
	}
	x := t.send(b, request{scope: i.Scope, key: i.Key, values: map[string]any{b.Headers.IfMatch: staleTag}, title: "remove another version of it"})
	if x != nil && x.Succeeded() {
		t.report("condition", "remove", fmt.Sprintf("the removal of a version that there never was is answered %d, and should be 412", x.Status()), x)
	}
}
