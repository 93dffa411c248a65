package stateful

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
)

const (
	shortPage      = 2  // items of a page, if the document allows it
	fewItems       = 5  // items of a list that has several short pages
	maxDefaultPage = 30 // the largest default limit that is tested
	linkedPages    = 4  // over which the links to the next one are followed
)

func pages(t *tester) {
	b := must(t, t.operation(resource.List))
	limit := must(t, paramOf(b, resource.Limit))
	scope := t.mustScope(b)
	full := t.mustWalk(scope, nil, "the full list")
	t.require(full.complete)
	if !t.ReadOnly {
		t.createSome(request{scope: scope, title: "create an item to be listed"}, fewItems-len(full.items))
		full = must(t, t.list(scope, nil, "the full list"))
	}
	size := shortPage
	if len(full.items) > shortPage*maxPages/2 {
		size = len(full.items)/(maxPages/2) + 1
		t.step(func() { shortestPage(t, b, scope, limit) })
	}
	t.require(t.takes(b, limit, integer(size)))
	values := map[string]any{limit.Parameter.Name: integer(size)}
	l := t.mustWalk(scope, values, "the list, "+strconv.Itoa(size)+" items a page")
	isBound := !l.checkLimit(limit, size)
	l.checkPages(size, full)
	if l.complete {
		t.step(func() { l.compareWalk(full) })
	}
	t.step(func() { fullPages(t, scope, full, limit) })
	if l.complete && isWhole(l, full) {
		t.step(func() { pageBetween(t, scope, full, limit) })
		t.step(func() {
			t.require(isBound)
			pagesOfFilter(t, scope, full, limit)
		})
	}
	t.step(func() { followNext(t, scope, full, limit) })
	checkDefaultLimit(t, scope, limit, len(full.items))
}

// shortestPage asks for one short page of a list whose walk has longer ones, which may not exceed the default limit.
func shortestPage(t *tester, b *resource.Binding, scope map[string]string, limit *resource.Param) {
	t.require(t.takes(b, limit, integer(shortPage)))
	values := map[string]any{limit.Parameter.Name: integer(shortPage)}
	l := &listing{t: t, by: b, asked: values}
	t.require(l.add(t.send(b, request{scope: scope, values: values, title: "a short page"})))
	l.checkLimit(limit, shortPage)
}

// fullPages asks for pages of usual sizes, of which the list has more than one.
func fullPages(t *tester, scope map[string]string, full *listing, limit *resource.Param) {
	for _, size := range []int{10, 20, 50} {
		if size >= len(full.items) || !t.takes(full.by, limit, integer(size)) {
			continue
		}
		values := map[string]any{limit.Parameter.Name: integer(size)}
		l := &listing{t: t, by: full.by, asked: values}
		if l.add(t.send(l.by, request{scope: scope, values: values, title: "a page of " + strconv.Itoa(size) + " items"})) {
			l.checkLimit(limit, size)
		}
	}
}

// pageBetween asks for a page that begins within what was a page: an offset counts items.
func pageBetween(t *tester, scope map[string]string, full *listing, limit *resource.Param) {
	skip := must(t, paramOf(full.by, resource.Skip))
	all, ok := full.keys()
	t.require(ok && len(all) > shortPage+1 && areDistinct(all) && t.takes(full.by, limit, integer(shortPage)))
	l := &listing{t: t, by: full.by}
	values := map[string]any{limit.Parameter.Name: integer(shortPage), skip.Parameter.Name: integer(1)}
	t.require(l.add(t.send(l.by, request{scope: scope, values: values, title: "a page from the second item on"})))
	keys := l.knownKeys()
	countsFromOne := !t.takes(full.by, skip, integer(0))
	isFirst := countsFromOne && slices.Equal(keys, all[:min(len(keys), len(all))])
	if len(keys) == 0 || isFirst || slices.Equal(keys, all[1:min(1+len(keys), len(all))]) || !full.isSettled() {
		return
	}
	t.report(true,
		violation{severity: severity(full.isStable()), check: "paging", about: "query." + skip.Parameter.Name,
			sent: exchanges{full.pages[0], l.last()}},
		"the page from the second item on begins with %q, and the list with %q and %q", keys[0], all[0], all[1])
}

// pagesOfFilter walks over the pages of a filtered list, which are what the filter returns on one page.
func pagesOfFilter(t *tester, scope map[string]string, full *listing, limit *resource.Param) {
	filter, value := dividingFilter(t, full)
	t.require(filter != nil && full.advances() && t.takes(full.by, limit, integer(shortPage)))
	values := map[string]any{filter.Parameter.Name: value}
	all := must(t, t.list(scope, values, "the filtered list"))
	t.require(len(all.items) > shortPage && len(all.items) < len(full.items))
	size := max(shortPage, len(all.items)/linkedPages)
	values = jsonvalue.WithMember(values, limit.Parameter.Name, integer(size))
	l := t.mustWalk(scope, values, "the filtered list, "+strconv.Itoa(size)+" items a page")
	l.checkLimit(limit, size)
	t.require(l.complete)
	l.compareWalk(all)
}

// checkLimit reports whether a page has more items than the limit. If so, it creates an item and requests the first
// page again, then with a higher limit: a backend may have a minimum page size.
func (l *listing) checkLimit(limit *resource.Param, size int) (isViolated bool) {
	i := slices.IndexFunc(l.sizes, func(n int) bool { return n > size })
	if i < 0 {
		return false
	}
	scope, n := pathVariables(l.pages[0]), l.sizes[i]
	firstPage := func(most int) int {
		values := jsonvalue.WithMember(l.asked, limit.Parameter.Name, integer(most))
		page := &listing{t: l.t, by: l.by}
		title := "a page of " + strconv.Itoa(most) + " items"
		page.add(l.t.send(l.by, request{scope: scope, values: values, title: title}))
		return len(page.items)
	}
	isLeast := l.t.takes(l.by, limit, integer(n+1)) &&
		l.t.createSome(request{scope: scope, title: "create an item to be listed"}, 1) &&
		firstPage(size) == n && firstPage(n+1) == n+1
	reason := ""
	if isLeast {
		reason = fmt.Sprintf("; pages have at least %d items", n)
	}
	return l.t.report(true,
		violation{severity: severity(!isLeast), check: "paging", about: "limit", sent: exchanges{l.pages[i]}},
		"%d items on a page, though at most %d were asked for%s", n, size, reason)
}

// mustWalk is walk, and reports a walk that does not come to an end.
func (t *tester) mustWalk(scope map[string]string, values map[string]any, title string) *listing {
	l := must(t, t.walk(scope, values, title))
	t.reportIf(l.endless, "paging", "end", l.pages, "the pages have no end: what comes has come before, or is empty")
	return l
}

// isStable reports whether a list that is read again has the same order.
func (l *listing) isStable() bool {
	again := l.t.list(pathVariables(l.pages[0]), l.asked, "the full list in the same order")
	return again != nil && slices.Equal(again.knownKeys(), l.knownKeys())
}

// compareWalk checks that a walk met every item of the full list once. If it did not, it walks once more.
func (l *listing) compareWalk(full *listing) {
	l.t.require(l.advances())
	if !isWhole(l, full) {
		scope := pathVariables(l.pages[0])
		full = must(l.t, l.t.list(scope, full.asked, "the full list once more"))
		l = must(l.t, l.t.walk(scope, l.asked, "the list once more"))
		l.t.require(l.complete && (isWhole(l, full) || full.isSettled()))
	}
	all, known := full.keys()
	l.t.require(!known || len(full.pages) > 1 || areDistinct(all)) // items of several parents may have the same key
	l.compare(full, "walk")
}

// compare reports how the items that a walk met differ from the full list: in number, if keys do not tell them apart. A
// violation ends the step.
func (l *listing) compare(full *listing, about string) {
	reportIf := func(isViolated bool, message string, args ...any) {
		if isViolated {
			l.t.report(true, violation{severity: severity(full.isStable()), check: "paging", about: about,
				sent: append(l.pages, l.behind...)}, message, args...)
			l.t.require(false)
		}
	}
	keys, ok := l.keys()
	all, also := full.keys()
	if !ok || !also || l.keysRepeat() {
		reportIf(len(l.items) != len(full.items),
			"the pages have %d items in all, and the full list has %d", len(l.items), len(full.items))
		return
	}
	for i, key := range keys {
		reportIf(!slices.Contains(all, key), "the item %q is on a page, and not in the list that was asked for", key)
		reportIf(slices.Contains(keys[:i], key), "the item %q is on two pages", key)
	}
	for i, key := range all {
		// the items before may be all that the walk met
		reportIf(i == len(keys), "the walk ends on page %d, after %d of %d items", len(l.pages), len(keys), len(all))
		reportIf(!slices.Contains(keys, key), "the item %q is on no page", key)
	}
}

// isWhole reports whether a walk met each item of a list once.
func isWhole(l, full *listing) bool {
	keys, all := l.knownKeys(), full.knownKeys()
	slices.Sort(keys)
	slices.Sort(all)
	return len(l.items) == len(full.items) && slices.Equal(keys, all)
}

// isSettled reports whether a list still has the items that it had: a creation that was only accepted (RFC 9110 section
// 15.3.3), or another client, may have changed it since.
func (l *listing) isSettled() bool {
	again := l.t.list(pathVariables(l.pages[0]), l.asked, "the list as it is after that")
	return again != nil && isWhole(again, l)
}

func areDistinct(keys []string) bool {
	return len(keys) == len(slices.Compact(slices.Sorted(slices.Values(keys))))
}

// checkPages checks what the pages of a walk say of themselves and of the list.
func (l *listing) checkPages(limit int, full *listing) {
	total, offset := len(full.items), 0
	isSettled := sync.OnceValue(func() bool { return full.isSettled() })
	for i, x := range l.pages {
		l.checkFields(i, limit, offset, total, isSettled)
		for _, h := range l.by.List.Header {
			value, _ := x.Response.Header.Get(h.Name)
			n, err := strconv.Atoi(value)
			isWrong := h.Role == resource.Total && err == nil && n != total && isSettled()
			l.t.report(isWrong,
				violation{check: "paging", about: "header." + h.Name, doubt: l.doubtOfHeader(h.Name), sent: exchanges{x}},
				"is %d on page %d of a list of %d items", n, i+1, total)
		}
		offset += l.sizes[i]
	}
}

// checkFields checks what the fields of a page say. isSettled reports whether the list still has that total.
func (l *listing) checkFields(i, limit, offset, total int, isSettled func() bool) {
	x, isMore := l.pages[i], offset+l.sizes[i] < total
	numbers := map[resource.FieldRole]int{
		resource.Total: total, resource.Count: l.sizes[i], resource.PageSize: limit, resource.Offset: offset,
		resource.Pages: (total + limit - 1) / limit,
	}
	for _, f := range l.by.List.Fields {
		value, ok := jsonvalue.Property(itempool.Body(x), f.Path)
		want, isNumbered := numbers[f.Role]
		got, isNumber := integerOf(value)
		more, isBool := value.(bool)
		message, isCertain := "", true
		switch {
		case !ok:
		case f.Role == resource.Total:
			if isNumber && got != total {
				message = fmt.Sprintf("is %d on page %d, and should be %d", got, i+1, total)
			}
		case f.Alone && isNumber && got == total: // a count of the page, or of all
		case isNumbered && isNumber && got != want && got != l.sizes[i]:
			isCertain = f.Role == resource.Offset // sizes may be cut, and pages counted in other ways
			message = fmt.Sprintf("is %d on page %d, and should be %d", got, i+1, want)
		case f.Role == resource.HasMore && isBool && more != isMore && (isMore || l.sizes[i] < limit):
			isCertain = isMore
			message = fmt.Sprintf("is %v on page %d of %d items, %d a page", more, i+1, total, limit)
		case f.Role == resource.Next && !isMore:
			message, isCertain = l.checkNext(i, f, value, limit, total), false
		}
		l.t.report(message != "" && isSettled(),
			violation{severity: severity(isCertain), check: "paging", about: "body." + strings.Join(f.Path, "."),
				doubt: l.doubtOfField(f, text(value)), sent: exchanges{x}},
			"%s", message)
	}
}

// doubtOfField returns the sentence by which a field of a page counts in a way of its own, or which has what it shows.
func (l *listing) doubtOfField(f resource.Field, shown string) string {
	if l.by.Media == nil || l.by.Media.Schema == nil {
		return ""
	}
	texts := describe(schema.At(l.by.Media.Schema.Keywords, f.Path))
	for _, text := range texts {
		if strings.HasPrefix(shown, "-") && strings.Contains(text, shown) {
			return text
		}
	}
	return doubt.In(doubt.Page, nil, texts...)
}

func (l *listing) doubtOfHeader(name string) string {
	for _, h := range l.by.Success.Headers {
		if h.Name == name {
			return doubtOfParameter(doubt.Page, h)
		}
	}
	return ""
}

// checkNext says what is wrong with what the last page that has items, or the one
// after it, says of a next page: an empty page may end a list.
func (l *listing) checkNext(page int, f resource.Field, value any, limit, total int) string {
	items, isLast := l.sizes[page], l.complete && page == len(l.pages)-1
	leads := value != nil && value != ""
	switch {
	case !isLast && items > 0 && items < limit && leads && value != false:
		return fmt.Sprintf("names a next page after a page of %d items, the last of %d", items, total)
	case isLast && items > 0 && leads && f.Kind != schema.Integer:
		return "names a next page after the last page"
	}
	return ""
}

// checkDefaultLimit checks that a list without a limit has as many items as the limit's default.
func checkDefaultLimit(t *tester, scope map[string]string, limit *resource.Param, have int) {
	t.require(limit.Parameter.Schema != nil)
	usual, ok := integerOf(limit.Parameter.Schema.Default(limit.Parameter.Schema.Keywords))
	t.require(ok && usual >= 1 && usual <= maxDefaultPage)
	if !t.ReadOnly {
		t.require(t.createSome(request{scope: scope, title: "create an item to be listed"}, usual+1-have))
		have = max(have, usual+1)
	}
	b := t.operation(resource.List)
	x := t.mustSend(b, request{scope: scope, title: "the list without a limit"})
	t.require(have > usual)
	if full := t.list(scope, nil, "the full list"); full != nil { // creations may have replaced items
		have = len(full.items)
	}
	items, ok := b.List.Items.Items(itempool.Body(x))
	t.warnIf(ok && have > usual && len(items) != usual, "default", "query."+limit.Parameter.Name, exchanges{x},
		"%d of %d items without a limit, whose default is %d", len(items), have, usual)
}

// followNext follows the links to the next page as the responses have them: through
// the full list, and through one that a filter makes shorter.
func followNext(t *tester, scope map[string]string, full *listing, limit *resource.Param) {
	isLinks := func(h resource.HeaderField) bool { return h.Role == resource.Relations }
	t.require(full.field(resource.Next, true) != nil || slices.ContainsFunc(full.by.List.Header, isLinks) ||
		nextTarget(full.pages[0]) != "")
	followThrough(t, scope, nil, full, limit)
	filter, value := dividingFilter(t, full)
	t.require(filter != nil)
	values := map[string]any{filter.Parameter.Name: value}
	if filtered := must(t, t.list(scope, values, "the filtered list")); len(filtered.items) < len(full.items) {
		followThrough(t, scope, values, filtered, limit)
	}
}

// followThrough follows the links through a list whose items are known, and ends the
// step if they do not lead to its end.
func followThrough(t *tester, scope map[string]string, values map[string]any, full *listing, limit *resource.Param) {
	size := max(1, (len(full.items)+linkedPages-1)/linkedPages)
	t.require(len(full.items) > size && t.takes(full.by, limit, integer(size)))
	first := request{scope: scope, values: map[string]any{limit.Parameter.Name: integer(size)}, title: "the first page"}
	maps.Copy(first.values, values)
	l := &listing{t: t, by: full.by}
	for x := t.send(l.by, first); l.add(x) && len(l.pages) <= 2*linkedPages+1; {
		link, about, isEnd := l.nextLink()
		if link == "" {
			t.require(isEnd || len(l.pages) > 1)
			if !isWhole(l, full) && full.isSettled() {
				l.compare(full, about)
			}
			return
		}
		path, query := resolveLink(t, x, link)
		t.require(path != "") // or it leads elsewhere
		t.require(!t.reportIf(wasAsked(l.pages, path, query), "paging", about, l.pages,
			"leads from page %d to one that was there before: %s", len(l.pages), link))
		c := must(t, t.build(l.by, request{scope: scope, values: first.values, title: "the next page, by its link"}))
		c.Request.Path, c.Request.Query, c.Expected = path, query, cases.Anything
		x = t.Send(t.ctx, c)
		t.reportIf(slices.Contains([]int{400, 404, 405, 410, 422}, x.Status()), "paging", about, append(l.pages, x),
			"leads from page %d to %s, which is answered with %d", len(l.pages), link, x.Status())
	}
	t.require(false)
}

// nextLink returns the link to the page after the last, "" if none.
// isEnd reports that the page says so.
func (l *listing) nextLink() (link, about string, isEnd bool) {
	f := l.field(resource.Next, true)
	if f == nil {
		return nextTarget(l.last()), "header.Link", false
	}
	value, ok := jsonvalue.Property(itempool.Body(l.last()), f.Path)
	link, _ = value.(string)
	return link, "body." + strings.Join(f.Path, "."), ok && value == nil && f.Null
}

// resolveLink returns the path and the query of a link in a response; "" if it
// leads to another backend, or if that is unknown.
func resolveLink(t *tester, x *checks.Exchange, link string) (path, query string) {
	u, err := url.Parse(link)
	switch {
	case err != nil:
		return "", ""
	case u.Scheme == "" && u.Host == "" && u.Path == "":
		return x.Request.Path, u.RawQuery
	case u.Scheme == "" && u.Host == "" && !strings.HasPrefix(u.Path, "/"):
		return "", ""
	}
	return t.Path(link), u.RawQuery
}

// dividingFilter returns a filter and a value that several items of a list match, but
// not all; nil if none.
func dividingFilter(t *tester, full *listing) (*resource.Param, any) {
	for i := range full.by.List.Params {
		p := &full.by.List.Params[i]
		if p.Role != resource.Filter || p.Compare != resource.Equal || p.Near || p.Member != "" {
			continue
		}
		counts := map[string]int{}
		for _, item := range full.items {
			value := valueAt(item, p.Property)
			text := itempool.Text(value)
			counts[text]++
			divides := text != "" && counts[text] > 1 && counts[text] < len(full.items) && len(counts) > 1
			if divides && t.takes(full.by, p, value) {
				return p, value
			}
		}
	}
	return nil, nil
}
