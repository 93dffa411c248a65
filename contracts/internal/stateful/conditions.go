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

func conditions(t *tester) {
	b := must(t, t.operation(resource.Read))
	i := must(t, t.create(request{all: true, title: "create an item"}))
	first := t.read(i, "read it")
	t.require(first.Succeeded() && tagOf(first) != "")
	tag := tagOf(first)
	x := readUnless(t, i, tag, "read it unless it is the version at hand")
	// each representation may have a tag of its own: only the same tag is the same version
	t.reportIf(x.Succeeded() && b.Headers.IfNoneMatch != "" && b.Operation.DocumentsExactly(304) && tagOf(x) == tag,
		"condition", ifNoneMatch, exchanges{first, x},
		"a read of the version at hand is answered with %d, and should be 304", x.Status())
	x = readUnless(t, i, unknownTag, "read it unless it is an unknown version")
	t.reportIf(x.Status() == 304, "condition", ifNoneMatch, exchanges{first, x},
		"a read that excludes an unknown version is answered with 304, and should be 200")
	compareTags(t, i.by, i.created, first)
	t.eachOperation(func(b *resource.Binding) { changeUnconditionally(t, i, b) },
		resource.Update, resource.Replace, resource.Delete)
	t.eachOperation(func(b *resource.Binding) { deleteUnknownVersion(t, i, b) }, resource.Delete)
	t.eachOperation(func(b *resource.Binding) { changeVersions(t, i, b) },
		resource.Update, resource.Replace, resource.Upsert)
	for _, b := range actionsOf(t) {
		t.step(func() { actOnUnknownVersion(t, b) })
	}
	t.eachOperation(func(b *resource.Binding) { putUnlessAny(t, i, b) }, resource.Replace, resource.Upsert)
	t.eachOperation(func(b *resource.Binding) { sendUnquotedTag(t, i, b) },
		resource.Update, resource.Replace, resource.Upsert, resource.Delete)
}

// ifNoneMatch is the place of findings on reads with If-None-Match, which clients may send of any read that had a tag
// (RFC 9110 section 13.1.2).
const ifNoneMatch = "header.If-None-Match"

// readUnless reads an item unless it has a version; nil if that cannot be sent.
func readUnless(t *tester, i *item, tag, title string) *checks.Exchange {
	c := t.build(t.operation(resource.Read), request{item: i, title: title})
	if c == nil {
		return nil
	}
	c.Request.Header.Set("If-None-Match", tag)
	return t.Send(t.ctx, c)
}

func conditional(i *item, field, tag, title string) request {
	return request{item: i, values: map[string]any{field: tag}, title: title}
}

// compareTags compares the tag in the response to a creation or a change with that
// of the read after it, which both are of what is stored now (RFC 9110 sections
// 9.3.4 and 15.3.2). Responses that differ may have weak tags that differ.
func compareTags(t *tester, change *resource.Binding, x, read *checks.Exchange) {
	stored, tag := tagOf(x), tagOf(read)
	if change.Headers.ETag == "" || change.Response == nil || stored == "" || tag == "" || stored == tag ||
		representation(x) != representation(read) {
		return
	}
	isSame := isWeak(stored) == isWeak(tag) && bytes.Equal(x.Response.Body, read.Response.Body)
	if (isWeak(stored) || isWeak(tag)) && !isSame {
		return
	}
	again := t.resend(read, "read it again")
	t.warnIf(again.Succeeded() && tagOf(again) == tag, "condition", "header.ETag", exchanges{x, read, again},
		"is %s in the response that stored it, and %s in the read after that", stored, tag)
}

func tagOf(x *checks.Exchange) string {
	tag, _ := x.Response.Header.Get("ETag")
	return tag
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
	t.require(first.Succeeded())
	tag, refuses := tagOf(first), change.Operation.DocumentsExactly(412, 428, 409)
	send := func(tag, title string) *checks.Exchange {
		r := request{item: i, title: title}
		if field != "" {
			r = conditional(i, field, tag, title)
		}
		r.all = true
		return t.send(change, r)
	}
	if field != "" {
		x := send(unknownTag, "change an unknown version of it")
		t.reportIf(x.Succeeded() && refuses, "condition", "header."+field, exchanges{first, x},
			"a change of an unknown version is answered with %d, and should be 412", x.Status())
	}
	x := send(tag, "change the version at hand")
	if x.Status() == 412 && field != "" && !isWeak(tag) { // weak tags never match (RFC 9110 section 13.1.1)
		same := t.read(i, "read it after the change that was refused")
		t.reportIf(same.Succeeded() && tagOf(same) == tag, "condition", "header."+field, exchanges{first, x, same},
			"a change of the version at hand is answered with 412")
	}
	t.require(x.Succeeded())
	var second *checks.Exchange
	t.await(x, func() bool { // a 202 is carried out later
		second = t.read(i, "read it after the change")
		return !second.Succeeded() || tagOf(second) != tag
	})
	t.require(second.Succeeded())
	before, now := t.shown(first), t.shown(second)
	if tagOf(second) == tag {
		isChanged := before != nil && now != nil && len(clientDifferences(t, change, before.item, now.item)) > 0
		t.report(isChanged || !isWeak(tag) && before != nil && now != nil && !jsonvalue.Equals(before.item, now.item),
			violation{severity: severity(!isWeak(tag)), check: "condition", about: "header.ETag",
				sent: exchanges{first, x, second}},
			"the tag is the same before and after a change")
		return
	}
	compareTags(t, change, x, second)
	unless := readUnless(t, i, tag, "read it unless it is the version before")
	t.reportIf(unless.Status() == 304, "condition", ifNoneMatch, exchanges{first, x, unless},
		"a read that excludes the version before a change is answered with 304, and should be 200")
	t.require(field != "")
	stale := send(tag, "change the version before")
	t.reportIf(stale.Succeeded() && refuses, "condition", "header."+field, exchanges{first, x, stale},
		"a change of an outdated version is answered with %d, and should be 412", stale.Status())
	t.require(stale != nil && !stale.Succeeded())
	third := must(t, t.readItem(i, "read it after the change that was refused"))
	t.reportIf(now != nil && len(clientDifferences(t, change, now.item, third.item)) > 0,
		"condition", "refused", exchanges{second, stale, third.Exchange}, "a change that was refused has changed it")
}

// changeUnconditionally changes an item without If-Match, if the document says that this is refused.
func changeUnconditionally(t *tester, i *item, b *resource.Binding) {
	field := b.Headers.IfMatch
	t.require(field != "" && b.Operation.DocumentsExactly(428))
	c := must(t, t.build(b, request{item: i, title: "change it without " + field}))
	c.Request.Header.Del(field)
	c.Literal = append(c.Literal, field)
	x := t.Send(t.ctx, c)
	t.reportIf(x.Succeeded(), "condition", "unconditional "+b.Role.String(), exchanges{x},
		"a change without %s is answered with %d, and should be 428", field, x.Status())
}

func deleteUnknownVersion(t *tester, i *item, b *resource.Binding) {
	t.require(b.Headers.IfMatch != "" && b.Operation.DocumentsExactly(412, 409))
	before := must(t, t.readItem(i, "read it before the deletion"))
	x := t.send(b, conditional(i, b.Headers.IfMatch, unknownTag, "delete an unknown version of it"))
	t.reportIf(x.Succeeded(), "condition", "remove", exchanges{x},
		"the deletion of an unknown version is answered with %d, and should be 412", x.Status())
	checkRefused(t, i, before, x)
}

// actOnUnknownVersion applies an action on the condition that the item is an unknown version.
func actOnUnknownVersion(t *tester, b *resource.Binding) {
	t.require(b.Headers.IfMatch != "" && b.Operation.DocumentsExactly(412, 409))
	i := must(t, t.create(request{title: "create an item"}))
	before := must(t, t.readItem(i, "read it before the action"))
	x := t.send(b, conditional(i, b.Headers.IfMatch, unknownTag, "act on an unknown version of it"))
	t.reportIf(x.Succeeded(), "condition", "header."+b.Headers.IfMatch, i.after(before.Exchange, x),
		"an action on an unknown version is answered with %d, and should be 412", x.Status())
	checkRefused(t, i, before, x)
}

// putUnlessAny puts an item that exists on the condition that none does (RFC 9110 section 13.1.2).
func putUnlessAny(t *tester, i *item, b *resource.Binding) {
	field := b.Headers.IfNoneMatch
	t.require(field != "" && b.Operation.DocumentsExactly(412))
	before := must(t, t.readItem(i, "read it before the change"))
	x := t.send(b, conditional(i, field, "*", "put it unless there is any"))
	t.reportIf(x.Succeeded(), "condition", "header."+field, exchanges{before.Exchange, x},
		"a PUT unless there is any is answered with %d for an item that exists, and should be 412", x.Status())
	checkRefused(t, i, before, x)
}

// sendUnquotedTag changes an item with a malformed tag (RFC 9110 section 13.1.1):
// any response but an internal error is right.
func sendUnquotedTag(t *tester, i *item, b *resource.Binding) {
	t.require(b.Headers.IfMatch != "")
	r := conditional(i, b.Headers.IfMatch, "abc", "change it by a tag without quotes")
	r.mayFail = true
	t.send(b, r)
}
