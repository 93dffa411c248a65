package resources

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// actOn changes the item that an action concerns, as the action says: POST /orders/1/cancel leads to status cancelled.
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
	if err := checkState(q, before); err != nil {
		return Item{}, err
	}
	if err := checkNotDone(q, old); err != nil {
		return Item{}, err
	}
	after, err := acted(q, before.Key, old)
	if err != nil {
		return Item{}, err
	}
	item, _, err := keepChange(q, before, after)
	return item, err
}

// checkNotDone refuses an action that was done already, if the document has a conflict for it: the item is in the state
// that the action leads to.
func checkNotDone(q *Request, item map[string]any) error {
	isState := func(s resource.Assignment) bool {
		return s.Value != resource.Now && s.Value != resource.More && s.Value != resource.Fewer && s.Value != "null"
	}
	done := ""
	for _, s := range q.op.Sets {
		if !isState(s) {
			continue
		}
		value, _ := jsonvalue.Property(item, q.op.runtime.pathOf(s))
		if text, _ := jsonvalue.Text(value); text != s.Value {
			return nil
		}
		done = s.Property
	}
	if done == "" || !q.Operation.Operation.DocumentsExactly(409) {
		return nil
	}
	return refuse(respond.Conflict, exchange.Finding{
		Code: "already-done", Message: "the item has this " + done + " already", In: exchange.InRequest,
	})
}

// pathOf returns the names of the properties from the item down to the one that an action sets.
func (k *Runtime) pathOf(set resource.Assignment) []string {
	if k.properties[set.Property] != nil {
		return []string{set.Property} // its name may have a dot
	}
	return strings.Split(set.Property, ".")
}

// changesItem reports whether an action changes the item that it concerns.
func (op *Operation) changesItem() bool {
	return len(op.Sets)+len(op.Computes) > 0 || op.Part != nil || len(op.Takes) > 0 || op.file == uploads && op.Reads
}

// taken returns the schemas of the properties that an action's body sets.
func (op *Operation) taken() map[string]*spec.Keywords {
	properties := map[string]*spec.Keywords{}
	for _, to := range op.Takes {
		if property := op.runtime.properties[to]; property != nil {
			properties[to] = property
		}
	}
	return properties
}

// withFile returns an item with what its properties say of the file that the request sends. What clients say stays.
func (q *Request) withFile(item map[string]any) map[string]any {
	k := q.op.runtime
	described := q.WithUpload(map[string]any{}, k.properties)
	item = maps.Clone(item)
	for name, value := range described {
		if k.isSetByServer(name) || item[name] == nil {
			item[name] = value
		}
	}
	return item
}

// acted returns an item after an action: with what the action sets, what its body says, and the changed part; and with
// properties that follow from states and amounts.
func acted(q *Request, key string, old map[string]any) (map[string]any, error) {
	k, after := q.op.runtime, maps.Clone(old)
	given := map[string]bool{}
	sent, _ := q.Values.Body().(map[string]any)
	if with, _ := q.elementDefaults().apply(q.Values.Body()); len(q.op.Takes) > 0 && q.Values.HasBody {
		sent, _ = with.(map[string]any)
	}
	for name, to := range q.op.Takes {
		value, isSent := sent[name]
		if !isSent {
			value, isSent = q.Values.Query[name]
		}
		if property := k.properties[to]; isSent && property != nil && spec.Conforms(property, value) {
			after[to], given[to] = value, true
		}
	}
	for _, set := range q.op.Sets {
		if value, isSent := sent[set.Property]; isSent && given[set.Property] && after[set.Property] != nil && value != nil {
			continue // the client says which
		}
		given[set.Property] = k.assign(q, after, old, set)
	}
	for _, f := range q.op.Computes {
		given[f.Property[0]] = k.compute(after, f, sent)
	}
	k.setTimesOf(q, after, given)
	for _, name := range k.setStateTimes(q, after, old) {
		given[name] = true
	}
	for name, value := range sent {
		if q.op.Part != nil && q.op.Part.Property != name && strings.HasSuffix(q.op.Part.Property, name) {
			continue // it is the part: the cancel_reason, not the item's own reason
		}
		property := k.properties[name]
		tells := given[name] || strings.HasSuffix(naming.Fold(name), "reason")
		if property != nil && tells && !k.readOnly(name) && spec.Conforms(property, value) {
			after[name], given[name] = value, true
		}
	}
	if q.op.Part != nil {
		var err error
		if after, err = withPart(q, key, after); err != nil {
			return nil, err
		}
		given[q.op.Part.Property] = true
	}
	if q.op.file == uploads {
		after = q.withFile(after)
	}
	after = maps.Clone(withObjects(q, after, old))
	setTimes(q, after, old, false)
	k.moveEnds(q, after, old)
	if k.Item == nil {
		return after, nil
	}
	fixed := maps.Clone(after)
	for name := range after {
		property := k.properties[name]
		if property == nil || given[name] {
			continue
		}
		isOpen := q.op.Part != nil && k.isSetByServer(name) && !generate.IsTime(property)
		if _, isEnd := generate.Beginning(name, property); isEnd || isOpen {
			delete(fixed, name)
		}
	}
	return k.recalculated(withReferred(q, k.generator().Agree(q.valueKey(key), after, fixed), old)), nil
}

// setTimesOf sets the times of what a client says by an action, which have the name of its property in another form:
// decidedAt of decisionNote.
func (k *Runtime) setTimesOf(q *Request, item map[string]any, given map[string]bool) {
	const stem = 4 // letters that two forms of a word share
	for taken := range given {
		own := naming.Words(taken)
		if !given[taken] || len(own) < 2 || len(own[0]) < stem {
			continue
		}
		for name := range k.properties {
			words := naming.Words(name)
			if given[name] || name == k.Created || name == k.Updated || len(words) < 2 || !k.isTime(name) {
				continue
			}
			if strings.HasPrefix(words[0], own[0][:stem]) && words[0] != own[0] && k.isSetByServer(name) {
				k.setTime(item, name, q.now())
			}
		}
	}
}

// isTime reports whether a property holds a time.
func (k *Runtime) isTime(name string) bool {
	return slices.ContainsFunc(k.Properties, func(p resource.Property) bool {
		return p.Name == name && (p.Format == "date-time" || p.Format == "date")
	})
}

// assign sets a property to the value that an action sets, if its schema allows it, and reports whether it did.
func (k *Runtime) assign(q *Request, item, old map[string]any, set resource.Assignment) bool {
	switch set.Value {
	case resource.More, resource.Fewer:
		return k.count(q, item, old, set)
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
	path := k.pathOf(set)
	value, ok := k.Typed(path, set.Value)
	if ok {
		item[path[0]] = setProperty(item, path, value)[path[0]]
	}
	return ok
}

// count adds one to a number, or takes one away: not if the action sets flags, and the item has them already.
func (k *Runtime) count(q *Request, item, old map[string]any, set resource.Assignment) bool {
	changes := !slices.ContainsFunc(q.op.Sets, func(s resource.Assignment) bool {
		return (s.Value == "true" || s.Value == "false") && item[s.Property] == old[s.Property]
	})
	text, _ := jsonvalue.Text(old[set.Property])
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || !changes {
		return true
	}
	if n++; set.Value == resource.Fewer {
		n = max(0, n-2)
	}
	item[set.Property] = json.Number(strconv.FormatInt(n, 10))
	return true
}
