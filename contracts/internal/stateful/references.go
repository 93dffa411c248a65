package stateful

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// references creates items that refer to an unknown item.
func references(t *tester) {
	b := t.mustOperation(resource.Create)
	t.require(b.Request != nil && b.Request.Value != nil)
	found, _ := t.Pool.References(t.ctx, b.Operation)
	for _, name := range sortedNames(found) {
		unknown, referred := unknownReference(found[name]), t.Plan.Referred(name)
		if unknown == nil || !refusesUnknown(b.Operation, referred) {
			continue
		}
		x := t.send(b, request{
			scope: t.parentScope(b, ""), have: map[string]any{name: unknown}, mayFail: true,
			title: "an item whose " + name + " refers to an unknown item",
		})
		if x.Succeeded() && !t.hasEveryKey(referred, nil, itempool.Text(unknown)) {
			t.report("reference", "body."+name, exchanges{x},
				"a creation that refers to the unknown item %s is answered with %d", text(unknown), x.Status())
		}
		if x.Status()/100 == 4 {
			for _, role := range []resource.Role{resource.Replace, resource.Update} {
				t.step(func() { changeReference(t, role, name, unknown, x) })
			}
		}
	}
}

// changeReference gives an item a reference to an unknown item, for which creations
// are refused: a change must be refused as well.
func changeReference(t *tester, role resource.Role, name string, unknown any, refused *checks.Exchange) {
	b := t.keyedOperation(role)
	t.require(b != nil && documents(b.Operation, refused.Status()))
	t.require(role != resource.Update || t.patchOperation() != nil)
	k := properties(b.Request)[name]
	t.require(k != nil && !schema.ReadOnly(k) && schema.Conforms(k, unknown))
	i := t.mustCreate(request{title: "create an item"})
	change := map[string]any{name: unknown}
	r := request{item: i, have: change, title: "change its " + name + " to refer to an unknown item", mayFail: true}
	if role == resource.Update {
		r.body = b.Request.Wrap(change)
	}
	x := t.mustSend(b, r)
	if read := t.mustRead(i, "read the changed item"); read.shows(name, unknown, nil) {
		t.report("reference", role.String()+" body."+name, exchanges{refused, x, read.Exchange},
			"a change that refers to the unknown item %s is answered with %d, though a creation that does is answered with %d",
			text(unknown), x.Status(), refused.Status())
	}
}

// unknownReference gives a reference of the form of another that refers to an
// unknown item; nil where its form is unknown.
func unknownReference(reference any) any {
	switch v := reference.(type) {
	case string:
		return shifted(v, 1)
	case json.Number:
		return json.Number(shifted(v.String(), 1))
	}
	return nil
}

// refusesUnknown reports whether the document says that an operation refuses a body
// that refers to an unknown item: in words that name the thing, of the operation or
// of a refusal.
func refusesUnknown(o *spec.Operation, r *resource.Resource) bool {
	if r == nil || !documents(o, 404, 409, 422) {
		return false
	}
	texts := []string{o.Summary + " " + o.Description}
	for _, status := range []int{404, 409, 422} {
		if response := o.Response(status); response != nil && response.Status != "default" {
			texts = append(texts, response.Description)
		}
	}
	return slices.ContainsFunc(texts, func(text string) bool {
		text = strings.ToLower(text)
		return containsAny(text, singular(r)) &&
			containsAny(text, "not exist", "must exist", "unknown", "not found", "no such", "does not know")
	})
}
