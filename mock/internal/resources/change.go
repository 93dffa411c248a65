package resources

import (
	"errors"
	"maps"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// changeAttempts is how often a change is tried again after another one came first.
const changeAttempts = 100

// change replaces an item, changes it in part, or creates it where there is none.
func change(q *Request, a *respond.Answer) (bool, error) {
	if q.op.Keys != nil {
		return changeMany(q, a)
	}
	if key, _ := requestKey(q); key == "" {
		return false, errNotHandled
	}
	collection := q.collection()
	item, isNew, err := changeOne(q, collection, func() (Item, bool) { return find(q, collection) })
	if err != nil {
		return false, err
	}
	if q.op.Role == resource.Upsert && q.Preferences.Code == 0 && item.Version > 0 && !isNew && a.Status == 201 {
		if documented := replacedResponse(q.Operation.Responses); documented != nil {
			q.Documented = documented
			return showReplaced(q, a, collection, item)
		}
	}
	return show(q, a, collection, item)
}

// changeMany changes all items that the request names in the same way: none where it
// names none, or one that is missing.
func changeMany(q *Request, a *respond.Answer) (bool, error) {
	named, _ := resource.Get(q.Values.Body, q.op.Keys)
	list, _ := named.([]any)
	collection, keys := q.collection(), keyTexts(list)
	for _, key := range keys {
		if found, deleted := findKey(q, collection, key); found.Value == nil {
			if err := missing(q, key, deleted); err != nil {
				return false, err
			}
		}
	}
	items := make([]Item, 0, len(keys))
	for _, key := range keys {
		item, _, err := changeOne(q, collection, func() (Item, bool) { return findKey(q, collection, key) })
		if err != nil {
			return false, err
		}
		items = append(items, item)
	}
	return showAll(q, a, items)
}

// changeOne changes the item that find finds, and gives it as it is then, and whether
// there was none.
func changeOne(q *Request, collection string, find func() (Item, bool)) (item Item, isNew bool, err error) {
	for range changeAttempts {
		item, isNew, err = tryChange(q, collection, find)
		if !errors.Is(err, state.ErrVersion) {
			return item, isNew, err
		}
	}
	return Item{}, false, refuse(respond.Conflict,
		exchange.Finding{Code: "conflict", Message: "the item changes all the time", In: exchange.InRequest})
}

// tryChange is changeOne; state.ErrVersion says that another change came first. Where
// the request says nothing of the item, it stays as it is.
func tryChange(q *Request, collection string, find func() (Item, bool)) (item Item, isNew bool, err error) {
	before, deleted := find()
	if err := checkBefore(q, before, deleted); err != nil {
		return Item{}, false, err
	}
	upserts := q.op.Role == resource.Upsert
	if before.Value == nil && q.op.Lookup != nil && upserts { // the path names another property
		_, before.Key = q.op.runtime.NewKey(q.Session, q.set.options.Seed, collection)
	}
	after, err := changed(q, collection, before)
	if err == errNotHandled && before.Value == nil && q.op.Role == resource.Update {
		before.Value = withParents(q, generatedItem(q, collection, before.Key))
	}
	if err == errNotHandled && before.Value != nil {
		return before, false, nil
	}
	if err == nil {
		err = checkUnique(q, collection, before.Key, after, before.Value)
	}
	if err != nil {
		return Item{}, false, err
	}
	item, isNew, err = keepChange(q, collection, before, after)
	if isNew && upserts && !deleted && q.op.Lookup == nil && isInitial(q, collection, before.Key) {
		isNew = false
	}
	return item, isNew, err
}

// checkBefore refuses a change of an item that is missing, or that the client does not
// mean as it is.
func checkBefore(q *Request, before Item, deleted bool) error {
	if before.Value == nil && q.op.Role != resource.Upsert {
		if err := missing(q, before.Key, deleted); err != nil {
			return err
		}
	}
	return checkPreconditions(q, before, deleted)
}

func keepChange(q *Request, collection string, before Item, after map[string]any) (Item, bool, error) {
	text, ok := EncodeItem(after)
	if !ok {
		return Item{}, false, errNotHandled
	}
	match := state.Any
	if before.Value != nil {
		match = state.Match(before.Version)
	}
	kept, isNew, err := q.Session.Put(collection, before.Key, text, 0, match)
	switch {
	case errors.Is(err, state.ErrVersion):
		return Item{}, false, err
	case err != nil:
		q.set.options.StoreFull()
		return Item{}, false, errNotHandled
	}
	return Item{Key: kept.Key, Version: kept.Version, Value: after}, isNew, nil
}

// replacedResponse gives the response to a PUT that replaced an item where 201 is for
// one that created it; nil where there is none.
func replacedResponse(responses []*spec.Response) *spec.Response {
	for _, r := range responses {
		if first, count := r.Code(); count == 1 && (first == 200 || first == 204) {
			return r
		}
	}
	return nil
}

// showReplaced answers with that: with the item, or as it would be without.
func showReplaced(q *Request, a *respond.Answer, collection string, item Item) (bool, error) {
	documented := q.Documented
	status, _ := documented.Code()
	q.set.responder.Begin(q.Request, a, status, documented)
	if answered, err := show(q, a, collection, item); answered || exchange.IsBodiless(status) {
		return true, err
	}
	media, as := respond.Negotiate(q.Header, documented.Content)
	if media == nil {
		return true, nil
	}
	value, _, err := q.set.responder.Body(media).Generate(q.Request, q.BodyKey(status, media))
	if err != nil {
		q.set.responder.Unsatisfiable(q.Request, a, err)
		return true, nil
	}
	a.SetBody(media, as, value)
	return true, nil
}

// changed gives the item as a request wants it; errNotHandled says that the request
// says nothing of the item.
func changed(q *Request, collection string, before Item) (map[string]any, error) {
	old := before.Value
	if old == nil && q.op.Role != resource.Upsert {
		old = generatedItem(q, collection, before.Key)
	}
	if q.op.Role == resource.Update && isJSONPatch(q) {
		after, err := patched(q, before, old)
		if err != nil {
			return nil, err
		}
		return checkChange(q, before, old, fixed(q, before, old, after), nil)
	}
	sent, ok := sentItem(q)
	if !ok {
		return nil, errNotHandled
	}
	if q.op.Role != resource.Update {
		return fixed(q, before, old, replaced(q, collection, before.Key, old, sent)), nil
	}
	sent = q.op.withoutReadOnly(sent)
	after := jsonvalue.Merge(WithoutHidden(old), sent).(map[string]any)
	keepNulls(q.op.runtime, after, sent)
	return checkChange(q, before, old, fixed(q, before, old, after), sent)
}

// replaced gives an item that was sent whole. What a client cannot send stays, or is
// generated.
func replaced(q *Request, collection, key string, old, sent map[string]any) map[string]any {
	after := q.op.withoutReadOnly(sent)
	s := q.op.request
	if s == nil {
		s = &requestItem{}
	} else {
		respond.SetDefaults(after, s.defaults().sendable)
	}
	if old == nil {
		return complete(q, collection, key, after)
	}
	for name, value := range old {
		_, sent := after[name]
		isOther := s.open && !q.op.runtime.declares(name)
		if !sent && len(s.sendable) > 0 && !s.sends(name) && !isOther {
			after[name] = value
		}
	}
	return after
}

// keepNulls keeps the nulls that were sent for properties that may be null: there,
// none is a value.
func keepNulls(k *Runtime, item, sent map[string]any) {
	for name, value := range sent {
		property := k.properties[name]
		if value == nil && property != nil && !k.readOnly(name) && spec.Conforms(property, nil) {
			item[name] = nil
		}
	}
}

// fixed gives a changed item with what the request cannot change: what only the server
// sets, the key and the parents that the path names, the times.
func fixed(q *Request, before Item, old, after map[string]any) map[string]any {
	k := q.op.runtime
	after = maps.Clone(after)
	for name, value := range old {
		if k.readOnly(name) && !q.op.request.sends(name) || IsHidden(name) {
			after[name] = value
		}
	}
	if k.KeyProperty() != nil && q.op.Lookup == nil {
		after = k.SetKey(after, keyAfter(q, before, old))
	}
	if q.op.Lookup != nil && before.Value == nil {
		key, _ := requestKey(q)
		after = setProperty(after, q.op.Lookup, k.Typed(q.op.Lookup, key))
	}
	if !k.Scoped || before.Value == nil {
		after = withParents(q, after)
	}
	setTimes(q, after, old, before.Value == nil && q.op.Role == resource.Upsert)
	return after
}

// keyAfter gives the key that an item has after a change: its own, where that is the
// one that it is kept under.
func keyAfter(q *Request, before Item, old map[string]any) any {
	k := q.op.runtime
	value, has := resource.Get(old, k.Key.Property)
	if text, _ := jsonvalue.Text(value); has && text == before.Key {
		return value
	}
	if typed, ok := k.typed(k.Key.Property, q.sentKey(before.Key)); ok || !has {
		return typed
	}
	if before.Value == nil && k.Has(resource.List) { // a list may show another item that has it
		if key, ok := k.replacementKey(q.set.options.Seed, q.collection(), before.Key); ok {
			return key
		}
	}
	return value
}

// sentKey gives a key as the path has it: a number where it is one.
func (q *Request) sentKey(key string) any {
	if q.op.KeyIn == resource.InPath {
		if value, ok := q.Values.Path[q.op.Variable]; ok {
			return value
		}
	}
	return key
}
