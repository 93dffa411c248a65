package stateful

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

const (
	shortPage      = 2  // items of a page, where the document allows it
	fewItems       = 5  // items of a list that has several short pages
	maxDefaultPage = 30 // the largest default limit that is tested
)

// pages walks over the pages of a list, a few items at a time.
func pages(t *tester) {
	b := must(t, t.operation(resource.List))
	limit := paramOf(b, resource.Limit)
	t.require(limit != nil)
	scope := t.mustScope(b)
	full := t.walk(scope, nil, "the full list")
	reportEndless(t, full)
	t.require(full != nil && full.complete)
	if !t.ReadOnly {
		createSome(t, request{scope: scope, title: "create an item to be listed"}, fewItems-len(full.items))
		full = must(t, t.list(scope, nil, "the full list"))
	}
	size := shortPage
	if len(full.items) > shortPage*maxPages/2 {
		size = len(full.items)/(maxPages/2) + 1
	}
	t.require(t.takes(b, limit, integer(size)))
	values := map[string]any{limit.Parameter.Name: integer(size)}
	l := must(t, t.walk(scope, values, "the list, "+strconv.Itoa(size)+" items a page"))
	reportEndless(t, l)
	if i := slices.IndexFunc(l.sizes, func(n int) bool { return n > size }); i >= 0 {
		t.report("paging", "limit", exchanges{l.pages[i]},
			"%d items on a page, though at most %d were asked for", l.sizes[i], size)
	}
	checkPages(t, l, size, len(full.items))
	if l.complete {
		t.step(func() { compareWalk(t, l, full) })
	}
	t.step(func() { followNext(t, scope, full, limit) })
	checkDefaultLimit(t, scope, limit, len(full.items))
}

// createSome creates n items; false where the backend refuses one.
func createSome(t *tester, r request, n int) bool {
	for ; n > 0; n-- {
		if t.create(r) == nil {
			return false
		}
	}
	return true
}

// reportEndless reports a walk that does not come to an end.
func reportEndless(t *tester, l *listing) {
	if l != nil && l.endless {
		t.report("paging", "end", l.pages, "the pages have no end: what comes has come before, or is empty")
	}
}

// compareWalk checks that a walk met every item of the full list once.
func compareWalk(t *tester, l, full *listing) {
	t.require(l.advances())
	keys, ok := l.keys()
	all, also := full.keys()
	if !ok || !also || t.resource.keysRepeat(l.by) {
		if len(l.items) != len(full.items) {
			t.report("paging", "walk", l.pages,
				"a walk over the pages meets %d items, the full list has %d", len(l.items), len(full.items))
		}
		return
	}
	t.require(len(full.pages) > 1 || areDistinct(all)) // items of several parents may have the same key
	for i, key := range keys {
		if slices.Contains(keys[:i], key) {
			t.report("paging", "walk", l.pages, "the item %q is on two pages", key)
			return
		}
	}
	for _, key := range all {
		if !slices.Contains(keys, key) {
			t.report("paging", "walk", l.pages, "the item %q is on no page", key)
			return
		}
	}
}

func areDistinct(keys []string) bool {
	return len(keys) == len(slices.Compact(slices.Sorted(slices.Values(keys))))
}

// page is one page of a walk over a list.
type page struct {
	*checks.Exchange
	list                                *listing
	number, items, limit, offset, total int
	isLast                              bool
}

// expected gives the numbers that a page should show.
func (p page) expected(role resource.FieldRole) (n int, ok bool) {
	switch role {
	case resource.Total:
		return p.total, true
	case resource.Count:
		return p.items, true
	case resource.PageSize:
		return p.limit, true
	case resource.Offset:
		return p.offset, true
	case resource.Pages:
		return (p.total + p.limit - 1) / p.limit, true
	}
	return 0, false
}

func (p page) isMore() bool { return p.offset+p.items < p.total }

func checkPages(t *tester, l *listing, limit, total int) {
	offset := 0
	for i, x := range l.pages {
		p := page{
			Exchange: x, list: l, number: i + 1, items: l.sizes[i], limit: limit, offset: offset, total: total,
			isLast: l.complete && i == len(l.pages)-1,
		}
		for _, f := range l.by.List.Fields {
			if value, ok := resource.Get(itempool.Body(x), f.Path); ok {
				checkPageField(t, p, f, value)
			}
		}
		for _, h := range l.by.List.Header {
			value, _ := x.Response.Header.Get(h.Name)
			if n, err := strconv.Atoi(value); h.Role == resource.Total && err == nil && n != total {
				t.report("paging", "header."+h.Name, exchanges{x}, "is %d on page %d of a list of %d items", n, p.number, total)
			}
		}
		offset += p.items
	}
}

func checkPageField(t *tester, p page, f resource.Field, value any) {
	report := func(message string, args ...any) {
		t.report("paging", "body."+strings.Join(f.Path, "."), exchanges{p.Exchange}, message, args...)
	}
	switch want, isNumber := p.expected(f.Role); {
	case isNumber:
		if got, is := integerOf(value); is && got != want {
			report("is %d on page %d, and should be %d", got, p.number, want)
		}
	case f.Role == resource.HasMore:
		if more, is := value.(bool); is && more != p.isMore() {
			report("is %v on page %d of %d items, %d a page", more, p.number, p.total, p.limit)
		}
	case f.Role == resource.Next && !p.isMore():
		if message := p.checkNext(f, value); message != "" {
			report("%s", message)
		}
	}
}

// checkNext says what is wrong with what the last page that has items, or the one
// after it, says of a next page.
func (p page) checkNext(f resource.Field, value any) string {
	leads := value != nil && value != ""
	switch {
	case !p.isLast && p.items > 0 && p.items < p.limit && leads && value != false:
		return fmt.Sprintf("names a next page after a page of %d items, the last of %d", p.items, p.total)
	case p.isLast && p.items > 0 && leads && f.Kind != resource.Integer:
		return "names a next page after the last page"
	case p.isLast && value == "" && f.Null && !f.Link && endsWithNull(p.list.by.Operation, f):
		return "is empty on the last page, and the document says that it is null there"
	}
	return ""
}

// endsWithNull reports whether the document says in words that a cursor is null on the last page.
func endsWithNull(o *spec.Operation, f resource.Field) bool {
	for sentence := range strings.SplitSeq(o.Summary+". "+o.Description, ".") {
		_, rest, named := strings.Cut(sentence, f.Path[len(f.Path)-1])
		if named && strings.Contains(rest, "null on the last page") {
			return true
		}
	}
	return false
}

// checkDefaultLimit checks that a list without a limit has as many items as the limit's default.
func checkDefaultLimit(t *tester, scope map[string]string, limit *resource.Param, have int) {
	t.require(limit.Parameter.Schema != nil)
	usual, ok := integerOf(limit.Parameter.Schema.Default(limit.Parameter.Schema.Keywords))
	t.require(ok && usual >= 1 && usual <= maxDefaultPage)
	if !t.ReadOnly {
		t.require(createSome(t, request{scope: scope, title: "create an item to be listed"}, usual+1-have))
		have = max(have, usual+1)
	}
	b := t.operation(resource.List)
	x := t.mustSend(b, request{scope: scope, title: "the list without a limit"})
	t.require(have > usual)
	if full := t.list(scope, nil, "the full list"); full != nil { // creations may have replaced items
		have = len(full.items)
	}
	items, ok := b.List.Items.Items(itempool.Body(x))
	if ok && have > usual && len(items) != usual {
		t.report("default", "query."+limit.Parameter.Name, exchanges{x},
			"%d of %d items without a limit, whose default is %d", len(items), have, usual)
	}
}
