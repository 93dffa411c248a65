package stateful

import (
	"slices"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
)

// The words that state an order, and the words of sentences about an order that may be asked for.
var (
	creationWords = []string{
		"in which they were made", "in which they were created", "in which they were added", "they were created in",
		"order of creation", "creation order", "order they were created", "order they were added", "order they were made",
	}
	oldestWords = []string{"oldest first", "earliest first", "in chronological order"}
	recentWords = []string{"newest", "latest", "most recent", "last created", "last added"}
	newestWords = []string{"newest first", "latest first", "most recent first", "reverse chronological"}
	sortedWords = []string{"sorted by", "ordered by", "in order of", "ascending order of", "descending order of",
		"order by"}
	fallingWords  = []string{"descending", "highest first", "largest first", "reverse", "longest first"}
	optionalWords = []string{
		"can be", "may be", "could be", "if ", "?", "when ", "parameter", "asked", "property to", "which ",
	}
	withoutWords = []string{"without", "by default", "otherwise", "default order", "if not", "left out", "omitted"}
)

// statedOrder returns the order of a list that is not sorted by a parameter, from the words of its operation and of its
// sort parameter; nil for none.
func statedOrder(t *tester, b *resource.Binding) *listOrder {
	var said prose
	for _, sentence := range operationProse(b.Operation) {
		if one := (prose{sentence}); one.says(withoutWords) || one.says(creationWords) || !one.says(optionalWords) {
			said = append(said, sentence)
		}
	}
	for _, p := range b.List.Params {
		for _, sentence := range paramProse(p.Parameter) {
			if one := (prose{sentence}); p.Role == resource.Sort && one.says(withoutWords) {
				said = append(said, sentence)
			}
		}
	}
	isFalling := said.says(fallingWords)
	switch {
	case said.says(creationWords) && said.says(recentWords): // in one order or in the other
		return nil
	case said.says(creationWords):
		return &listOrder{descending: isFalling, certainty: exchange.Error}
	case said.says(sortedWords):
		return orderByProperty(t, said, isFalling)
	case said.says(oldestWords), said.says(newestWords): // of what, only the words suggest
		return &listOrder{descending: said.says(newestWords), certainty: severity(t.resource.Created != "")}
	}
	return nil
}

// orderByProperty returns the order by the one property that a sentence names.
func orderByProperty(t *tester, said prose, isFalling bool) (found *listOrder) {
	for _, p := range t.resource.Properties {
		if said.mentioning(p.Name).says(sortedWords) {
			if found != nil {
				return nil // by several, or by another
			}
			found = &listOrder{property: p.Name, descending: isFalling, certainty: exchange.Error}
		}
	}
	return found
}

// tick is how far apart items are created whose times of creation are in whole seconds.
const tick = 1100 * time.Millisecond

// orders checks that a list has the order that the document states.
func orders(t *tester) {
	b := must(t, t.operation(resource.List))
	order := must(t, statedOrder(t, b))
	scope := t.mustScope(b)
	var created []*item
	for n := 0; n < 3 && !t.ReadOnly; n++ {
		if n > 0 && order.property == "" && t.Wait != nil && sameSecond(t, created) {
			t.require(t.Wait(t.ctx, tick))
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
