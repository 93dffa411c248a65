package stateful

import (
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
)

// duplicateCreation sends the same creation twice. Where the document has a
// conflict for an item that exists already, the second must be one.
func duplicateCreation(t *tester) {
	b := must(t, t.operation(resource.Create))
	if !hasNaturalKey(b, t.resource.Resource) {
		useReferenceTwice(t, b)
		return
	}
	i := must(t, t.create(request{all: true, title: "create an item"}))
	t.require(t.resource.isUnique(i.sent) || t.resource.hasClientKey(i.sent))
	second := resendCreation(t, i, "create the same again")
	if second.Status() == 409 {
		t.step(func() { createWithSameUnique(t, i) })
		changeToDuplicate(t, i)
	}
	if second.Succeeded() {
		t.report("duplicate", "", exchanges{i.created, second},
			"the same creation is answered with %d and then %d, though the document has 409 for an item that exists already",
			i.created.Status(), second.Status())
	}
}

// createWithSameUnique creates an item that has only its unique properties in
// common with another: it is a conflict as well, and leaves the other as it is.
func createWithSameUnique(t *tester, i *item) {
	have := map[string]any{}
	for name, value := range i.sent {
		if slices.Contains(t.resource.Unique, name) || t.resource.isKey(name) {
			have[name] = value
		}
	}
	before := must(t, t.readItem(i, "read the created item"))
	t.require(len(have) > 0)
	x := t.send(i.by, request{
		scope: i.Scope, have: have, all: true, title: "create another item with the same unique properties",
	})
	t.require(x != nil)
	if x.Succeeded() {
		t.report("duplicate", "", exchanges{i.created, x}, "another creation with the same unique properties "+
			"is answered with %d, though the same creation is a conflict", x.Status())
		return
	}
	after := must(t, t.readItem(i, "read the first item"))
	for _, d := range t.resource.sideEffects(before.item, after.item, "", properties(i.by.Request)) {
		t.report("traces", d.about(), exchanges{i.created, x, after.Exchange},
			"%s when another creation was refused", d.message)
	}
}

// resendCreation sends a creation once more, with another idempotency key where it has one.
func resendCreation(t *tester, i *item, title string) *checks.Exchange {
	c := *i.created.Case
	c.Title = title
	if _, sent := c.Request.Header.Get(i.by.Headers.IdempotencyKey); sent {
		request := *c.Request
		request.Header = slices.Clone(request.Header)
		request.Header.Set(i.by.Headers.IdempotencyKey, t.uniqueToken(i.by, i.by.Headers.IdempotencyKey))
		c.Request = &request
	}
	return t.Send(t.ctx, &c)
}

// changeToDuplicate gives another item the unique properties of an item: where
// creations conflict, changes do.
func changeToDuplicate(t *tester, i *item) {
	for _, role := range []resource.Role{resource.Replace, resource.Update} {
		b := t.keyedOperation(role)
		if b == nil || b.Request == nil || !documents(b.Operation, 409) || t.resource.key() == nil {
			continue
		}
		other := t.create(request{scope: i.Scope, all: true, title: "create another item"})
		if other == nil || i.sent == nil {
			return
		}
		body, properties := maps.Clone(i.sent), properties(b.Request)
		maps.DeleteFunc(body, func(name string, _ any) bool {
			return properties[name] == nil || schema.ReadOnly(properties[name])
		})
		for name, value := range t.identity(other) {
			if _, has := body[name]; has {
				body[name] = value
			}
		}
		if !t.resource.isUnique(body) {
			continue
		}
		x := t.send(b, request{item: other, body: b.Request.Wrap(body), title: "give another item the same properties"})
		if !x.Succeeded() {
			continue
		}
		read := t.readItem(other, "read the changed item")
		sharesUnique := func(name string) bool { return body[name] != nil && read.shows(name, body[name], nil) }
		if slices.ContainsFunc(t.resource.Unique, sharesUnique) {
			t.report("duplicate", role.String(), exchanges{i.created, other.created, x, read.Exchange},
				"a change that makes two items the same is answered with %d, though a creation that does is a conflict", x.Status())
		}
	}
}

func (r comparer) isUnique(sent map[string]any) bool {
	return slices.ContainsFunc(r.Unique, func(name string) bool { return sent[name] != nil && sent[name] != "" })
}

// hasClientKey reports whether an item has a key that clients choose.
func (r comparer) hasClientKey(sent map[string]any) bool {
	value := valueAt(sent, r.key())
	return r.Key != nil && r.Key.ChosenBy == resource.Client &&
		(r.key() == nil || value != nil && value != "")
}

// hasNaturalKey reports whether the document says that a creation can meet an item
// that exists: clients choose the key, or other properties are unique.
func hasNaturalKey(b *resource.Binding, r *resource.Resource) bool {
	conflict := b.Operation.Response(409)
	return conflict != nil && conflict.Status == "409" &&
		(r.Key != nil && r.Key.ChosenBy == resource.Client || len(r.Unique) > 0)
}

// useReferenceTwice sends the same creation twice, where the document says that
// what it refers to cannot be taken again: a book that is lent.
func useReferenceTwice(t *tester, b *resource.Binding) {
	t.require(documents(b.Operation, 409))
	references, _ := t.Pool.References(t.ctx, b.Operation)
	for _, name := range sortedNames(references) {
		if !refusesReuse(b.Operation.Summary+". "+b.Operation.Description, t.Plan.Referred(name)) {
			continue
		}
		i := must(t, t.create(request{title: "create an item that takes what its " + name + " refers to"}))
		if second := resendCreation(t, i, "create the same again"); second.Succeeded() {
			t.report("duplicate", "body."+name, exchanges{i.created, second},
				"the same creation is answered with %d and then %d, though the document has 409 for another use of its %s",
				i.created.Status(), second.Status(), name)
		}
		return
	}
}

// refusesReuse reports whether a sentence of a text says that it is a conflict to
// take an item of a resource again.
func refusesReuse(text string, r *resource.Resource) bool {
	text = strings.NewReplacer(".\n", ". ", "\n", " ").Replace(strings.ToLower(text))
	for sentence := range strings.SplitSeq(text, ". ") {
		if r != nil && containsAny(sentence, singular(r)) && containsAny(sentence, "409") &&
			containsAny(sentence, "cannot", "can not", "can't", "must not", "may not") &&
			containsAny(sentence, " again", " twice", " a second time") {
			return true
		}
	}
	return false
}

// singular gives the word for an item of a resource in descriptions.
func singular(r *resource.Resource) string {
	return strings.TrimSuffix(strings.ToLower(r.Name[strings.LastIndexByte(r.Name, '/')+1:]), "s")
}

func containsAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// idempotencyKey sends the same creation twice with one idempotency key.
func idempotencyKey(t *tester) {
	b := must(t, t.operation(resource.Create))
	field := b.Headers.IdempotencyKey
	t.require(field != "")
	values := map[string]any{field: t.uniqueToken(b, field)}
	i := must(t, t.create(request{values: values, title: "create an item with an idempotency key"}))
	second := t.resend(i.created, "the same with the same idempotency key")
	sent := exchanges{i.created, second}
	if second.Succeeded() {
		if other := t.createdBy(b, second, i.Scope); other != nil && other.Key != i.Key {
			t.report("idempotency-key", "header."+field, sent,
				"the same request with the same key creates %q and then %q", i.Key, other.Key)
		}
	} else if status := second.Status(); status != 0 && status != 409 && status != 429 {
		t.report("idempotency-key", "header."+field, sent,
			"the same request with the same key is answered with %d and then %d", i.created.Status(), status)
	}
}
