package stateful

import (
	"fmt"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
)

// bulk creates several items with one request: each is stored as it was sent, and a request that is refused for one of
// them creates none.
func bulk(t *tester) {
	for _, b := range t.resource.Bindings {
		if b.Bulk != nil && !b.Bulk.ByKey && b.Request != nil && b.Request.Many && b.Operation.Method == "POST" &&
			t.tested(b) {
			t.step(func() { createSeveral(t, b) })
			t.step(func() { createSeveralOfWhichOneIsWrong(t, b) })
		}
	}
}

// elements returns two items as bodies of an operation have them, and a body with these two.
func elements(t *tester, b *resource.Binding, scope map[string]string) (two []map[string]any, body any) {
	var all []any
	for range 2 {
		c := must(t, t.build(b, request{scope: scope, all: true, title: "create several items"}))
		items, _ := b.Request.Items(c.Value)
		t.require(len(items) > 0 && object(items[0]) != nil)
		all, two, body = append(all, items[0]), append(two, object(items[0])), c.Value
	}
	return two, b.Request.PutItems(body, all)
}

func createSeveral(t *tester, b *resource.Binding) {
	t.require(b.Response != nil && b.Response.Many && t.key() != nil)
	scope := t.mustScope(b)
	sent, body := elements(t, b, scope)
	x := t.mustSend(b, request{scope: scope, body: body, title: "create two items"})
	shown, _ := b.Response.Items(itempool.Body(x))
	t.require(len(shown) == len(sent))
	var stored []*reading
	for _, value := range shown {
		i := &item{Item: &itempool.Item{Resource: t.resource, Scope: scope, Key: itempool.Text(valueAt(value, t.key()))},
			created: x, like: x, by: b}
		t.require(i.Key != "")
		read := awaitItem(t, i, "read one of several items", x, func(r *reading) bool { return r != nil })
		if read == nil {
			checkReadable(t, i)
		}
		stored = append(stored, must(t, read))
	}
	compare := func(sent []map[string]any) (all [][]difference, n int) {
		for at, read := range stored {
			found := t.compareStored(b, sent[at], read)
			all, n = append(all, found), n+len(found)
		}
		return all, n
	}
	found, n := compare(sent)
	if reversed, m := compare([]map[string]any{sent[1], sent[0]}); m < n { // in another order
		found = reversed
	}
	for at, differences := range found {
		t.reportEach("read-back", differences, " if several are created at once", x, stored[at].Exchange)
	}
}

// createSeveralOfWhichOneIsWrong looks for the item that conforms in the list after the request was refused. It has a
// text that no other item has.
func createSeveralOfWhichOneIsWrong(t *tester, b *resource.Binding) {
	scope := t.mustScope(b)
	sent, body := elements(t, b, scope)
	wrong := maps.Clone(sent[1])
	for _, name := range sortedNames(wrong) {
		if delete(wrong, name); !schema.Conforms(b.Request.Value, wrong) {
			break
		}
	}
	t.require(!schema.Conforms(b.Request.Value, wrong))
	mark, properties := any(fmt.Sprint("Several ", t.requests)), properties(b.Request)
	names := sortedNames(sent[0])
	at := slices.IndexFunc(names, func(name string) bool {
		_, isText := sent[0][name].(string)
		return isText && schema.Values(properties[name]) == nil && schema.Conforms(properties[name], mark)
	})
	t.require(at >= 0)
	isMarked := func(item any) bool { return object(item)[names[at]] == mark }
	before := must(t, t.list(scope, nil, "the list before"))
	t.require(!slices.ContainsFunc(before.items, isMarked))
	marked := jsonvalue.WithMember(sent[0], names[at], mark)
	c := must(t, t.build(b, request{
		scope: scope, body: body, title: "create two items of which one is wrong", mayFail: true,
	}))
	c.Value = b.Request.PutItems(body, []any{marked, wrong})
	c.Request.Body = jsontext.Append(nil, c.Value)
	x := t.Send(t.ctx, c)
	t.require(x.Status()/100 == 4)
	list := must(t, t.list(scope, nil, "the list after the refusal"))
	t.reportIf(slices.ContainsFunc(list.items, isMarked), "traces", "several", exchanges{x, list.last()},
		"an item of a request that was refused with %d exists", x.Status())
}
