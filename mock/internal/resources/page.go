package resources

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// listView is what a list shows of one version of the state: the initial items that are
// still there, and then those that are kept.
type listView struct {
	view       *state.View
	collection string // "" for those of all parents
	first      []Item
	apart      []int // places in the collection of the kept items that stand in first, rising
}

func unread(item *state.Item) Item {
	return Item{Key: item.Key, Version: item.Version, encoded: item}
}

func newListView(view *state.View, collection string, initial *initialList) *listView {
	l := &listView{view: view, collection: collection}
	for _, i := range initial.items {
		item, deleted := view.Get(collection, i.Key)
		if deleted {
			continue
		}
		if item != nil {
			l.apart = append(l.apart, view.Place(item))
			i = unread(item)
		}
		l.first = append(l.first, i)
	}
	slices.Sort(l.apart)
	return l
}

func (l *listView) len() int { return len(l.first) + l.view.Len(l.collection) - len(l.apart) }

func (l *listView) window(offset, count int) []Item {
	var items []Item
	if offset < len(l.first) {
		items = append(items, l.first[offset:min(len(l.first), offset+count)]...)
	}
	from := max(0, offset-len(l.first))
	for _, place := range l.apart {
		if place <= from {
			from++
		}
	}
	for item := range l.view.Items(l.collection, from) {
		if len(items) >= count {
			break
		}
		if !l.isFirst(item.Key) {
			items = append(items, unread(item))
		}
	}
	return items
}

// index gives the place of an item, -1 where there is none.
func (l *listView) index(key string) int {
	if i := slices.IndexFunc(l.first, func(i Item) bool { return i.Key == key }); i >= 0 {
		return i
	}
	item, _ := l.view.Get(l.collection, key)
	if item == nil {
		return -1
	}
	at := l.view.Place(item)
	before, _ := slices.BinarySearch(l.apart, at)
	return len(l.first) + at - before
}

func (l *listView) isFirst(key string) bool {
	return len(l.apart) > 0 && slices.ContainsFunc(l.first, func(i Item) bool { return i.Key == key })
}

// page gives the items of a page. It decodes no others.
func page(q *Request, l *listView, wanted *query.Query, links *query.Links, size int) (p query.Page, items []Item) {
	byKey := slices.ContainsFunc(q.op.List.Params, isKeyCursor)
	switch selected := selectedItems(q, l, wanted); {
	case !wanted.Selects() && l.collection != "" && len(q.op.extra) == 0:
		p, items = pageOfAll(l, wanted, links, size, byKey)
	case byKey:
		p, items = pageByKey(selected, wanted, links, size)
	default:
		p, items = pageOfSelected(selected, wanted, size, hasTotal(q.op.List))
	}
	for i := range items {
		if q.Work.Step() {
			break
		}
		items[i].decode()
	}
	return p, slices.DeleteFunc(items, func(i Item) bool { return i.Value == nil })
}

// pageOfAll pages through a collection as it is kept, however large it is.
func pageOfAll(l *listView, wanted *query.Query, links *query.Links, size int, byKey bool) (query.Page, []Item) {
	total := l.len()
	inOrder := func(i int) int {
		if wanted.NewestFirst {
			return total - 1 - i
		}
		return i
	}
	var index func(key string) int
	if byKey {
		index = func(key string) int {
			if i := l.index(key); i >= 0 {
				return inOrder(i)
			}
			return -1
		}
		links.ByKey = func(i int) string {
			for _, item := range l.window(inOrder(i), 1) {
				return item.Key
			}
			return ""
		}
	}
	p := wanted.AtCursor(wanted.PageOf(total, size), index)
	if !wanted.NewestFirst {
		return p, l.window(p.Offset, p.Count)
	}
	items := l.window(total-p.Offset-p.Count, p.Count)
	slices.Reverse(items)
	return p, items
}

func selectedItems(q *Request, l *listView, wanted *query.Query) iter.Seq[Item] {
	parents := parentsOf(q, l)
	return func(yield func(Item) bool) {
		for item := range l.all(q.op.runtime, wanted.NewestFirst) {
			if q.Work.Step() {
				return
			}
			isOther := func(p parent) bool { return item.Version > 0 && !p.has(item.encoded.JSON) }
			if !slices.ContainsFunc(parents, isOther) && wanted.MatchesText(item.encoded.JSON) && !yield(item) {
				return
			}
		}
	}
}

func (l *listView) all(k *Runtime, newestFirst bool) iter.Seq[Item] {
	oldest := func(yield func(Item) bool) {
		for _, item := range l.first {
			if !yield(item) {
				return
			}
		}
		for item := range kept(k, l.view, l.collection) {
			if !l.isFirst(item.Key) && !yield(unread(item)) {
				return
			}
		}
	}
	switch {
	case !newestFirst:
		return oldest
	case l.collection == "":
		items := slices.Collect(oldest)
		slices.Reverse(items)
		return slices.Values(items)
	}
	return func(yield func(Item) bool) {
		for item := range l.view.Newest(l.collection, 0) {
			if !l.isFirst(item.Key) && !yield(unread(item)) {
				return
			}
		}
		for _, item := range slices.Backward(l.first) {
			if !yield(item) {
				return
			}
		}
	}
}

// parent selects the items below one that the path of their list names, by the property that holds its key, or else by
// what is kept beside the item.
type parent struct{ hidden, property query.Filter }

func parentsOf(q *Request, l *listView) (parents []parent) {
	if l.collection == "" {
		return nil // the query filters
	}
	for _, v := range q.op.extra {
		values := []any{q.Values.Path[v.Name]}
		parents = append(parents, parent{
			query.Filter{Property: hiddenProperty(v), Values: values}, query.Filter{Property: v.Property, Values: values},
		})
	}
	return parents
}

func (p *parent) has(item []byte) bool {
	same, has := p.hidden.FindText(item)
	if !has && p.property.Property != nil {
		same = p.property.MatchesText(item)
	}
	return same
}

// pageOfSelected pages through what the filters select. Where no total is asked for, it
// stops behind the page.
func pageOfSelected(all iter.Seq[Item], wanted *query.Query, size int, hasTotal bool) (p query.Page, page []Item) {
	const endless = 1 << 40
	window := wanted.AtCursor(wanted.PageOf(endless, size), nil)
	end := window.Offset + window.Count
	if len(wanted.Sort) > 0 {
		sorted, total := smallest(all, wanted, end)
		p = wanted.AtCursor(wanted.PageOf(total, size), nil)
		return p, sorted[p.Offset : p.Offset+p.Count]
	}
	total := 0
	for item := range all {
		if total >= window.Offset && total < end {
			page = append(page, item)
		}
		if total++; total > end && !hasTotal {
			break
		}
	}
	return wanted.AtCursor(wanted.PageOf(total, size), nil), page
}

// pageByKey pages through what is selected where cursors are keys of items.
func pageByKey(all iter.Seq[Item], wanted *query.Query, links *query.Links, size int) (query.Page, []Item) {
	selected := slices.Collect(all)
	if len(wanted.Sort) > 0 {
		selected, _ = smallest(slices.Values(selected), wanted, len(selected))
	}
	links.ByKey = func(i int) string { return selected[i].Key }
	p := wanted.AtCursor(wanted.PageOf(len(selected), size), func(key string) int {
		return slices.IndexFunc(selected, func(i Item) bool { return i.Key == key })
	})
	return p, selected[p.Offset : p.Offset+p.Count]
}

// smallest gives the first items in the order that a query asks for, at least as many as are wanted where
// there are so many, and how many there are in all. It keeps no more than twice as many.
func smallest(all iter.Seq[Item], q *query.Query, wanted int) (first []Item, total int) {
	type keyed struct {
		item Item
		keys []any
	}
	const least = 1000 // items, below which it is not worth while to forget any
	wanted = max(wanted, least)
	var best []keyed
	var scratch []any
	order := func(a, b keyed) int { return q.OrderKeys(a.keys, b.keys) }
	full := false
	for item := range all {
		total++
		scratch = q.SortKeys(item.encoded.JSON, scratch)
		if full && q.OrderKeys(scratch, best[wanted-1].keys) >= 0 {
			continue
		}
		best = append(best, keyed{item, slices.Clone(scratch)})
		if len(best) >= 2*wanted {
			slices.SortStableFunc(best, order)
			clear(best[wanted:])
			best, full = best[:wanted], true
		}
	}
	slices.SortStableFunc(best, order)
	for _, k := range best {
		first = append(first, k.item)
	}
	return first, total
}

func hasTotal(l *resource.Listing) bool {
	totals := []resource.FieldRole{resource.Total, resource.Pages, resource.Last, resource.Relations}
	return slices.ContainsFunc(l.Fields, func(f resource.Field) bool { return slices.Contains(totals[:3], f.Role) }) ||
		slices.ContainsFunc(l.Header, func(h resource.HeaderField) bool { return slices.Contains(totals, h.Role) })
}

// initialList is what a list shows before anything is created in it, where unknown
// items are generated: the items that reads of the keys of a generated list give. They
// stand before what is kept, and each is missing for good when it is deleted.
type initialList struct {
	items    []Item
	examples bool // they are the document's
}

// initial gives the initial list of the request's collection: an empty one where unknown items are
// refused, or where the collection began with items.
func initial(q *Request) *initialList {
	o := &q.set.options
	if q.collection == "" || o.RefuseUnknown || o.Dynamic || q.Base.Known(q.collection) {
		return &initialList{}
	}
	lister := q.set.lister(q)
	switch {
	case lister == nil:
		return &initialList{}
	case len(lister.Scope) > 0:
		return newInitialList(q, lister)
	case lister.initial.Load() == nil:
		made := newInitialList(q, lister)
		if q.Work.Ended() != nil { // it is not whole
			return made
		}
		lister.initial.CompareAndSwap(nil, made)
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
	taken := map[string]bool{}
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
		if taken[key] {
			continue
		}
		taken[key] = true
		item := maps.Clone(generatedItem(&single, key))
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

func isInitial(q *Request, key string) bool {
	return slices.ContainsFunc(initial(q).items, func(i Item) bool { return i.Key == key })
}
