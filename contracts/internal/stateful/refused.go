package stateful

import (
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/internal/resource"
)

// maxRefused is how many creations of a kind that the backend refuses are sent.
const maxRefused = 6

// refusedCreations sends creations that are refused, and checks that the list has no item more.
func refusedCreations(t *tester) {
	b := must(t, t.operation(resource.Create))
	must(t, t.operation(resource.List))
	scope := t.mustScope(b)
	references, _ := t.Pool.References(t.ctx, b.Operation)
	known := keysAfterCreation(t, scope)
	refused, created := refuseCreations(t, b, scope, references)
	t.require(len(refused) > 0)
	list := must(t, t.list(scope, nil, "the list after the refused creations"))
	keys, _ := list.keys()
	for _, key := range keys {
		if !slices.Contains(known, key) && !slices.Contains(created, key) {
			t.report("traces", "", append(refused, list.last()), "the item %q exists after creations that were all refused", key)
			return
		}
	}
}

// refuseCreations sends creations that should be refused: with a body that
// violates the schema, with a reference to an unknown item, and of an item that
// exists. It gives their exchanges, and the keys of items that were created
// nevertheless.
func refuseCreations(t *tester, b *resource.Binding, scope map[string]string, references map[string]any,
) (refused exchanges, created []string) {
	for c := range t.Builder(b.Operation).Coverage(t.ctx, references, 0) {
		if c.Expected != cases.Refused || c.Violation == nil || c.Violation.In != "body" {
			continue
		}
		x := t.sendCase(c, b, scope)
		t.require(x != nil)
		if x.Status()/100 == 4 {
			refused = append(refused, x)
		}
		if len(refused) >= maxRefused {
			break
		}
	}
	for _, name := range sortedNames(references) {
		unknown := unknownReference(references[name])
		if unknown == nil || len(refused) >= 2*maxRefused {
			continue
		}
		x := t.send(b, request{
			scope: scope, have: map[string]any{name: unknown}, mayFail: true,
			title: "an item whose " + name + " refers to an unknown item",
		})
		if x.Status()/100 == 4 || x.Succeeded() {
			refused = append(refused, x)
		}
		if x.Succeeded() {
			i := t.createdBy(b, x, scope)
			t.require(i != nil) // or its key would be unknown
			created = append(created, i.Key)
		}
	}
	if !hasNaturalKey(b, t.resource.Resource) {
		return refused, created
	}
	i := t.create(request{scope: scope, title: "create an item"})
	if i == nil {
		return refused, created
	}
	refused, created = append(refused, i.created), append(created, i.Key)
	if x := resendCreation(t, i, "create the same again"); x.Succeeded() {
		refused = append(refused, x)
		if second := t.createdBy(b, x, scope); second != nil {
			created = append(created, second.Key)
		}
	}
	return refused, created
}

// keysAfterCreation creates one item, and gives the keys of the list then. No second
// item with the same values may be in the list.
func keysAfterCreation(t *tester, scope map[string]string) []string {
	had, ok := must(t, t.list(scope, nil, "the list before")).keys()
	t.require(ok)
	i := t.create(request{scope: scope, all: true, title: "create one item"})
	after := must(t, t.list(scope, nil, "the list after one creation"))
	keys, ok := after.keys()
	t.require(ok && (i != nil || len(keys) <= len(had)))
	for at, key := range keys {
		if i != nil && slices.Contains(keys, i.Key) && key != i.Key && !slices.Contains(had, key) &&
			t.resource.isCopy(i, after.items[at], after.by) {
			t.report("listed", "twice", exchanges{i.created, after.last()},
				"one creation created %q, and %q with the same values", i.Key, key)
			break
		}
	}
	return keys
}

// isCopy reports whether a listed item shows what was sent to create another.
func (r comparer) isCopy(i *item, listed any, in *resource.Binding) bool {
	properties, shown, distinctive := properties(i.by.Request), object(listed), false
	for name, value := range i.sent {
		k := properties[name]
		distinctive = distinctive || k != nil && isDistinctive(value, k) && shown[name] != nil
	}
	return distinctive && len(r.compare(i.by, i.sent, listed, in)) == 0
}
