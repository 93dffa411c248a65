package resources

import (
	"iter"
	"slices"

	"github.com/coldframe/coldframe/internal/jsontext"
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

func newListView(view *state.View, collection string, initial *initialList) *listView {
	l := &listView{view: view, collection: collection}
	for _, i := range initial.items {
		item, deleted := view.Get(collection, i.Key)
		if deleted {
			continue
		}
		if item != nil {
			l.apart = append(l.apart, view.Place(item))
			if value := DecodeItem(item); value != nil {
				i.Value = value
			}
		}
		l.first = append(l.first, i)
	}
	slices.Sort(l.apart)
	return l
}

func (l *listView) len() int { return len(l.first) + l.view.Len(l.collection) - len(l.apart) }

// window gives count items from an offset on.
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
		if l.isFirst(item.Key) {
			continue
		}
		if value := DecodeItem(item); value != nil {
			items = append(items, Item{Key: item.Key, Value: value})
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

// row is an item of a list: one that is kept and not read yet, or a generated one.
type row struct {
	kept *state.Item // nil of a generated one
	item Item
}

func (r *row) key() string {
	if r.kept != nil {
		return r.kept.Key
	}
	return r.item.Key
}

// page gives the items of a page. It reads no others as a whole.
func page(q *Request, l *listView, wanted *query.Query, links *query.Links, size int) (p query.Page, items []Item) {
	byKey := hasKeyCursor(q.op.List.Params)
	if !wanted.Selects() && l.collection != "" && len(q.op.extra) == 0 {
		return pageOfAll(l, wanted, links, size, byKey)
	}
	var rows []row
	if selected := selectedRows(q, l, wanted); byKey {
		p, rows = pageByKey(selected, wanted, links, size)
	} else {
		p, rows = pageOfSelected(selected, wanted, size, hasTotal(q.op.List))
	}
	for _, r := range rows {
		if r.kept != nil {
			r.item = Item{Key: r.kept.Key, Value: DecodeItem(r.kept)}
		}
		items = append(items, r.item)
	}
	return p, items
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

// selectedRows goes over the items that the path and the filters select.
func selectedRows(q *Request, l *listView, wanted *query.Query) iter.Seq[row] {
	parents := parentsOf(q, l)
	return func(yield func(row) bool) {
		for r := range l.rows(q.op.runtime, wanted.NewestFirst) {
			var selected bool
			if r.kept == nil {
				selected = wanted.Matches(r.item.Value)
			} else {
				isOther := func(p parent) bool { return !p.has(r.kept.JSON) }
				selected = !slices.ContainsFunc(parents, isOther) && wanted.MatchesText(r.kept.JSON)
			}
			if selected && !yield(r) {
				return
			}
		}
	}
}

func (l *listView) rows(k *Runtime, newestFirst bool) iter.Seq[row] {
	oldest := func(yield func(row) bool) {
		for _, i := range l.first {
			if !yield(row{item: i}) {
				return
			}
		}
		for item := range kept(k, l.view, l.collection) {
			if !l.isFirst(item.Key) && !yield(row{kept: item}) {
				return
			}
		}
	}
	switch {
	case !newestFirst:
		return oldest
	case l.collection == "":
		rows := slices.Collect(oldest)
		slices.Reverse(rows)
		return slices.Values(rows)
	}
	return func(yield func(row) bool) {
		for item := range l.view.Newest(l.collection, 0) {
			if !l.isFirst(item.Key) && !yield(row{kept: item}) {
				return
			}
		}
		for _, i := range slices.Backward(l.first) {
			if !yield(row{item: i}) {
				return
			}
		}
	}
}

// parent selects the items below one that the path of their list names, by the property
// that holds its key, or else by what is kept beside the item.
type parent struct{ hidden, property query.Filter }

func parentsOf(q *Request, l *listView) []parent {
	if l.collection == "" {
		return nil // the query filters
	}
	parents := make([]parent, len(q.op.extra))
	for i, v := range q.op.extra {
		values := []any{q.Values.Path[v.Name]}
		parents[i].hidden = query.Filter{Property: hiddenProperty(v), Values: values}
		parents[i].property = query.Filter{Property: v.Property, Values: values}
	}
	return parents
}

func (p *parent) has(text []byte) bool {
	same, has := p.hidden.FindText(text)
	if !has && p.property.Property != nil {
		same = p.property.MatchesText(text)
	}
	return same
}

// pageOfSelected pages through what the filters select. Where no total is asked for, it
// stops behind the page.
func pageOfSelected(rows iter.Seq[row], wanted *query.Query, size int, hasTotal bool) (p query.Page, page []row) {
	const endless = 1 << 40
	window := wanted.AtCursor(wanted.PageOf(endless, size), nil)
	end := window.Offset + window.Count
	if len(wanted.Sort) > 0 {
		sorted, total := smallest(rows, wanted, end)
		p = wanted.AtCursor(wanted.PageOf(total, size), nil)
		return p, sorted[p.Offset : p.Offset+p.Count]
	}
	total := 0
	for r := range rows {
		if total >= window.Offset && total < end {
			page = append(page, r)
		}
		if total++; total > end && !hasTotal {
			break
		}
	}
	return wanted.AtCursor(wanted.PageOf(total, size), nil), page
}

// pageByKey pages through what is selected where cursors are keys of items.
func pageByKey(rows iter.Seq[row], wanted *query.Query, links *query.Links, size int) (query.Page, []row) {
	selected := slices.Collect(rows)
	if len(wanted.Sort) > 0 {
		selected, _ = smallest(slices.Values(selected), wanted, len(selected))
	}
	links.ByKey = func(i int) string { return selected[i].key() }
	p := wanted.AtCursor(wanted.PageOf(len(selected), size), func(key string) int {
		return slices.IndexFunc(selected, func(r row) bool { return r.key() == key })
	})
	return p, selected[p.Offset : p.Offset+p.Count]
}

// smallest gives the first items in the order that a query asks for, at least as many
// as are wanted where there are so many, and how many there are in all. It keeps no
// more than twice as many.
func smallest(rows iter.Seq[row], q *query.Query, wanted int) (first []row, total int) {
	type keyed struct {
		row  row
		keys []any
	}
	const least = 1000 // rows, below which it is not worth while to forget any
	wanted = max(wanted, least)
	var best []keyed
	var scratch []any
	order := func(a, b keyed) int { return q.OrderKeys(a.keys, b.keys) }
	full := false
	for r := range rows {
		total++
		if r.kept != nil {
			scratch = q.SortKeys(r.kept.JSON, scratch)
		} else {
			scratch = q.SortKeys(jsontext.Append(nil, r.item.Value), scratch)
		}
		if full && q.OrderKeys(scratch, best[wanted-1].keys) >= 0 {
			continue
		}
		best = append(best, keyed{r, slices.Clone(scratch)})
		if len(best) >= 2*wanted {
			slices.SortStableFunc(best, order)
			clear(best[wanted:])
			best, full = best[:wanted], true
		}
	}
	slices.SortStableFunc(best, order)
	for _, k := range best {
		first = append(first, k.row)
	}
	return first, total
}

func hasTotal(l *resource.Listing) bool {
	totals := []resource.FieldRole{resource.Total, resource.Pages, resource.Last, resource.Relations}
	return slices.ContainsFunc(l.Fields, func(f resource.Field) bool { return slices.Contains(totals[:3], f.Role) }) ||
		slices.ContainsFunc(l.Header, func(h resource.HeaderField) bool { return slices.Contains(totals, h.Role) })
}
