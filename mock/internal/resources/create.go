package resources

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"maps"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

func create(q *Request) error {
	sent, isBatch, err := sentItems(q)
	if err != nil {
		return err
	}
	key, isIdempotent := idempotencyKey(q)
	if isIdempotent {
		q.Replies.mu.Lock()
		defer q.Replies.mu.Unlock()
		item, err := repeated(q, key)
		switch {
		case err != nil:
			return err
		case item.Value != nil:
			return show(q, item)
		}
	}
	source, err := takeFrom(q)
	if err != nil {
		return err
	}
	var created []Item
	for _, object := range sent {
		item, err := createOne(q, object)
		if err != nil {
			return err
		}
		created = append(created, item)
	}
	if source != nil {
		if _, err := actOn(source); err != nil {
			return err
		}
	}
	if len(created) == 0 {
		return errNotHandled
	}
	q.created = created[0]
	if isIdempotent {
		q.Replies.set(key, reply{sha256.Sum256(q.Body), q.collection, created[0].Key})
	}
	if q.op.Bulk != nil {
		var outcome bulkOutcome
		for _, item := range created {
			outcome.add(resource.Created, item)
		}
		return answerBulk(q, outcome)
	}
	if r := q.op.Response; r != nil && (r.Many && len(created) > 1 || isBatch) {
		return showAll(q, created)
	}
	return show(q, created[0])
}

// sentItems returns the items that a request describes, at least one, and whether it sent several if one has its
// place.
func sentItems(q *Request) (objects []map[string]any, isBatch bool, err error) {
	if q.op.Request == nil || !q.Values.HasBody {
		return []map[string]any{{}}, false, nil
	}
	items, ok := q.op.Request.Items(q.Values.Body())
	if !ok {
		return []map[string]any{{}}, false, nil
	}
	value, _ := jsonvalue.Property(q.Values.Body(), q.op.Request.Path)
	_, isArray := value.([]any)
	objects = make([]map[string]any, len(items))
	for i, item := range items {
		object, ok := item.(map[string]any)
		switch {
		case ok:
			objects[i] = q.withBeside(object)
		case q.op.Request.Many:
			return nil, false, errNotHandled
		default:
			objects[i] = map[string]any{} // a file, say
		}
	}
	return objects, isArray && !q.op.Request.Many, nil
}

var errKeyTaken = errors.New("the key is taken")

func createOne(q *Request, sent map[string]any) (Item, error) {
	k := q.op.runtime
	item := withParents(q, q.WithUpload(q.op.withNested(nil, q.op.withoutReadOnly(q.renamed(sent))), k.properties))
	for name, value := range q.source {
		if _, has := item[name]; !has {
			item = jsonvalue.WithMember(item, name, value)
		}
	}
	if k.Singleton {
		return insert(q, SingletonKey, item, true)
	}
	if value, isSent := q.Values.Query[q.op.KeyQuery]; isSent {
		if text, _ := jsonvalue.Text(value); text != "" && len(text) <= longestKey && k.isPathKey(text) {
			return insert(q, text, k.setTypedKey(item, text), true)
		}
	}
	if k.KeyProperty() != nil && k.Key.ChosenBy != resource.Server {
		if value, ok := jsonvalue.Property(item, k.Key.Property); ok {
			switch text, _ := jsonvalue.Text(value); {
			case len(text) > longestKey:
				return createUnnamed(q, strconv.FormatInt(q.Session.NextInteger(q.collection, k.firstKey), 10), item)
			case text != "" && k.allowsKey(value):
				return insert(q, text, item, true)
			}
		}
	}
	for try := range KeyAttempts {
		key, text := k.NewKey(q.Session, q.set.options.Seed, q.collection)
		if try > 0 { // the document may describe one key only
			key, text = k.alike(key, text, q.Session, q.set.options.Seed, q.collection)
		}
		// Below a parent, one key in a million is not worth making the list.
		if len(q.op.Scope) == 0 && isInitial(q, text) {
			continue
		}
		item = k.SetKey(item, key)
		if created, err := insert(q, text, item, false); err != errKeyTaken {
			return created, err
		}
	}
	text := strconv.FormatInt(q.Session.NextInteger(q.collection, k.firstKey), 10)
	if k.KeyProperty() != nil {
		typed, ok := k.Typed(k.Key.Property, text)
		if !ok {
			return Item{}, errNotHandled // the schema of keys does not allow so many
		}
		item = k.SetKey(item, typed)
	}
	return createUnnamed(q, text, item)
}

// longestKey is the longest key of an item in bytes: the mock reads no path that is longer. A longer one would be
// repeated in each link to the item.
const longestKey = 8 << 10

// createUnnamed creates an item that paths cannot name: it is only shown and listed.
func createUnnamed(q *Request, key string, item map[string]any) (Item, error) {
	created, err := insert(q, key, item, false)
	if err == errKeyTaken {
		err = errNotHandled
	}
	return created, err
}

func insert(q *Request, key string, item map[string]any, chosenByClient bool) (Item, error) {
	item = maps.Clone(withObjects(q, item, nil))
	setTimes(q, item, nil, true)
	sent := item
	item = q.op.runtime.withElementKeys(q.valueKey(key), q.withEmbedded(item, nil))
	item, conforms := complete(q, key, withReferred(q, item, nil))
	if len(q.op.runtime.stateTimes()) > 0 {
		item = maps.Clone(item)
		conforms = len(q.op.runtime.setStateTimes(q, item, nil)) == 0 && conforms
	}
	item = q.op.runtime.recalculated(item)
	item = q.linked(key, item, sent)
	// Without linksFit a creation of 20 kB with links allocates a third more.
	conforms = conforms && (q.op.runtime.linkable == nil || q.op.runtime.linksFit)
	whole := len(item)
	item = q.op.runtime.withoutSecrets(item)
	collection := collectionOfNew(q, item)
	if err := checkUnique(q, collection, key, item, nil); err != nil {
		return Item{}, err
	}
	text, ok := EncodeItem(item)
	if !ok {
		return Item{}, errNotHandled
	}
	created, err := q.Session.Insert(collection, key, text, state.ByClient)
	if err == nil {
		q.Account.wrote(state.Created, created.Collection, created.Key, created.Version)
		upload(q, state.Below(collection, key, fileName))
	}
	if errors.Is(err, state.ErrExists) {
		if !chosenByClient {
			return Item{}, errKeyTaken
		}
		if q.Operation.Operation.DocumentsExactly(409) {
			message := "there is an item " + quote(key) + " in " + q.op.runtime.Name + " already"
			if q.op.runtime.Singleton {
				message = q.op.runtime.Name + " is there already"
			}
			return Item{}, refuse(respond.Conflict, exchange.Finding{
				Code: "duplicate-key", Message: message, In: exchange.InBody, Pointer: resource.Pointer(q.op.runtime.KeyProperty()),
			})
		}
		created, _, err = q.put(collection, key, text, state.ByClient, state.Any)
	}
	if err != nil {
		q.set.options.StoreFull()
		return Item{Key: key, Version: 1, Value: item}, nil
	}
	q.countBelow(collection, nil, item)
	return Item{
		Key: created.Key, Version: created.Version, Value: item, encoded: created, conforms: conforms && len(item) == whole,
	}, nil
}

// maxCompared is how many items of a collection, the newest, are compared with a new
// one: a creation in a large collection costs no more than in a small one.
const maxCompared = 1000

// checkUnique refuses an item with a value that is unique and that another one of the collection has;
// old is the item before the change, nil for a new one. It does so only if the document has an error for it.
func checkUnique(q *Request, collection, key string, item, old map[string]any) error {
	k := q.op.runtime
	for _, name := range k.Unique {
		code, isRefused := q.op.Taken[name]
		value := item[name]
		if !isRefused || value == nil || value == "" || old != nil && jsonvalue.Same(old[name], value) {
			continue
		}
		if hasValue(q.view(), collection, key, name, value) {
			return refuseAs(code, exchange.Finding{
				Code: "duplicate-value", Message: "there is an item with this value in " + k.Name + " already",
				In: exchange.InBody, Pointer: resource.Pointer([]string{name}),
			})
		}
	}
	return nil
}

// hasValue reports whether an item with another key has a value.
func hasValue(view *state.View, collection, key, name string, value any) bool {
	text := jsontext.Append(append(strconv.AppendQuote(nil, name), ':'), value)
	compared := 0
	for other := range view.Newest(collection, 0) {
		if compared++; compared > maxCompared {
			return false
		}
		if other.Key != key && bytes.Contains(other.JSON, text) && jsonvalue.Same(DecodeItem(other)[name], value) {
			return true
		}
	}
	return false
}
