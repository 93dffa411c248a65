package stateful

import (
	"bytes"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
)

// unknownTag is the tag of a version that does not exist.
const unknownTag = `"coldframe-stale"`

// conditions follows the tag of an item through changes.
func conditions(t *tester) {
	b := t.operation(resource.Read)
	if b == nil || b.Headers.ETag == "" {
		return
	}
	i := t.create(nil, request{all: true, title: "create an item"})
	if i == nil {
		return
	}
	first := t.read(i, "read it")
	if !first.Succeeded() {
		return
	}
	tag, ok := first.Response.Header.Get("ETag")
	if !ok {
		return
	}
	if field := b.Headers.IfNoneMatch; field != "" {
		read := func(tag, title string) *checks.Exchange {
			return t.send(b, request{scope: i.Scope, key: i.Key, values: map[string]any{field: tag}, title: title})
		}
		if x := read(tag, "read it unless it is the version at hand"); x.Succeeded() && documents(b.Operation, 304) {
			t.report("condition", "header."+field, exchanges{first, x},
				"a read on the condition that the item has changed is answered with %d though it has not, and should be 304", x.Status())
		}
		if x := read(unknownTag, "read it unless it is another version"); x.Status() == 304 {
			t.report("condition", "header."+field, exchanges{first, x},
				"a read on the condition that the item is not an unknown version is answered with 304, and should be 200")
		}
	}
	compareTags(t, i.by, i.created, first)
	changeUnconditionally(t, i)
	deleteUnknownVersion(t, i)
	for _, role := range []resource.Role{resource.Update, resource.Replace, resource.Upsert} {
		if change := t.keyedOperation(role); change != nil {
			changeVersions(t, i, change)
		}
	}
	sendUnquotedTags(t, i)
}

// compareTags compares the tag in the response to a creation or a change with that
// of the read after it, which both are of what is stored now (RFC 9110 sections
// 9.3.4 and 15.3.2). Responses that differ may have weak tags that differ.
func compareTags(t *tester, change *resource.Binding, x, read *checks.Exchange) {
	if change == nil || change.Headers.ETag == "" || x == nil || x.Response == nil || change.Response == nil ||
		representation(x) != representation(read) {
		return
	}
	stored, ok := x.Response.Header.Get("ETag")
	tag, also := read.Response.Header.Get("ETag")
	if !ok || !also || stored == tag {
		return
	}
	if (isWeak(stored) || isWeak(tag)) && (isWeak(stored) != isWeak(tag) || !bytes.Equal(x.Response.Body, read.Response.Body)) {
		return
	}
	again := t.resend(read, "read it again")
	if !again.Succeeded() {
		return
	}
	if second, _ := again.Response.Header.Get("ETag"); second == tag {
		t.report("condition", "header.ETag", exchanges{x, read, again},
			"is %s in the response that stored it, and %s in the read after that", stored, tag)
	}
}

func isWeak(tag string) bool { return strings.HasPrefix(tag, "W/") }

// representation names the form of a response: each form of an item has a tag of
// its own (RFC 9110 section 8.8.3.3).
func representation(x *checks.Exchange) string {
	media, _ := x.Response.Header.Get("Content-Type")
	encoding, _ := x.Response.Header.Get("Content-Encoding")
	return media + " " + encoding
}

// changeVersions changes an item on the condition that it is an unknown version,
// the version at hand, and the one before.
func changeVersions(t *tester, i *item, change *resource.Binding) {
	field := change.Headers.IfMatch
	first := t.read(i, "read it before the change")
	if !first.Succeeded() {
		return
	}
	tag, _ := first.Response.Header.Get("ETag")
	refuses := documents(change.Operation, 412, 428, 409)
	send := func(tag, title string) *checks.Exchange {
		values := map[string]any{}
		if field != "" {
			values[field] = tag
		}
		return t.send(change, request{
			scope: i.Scope, key: i.Key, all: true, have: t.identity(i), values: values, title: title,
		})
	}
	if field != "" {
		if x := send(unknownTag, "change an unknown version of it"); x.Succeeded() && refuses {
			t.report("condition", "header."+field, exchanges{first, x},
				"a change of an unknown version is answered with %d, and should be 412", x.Status())
		}
	}
	x := send(tag, "change the version at hand")
	if x.Status() == 412 && field != "" {
		t.report("condition", "header."+field, exchanges{first, x}, "a change of the version at hand is answered with 412")
	}
	if !x.Succeeded() {
		return
	}
	second := t.read(i, "read it after the change")
	if !second.Succeeded() {
		return
	}
	if after, _ := second.Response.Header.Get("ETag"); after == tag {
		before, now := t.shown(first), t.shown(second)
		if before != nil && now != nil && (!isWeak(tag) && !jsonvalue.Equals(before.item, now.item) ||
			len(t.clientDifferences(change, before.item, now.item)) > 0) {
			t.report("condition", "header.ETag", exchanges{first, x, second}, "the tag is the same before and after a change")
		}
		return
	}
	compareTags(t, change, x, second)
	if field == "" {
		return
	}
	stale := send(tag, "change the version before")
	if stale.Succeeded() && refuses {
		t.report("condition", "header."+field, exchanges{first, x, stale},
			"a change of an outdated version is answered with %d, and should be 412", stale.Status())
	}
	if stale != nil && !stale.Succeeded() {
		now, third := t.shown(second), t.readItem(i, "read it after the change that was refused")
		if now != nil && third != nil && len(t.clientDifferences(change, now.item, third.item)) > 0 {
			t.report("condition", "refused", exchanges{second, stale, third.Exchange}, "a change that was refused has changed it")
		}
	}
}

// changeUnconditionally changes an item without If-Match, where the document says
// that this is refused.
func changeUnconditionally(t *tester, i *item) {
	for _, role := range []resource.Role{resource.Update, resource.Replace, resource.Delete} {
		b := t.keyedOperation(role)
		if b == nil || b.Headers.IfMatch == "" || !documents(b.Operation, 428) {
			continue
		}
		c := t.build(b, request{scope: i.Scope, key: i.Key, have: t.identity(i), title: "change it without " + b.Headers.IfMatch})
		if c == nil {
			continue
		}
		c.Request.Header.Del(b.Headers.IfMatch)
		c.Literal = append(c.Literal, b.Headers.IfMatch)
		if x := t.Send(t.ctx, c); x.Succeeded() {
			t.report("condition", "unconditional "+role.String(), exchanges{x},
				"a change without %s is answered with %d, and should be 428", b.Headers.IfMatch, x.Status())
		}
	}
}

// deleteUnknownVersion deletes an item on the condition that it is an unknown
// version.
func deleteUnknownVersion(t *tester, i *item) {
	b := t.keyedOperation(resource.Delete)
	if b == nil || b.Headers.IfMatch == "" || !documents(b.Operation, 412, 409) {
		return
	}
	x := t.send(b, request{
		scope: i.Scope, key: i.Key, values: map[string]any{b.Headers.IfMatch: unknownTag}, title: "delete an unknown version of it",
	})
	if x.Succeeded() {
		t.report("condition", "remove", exchanges{x},
			"the deletion of an unknown version is answered with %d, and should be 412", x.Status())
	}
}

// sendUnquotedTags changes an item with a malformed tag (RFC 9110 section 13.1.1):
// any response but an internal error is right.
func sendUnquotedTags(t *tester, i *item) {
	for _, role := range []resource.Role{resource.Update, resource.Replace, resource.Upsert, resource.Delete} {
		if b := t.keyedOperation(role); b != nil && b.Headers.IfMatch != "" {
			t.send(b, request{
				scope: i.Scope, key: i.Key, have: t.identity(i), values: map[string]any{b.Headers.IfMatch: "abc"},
				title: "change it by a tag without quotes", mayFail: true,
			})
		}
	}
}
