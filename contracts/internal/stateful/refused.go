package stateful

import (
	"fmt"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/resource"
)

// maxRefused is how many refused creations are tried.
const maxRefused = 6

// traces sends creations that are refused, and looks whether the list has grown.
func traces(t *tester) {
	b := t.binding(resource.Create)
	list := t.binding(resource.List)
	if b == nil || list == nil {
		return
	}
	scope := t.scope(b, "")
	if scope == nil {
		return
	}
	have, _ := t.Pool.References(t.ctx, b.Operation)
	before := t.walk(scope, nil, "the list before")
	if before == nil || !before.whole {
		return
	}
	if before = t.once(scope, before); before == nil {
		return
	}
	had, _ := before.keys(t)
	var refused []*checks.Exchange
	for c := range t.Builder(b.Operation).Coverage(t.ctx, have, 0) {
		if c.Expected != cases.Refused || c.Violation == nil || c.Violation.In != "body" {
			continue
		}
		c.Phase = "stateful"
		fillScope(c, t, b, scope)
		x := t.Send(t.ctx, c)
		if x == nil {
			return
		}
		if x.Status()/100 == 4 {
			refused = append(refused, x)
		}
		if len(refused) >= maxRefused {
			break
		}
	}
	for _, name := range sortedNames(have) {
		other := elsewhere(have[name])
		if other == nil || len(refused) >= 2*maxRefused {
			continue
		}
		x := t.send(b, request{scope: scope, have: map[string]any{name: other}, title: "an item whose " + name + " refers to nothing", absent: true})
		if x == nil || x.Status()/100 != 4 && !x.Succeeded() {
			continue
		}
		if refused = append(refused, x); !x.Succeeded() {
			continue
		}
		made := t.shown(b, x, scope)
		if made == nil {
			return // of which no trace can be told from another
		}
		had = append(had, made.Key)
	}
	for _, x := range t.conflicts(b, scope) {
		refused = append(refused, x)
		if made := t.shown(b, x, scope); made != nil {
			had = append(had, made.Key)
		}
	}
	if len(refused) == 0 {
		return
	}
	after := t.walk(scope, nil, "the list after")
	if after == nil || !after.whole {
		return
	}
	known := map[string]bool{}
	for _, key := range had {
		known[key] = true
	}
	has, ok := after.keys(t)
	if !ok {
		return
	}
	for _, key := range has {
		if !known[key] {
			t.report("traces", "", fmt.Sprintf("the item %q is there after creations that were all refused", key), append(refused, after.last())...)
			return
		}
	}
}

// once creates one item, and gives the list then, nil where it does not tell its
// items apart or the item is not known in it. Another that is like the item must
// not have come with it.
func (t *tester) once(scope map[string]string, before *walk) *walk {
	had, ok := before.keys(t)
	if !ok {
		return nil
	}
	i := t.create(scope, request{all: true, title: "create one item"})
	after := t.walk(scope, nil, "the list after one creation")
	if after == nil || !after.whole {
		return nil
	}
	has, ok := after.keys(t)
	if !ok || i == nil && len(has) > len(had) {
		return nil
	}
	if i == nil {
		return after
	}
	for at, key := range has {
		if key != i.Key && !slices.Contains(had, key) && slices.Contains(has, i.Key) && t.twin(i, after.items[at]) {
			t.report("listed", "twice", fmt.Sprintf("one creation made %q, and %q that is the same", i.Key, key), i.made, after.last())
			break
		}
	}
	return after
}

// twin reports whether a listed item shows what was sent to make another.
func (t *tester) twin(i *item, listed any) bool {
	sent, _ := i.sent.(map[string]any)
	shown, _ := listed.(map[string]any)
	told := 0
	for name, value := range sent {
		if k := propertiesOf(i.by.Request)[name]; k != nil && telling(k, value) && shown[name] != nil {
			told++
		}
	}
	return told > 0 && len(t.compare(i.by, sent, listed, t.binding(resource.List))) == 0
}

// conflicts creates an item, and the same once more where that is a conflict. It
// gives the exchanges that made something, so that the keys are known.
func (t *tester) conflicts(b *resource.Binding, scope map[string]string) []*checks.Exchange {
	if !conflicting(b, t.resource) {
		return nil
	}
	i := t.create(scope, request{title: "create an item"})
	if i == nil {
		return nil
	}
	made := []*checks.Exchange{i.made}
	if second := t.afresh(i, "create the same again"); second != nil && second.Succeeded() {
		made = append(made, second) // no trace of a refusal
	}
	return made
}
