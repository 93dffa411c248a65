package resources

import (
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/resource"
)

// initialList is what a list shows before anything is created in it, where unknown
// items are generated: the items that reads of the keys of a generated list give. They
// stand before what is kept, and each is missing for good when it is deleted.
type initialList struct {
	items    []Item
	examples bool // they are the document's
}

// initial gives the initial list of a collection: an empty one where unknown items are
// refused, or where the collection began with items.
func initial(q *Request, collection string) *initialList {
	o := &q.set.options
	if collection == "" || o.RefuseUnknown || o.Dynamic || q.Base.Known(collection) {
		return &initialList{}
	}
	lister := q.set.lister(q)
	if lister == nil {
		return &initialList{}
	}
	if len(lister.Scope) > 0 {
		return newInitialList(q, lister, collection)
	}
	if lister.initial.Load() == nil {
		lister.initial.CompareAndSwap(nil, newInitialList(q, lister, collection))
	}
	return lister.initial.Load()
}

// lister gives the list that shows the initial items of the request's collection: one
// for all lists of the same items.
func (s *Set) lister(q *Request) *Operation {
	k, scope := q.op.runtime, len(q.op.Scope)
	fits := func(b *resource.Binding) bool {
		op := s.operations[b.Operation]
		if op == nil || op.runtime != k || op.around == nil || b.Role != resource.List || b.List == nil {
			return false
		}
		return len(b.Scope) == scope && strings.Count(b.Operation.Path, "{") == scope && scope <= len(q.Variables)
	}
	if len(q.op.extra) > 0 { // only the path says whose items they are
		if fits(q.op.Binding) {
			return q.op
		}
		return nil
	}
	b := k.first(func(b *resource.Binding) bool { return fits(b) && !b.Subset })
	if b == nil {
		b = k.first(fits)
	}
	if b == nil {
		return nil
	}
	return s.operations[b.Operation]
}

// newInitialList makes an initial list. It does not depend on the preferences of the
// request that asks first.
func newInitialList(q *Request, lister *Operation, collection string) *initialList {
	k := q.op.runtime
	path := map[string]any{}
	for i, v := range lister.Scope {
		path[v.Name] = q.Values.Path[q.op.Scope[i].Name]
	}
	request := getRequest(q, lister.Binding.Operation, q.Variables[:len(lister.Scope)], path)
	body, examples, err := q.set.documentBody(request, request.Operation.Success, lister.Media)
	if err != nil {
		return &initialList{}
	}
	body, _ = withPathKeys(request.Operation.Item, true, path, lister.Media, body)
	elements, ok := lister.List.Items.Items(body)
	if !ok {
		return &initialList{}
	}
	single := &Request{Request: request, Session: q.Session, Base: q.Base, set: q.set, op: lister}
	list := &initialList{examples: examples}
	taken := map[string]bool{}
	for i, element := range elements {
		shown, ok := element.(map[string]any)
		if !ok {
			return &initialList{}
		}
		key := k.keyOf(shown)
		if key == "" {
			key = k.keyOfElement(q.set.options.Seed, collection, i+1)
		}
		if taken[key] {
			continue
		}
		taken[key] = true
		item := maps.Clone(generatedItem(single, collection, key))
		if examples || k.reader != nil && k.reader.Media != nil && len(k.reader.Media.Examples) > 0 {
			maps.Copy(item, shown)
		}
		if len(q.op.extra) > 0 {
			item = withParents(q, item)
		}
		list.items = append(list.items, Item{Key: key, Value: item, encoded: encoded(item)})
	}
	return list
}

func isInitial(q *Request, collection, key string) bool {
	return slices.ContainsFunc(initial(q, collection).items, func(i Item) bool { return i.Key == key })
}
