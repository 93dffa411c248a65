package stateful

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/runtimeexpr"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

const (
	// maxRefused is how many creations of a kind that the backend refuses are sent.
	maxRefused = 40
	// maxShownRefused is how many of them a finding shows if it is unknown which one left something behind.
	maxShownRefused = 6
)

// refusedCreations sends creations that should be refused: with a body that violates the schema, with a
// reference to an unknown item, and of an item that exists. The list then has no items but those that were there
// before, and those that were created nevertheless.
func refusedCreations(t *tester) {
	b := must(t, t.operation(resource.Create))
	must(t, t.operation(resource.List))
	scope := t.mustScope(b)
	references, _ := t.Pool.References(t.ctx, b.Operation)
	known := keysAfterCreation(t, scope)
	var sent exchanges
	for c := range t.Builder(b.Operation).Coverage(t.ctx, references, 0) {
		if !breaksSchema(c) {
			continue
		}
		switch x := must(t, t.sendCase(c, b, scope)); {
		case x.Status()/100 == 4:
			sent = append(sent, x)
		case x.Succeeded():
			known = append(known, must(t, t.createdBy(b, x, scope)).Key)
		}
		if len(sent) >= maxRefused {
			break
		}
	}
	for _, name := range sortedNames(references) {
		unknown := unknownReference(references[name], properties(b.Request)[name])
		if unknown == nil || len(sent) >= 2*maxRefused {
			continue
		}
		x := sendUnknownReference(t, b, scope, name, unknown)
		if x.Status()/100 == 4 || x.Succeeded() {
			sent = append(sent, x)
		}
		if x.Succeeded() {
			known = append(known, must(t, t.createdBy(b, x, scope)).Key)
		}
	}
	var i *item // that cannot be created again
	if hasNaturalKey(t, b) {
		i = t.create(request{scope: scope, title: "create an item"})
	}
	if i != nil {
		sent, known = append(sent, i.created), append(known, i.Key)
		if x := resendCreation(t, i, "create the same again"); x.Succeeded() {
			sent = append(sent, x)
			if second := t.createdBy(b, x, scope); second != nil {
				known = append(known, second.Key)
			}
		}
	}
	later := b.Operation.Response(202) // an item may be there late that another request has created
	t.require(len(sent) > 0 && (later == nil || later.Status != "202"))
	list := must(t, t.list(scope, nil, "the list after the refused creations"))
	keys, _ := list.keys()
	for at, key := range keys {
		if slices.Contains(known, key) {
			continue
		}
		culprit := likest(b, sent, &reading{item: list.items[at], by: list.by})
		if culprit != nil {
			sent = exchanges{culprit}
		}
		t.require(culprit != nil || t.Settling == nil || t.Settling.lag.Load() == 0) // another creation may show now
		t.report(true,
			violation{severity: severity(culprit != nil), check: "traces",
				sent: append(sent[:min(len(sent), maxShownRefused)], list.last())},
			"the item %q exists after creations that were all refused", key)
		return
	}
}

// breaksSchema reports whether a case should be refused for its body, which is JSON.
func breaksSchema(c *cases.Case) bool {
	if c.Expected != cases.Refused || c.Violation == nil || c.Violation.In != exchange.InBody {
		return false
	}
	_, fault := jsontext.Decode(string(c.Request.Body))
	return fault == nil
}

// likest returns the creation whose values an item shows most of; nil if it shows none of them.
func likest(b *resource.Binding, sent exchanges, listed *reading) (best *checks.Exchange) {
	most, properties := 0, properties(b.Request)
	for _, x := range sent {
		same, isKnown := 0, false
		for name, value := range sentItem(b, x) {
			if listed.shows(name, value, properties[name]) {
				same++
				isKnown = isKnown || isDistinctive(value, properties[name])
			}
		}
		if isKnown && same > most {
			best, most = x, same
		}
	}
	return best
}

// keysAfterCreation creates one item, and returns the keys of the list then. No second
// item with the same values may be in the list.
func keysAfterCreation(t *tester, scope map[string]string) []string {
	had, ok := must(t, t.list(scope, nil, "the list before")).keys()
	t.require(ok)
	i := t.create(request{scope: scope, all: true, title: "create one item"})
	after := must(t, t.list(scope, nil, "the list after one creation"))
	keys, ok := after.keys()
	t.require(ok && (i != nil || len(keys) <= len(had)))
	if i == nil || !slices.Contains(keys, i.Key) {
		return keys
	}
	for at, key := range keys {
		isCopy := key != i.Key && !slices.Contains(had, key) && isCopy(t, i, &reading{item: after.items[at], by: after.by})
		if t.reportIf(isCopy, "listed", "twice", exchanges{i.created, after.last()},
			"one creation created %q, and %q with the same values", i.Key, key) {
			break
		}
	}
	return keys
}

// isCopy reports whether a listed item shows what was sent to create another.
func isCopy(t *tester, i *item, listed *reading) bool {
	properties, distinctive := properties(i.by.Request), false
	for name, value := range i.sent {
		k := properties[name]
		distinctive = distinctive || k != nil && isDistinctive(value, k) && listed.get(name) != nil
	}
	return distinctive && len(t.compareShown(i.by, i.sent, listed)) == 0
}

// duplicateCreation sends the same creation twice. If the document has a
// conflict for an item that exists already, the second must be one.
func duplicateCreation(t *tester) {
	b := must(t, t.operation(resource.Create))
	t.require(hasNaturalKey(t, b))
	i := must(t, t.create(request{all: true, title: "create an item"}))
	t.require(isUnique(t, i.sent) || hasClientKey(t, i.sent))
	second := resendCreation(t, i, "create the same again")
	if second.Status() == 409 {
		t.step(func() { createWithSameUnique(t, i) })
		changeToDuplicate(t, i)
	}
	isCertain := hasClientKey(t, i.sent) || !slices.Equal(t.resource.Unique, []string{t.resource.MaybeUnique})
	t.report(second.Succeeded(),
		violation{severity: severity(isCertain), check: "duplicate", sent: exchanges{i.created, second}},
		"the same creation is answered with %d and then %d, though the document has 409 for an item that exists already",
		i.created.Status(), second.Status())
}

// createWithSameUnique creates an item that has only its unique properties in
// common with another: it is a conflict as well, and leaves the other unchanged.
func createWithSameUnique(t *tester, i *item) {
	have := maps.Clone(i.sent)
	maps.DeleteFunc(have, func(name string, _ any) bool {
		return !slices.Contains(t.resource.Unique, name) && !t.isKey(name)
	})
	before := must(t, t.readItem(i, "read the created item"))
	t.require(len(have) > 0)
	x := must(t, t.send(i.by, request{
		scope: i.Scope, have: have, all: true, title: "create another item with the same unique properties",
	}))
	t.require(!t.warnIf(x.Succeeded(), "duplicate", "", exchanges{i.created, x}, // they may be unique together only
		"another creation with the same unique properties is answered with %d, though the same creation is a conflict",
		x.Status()))
	after := must(t, t.readItem(i, "read the first item"))
	t.reportEach("traces", sideEffects(t, before, after, "", false, properties(i.by.Request)),
		" when another creation was refused", i.created, x, after.Exchange)
}

// resendCreation sends a creation once more, with another idempotency key if it has one.
func resendCreation(t *tester, i *item, title string) *checks.Exchange {
	c, field := *i.created.Case, i.by.Headers.IdempotencyKey
	c.Title = title
	if _, sent := c.Request.Header.Get(field); sent {
		request := *c.Request
		request.Header = slices.Clone(request.Header)
		request.Header.Set(field, uniqueToken(t, i.by, field))
		c.Request = &request
	}
	return t.Send(t.ctx, &c)
}

// uniqueToken returns a value for a header field that no other request of the run has.
func uniqueToken(t *tester, b *resource.Binding, field string) string {
	t.requests++
	digits := fmt.Sprintf("%012d", t.requests%1_000_000_000_000)
	sum := fmt.Sprintf("%08x", uint32(t.Seed)*2654435761+uint32(len(t.resource.Name)*7919+t.requests))
	for _, candidate := range []string{sum + "-0000-4000-8000-" + digits, "coldframe-" + sum + digits, sum} {
		if t.Builder(b.Operation).Takes(field, candidate) {
			return candidate
		}
	}
	return "coldframe"
}

// changeToDuplicate returns another item the unique properties of an item: if
// creations conflict, changes do.
func changeToDuplicate(t *tester, i *item) {
	t.eachOperation(func(b *resource.Binding) {
		t.require(b.Request != nil && b.Operation.Documents(409) && t.key() != nil)
		other := must(t, t.create(request{scope: i.Scope, all: true, title: "create another item"}))
		body, properties := maps.Clone(i.sent), properties(b.Request)
		maps.DeleteFunc(body, func(name string, _ any) bool {
			return properties[name] == nil || schema.ReadOnly(properties[name])
		})
		for name, value := range t.identity(other) {
			if _, has := body[name]; has {
				body[name] = value
			}
		}
		t.require(isUnique(t, body))
		x := t.mustSend(b, request{
			item: other, body: b.Request.Wrap(body), title: "give another item the same properties",
		})
		read := must(t, t.readItem(other, "read the changed item"))
		sharesUnique := slices.ContainsFunc(t.resource.Unique, func(name string) bool {
			return body[name] != nil && read.shows(name, body[name], nil)
		})
		t.report(sharesUnique,
			violation{check: "duplicate", about: b.Role.String(),
				sent: exchanges{i.created, other.created, x, read.Exchange}},
			"a change that makes two items the same is answered with %d, though a creation that does is a conflict", x.Status())
	}, resource.Replace, resource.Update)
}

func isUnique(t *tester, sent map[string]any) bool {
	return slices.ContainsFunc(t.resource.Unique, func(name string) bool { return sent[name] != nil && sent[name] != "" })
}

func clientChoosesKey(t *tester) bool {
	return t.resource.Key != nil && t.resource.Key.ChosenBy == resource.Client
}

// hasClientKey reports whether an item has a key that clients choose.
func hasClientKey(t *tester, sent map[string]any) bool {
	value := valueAt(sent, t.key())
	return clientChoosesKey(t) && (t.key() == nil || value != nil && value != "")
}

// hasNaturalKey reports whether the document says that a creation can meet an item
// that exists: clients choose the key, or other properties are unique.
func hasNaturalKey(t *tester, b *resource.Binding) bool {
	conflict := b.Operation.Response(409)
	return conflict != nil && conflict.Status == "409" && (clientChoosesKey(t) || len(t.resource.Unique) > 0)
}

func idempotencyKey(t *tester) {
	b := must(t, t.operation(resource.Create))
	field := b.Headers.IdempotencyKey
	t.require(field != "")
	values := map[string]any{field: uniqueToken(t, b, field)}
	i := must(t, t.create(request{values: values, title: "create an item with an idempotency key"}))
	second := t.resend(i.created, "the same with the same idempotency key")
	if status := second.Status(); !second.Succeeded() {
		t.warnIf(status != 0 && status != 409 && status != 422 && status != 429,
			"idempotency-key", "header."+field, exchanges{i.created, second},
			"the same request with the same key is answered with %d and then %d", i.created.Status(), status)
	} else if other := t.createdBy(b, second, i.Scope); other != nil {
		t.reportIf(other.Key != i.Key, "idempotency-key", "header."+field, exchanges{i.created, second},
			"the same request with the same key creates %q and then %q", i.Key, other.Key)
	}
}

// links follows the links of the response to a creation (OpenAPI 3.1 section
// 4.8.20), which must lead to existing items.
func links(t *tester) {
	b := must(t, t.operation(resource.Create))
	t.require(slices.ContainsFunc(b.Operation.Responses, func(r *spec.Response) bool { return len(r.Links) > 0 }))
	x := t.mustSend(b, request{scope: t.mustScope(b), title: "create an item"})
	for _, link := range must(t, b.Operation.Response(x.Status())).Links {
		t.step(func() { followLink(t, x, link) })
	}
}

func followLink(t *tester, x *checks.Exchange, link *spec.Link) {
	t.require(link.Operation != nil && t.Builder(link.Operation) != nil && link.Operation.Method != "DELETE")
	from := &runtimeexpr.Exchange{
		Request: x.Request, RequestBody: x.Case.Value,
		Response: x.Response, ResponseBody: itempool.Body(x), Path: map[string]any{},
	}
	for name, text := range x.Case.Path {
		from.Path[name], _ = url.PathUnescape(text)
	}
	r := request{values: map[string]any{}, title: "follow the link " + link.Name}
	for _, p := range link.Parameters {
		value, err := p.Value.Evaluate(from)
		if err != nil {
			t.reportIf(isPromised(err, x.Case.Operation.Response(x.Status())), "link", link.Name, exchanges{x},
				"the link's parameter %s has no value: %v", p.Parameter.Name, err)
			return
		}
		if p.Parameter.In == exchange.InPath {
			value = itempool.Text(value)
		}
		r.values[p.Parameter.Name] = value
	}
	for _, p := range link.Operation.Parameters { // what the link leaves open is as in the exchange that it comes from
		if value, known := from.Path[p.Name]; p.In == exchange.InPath && r.values[p.Name] == nil {
			t.require(known)
			r.values[p.Name] = value
		}
	}
	if link.Body != nil {
		if value, err := link.Body.Evaluate(from); err == nil {
			r.body = value
		}
	}
	to := must(t, t.Plan.Of(link.Operation))
	followed := t.send(&resource.Binding{Operation: link.Operation, Resource: to.Resource, Role: to.Role}, r)
	t.reportIf(notFound(followed), "link", link.Name, exchanges{x, followed},
		"the link leads to a response with %d", followed.Status())
}

// isPromised reports whether the schema of a response has what a link takes from it. If it has not, a
// backend may leave it out, and the link leads nowhere by itself.
func isPromised(err error, r *spec.Response) bool {
	var missing *runtimeexpr.MissingError
	if !errors.As(err, &missing) || r == nil {
		return true
	}
	pointer, ok := strings.CutPrefix(missing.Expression.String(), "$response.body#/")
	return !ok || slices.ContainsFunc(r.Content, func(m *spec.MediaType) bool {
		return m.Schema == nil || schema.At(m.Schema.Keywords, strings.Split(pointer, "/")) != nil
	})
}
