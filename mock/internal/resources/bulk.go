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

// bulkOutcome is what became of the items of a bulk request, in its order.
type bulkOutcome []bulkItem

type bulkItem struct {
	resource.Outcome
	Item
}

func (o *bulkOutcome) add(outcome resource.Outcome, item Item) {
	if item.Value == nil {
		outcome = resource.Failed
	}
	*o = append(*o, bulkItem{outcome, item})
}

// of returns the items of an outcome; Done includes Created and Changed.
func (o bulkOutcome) of(outcome resource.Outcome) (items []Item) {
	for _, one := range o {
		if one.Outcome == outcome || outcome == resource.Done && one.Outcome != resource.Failed {
			items = append(items, one.Item)
		}
	}
	return items
}

// statuses are the HTTP statuses that say what became of an item, best first.
var statuses = map[resource.Outcome][]any{
	resource.Created: {json.Number("201"), json.Number("200")},
	resource.Changed: {json.Number("200")},
	resource.Done:    {json.Number("200"), json.Number("204")},
	resource.Failed:  {json.Number("404"), json.Number("409"), json.Number("422"), json.Number("400")},
}

// each returns what an answer says of each item.
func (o bulkOutcome) each(k *Runtime, names *resource.EachResult) []any {
	all := []any{}
	for _, one := range o {
		said, values := map[string]any{}, statuses[one.Outcome]
		if names.Statuses != nil {
			values = []any{names.Statuses[one.Outcome]}
		}
		for _, value := range values {
			if spec.Conforms(names.StatusSchema, value) {
				said[names.Status] = value
				break
			}
		}
		if said[names.Key] = k.typedKey(one.Key); names.Key == "" {
			delete(said, names.Key)
		}
		if names.Item != "" && one.Outcome != resource.Failed {
			said[names.Item] = WithoutHidden(one.Value)
		}
		all = append(all, said)
	}
	return all
}

// typedKey returns a key as the property of items has it.
func (k *Runtime) typedKey(key string) any {
	if typed, ok := k.Typed(k.KeyProperty(), key); ok && k.KeyProperty() != nil {
		return typed
	}
	return key
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
	return answerBulk(q, outcome)
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
				outcome.add(resource.Changed, item)
				continue
			}
		}
		item, err := createOne(q, object)
		if err != nil {
			return err
		}
		outcome.add(resource.Created, item)
	}
	return nil
}

// replaceExisting replaces the item of a key. It returns an item without a value if there is none.
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
		if err != nil {
			return err
		}
		outcome.add(resource.Changed, item)
	}
	return nil
}

// findExisting finds an item by its key. It has no value if nobody created it and no list shows it.
func (q *Request) findExisting(key string) (found Item, deleted bool) {
	if found, deleted = q.findKey(key); found.Value == nil && !deleted && isInitial(q, key) {
		found.Value = withParents(q, generatedItem(q, key))
	}
	return found, deleted
}

// deleteExisting deletes an item. It returns an item without a value if there was none.
func (q *Request) deleteExisting(key string) (Item, error) {
	found, deleted := q.findExisting(key)
	if deleted {
		return found, nil
	}
	_, err := q.deleteItem(found, state.Any)
	return found, err
}

// changeExisting changes or deletes an item. It returns an item without a value if there is none.
func (q *Request) changeExisting(key string) (Item, error) {
	if q.op.Bulk.Deletes {
		return q.deleteExisting(key)
	}
	found, _ := q.findExisting(key)
	if found.Value == nil {
		return found, nil
	}
	after, err := acted(q, key, found.Value)
	if err != nil {
		return Item{}, err
	}
	item, _, err := keepChange(q, found, after)
	return item, err
}

// answerBulk answers with what became of the items: their number, their keys or they themselves.
func answerBulk(q *Request, outcome bulkOutcome) error {
	media, b := q.media, q.op.Bulk
	if r := q.op.Response; len(b.Results) == 0 && r != nil && r.Many && len(r.Path) == 0 {
		return showAll(q, outcome.of(resource.Done))
	}
	if media == nil || media.Schema == nil || len(b.Results) == 0 {
		return errNoBody
	}
	if each := b.Results[0].Each; each != nil && len(b.Results[0].Path) == 0 {
		q.answer.SetBody(media, q.as, outcome.each(q.op.runtime, each))
		return nil
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
		switch items := outcome.of(result.Outcome); result.Form {
		case resource.CountOf:
			value = json.Number(strconv.Itoa(len(items)))
		case resource.KeysOf:
			keys := []any{}
			for _, item := range items {
				keys = append(keys, q.op.runtime.typedKey(item.Key))
			}
			value = keys
		case resource.ItemsOf:
			shown := []any{}
			for _, item := range items {
				if result.Outcome != resource.Failed {
					shown = append(shown, WithoutHidden(item.Value))
				}
			}
			value = shown
		case resource.EachOf:
			value = outcome.each(q.op.runtime, result.Each)
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
