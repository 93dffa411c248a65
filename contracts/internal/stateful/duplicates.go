package stateful

import (
	"fmt"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/resource"
)

// twice sends the same creation twice. Where a conflict is documented for an
// item that exists already, the second must be one.
func twice(t *tester) {
	b := t.binding(resource.Create)
	if b == nil {
		return
	}
	if !conflicting(b, t.resource) {
		t.usedUp(b)
		return
	}
	i := t.create(nil, request{all: true, title: "create an item"})
	if i == nil || !t.tells(i.sent, b.Resource.Key != nil && b.Resource.Key.ChosenBy == resource.Client) {
		return
	}
	second := t.afresh(i, "create the same again")
	if second == nil {
		return
	}
	if second.Status() == 409 {
		t.collides(i)
		t.given(i)
	}
	if !second.Succeeded() {
		return
	}
	t.report("duplicate", "", fmt.Sprintf("the same creation twice is answered %d and %d, though the document has 409 for what exists already", i.made.Status(), second.Status()), i.made, second)
}

// collides makes an item that is like another in what makes it unique alone: it
// is a conflict as well, and leaves the other as it is.
func (t *tester) collides(i *item) {
	names := t.resource.Unique
	if key := keyProperty(t.resource); len(key) == 1 {
		names = append(slices.Clone(names), key[0])
	}
	have := map[string]any{}
	for _, name := range names {
		if value, ok := resource.Get(i.sent, []string{name}); ok {
			have[name] = value
		}
	}
	before, ok := t.value(t.read(i, "read what was created"))
	if !ok || len(have) == 0 {
		return
	}
	x := t.send(i.by, request{scope: i.Scope, have: have, all: true, title: "create another with what must be unique"})
	if x == nil {
		return
	}
	if x.Succeeded() {
		t.report("duplicate", "", fmt.Sprintf("another creation with what must be unique is answered %d, though the same creation is a conflict", x.Status()), i.made, x)
		return
	}
	read := t.read(i, "read what was there before")
	if after, ok := t.value(read); ok {
		t.untouched(before, after, "", propertiesOf(i.by.Request), func(name, message string) {
			t.report("traces", "body."+name, message+" when another creation was refused", i.made, x, read)
		})
	}
}

// afresh sends a creation once more, under another key where it has one.
func (t *tester) afresh(i *item, title string) *checks.Exchange {
	c := *i.made.Case
	c.Title = title
	if field := i.by.Headers.IdempotencyKey; field != "" {
		if _, sent := c.Request.Header.Get(field); sent {
			request := *c.Request
			request.Header = slices.Clone(request.Header)
			if key, ok := t.token(i.by, field).(string); ok {
				request.Header.Set(field, key)
			}
			c.Request = &request
		}
	}
	return t.Send(t.ctx, &c)
}

// given changes another item to what makes an item unique: where creations
// conflict, changes do.
func (t *tester) given(i *item) {
	for _, role := range []resource.Role{resource.Replace, resource.Update} {
		b := t.binding(role)
		if b == nil || b.KeyIn != resource.InPath || b.Request == nil || !documents(b.Operation, 409) || keyProperty(t.resource) == nil {
			continue
		}
		other := t.create(i.Scope, request{all: true, title: "create another item"})
		if other == nil {
			return
		}
		sent, ok := i.sent.(map[string]any)
		if !ok {
			return
		}
		fixed := t.fixed(other, b)
		body := map[string]any{}
		for name, value := range sent {
			if k := propertiesOf(b.Request)[name]; k != nil && !k.ReadOnly {
				body[name] = value
			}
		}
		for name, value := range fixed {
			if _, has := body[name]; has {
				body[name] = value
			}
		}
		if !t.tells(body, false) {
			continue
		}
		x := t.send(b, request{scope: i.Scope, key: other.Key, body: b.Request.Wrap(body), title: "give another item what must be unique"})
		if x == nil || !x.Succeeded() {
			continue
		}
		read := t.read(other, "read what it was given to")
		if value, ok := t.value(read); ok && t.tellsAlike(body, value) {
			t.report("duplicate", role.String(), fmt.Sprintf("a change that makes two items the same is answered %d, though a creation that does is a conflict", x.Status()), i.made, other.made, x, read)
		}
	}
}

// tellsAlike reports whether an item that is shown has a value which no two items
// have from what was sent: a change that was not made makes no two items alike.
func (t *tester) tellsAlike(sent, shown any) bool {
	return slices.ContainsFunc(t.resource.Unique, func(name string) bool {
		mine, sent := resource.Get(sent, []string{name})
		is, has := resource.Get(shown, []string{name})
		return sent && has && mine != nil && len(differ(mine, is, nil, "")) == 0
	})
}

// tells reports whether what is sent has a value that no two items have: the key,
// or one of the others.
func (t *tester) tells(sent any, key bool) bool {
	has := func(path []string) bool {
		value, ok := resource.Get(sent, path)
		return ok && value != nil && value != ""
	}
	return key && (t.resource.Key.Property == nil || has(t.resource.Key.Property)) ||
		slices.ContainsFunc(t.resource.Unique, func(name string) bool { return has([]string{name}) })
}

// conflicting reports whether the document says that a creation can meet an item
// that exists: clients choose the key, or other properties tell items apart.
func conflicting(b *resource.Binding, r *resource.Resource) bool {
	conflict := b.Operation.Response(409)
	return conflict != nil && conflict.Status == "409" && (r.Key != nil && r.Key.ChosenBy == resource.Client || len(r.Unique) > 0)
}

// idempotencyKey sends the same creation twice under one key.
func idempotencyKey(t *tester) {
	b := t.binding(resource.Create)
	if b == nil || b.Headers.IdempotencyKey == "" {
		return
	}
	field := b.Headers.IdempotencyKey
	i := t.create(nil, request{title: "create an item under a key", values: map[string]any{field: t.token(b, field)}})
	if i == nil {
		return
	}
	second := t.again(i.made, "the same under the same key")
	if second == nil || second.Response == nil {
		return
	}
	if !second.Succeeded() {
		if second.Status() != 409 && second.Status() != 429 {
			t.report("idempotency-key", "header."+field, fmt.Sprintf("the same request under the same key is answered %d and then %d", i.made.Status(), second.Status()), i.made, second)
		}
		return
	}
	if other := t.shown(b, second, i.Scope); other != nil && other.Key != i.Key {
		t.report("idempotency-key", "header."+field, fmt.Sprintf("the same request under the same key makes %q and %q", i.Key, other.Key), i.made, second)
	}
}

// token gives a text for a key that no other request of the run has.
func (t *tester) token(b *resource.Binding, field string) any {
	t.n++
	digits := fmt.Sprintf("%012d", t.n%1_000_000_000_000)
	sum := fmt.Sprintf("%08x", uint32(t.Seed)*2654435761+uint32(len(t.resource.Name)*7919+t.n))
	for _, candidate := range []string{sum + "-0000-4000-8000-" + digits, "coldframe-" + sum + digits, sum} {
		if t.Builder(b.Operation).Takes(field, candidate) {
			return candidate
		}
	}
	return "coldframe"
}
