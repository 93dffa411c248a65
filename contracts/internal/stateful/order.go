package stateful

import (
	"slices"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
)

// statedOrder returns the order that a list's own text promises, as the plan has it; nil if none. Only words promise
// it.
func statedOrder(b *resource.Binding) *listOrder {
	switch order := b.List.Order.Default; {
	case len(order.Keys) == 1 && len(order.Keys[0].Property) == 1 && order.Keys[0].Values == nil:
		return &listOrder{property: order.Keys[0].Property[0], descending: order.Keys[0].Descending, certainty: exchange.Info}
	case len(order.Keys) == 0 && order.NewestFirst:
		return &listOrder{descending: true, certainty: exchange.Info}
	}
	return nil
}

// tick is how far apart items are created whose times of creation are in whole seconds.
const tick = 1100 * time.Millisecond

// orders checks that a list has the order that the document states.
func orders(t *tester) {
	b := must(t, t.operation(resource.List))
	order := must(t, statedOrder(b))
	scope := t.mustScope(b)
	var created []*item
	for n := 0; n < 3 && !t.ReadOnly; n++ {
		if n > 0 && order.property == "" && t.Settling != nil && sameSecond(t, created) {
			t.require(t.Settling.Wait(t.ctx, tick))
		}
		created = append(created, must(t, t.create(request{scope: scope, all: true, title: "create an item to be listed"})))
	}
	list := must(t, t.list(scope, nil, "the list in the order that the document states"))
	if order.property != "" {
		checkOrder(t, list, *order, "order", "the document states an order by "+order.property)
		return
	}
	if order.descending {
		slices.Reverse(created)
	}
	keys := list.knownKeys()
	for n := 1; n < len(created); n++ {
		former, latter := created[n-1], created[n]
		first, second := slices.Index(keys, former.Key), slices.Index(keys, latter.Key)
		t.require(first >= 0 && second >= 0 && (t.resource.Created == "" || !sameTime(t, former, latter)))
		sent := append(exchanges{former.created, latter.created}, list.pages...)
		if t.report(second < first, violation{severity: order.certainty, check: "sort", about: "order", sent: sent},
			"the document states an order by creation, and %q comes after %q", former.Key, latter.Key) {
			return
		}
	}
}

// sameSecond reports whether times of creation are shown without fractions of a second.
func sameSecond(t *tester, created []*item) bool {
	text, _ := valueAt(created[len(created)-1].Value, []string{t.resource.Created}).(string)
	at, err := time.Parse(time.RFC3339, text)
	return t.resource.Created != "" && err == nil && at.Nanosecond() == 0
}

func sameTime(t *tester, a, b *item) bool {
	at := []string{t.resource.Created}
	return !differs(valueAt(a.Value, at), valueAt(b.Value, at), nil)
}
