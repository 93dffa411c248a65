package stateful

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
)

// linkedPages is over how many pages the links to the next one are followed.
const linkedPages = 4

// followNext follows the links to the next page as the responses have them: through
// the full list, and through one that a filter makes shorter.
func followNext(t *tester, scope map[string]string, full *listing, limit *resource.Param) {
	list := full.by.List
	inBody := slices.ContainsFunc(list.Fields, func(f resource.Field) bool { return f.Role == resource.Next && f.Link })
	inHeader := slices.ContainsFunc(list.Header, func(h resource.HeaderField) bool { return h.Role == resource.Relations })
	t.require(inBody || inHeader || nextTarget(full.pages[0]) != "")
	followThrough(t, scope, nil, full, limit)
	filter, value := dividingFilter(t, full)
	t.require(filter != nil)
	values := map[string]any{filter.Parameter.Name: value}
	if filtered := must(t, t.list(scope, values, "the filtered list")); len(filtered.items) < len(full.items) {
		followThrough(t, scope, values, filtered, limit)
	}
}

// followThrough follows the links through a list whose items are known, and ends the
// step where they do not lead to its end.
func followThrough(t *tester, scope map[string]string, values map[string]any, full *listing, limit *resource.Param) {
	size := max(1, (len(full.items)+linkedPages-1)/linkedPages)
	t.require(len(full.items) > size && t.takes(full.by, limit, integer(size)))
	first := request{scope: scope, values: map[string]any{limit.Parameter.Name: integer(size)}, title: "the first page"}
	maps.Copy(first.values, values)
	l := &listing{by: full.by, key: full.key}
	for x := t.send(l.by, first); l.add(x) && len(l.pages) <= 2*linkedPages+1; {
		link, about, isEnd := l.nextLink()
		if link == "" {
			t.require(isEnd || len(l.pages) > 1)
			compareLinked(t, l, full, about)
			return
		}
		path, query := resolveLink(t, x, link)
		t.require(path != "") // or it leads elsewhere
		wasAsked := func(x *checks.Exchange) bool { return x.Request.Path == path && x.Request.Query == query }
		if slices.ContainsFunc(l.pages, wasAsked) {
			t.report("paging", about, l.pages, "leads from page %d to one that was there before: %s", len(l.pages), link)
			break
		}
		c := must(t, t.build(l.by, request{scope: scope, values: first.values, title: "the next page, by its link"}))
		c.Request.Path, c.Request.Query, c.Expected = path, query, cases.Anything
		x = t.Send(t.ctx, c)
		if slices.Contains([]int{400, 404, 405, 410, 422}, x.Status()) {
			t.report("paging", about, append(l.pages, x),
				"leads from page %d to %s, which is answered with %d", len(l.pages), link, x.Status())
		}
	}
	t.require(false)
}

// compareLinked compares what the links led to with what the list has. A violation ends the step.
func compareLinked(t *tester, l, full *listing, about string) {
	keys, ok := l.keys()
	all, also := full.keys()
	report := func(message string, args ...any) {
		t.report("paging", about, l.pages, message, args...)
		t.require(false)
	}
	if !ok || !also || t.resource.keysRepeat(l.by) || !areDistinct(all) {
		if len(l.items) != len(full.items) {
			report("leads to %d items in all, and the list has %d", len(l.items), len(full.items))
		}
		return
	}
	for i, key := range keys {
		if !slices.Contains(all, key) {
			report("leads to the item %q, which is not in the list that was asked for", key)
		}
		if slices.Contains(keys[:i], key) {
			report("leads to the item %q twice", key)
		}
	}
	for i, key := range all {
		if i == len(keys) { // the items before are all that the links led to
			report("leads nowhere on page %d, after %d of %d items", len(l.pages), len(keys), len(all))
		}
		if !slices.Contains(keys, key) {
			report("leads past the item %q", key)
		}
	}
}

// nextLink gives the link to the page after the last, "" where there is none.
// isEnd reports that the page says so.
func (l *listing) nextLink() (link, about string, isEnd bool) {
	for _, f := range l.by.List.Fields {
		if f.Role == resource.Next && f.Link {
			value, ok := resource.Get(itempool.Body(l.last()), f.Path)
			link, _ = value.(string)
			return link, "body." + strings.Join(f.Path, "."), ok && value == nil && f.Null
		}
	}
	return nextTarget(l.last()), "header.Link", false
}

// resolveLink gives the path and the query of a link in a response; "" where it
// leads to another backend, or where that is unknown.
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

// dividingFilter gives a filter and a value that several items of a list match, but
// not all; nil where there is none.
func dividingFilter(t *tester, full *listing) (*resource.Param, any) {
	for i := range full.by.List.Params {
		p := &full.by.List.Params[i]
		if p.Role != resource.Filter || p.Compare != resource.Equal || p.Member != "" {
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
