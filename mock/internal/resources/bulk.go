package resources

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// bulkOutcome is what became of the items of a bulk request.
type bulkOutcome struct {
	keys  [resource.Failed + 1][]any // by outcome; Done includes Created and Changed
	items []Item                     // created, changed or deleted
}

func (o *bulkOutcome) add(k *Runtime, outcome resource.Outcome, item Item) {
	key := any(item.Key)
	if typed, ok := k.Typed(k.KeyProperty(), item.Key); ok && k.KeyProperty() != nil {
		key = typed
	}
	o.keys[outcome] = append(o.keys[outcome], key)
	if outcome == resource.Failed {
		return
	}
	if o.items = append(o.items, item); outcome != resource.Done {
		o.keys[resource.Done] = append(o.keys[resource.Done], key)
	}
}

// bulk creates, changes or deletes the items that a request has or names, and answers what became of them.
func bulk(q *Request) error {
	b := q.op.Bulk
	var outcome bulkOutcome
	var err error
	if b.ByKey {
		err = changeNamed(q, &outcome)
	} else {
		err = putAll(q, &outcome)
	}
	if err != nil {
		return err
	}
	return answerBulk(q, &outcome)
}

// putAll creates the items of a request, or replaces those that exist.
func putAll(q *Request, outcome *bulkOutcome) error {
	sent, _, err := sentItems(q)
	if err != nil {
		return err
	}
	k := q.op.runtime
	for _, object := range sent {
		if q.Work.Over() {
			return errNotHandled
		}
		if key := k.keyOf(object); key != "" && k.Key.ChosenBy != resource.Server {
			item, err := replaceExisting(q, key, object)
			if err != nil {
				return err
			}
			if item.Value != nil {
				outcome.add(k, resource.Changed, item)
				continue
			}
		}
		item, err := createOne(q, object)
		if err != nil {
			return err
		}
		outcome.add(k, resource.Created, item)
	}
	return nil
}

// replaceExisting replaces the item of a key; it returns none if there is none.
func replaceExisting(q *Request, key string, object map[string]any) (item Item, err error) {
	for range changeAttempts {
		before, _ := q.findKey(key)
		if before.Value == nil {
			return Item{}, nil
		}
		after := fixed(q, before, before.Value, replaced(q, key, before.Value, object))
		if item, _, err = keepChange(q, before, after); !errors.Is(err, state.ErrVersion) {
			break
		}
	}
	return item, err
}

// changeNamed changes or deletes the items that a request names.
func changeNamed(q *Request, outcome *bulkOutcome) error {
	b, body := q.op.Bulk, q.Values.Body()
	named := body
	if b.Keys != "" {
		named, _ = jsonvalue.Property(body, []string{b.Keys})
	}
	list, _ := named.([]any)
	about, request := *q, *q.Request
	if b.Changes != "" {
		changes, _ := jsonvalue.Property(body, []string{b.Changes})
		request.Values.SetBody(changes)
		about.Request = &request
	}
	for _, key := range keyTexts(list) {
		if q.Work.Over() {
			return errNotHandled
		}
		var item Item
		var err error
		for range changeAttempts {
			if item, err = about.changeExisting(key); !errors.Is(err, state.ErrVersion) {
				break
			}
		}
		switch {
		case err != nil:
			return err
		case item.Value == nil:
			outcome.add(q.op.runtime, resource.Failed, Item{Key: key})
		default:
			outcome.add(q.op.runtime, resource.Changed, item)
		}
	}
	return nil
}

// changeExisting changes or deletes an item. It returns none if nobody created it and no list shows it.
func (q *Request) changeExisting(key string) (Item, error) {
	found, deleted := q.findKey(key)
	if deleted || found.Value == nil && !isInitial(q, key) {
		return Item{}, nil
	}
	if found.Value == nil {
		found.Value = withParents(q, generatedItem(q, key))
	}
	if q.op.Bulk.Deletes {
		_, _, err := q.Session.Delete(q.collection, key, state.Any)
		q.Session.ClearBelow(q.collection, key)
		q.removeChildren(key)
		q.countBelow(q.collection, found.Value, nil)
		return found, err
	}
	after, err := acted(q, key, found.Value)
	if err != nil {
		return Item{}, err
	}
	item, _, err := keepChange(q, found, after)
	return item, err
}

// answerBulk answers with what became of the items: their number, their keys or they themselves.
func answerBulk(q *Request, outcome *bulkOutcome) error {
	media, b := q.media, q.op.Bulk
	if r := q.op.Response; len(b.Results) == 0 && r != nil && r.Many && len(r.Path) == 0 {
		return showAll(q, outcome.items)
	}
	if media == nil || media.Schema == nil || len(b.Results) == 0 {
		return errNoBody
	}
	have := any(map[string]any{})
	properties := media.Schema.Members()
	for name, value := range q.Values.Path {
		if property := properties[name]; property != nil && spec.Conforms(property, value) {
			have = jsonvalue.WithProperty(have, []string{name}, value)
		}
	}
	for _, result := range b.Results {
		var value any
		switch keys := outcome.keys[result.Outcome]; result.Form {
		case resource.CountOf:
			value = json.Number(strconv.Itoa(len(keys)))
		case resource.KeysOf:
			value = append([]any{}, keys...)
		case resource.ItemsOf:
			items := []any{}
			if result.Outcome != resource.Failed {
				for _, item := range outcome.items {
					items = append(items, WithoutHidden(item.Value))
				}
			}
			value = items
		}
		have = jsonvalue.WithProperty(have, result.Path, value)
	}
	object, _ := have.(map[string]any)
	body, err := q.set.responder.Body(media).View().Fill(q.valueKey(q.collection), object)
	if err != nil {
		return errNoBody
	}
	q.answer.SetBody(media, q.as, jsonvalue.Merge(body, object))
	return nil
}
