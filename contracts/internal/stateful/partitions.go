package stateful

import (
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// partitions looks for an item with other values of the header fields, such as a tenant's, that its creation, its list
// and its read require.
func partitions(t *tester) {
	read, list := must(t, t.keyedOperation(resource.Read)), must(t, t.operation(resource.List))
	create := must(t, t.operation(resource.Create))
	for _, p := range read.Operation.Parameters {
		isRequired := func(b *resource.Binding) bool {
			return slices.ContainsFunc(b.Operation.Parameters, func(other *spec.Parameter) bool {
				return other.In == exchange.InHeader && other.Name == p.Name && other.Required
			})
		}
		if isRequired(read) && isRequired(list) && isRequired(create) && p.Schema != nil {
			t.step(func() { lookElsewhere(t, p) })
		}
	}
}

// lookElsewhere reads and changes an item with another value of a header field, for which the list lacks the item or a
// read does.
func lookElsewhere(t *tester, p *spec.Parameter) {
	i := must(t, t.create(request{all: true, title: "create an item"}))
	before := must(t, t.readItem(i, "read it"))
	own, sent := i.created.Request.Header.Get(p.Name)
	t.require(sent)
	others := schema.Values(p.Schema.Keywords)
	if other := unknownReference(own, p.Schema.Keywords); others == nil && other != nil {
		others = []any{other}
	}
	for _, value := range others {
		other := itempool.Text(value)
		if other == own {
			continue
		}
		list := t.list(i.Scope, map[string]any{p.Name: value}, "the list with another "+p.Name)
		ownList := t.walk(i.Scope, map[string]any{p.Name: own}, "the list with its "+p.Name)
		if list == nil || ownList == nil || !slices.Contains(ownList.knownKeys(), i.Key) {
			continue
		}
		request := *i.created.Request
		request.Header = slices.Clone(request.Header)
		request.Header.Set(p.Name, other)
		elsewhere := &item{Item: i.Item, like: &checks.Exchange{Request: &request}}
		x := t.tryRead(elsewhere, "read it with another "+p.Name)
		if slices.Contains(list.knownKeys(), i.Key) {
			t.reportIf(notFound(x), "parents", "list header."+p.Name, i.after(ownList.last(), x, list.last()),
				"an item of %s %q is in the list of %q, for which a read of it is answered with %d", p.Name, own, other, x.Status())
			continue
		}
		shown := t.shown(x)
		t.reportIf(shown != nil && !differs(before.item, shown.item, nil), "parents", "header."+p.Name,
			i.after(ownList.last(), list.last(), x),
			"an item of %s %q is answered with %d for %q, whose list lacks it", p.Name, own, x.Status(), other)
		t.require(notFound(x))
		changeBelow(t, i, elsewhere, "with another "+p.Name)
		return
	}
}
