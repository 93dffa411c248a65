package mock

import (
	"iter"
	"slices"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// row is an item of a list that is not read yet, or one that nobody has made.
type row struct {
	item *state.Item // nil of an unmade one
	unmade
}

func (r *row) text() string {
	if r.item != nil {
		return r.item.Key
	}
	return r.key
}

// page gives the items of a page and their keys. It reads no others as a whole.
func (x *visit) page(s *shelf, q *query.Query, links *query.Links) (p query.Page, items []any, keys []string) {
	b, k := x.operation.binding, x.operation.keeps
	size := k.pages[b]
	byKey := keyCursor(b.List.Params)
	if !q.Chooses() && s.collection != "" && len(k.extra[b]) == 0 {
		p, window := x.pageOfAll(s, q, links, size, byKey)
		for _, u := range window {
			items, keys = append(items, u.value), append(keys, u.key)
		}
		return p, items, keys
	}
	var page []row
	if byKey {
		p, page = x.pageByKey(x.rows(s, q), q, links, size)
	} else {
		p, page = x.pageOfChosen(x.rows(s, q), q, size, counts(b.List))
	}
	for _, r := range page {
		if r.item != nil {
			r.key, r.value = r.item.Key, decodeItem(r.item)
		}
		items, keys = append(items, r.value), append(keys, r.key)
	}
	return p, items, keys
}

// pageOfAll pages through a collection as it is kept, however large it is.
func (x *visit) pageOfAll(s *shelf, q *query.Query, links *query.Links, size int, byKey bool) (query.Page, []unmade) {
	total := s.len()
	turned := func(i int) int {
		if q.Newest {
			return total - 1 - i
		}
		return i
	}
	var index func(key string) int
	if byKey {
		index = func(key string) int {
			if i := s.index(key); i >= 0 {
				return turned(i)
			}
			return -1
		}
		links.ByKey = func(i int) string {
			for _, u := range s.window(turned(i), 1) {
				return u.key
			}
			return ""
		}
	}
	p := x.cut(q, q.PageOf(total, size), index)
	if !q.Newest {
		return p, s.window(p.Offset, p.Count)
	}
	window := s.window(total-p.Offset-p.Count, p.Count)
	slices.Reverse(window)
	return p, window
}

// rows goes over the items that the path and the filters choose.
func (x *visit) rows(s *shelf, q *query.Query) iter.Seq[row] {
	oldest := func(yield func(row) bool) {
		for _, u := range s.front {
			if !yield(row{unmade: u}) {
				return
			}
		}
		for item := range x.kept(s.view, s.collection) {
			if !s.isFront(item.Key) && !yield(row{item: item}) {
				return
			}
		}
	}
	all := iter.Seq[row](oldest)
	switch {
	case q.Newest && s.collection != "":
		all = func(yield func(row) bool) {
			for item := range s.view.Newest(s.collection, 0) {
				if !s.isFront(item.Key) && !yield(row{item: item}) {
					return
				}
			}
			for _, u := range slices.Backward(s.front) {
				if !yield(row{unmade: u}) {
					return
				}
			}
		}
	case q.Newest:
		newest := slices.Collect(all)
		slices.Reverse(newest)
		all = slices.Values(newest)
	}
	parents := x.parentsOf(s)
	return func(yield func(row) bool) {
		for r := range all {
			shown := false
			if r.item == nil {
				shown = q.Shows(r.value)
			} else {
				shown = !slices.ContainsFunc(parents, func(p parent) bool { return !p.has(r.item.JSON) }) && q.ShowsText(r.item.JSON)
			}
			if shown && !yield(r) {
				return
			}
		}
	}
}

// parent chooses the items below one that the path of their list names, by the
// property that holds its key, or else by what is kept beside the item.
type parent struct{ hidden, property query.Filter }

func (x *visit) parentsOf(s *shelf) []parent {
	if s.collection == "" {
		return nil // the query filters
	}
	var all []parent
	for _, v := range x.operation.keeps.extra[x.operation.binding] {
		values := []any{x.values.Path[v.Name]}
		all = append(all, parent{query.Filter{Property: hiddenScope(v), Values: values}, query.Filter{Property: v.Property, Values: values}})
	}
	return all
}

func (p *parent) has(text []byte) bool {
	same, has := p.hidden.HasText(text)
	if !has && p.property.Property != nil {
		same = p.property.ShowsText(text)
	}
	return same
}

// pageOfChosen pages through what the filters choose. Where no total is wanted,
// it stops behind the page.
func (x *visit) pageOfChosen(rows iter.Seq[row], q *query.Query, size int, counts bool) (p query.Page, page []row) {
	const endless = 1 << 40
	window := x.cut(q, q.PageOf(endless, size), nil)
	end := window.Offset + window.Count
	if len(q.Sort) > 0 {
		chosen, total := ordered(rows, q, end)
		p = x.cut(q, q.PageOf(total, size), nil)
		return p, chosen[p.Offset : p.Offset+p.Count]
	}
	total := 0
	for r := range rows {
		if total >= window.Offset && total < end {
			page = append(page, r)
		}
		if total++; total > end && !counts {
			break
		}
	}
	return x.cut(q, q.PageOf(total, size), nil), page
}

// pageByKey pages through what is chosen where cursors are keys of items.
func (x *visit) pageByKey(rows iter.Seq[row], q *query.Query, links *query.Links, size int) (query.Page, []row) {
	chosen := slices.Collect(rows)
	if len(q.Sort) > 0 {
		chosen, _ = ordered(slices.Values(chosen), q, len(chosen))
	}
	links.ByKey = func(i int) string { return chosen[i].text() }
	p := x.cut(q, q.PageOf(len(chosen), size), func(key string) int {
		return slices.IndexFunc(chosen, func(r row) bool { return r.text() == key })
	})
	return p, chosen[p.Offset : p.Offset+p.Count]
}

// ordered gives the first items in the order that a query asks for, at least as
// many as are wanted where there are so many, and how many there are in all. It
// keeps no more than twice as many.
func ordered(rows iter.Seq[row], q *query.Query, wanted int) (first []row, total int) {
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
		if r.item != nil {
			scratch = q.SortKeys(r.item.JSON, scratch)
		} else {
			scratch = q.SortKeys(jsontext.Append(nil, r.value), scratch)
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

// counts reports whether a list's answer says how many items there are in all.
func counts(l *resource.Listing) bool {
	says := func(role resource.FieldRole) bool {
		return role == resource.Total || role == resource.Pages || role == resource.Last
	}
	return slices.ContainsFunc(l.Fields, func(f resource.Field) bool { return says(f.Role) }) ||
		slices.ContainsFunc(l.Header, func(h resource.HeaderField) bool { return says(h.Role) || h.Role == resource.Relations })
}

// cut moves a page to where a cursor says. index gives the place of an item's
// key, -1 where there is none.
func (x *visit) cut(q *query.Query, p query.Page, index func(key string) int) query.Page {
	find := func(cursor string) (int, bool) {
		if index != nil {
			if i := index(cursor); i >= 0 {
				return i, true
			}
		}
		n, ok := query.OffsetOf(cursor)
		return n, ok
	}
	switch {
	case q.After != "":
		if i, ok := find(q.After); ok {
			if index != nil && index(q.After) >= 0 {
				i++
			}
			return p.From(i)
		}
	case q.Before != "":
		if i, ok := find(q.Before); ok {
			begin := 0
			if p.Limit > 0 {
				begin = max(0, i-p.Limit)
			}
			p = p.From(begin)
			p.Count = min(p.Count, max(0, i-begin))
			return p
		}
	}
	return p
}
