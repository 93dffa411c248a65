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
		lacks := func(element any) bool {
			object, isObject := element.(map[string]any)
			return isObject && object[elementID] == nil
		}
		if !isList || !slices.ContainsFunc(list, lacks) {
			continue
		}
		id := schema.Properties(schema.Items(k.properties[name]))[elementID]
		if id == nil {
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

// removals returns the flags by which a request removes elements of lists: the only boolean that the elements of the
// request have beside their key, and the elements of the item do not have.
func (k *Runtime) removals(sendable map[string]*schema.Keywords) map[string]string {
	flags := map[string]string{}
	for list, sent := range sendable {
		own, members := schema.Properties(schema.Items(k.properties[list])), schema.Properties(schema.Items(sent))
		if own[elementID] == nil || members[elementID] == nil {
			continue
		}
		maps.DeleteFunc(members, func(name string, member *schema.Keywords) bool {
			return own[name] != nil || schema.CertainTypes(member) != schema.Boolean
		})
		for name := range members {
			if len(members) == 1 {
				flags[list] = name
			}
		}
	}
	return flags
}

// withNested returns what was sent with the lists that it changes element by element: an element with a key is changed,
// or removed if it says so, and others are added. old is the item before; nil for a new one.
func (op *Operation) withNested(old, sent map[string]any) map[string]any {
	if op.request == nil {
		return sent
	}
	for name, flag := range op.request.removals() {
		elements, isList := sent[name].([]any)
		if !isList {
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
