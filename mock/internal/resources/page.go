package resources

import (
	"iter"
	"slices"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// listView is what a list shows of one version of the state: the items that are kept, with the initial items that are
// still there around them.
type listView struct {
	view        *state.View
	collection  string // "" for the items of all parents
	first, last []Item // the initial items before and behind the others
	apart       []int  // places in the collection of the kept items that are initial ones, rising
}

func unread(item *state.Item) Item {
	return Item{Key: item.Key, Version: item.Version, encoded: item}
}

// newListView returns a list. The initial items that only fill pages stand where they keep nothing that is created from
// the first page: behind it, or before it if the newest come first.
func newListView(view *state.View, collection string, initial *initialList, newestFirst bool) *listView {
	l := &listView{view: view, collection: collection}
	first, fill := l.current(initial.items), l.current(initial.fill)
	if newestFirst {
		l.first = slices.Concat(fill, first)
	} else {
		l.first, l.last = first, fill
	}
	for _, item := range slices.Concat(l.first, l.last) {
		if item.Version > 0 {
			l.apart = append(l.apart, l.view.Place(item.encoded))
		}
	}
	slices.Sort(l.apart)
	return l
}

// current returns the current versions of initial items, without deleted ones.
func (l *listView) current(initial []Item) []Item {
	items := make([]Item, 0, len(initial))
	for _, i := range initial {
		item, deleted := l.view.Get(l.collection, i.Key)
		if deleted {
			continue
		}
		if item != nil {
			i = unread(item)
		}
		items = append(items, i)
	}
	return items
}

// kept is how many items are neither first nor last.
func (l *listView) kept() int { return l.view.Len(l.collection) - len(l.apart) }

func (l *listView) len() int { return len(l.first) + l.kept() + len(l.last) }

// window returns a part of the list. A page of fifty takes a tenth less time than with a slice that grows.
func (l *listView) window(offset, count int) []Item {
	items := make([]Item, 0, max(0, min(count, l.len()-offset)))
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
		if !l.isInitial(item.Key) {
			items = append(items, unread(item))
		}
	}
	if at := max(0, offset-len(l.first)-l.kept()); at < len(l.last) {
		items = append(items, l.last[at:min(len(l.last), at+count-len(items))]...)
	}
	return items
}

// index returns the place of an item, -1 if none.
func (l *listView) index(key string) int {
	is := func(i Item) bool { return i.Key == key }
	if i := slices.IndexFunc(l.first, is); i >= 0 {
		return i
	}
	if i := slices.IndexFunc(l.last, is); i >= 0 {
		return len(l.first) + l.kept() + i
	}
	item, _ := l.view.Get(l.collection, key)
	if item == nil {
		return -1
	}
	at := l.view.Place(item)
	before, _ := slices.BinarySearch(l.apart, at)
	return len(l.first) + at - before
}

func (l *listView) isInitial(key string) bool {
	is := func(i Item) bool { return i.Key == key }
	return len(l.apart) > 0 && (slices.ContainsFunc(l.first, is) || slices.ContainsFunc(l.last, is))
}

// manySorted is how many items are sorted by one request at a time, because of the memory that their keys take.
const manySorted = 10_000

// page returns the items of a page, which may not be decoded yet. A list that is filtered or sorted is looked at whole;
// without a total it is looked at up to the end of the page.
func page(q *Request, l *listView, wanted *query.Query, links *query.Links, size int) (query.Page, []Item) {
	byKey := slices.ContainsFunc(q.op.List.Params, isKeyCursor)
	c, isSorted := conditionOf(q, l, wanted), len(wanted.Sort) > 0
	switch {
	case c == nil && l.collection != "" && !isSorted:
		return pageOfAll(l, wanted, links, size, byKey)
	case isSorted:
		if l.len() > manySorted {
			q.set.sorting.Lock()
			defer q.set.sorting.Unlock()
		}
		return pageOfAll(sorted(q, l.among(q, c), wanted), wanted, links, size, byKey)
	case byKey:
		return pageOfAll(l.among(q, c), wanted, links, size, byKey)
	}
	return pageOfSelected(c.among(q, l.all(q.op.runtime, wanted.NewestFirst)), wanted, size, hasTotal(q.op.List))
}

// decoded returns the items that are objects, with their values.
func decoded(q *Request, items []Item) []Item {
	for i := range items {
		if q.Work.Step() {
			break
		}
		items[i].decode()
	}
	return slices.DeleteFunc(items, func(i Item) bool { return i.Value == nil })
}

// sequence is a list of which each part is at hand.
type sequence interface {
	len() int
	window(offset, count int) []Item
	index(key string) int // -1 if none
}

// itemList is a list that was collected.
type itemList []Item

// among returns the items that meet a condition, oldest first.
func (l *listView) among(q *Request, c *condition) itemList {
	return slices.AppendSeq(make(itemList, 0, l.len()), c.among(q, l.all(q.op.runtime, false)))
}

func (l itemList) len() int { return len(l) }

func (l itemList) window(offset, count int) []Item {
	return slices.Clone(l[min(offset, len(l)):min(offset+count, len(l))])
}

func (l itemList) index(key string) int {
	return slices.IndexFunc(l, func(i Item) bool { return i.Key == key })
}

// pageOfAll pages through a list, however large it is.
func pageOfAll(l sequence, wanted *query.Query, links *query.Links, size int, byKey bool) (query.Page, []Item) {
	total := l.len()
	backwards := wanted.NewestFirst && len(wanted.Sort) == 0
	inOrder := func(i int) int {
		if backwards {
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
	if !backwards {
		return p, l.window(p.Offset, p.Count)
	}
	items := l.window(total-p.Offset-p.Count, p.Count)
	slices.Reverse(items)
	return p, items
}

func (l *listView) all(k *Runtime, newestFirst bool) iter.Seq[Item] {
	oldest := func(yield func(Item) bool) {
		for _, item := range l.first {
			if !yield(item) {
				return
			}
		}
		for item := range kept(k, l.view, l.collection) {
			if !l.isInitial(item.Key) && !yield(unread(item)) {
				return
			}
		}
		for _, item := range l.last {
			if !yield(item) {
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
			if !l.isInitial(item.Key) && !yield(unread(item)) {
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

// pageOfSelected pages through what the filters select. Where no total is asked for, it
// stops behind the page.
func pageOfSelected(all iter.Seq[Item], wanted *query.Query, size int, hasTotal bool) (p query.Page, page []Item) {
	const endless = 1 << 40
	window := wanted.AtCursor(wanted.PageOf(endless, size), nil)
	end := window.Offset + window.Count
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

func hasTotal(l *resource.Listing) bool {
	totals := []resource.FieldRole{resource.Total, resource.Pages, resource.Last, resource.Relations}
	return slices.ContainsFunc(l.Fields, func(f resource.Field) bool {
		return f.Alone || slices.Contains(totals[:3], f.Role)
	}) ||
		slices.ContainsFunc(l.Header, func(h resource.HeaderField) bool { return slices.Contains(totals, h.Role) })
}
