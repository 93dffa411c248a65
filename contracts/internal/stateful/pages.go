package stateful

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
)

// shortPage is how many items a page of a walk has, where the document allows
// it, and items how many there should be for the walk to have several.
const (
	shortPage = 2
	fewItems  = 5
	manyItems = 30 // the largest default page that is filled, and one more
)

// pages walks over the pages of a list, a few items at a time.
func pages(t *tester) {
	b := t.binding(resource.List)
	if b == nil || b.List == nil {
		return
	}
	limit := paramOf(b, resource.Limit)
	if limit == nil {
		return
	}
	scope := t.scope(b, "")
	if scope == nil {
		return
	}
	whole := t.walk(scope, nil, "the whole list")
	t.ends(whole)
	if whole == nil || !whole.whole {
		return
	}
	if !t.ReadOnly {
		for range max(0, fewItems-len(whole.items)) {
			if t.create(scope, request{title: "create an item to be listed"}) == nil {
				break
			}
		}
		if whole = t.walk(scope, nil, "the whole list"); whole == nil || !whole.whole {
			return
		}
	}
	size := shortPage
	if len(whole.items) > shortPage*maxPages/2 {
		size = len(whole.items)/(maxPages/2) + 1
	}
	n := json.Number(strconv.Itoa(size))
	if !t.Builder(b.Operation).Takes(limit.Parameter.Name, n) {
		return
	}
	w := t.walk(scope, map[string]any{limit.Parameter.Name: n}, fmt.Sprintf("the list, %d items a page", size))
	if w == nil {
		return
	}
	t.ends(w)
	t.sizes(w, size)
	t.described(w, size, len(whole.items))
	if w.whole && len(w.pages) > 0 {
		t.met(w, whole)
	}
	t.chains(scope, whole, limit)
	t.usual(scope, limit, len(whole.items))
}

// ends holds a walk to come to an end.
func (t *tester) ends(w *walk) {
	if w != nil && w.endless {
		t.report("paging", "end", "the pages have no end: what comes has come before, or is empty", w.pages...)
	}
}

// sizes holds each page to the limit.
func (t *tester) sizes(w *walk, size int) {
	for i, n := range w.sizes {
		if n > size {
			t.report("paging", "limit", fmt.Sprintf("%d items on a page, though at most %d were asked for", n, size), w.pages[i])
			return
		}
	}
}

// met compares what a walk met with the whole list.
func (t *tester) met(w, whole *walk) {
	keys, ok := w.keys(t)
	all, also := whole.keys(t)
	if !ok || !also || t.mixed(w.list) {
		if len(w.items) != len(whole.items) && advances(w) {
			t.report("paging", "walk", fmt.Sprintf("a walk over the pages meets %d items, the whole list has %d", len(w.items), len(whole.items)), w.pages...)
		}
		return
	}
	if !advances(w) {
		return
	}
	if len(whole.pages) == 1 && len(all) != len(slices.Compact(slices.Sorted(slices.Values(all)))) {
		return // several items have one key, as those of several parents may
	}
	seen := map[string]bool{}
	for _, key := range keys {
		if seen[key] {
			t.report("paging", "walk", fmt.Sprintf("the item %q is on two pages", key), w.pages...)
			return
		}
		seen[key] = true
	}
	for _, key := range all {
		if !seen[key] {
			t.report("paging", "walk", fmt.Sprintf("the item %q is on no page", key), w.pages...)
			return
		}
	}
}

// advances reports whether a list can be walked: by an offset, a page's number
// or a cursor.
func advances(w *walk) bool {
	return paramOf(w.list, resource.Skip) != nil || paramOf(w.list, resource.PageNumber) != nil || paramOf(w.list, resource.Cursor) != nil
}

// described holds what a page says of itself to what it is.
func (t *tester) described(w *walk, size, total int) {
	offset := 0
	for i, x := range w.pages {
		body := itempool.Body(x)
		last := w.whole && i == len(w.pages)-1
		more := offset+w.sizes[i] < total
		for _, f := range w.list.List.Fields {
			value, ok := resource.Get(body, f.Path)
			if !ok {
				continue
			}
			want := -1
			switch f.Role {
			case resource.Total:
				want = total
			case resource.Count:
				want = w.sizes[i]
			case resource.PageSize:
				want = size
			case resource.Offset:
				want = offset
			case resource.Pages:
				want = (total + size - 1) / size
			case resource.HasMore:
				if b, is := value.(bool); is && b != more {
					t.report("paging", "body."+joined(f.Path), fmt.Sprintf("is %v on page %d of %d items, %d a page", b, i+1, total, size), x)
				}
			case resource.Next:
				if !last && !more && w.sizes[i] > 0 && w.sizes[i] < size && value != nil && value != "" && value != false {
					t.report("paging", "body."+joined(f.Path), fmt.Sprintf("leads on after a page of %d items, the last of %d", w.sizes[i], total), x)
				}
				if last && !more && value == "" && f.Null && !f.Link && endsInNull(w.list.Operation, f) {
					t.report("paging", "body."+joined(f.Path), "is empty on the last page, and the document says that it is null there", x)
				}
				if last && !more && value != nil && value != "" && f.Kind != resource.Integer && w.sizes[i] > 0 && offset+w.sizes[i] >= total {
					t.report("paging", "body."+joined(f.Path), "leads on after the last page", x)
				}
			}
			if got, is := number(value); is && want >= 0 && got != want {
				t.report("paging", "body."+joined(f.Path), fmt.Sprintf("is %d on page %d, and should be %d", got, i+1, want), x)
			}
		}
		for _, h := range w.list.List.Header {
			if h.Role != resource.Total {
				continue
			}
			said, _ := x.Response.Header.Get(h.Name)
			if n, err := strconv.Atoi(said); err == nil && n != total {
				t.report("paging", "header."+h.Name, fmt.Sprintf("is %d on page %d of a list of %d items", n, i+1, total), x)
			}
		}
		offset += w.sizes[i]
	}
}

// usual holds a list without a limit to the default one.
func (t *tester) usual(scope map[string]string, limit *resource.Param, have int) {
	if limit.Parameter.Schema == nil {
		return
	}
	usual, ok := number(limit.Parameter.Schema.Default(limit.Parameter.Schema.Keywords))
	if !ok || usual < 1 || usual > manyItems {
		return
	}
	if !t.ReadOnly {
		for ; have <= usual; have++ {
			if t.create(scope, request{title: "create an item to be listed"}) == nil {
				return
			}
		}
	}
	b := t.binding(resource.List)
	x := t.send(b, request{scope: scope, title: "the list without a limit"})
	if x == nil || !x.Succeeded() || have <= usual {
		return
	}
	if whole := t.walk(scope, nil, "the whole list"); whole != nil && whole.whole { // creations may have replaced items
		if have = len(whole.items); have <= usual {
			return
		}
	}
	items, ok := b.List.Items.Items(itempool.Body(x))
	if ok && len(items) != usual {
		t.report("default", "query."+limit.Parameter.Name, fmt.Sprintf("%d of %d items without a limit, whose default is %d", len(items), have, usual), x)
	}
}

func joined(path []string) string {
	all := ""
	for i, name := range path {
		if i > 0 {
			all += "."
		}
		all += name
	}
	return all
}
