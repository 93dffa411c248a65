package resources

import (
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/words"
	"github.com/coldframe/coldframe/mock/internal/prefer"
)

// initialList is what a list shows before anything is created in it, if unknown
// items are generated: the items that reads of the keys of a generated list return. Each is missing for good when it is
// deleted.
type initialList struct {
	items    []Item
	fill     []Item // others, which the list has so that there is a second page
	examples bool   // items are the document's
}

func (l *initialList) all() []Item { return append(slices.Clip(l.items), l.fill...) }

const (
	// largestFilled is the largest page, in items, that is filled so that there is another.
	largestFilled = 50
	// beyondPage is how many items such a list has on its second page.
	beyondPage = 4
	// fewItems is how many items a list of larger pages has.
	fewItems = 24
	// manyNames is how many different names items have before they have some of them again.
	manyNames = 6
)

// initialLength is how many items a list begins with if the request can ask for another page than the first; 0
// where it cannot.
func (op *Operation) initialLength() int {
	leads := func(p resource.Param) bool {
		return p.Role == resource.PageNumber || p.Role == resource.Skip || p.Role == resource.Cursor
	}
	switch {
	case op.pageSize == 0 || !slices.ContainsFunc(op.List.Params, leads):
		return 0
	case op.pageSize > largestFilled:
		return fewItems
	}
	return op.pageSize + beyondPage
}

// maxInitialBytes bounds the initial lists below parents, which any request may name. Those that were not asked for
// lately are made again.
const maxInitialBytes = 4 << 20

func (l *initialList) bytes() (bytes int64) {
	for _, item := range l.all() {
		bytes += int64(len(item.encoded.JSON))
	}
	return bytes
}

// initial returns the initial list of the request's collection: an empty one where unknown items are
// refused, if the collection began with items, or if a proxy's upstream has some.
func initial(q *Request) *initialList {
	o := &q.set.options
	if q.collection == "" || o.RefuseUnknown || o.Dynamic || q.Base.Known(q.collection) || q.isBelowCreated() ||
		q.Session.HasAdopted(q.collection) {
		return &initialList{}
	}
	lister := q.set.lister(q)
	switch {
	case lister == nil:
		return &initialList{}
	case len(lister.Scope) > 0:
		name := strings.Join(append([]string{lister.Operation.ID, q.collection}, q.Variables...), "\x00")
		list, known := q.set.initial.Get(name)
		if !known {
			if list = newInitialList(q, lister); q.Work.Ended() == nil { // it is whole
				q.set.initial.Put(name, list, list.bytes())
			}
		}
		return list
	case lister.initial.Load() == nil:
		made := newInitialList(q, lister)
		if q.Work.Ended() != nil {
			return made
		}
		lister.initial.CompareAndSwap(nil, made)
	}
	return lister.initial.Load()
}

// lister returns the list that shows the initial items of the request's collection: one
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

// newInitialList makes an initial list. It does not depend on the preferences of the request that asks first.
func newInitialList(q *Request, lister *Operation) *initialList {
	k := q.op.runtime
	path := map[string]any{}
	for i, v := range lister.Scope {
		path[v.Name] = q.Values.Path[q.op.Scope[i].Name]
	}
	request := getRequest(q, lister.Binding.Operation, q.Variables[:len(lister.Scope)], path)
	body, examples := q.set.documentBody(request, request.Operation.Success, lister.Media)
	body, _ = withPathKeys(request.Operation.Item, true, path, lister.Media, body)
	elements, ok := lister.List.Items.Items(body)
	if !ok {
		return &initialList{}
	}
	single := *q
	single.Request, single.op = request, lister
	list := &initialList{examples: examples}
	l := &listMaker{q: q, single: &single, list: list, taken: map[string]bool{}, names: map[string]bool{}}
	l.shown = examples || k.reader != nil && k.reader.Media != nil && len(k.reader.Media.Examples) > 0
	for i, element := range elements {
		shown, ok := element.(map[string]any)
		if !ok {
			return &initialList{}
		}
		if q.Work.Over() {
			break
		}
		key := k.keyOf(shown)
		if key == "" {
			key = k.keyOfElement(q.set.options.Seed, q.collection, i+1)
		}
		l.list.items = l.add(l.list.items, key, shown)
	}
	if !examples && len(l.list.items) > 0 && k.KeyProperty() != nil { // items without keys are often the same
		l.fill(len(elements), lister.initialLength())
	}
	return list
}

// listMaker makes an initial list.
type listMaker struct {
	q, single    *Request // the request, and one to the list that shows the items
	list         *initialList
	shown        bool            // items have what the list shows of them
	taken, names map[string]bool // keys and names
}

// add adds the item of a key, unless there is one, or one of the same name that the list does not show itself.
func (l *listMaker) add(items []Item, key string, shown map[string]any) []Item {
	if l.taken[key] {
		return items
	}
	item := maps.Clone(generatedItem(l.single, key))
	if name := nameOf(item); name != "" {
		if shown == nil && l.names[name] {
			return items
		}
		l.names[name] = true
	}
	l.taken[key] = true
	if l.shown {
		maps.Copy(item, shown)
	}
	if len(l.q.op.extra) > 0 {
		item = withParents(l.q, item)
	}
	return append(items, Item{Key: key, Value: item, encoded: encoded(item)})
}

// fill adds items until there are as many as wanted, from the n-th on. It returns up where other keys have items of the
// same few names.
func (l *listMaker) fill(n, wanted int) {
	for i, missed := n, 0; i < 5*wanted && len(l.taken) < wanted && !l.q.Work.Over(); i++ {
		if missed == 2*manyNames {
			if len(l.names) < manyNames {
				return
			}
			clear(l.names) // there are no more
		}
		key, before := l.q.op.runtime.keyOfElement(l.q.set.options.Seed, l.q.collection, i+1), len(l.taken)
		l.list.fill = l.add(l.list.fill, key, nil)
		if missed++; len(l.taken) > before {
			missed = 0
		}
	}
}

// itemNames are properties by which people identify items, the likeliest first.
var itemNames = words.Ranked("item-name")

// nameOf returns the value of the first of itemNames, or "".
func nameOf(item map[string]any) string {
	for _, property := range itemNames {
		if name, ok := item[property].(string); ok {
			return name
		}
	}
	return ""
}

func isInitial(q *Request, key string) bool {
	return slices.ContainsFunc(initial(q).all(), func(i Item) bool { return i.Key == key })
}

// asRead returns a list of as many elements as a request prefers, with those that are not the document's own as reads
// of their keys show them.
func (q *Request) asRead(body any) any {
	op, first := q.op, initial(q)
	elements, ok := op.List.Items.Items(body)
	isRead := op.runtime.reader != nil && op.runtime.KeyProperty() != nil && q.collection != ""
	if !ok || !isRead || q.Dynamic || q.Preferences.Has(prefer.Seed) {
		return body
	}
	single := *q
	single.Request = getRequest(q, op.Operation, q.Variables, q.Values.Path)
	elements = slices.Clone(elements)
	for i, element := range elements {
		object, _ := element.(map[string]any)
		key := op.runtime.keyOf(object)
		at := slices.IndexFunc(first.items, func(i Item) bool { return i.Key == key })
		if key == "" || first.examples && at >= 0 || q.Work.Over() {
			continue
		}
		item := Item{Key: key}
		if at >= 0 {
			item = first.items[at]
		} else {
			item.Value = generatedItem(&single, key)
		}
		shown, others := showElement(&single, op.elements, item), slices.Delete(slices.Clone(elements), i, i+1)
		if op.elements.conforms(shown) && !generate.RepeatsIdentifier(others, shown) {
			elements[i] = shown
		}
	}
	if other := op.List.Items.PutItems(body, elements); op.Media.Conforms(other) {
		return other
	}
	return body
}
