package mock

import (
	"errors"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// attempts is how often a change is tried again that another one has come
// before.
const attempts = 100

// change replaces an item, changes it in part, or makes it where it was not.
func (x *visit) change(status int, documented *spec.Response) outcome {
	b := x.operation.binding
	if b.Keys != nil {
		return x.changeMany(documented)
	}
	key, _ := x.namedKey()
	if key == "" {
		return passed
	}
	collection := x.collection()
	item, isNew, result := x.changeOne(collection, func() (stored, bool) { return x.lookup(collection) })
	if result != changed {
		return result
	}
	if b.Role == resource.Upsert && x.preferences.Code == 0 && item.version > 0 {
		if other := x.replacing(isNew, status); other != nil {
			return x.showReplaced(other, collection, item)
		}
	}
	return x.show(status, documented, collection, item)
}

// changeOne changes the item that find finds, and gives it as it is then, and
// whether there was none. Where the request says nothing of it, it stays as it
// is.
func (x *visit) changeOne(collection string, find func() (found stored, gone bool)) (item stored, isNew bool, result outcome) {
	b := x.operation.binding
	for range attempts {
		before, gone := find()
		if before.value == nil && b.Role != resource.Upsert {
			if result := x.missing(before.key, gone); result != passed {
				return stored{}, false, result
			}
		}
		if !x.current(before, gone) {
			return stored{}, false, answered
		}
		if before.value == nil && b.Lookup != nil && b.Role == resource.Upsert {
			_, before.key = x.newKey(collection) // the path names another property
		}
		after, result := x.next(collection, before)
		if result == passed && before.value == nil && b.Role == resource.Update {
			before.value = x.withScope(x.unseen(collection, before.key))
		}
		if result == passed && before.value != nil {
			return before, false, changed
		}
		if result != changed {
			return stored{}, false, result
		}
		if x.alike(collection, before.key, after, before.value) {
			return stored{}, false, answered
		}
		text, ok := written(after)
		if !ok {
			return stored{}, false, passed
		}
		match := state.Any
		if before.value != nil {
			match = state.Match(before.version)
		}
		item, isNew, err := x.session.State.Put(collection, before.key, text, 0, match)
		if errors.Is(err, state.ErrVersion) {
			continue
		}
		if err != nil {
			x.warnDropped()
			return stored{}, false, passed
		}
		if isNew && b.Role == resource.Upsert && !gone && b.Lookup == nil && x.isListed(collection, before.key) {
			isNew = false
		}
		return stored{item.Key, item.Version, after}, isNew, changed
	}
	x.refuse(conflict, []exchange.Finding{{Code: "conflict", Message: "the item changes all the time", In: exchange.InRequest}})
	return stored{}, false, answered
}

// changeMany changes all items that the request names in the same way: none where
// it names none, or one that is missing.
func (x *visit) changeMany(documented *spec.Response) outcome {
	named, _ := resource.Get(x.values.Body, x.operation.binding.Keys)
	list, _ := named.([]any)
	collection := x.collection()
	keys := keyTexts(list)
	for _, key := range keys {
		if found, gone := x.lookupKey(collection, key); found.value == nil {
			if result := x.missing(key, gone); result != passed {
				return result
			}
		}
	}
	items := make([]stored, 0, len(keys))
	for _, key := range keys {
		item, _, result := x.changeOne(collection, func() (stored, bool) { return x.lookupKey(collection, key) })
		if result != changed {
			return result
		}
		items = append(items, item)
	}
	return x.showAll(documented, items)
}

// replacing gives the answer to a PUT that has replaced an item: 201 is for one that
// has made it alone, where the document has another. nil is the answer at hand.
func (x *visit) replacing(isNew bool, status int) *spec.Response {
	if isNew || status != 201 {
		return nil
	}
	for _, r := range x.operation.Responses {
		if first, count := r.Code(); count == 1 && (first == 200 || first == 204) {
			return r
		}
	}
	return nil
}

// showReplaced gives that answer: with the item, or as it would be without.
func (x *visit) showReplaced(documented *spec.Response, collection string, item stored) outcome {
	status, _ := documented.Code()
	x.in.responder.Begin(x.ask, x.response, status, documented)
	if x.show(status, documented, collection, item) == answered || bodiless(status) {
		return answered
	}
	media := x.negotiate(documented.Content)
	if media == nil {
		return answered
	}
	value, err := x.generated(x.in.responder.Body(media), x.key(status, media))
	if err != nil {
		x.unsatisfiable(err)
		return answered
	}
	x.body(media, value)
	return answered
}
