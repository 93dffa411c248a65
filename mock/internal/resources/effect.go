package resources

import (
	"errors"
	"maps"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// actOn changes the item that an action is about, as the action says: POST /orders/1/cancel leads to status cancelled.
func actOn(q *Request) (item Item, err error) {
	for range changeAttempts {
		if item, err = tryAct(q); !errors.Is(err, state.ErrVersion) {
			return item, err
		}
	}
	return Item{}, refuse(respond.Conflict,
		exchange.Finding{Code: "conflict", Message: "the item changes all the time", In: exchange.InRequest})
}

// tryAct is actOn; state.ErrVersion says that another change came first.
func tryAct(q *Request) (Item, error) {
	before, deleted := find(q)
	var err error
	if before.Value == nil {
		err = missing(q, before.Key, deleted)
	}
	if err == nil {
		err = checkPreconditions(q, before, deleted)
	}
	if err != nil {
		return Item{}, err
	}
	old := before.Value
	if old == nil {
		old = withParents(q, generatedItem(q, before.Key))
	}
	item, _, err := keepChange(q, before, acted(q, before.Key, old))
	return item, err
}

// acted returns an item after an action, with what tells of states in agreement with its own, and with the reason that
// was sent.
func acted(q *Request, key string, old map[string]any) map[string]any {
	k, after := q.op.runtime, maps.Clone(old)
	given := map[string]bool{}
	for _, set := range q.op.Sets {
		given[set.Property] = k.assign(q, after, set)
	}
	sent, _ := q.Values.Body().(map[string]any)
	for name, value := range sent {
		property := k.properties[name]
		tells := given[name] || strings.HasSuffix(naming.Fold(name), "reason")
		if property != nil && tells && !k.readOnly(name) && spec.Conforms(property, value) {
			after[name], given[name] = value, true
		}
	}
	setTimes(q, after, old, false)
	if k.Item == nil {
		return after
	}
	fixed := maps.Clone(after)
	for name := range after {
		if property := k.properties[name]; property != nil && !given[name] {
			if _, isEnd := generate.Beginning(name, property); isEnd {
				delete(fixed, name)
			}
		}
	}
	return k.generator().Agree(q.valueKey(key), after, fixed)
}

// assign returns a property the value that an action sets, where its schema allows that, and reports whether it did.
func (k *Runtime) assign(q *Request, item map[string]any, set resource.Assignment) bool {
	switch set.Value {
	case resource.Now:
		before := item[set.Property]
		delete(item, set.Property)
		k.setTime(item, set.Property, q.now())
		if _, ok := item[set.Property]; !ok && before != nil {
			item[set.Property] = before
			return false
		}
		return true
	case "true", "false", "null":
		literal := map[string]any{"true": true, "false": false, "null": nil}[set.Value]
		if property := k.properties[set.Property]; property != nil && spec.Conforms(property, literal) {
			item[set.Property] = literal
			return true
		}
	}
	value, ok := k.Typed([]string{set.Property}, set.Value)
	if ok {
		item[set.Property] = value
	}
	return ok
}
