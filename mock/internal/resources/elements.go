package resources

import (
	"maps"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// elementID is the key of the elements of a list.
const elementID = "id"

// withElementKeys returns an item whose lists of objects with a key have no elements without one.
func (k *Runtime) withElementKeys(key generate.Key, item map[string]any) map[string]any {
	for name, value := range item {
		list, isList := value.([]any)
		id := schema.Properties(schema.Items(k.properties[name]))[elementID]
		lacks := func(element any) bool {
			object, isObject := element.(map[string]any)
			return isObject && object[elementID] == nil
		}
		if !isList || id == nil || !slices.ContainsFunc(list, lacks) {
			continue
		}
		made, places := generate.New(respond.Part(k.Item, id), generate.Options{}), placesOf(list)
		list = slices.Clone(list)
		for i := range list {
			for try := 0; lacks(list[i]) && try < KeyAttempts; try++ {
				at := key.Child(name).Child(strconv.Itoa(i + try*len(list))).Child(elementID)
				next, err := made.Value(at)
				text, _ := jsonvalue.Text(next)
				if _, isTaken := places[text]; err == nil && !isTaken {
					list[i], places[text] = jsonvalue.WithMember(list[i].(map[string]any), elementID, next), i
				}
			}
		}
		item = jsonvalue.WithMember(item, name, list)
	}
	return item
}

// placesOf returns where the elements of a list with a key are.
func placesOf(list []any) map[string]int {
	places := map[string]int{}
	for i, element := range list {
		object, _ := element.(map[string]any)
		if text, _ := jsonvalue.Text(object[elementID]); text != "" {
			places[text] = i
		}
	}
	return places
}

// removal returns the flag by which a request removes an element of a list: a boolean that only the elements of the
// request have, beside their key; "" if none.
func (op *Operation) removal(list string) (flag string) {
	own := schema.Properties(schema.Items(op.runtime.properties[list]))
	if op.request == nil || own[elementID] == nil {
		return ""
	}
	sendable := schema.Properties(schema.Items(op.request.sendable[list]))
	for name, member := range sendable {
		if own[name] != nil || schema.CertainTypes(member) != schema.Boolean || sendable[elementID] == nil {
			continue
		}
		if flag != "" {
			return ""
		}
		flag = name
	}
	return flag
}

// withNested returns what was sent with the lists that it changes element by element: an element with a key is changed,
// or removed if it says so, and others are added. old is the item before; nil for a new one.
func (op *Operation) withNested(old, sent map[string]any) map[string]any {
	for name, value := range sent {
		elements, isList := value.([]any)
		flag := op.removal(name)
		if !isList || flag == "" {
			continue
		}
		list, _ := old[name].([]any)
		list, places := slices.Clone(list), placesOf(list)
		for _, element := range elements {
			object, _ := element.(map[string]any)
			text, _ := jsonvalue.Text(object[elementID])
			at, isKnown := places[text]
			isRemoved := object[flag] == true
			object = maps.Clone(object)
			delete(object, flag)
			switch {
			case isKnown && isRemoved:
				list[at] = nil
			case isKnown:
				list[at] = jsonvalue.Merge(list[at], object)
			case !isRemoved:
				list = append(list, object)
			}
		}
		list = slices.DeleteFunc(list, func(element any) bool { return element == nil })
		sent = jsonvalue.WithMember(sent, name, list)
	}
	return sent
}
