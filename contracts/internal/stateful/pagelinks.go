package stateful

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// chainPages is over how many pages the links to the next one are followed.
const chainPages = 4

// chains follows the links to the next page as they stand in the answers, through
// the whole list and through one that a filter makes smaller.
func (t *tester) chains(scope map[string]string, whole *walk, limit *resource.Param) {
	if !slices.ContainsFunc(whole.list.List.Fields, func(f resource.Field) bool { return f.Role == resource.Next && f.Link }) && relation(whole.pages[0], "next") == "" &&
		!slices.ContainsFunc(whole.list.List.Header, func(h resource.HeaderField) bool { return h.Role == resource.Relations }) {
		return
	}
	if !t.chain(scope, nil, whole, limit) {
		return
	}
	if filter, value := t.divides(whole); filter != nil {
		values := map[string]any{filter.Parameter.Name: value}
		if chosen := t.walk(scope, values, "the list of some"); chosen != nil && chosen.whole && len(chosen.items) < len(whole.items) {
			t.chain(scope, values, chosen, limit)
		}
	}
}

// chain follows the links through a list of which is known what it has. It
// reports whether they led to its end.
func (t *tester) chain(scope map[string]string, values map[string]any, whole *walk, limit *resource.Param) bool {
	b, size := whole.list, max(1, (len(whole.items)+chainPages-1)/chainPages)
	n := json.Number(strconv.Itoa(size))
	if len(whole.items) <= size || !t.Builder(b.Operation).Takes(limit.Parameter.Name, n) {
		return false
	}
	asking := map[string]any{limit.Parameter.Name: n}
	maps.Copy(asking, values)
	values = asking
	x := t.send(b, request{scope: scope, values: values, title: "the first page"})
	w, asked := &walk{list: b}, map[string]bool{}
	for x != nil && x.Succeeded() {
		items, ok := b.List.Items.Items(itempool.Body(x))
		if !ok || len(w.pages) > 2*chainPages {
			return false
		}
		w.pages, w.items, w.sizes = append(w.pages, x), append(w.items, items...), append(w.sizes, len(items))
		asked[x.Request.Path+"?"+x.Request.Query] = true
		link, about, said := nextLink(w)
		if link == "" {
			return (said || len(w.pages) > 1) && t.led(w, whole, about)
		}
		path, query := t.target(x, link)
		if path == "" {
			return false // elsewhere
		}
		if asked[path+"?"+query] {
			t.report("paging", about, fmt.Sprintf("leads from page %d to one that was there before: %s", len(w.pages), link), w.pages...)
			return false
		}
		c := t.prepare(b, request{scope: scope, values: values, title: "the next page, by its link"})
		if c == nil {
			return false
		}
		c.Request.Path, c.Request.Query, c.Expected = path, query, cases.Anything
		if x = t.Send(t.ctx, c); x != nil && slices.Contains([]int{400, 404, 405, 410, 422}, x.Status()) {
			t.report("paging", about, fmt.Sprintf("leads from page %d to %s, which is answered %d", len(w.pages), link, x.Status()), append(w.pages, x)...)
		}
	}
	return false
}

// led compares what the links led to with what the list has.
func (t *tester) led(w, whole *walk, about string) bool {
	keys, ok := w.keys(t)
	all, also := whole.keys(t)
	if !ok || !also || t.mixed(w.list) || len(all) != len(slices.Compact(slices.Sorted(slices.Values(all)))) {
		if len(w.items) != len(whole.items) {
			t.report("paging", about, fmt.Sprintf("leads to %d items in all, and the list has %d", len(w.items), len(whole.items)), w.pages...)
			return false
		}
		return true
	}
	for i, key := range keys {
		switch {
		case !slices.Contains(all, key):
			t.report("paging", about, fmt.Sprintf("leads to the item %q, which is not in the list that was asked for", key), w.pages...)
			return false
		case slices.Contains(keys[:i], key):
			t.report("paging", about, fmt.Sprintf("leads to the item %q twice", key), w.pages...)
			return false
		}
	}
	for i, key := range all {
		switch {
		case slices.Contains(keys, key):
			continue
		case i == len(keys): // what comes before is all that was met
			t.report("paging", about, fmt.Sprintf("leads nowhere on page %d, after %d of %d items", len(w.pages), len(keys), len(all)), w.pages...)
		default:
			t.report("paging", about, fmt.Sprintf("leads past the item %q", key), w.pages...)
		}
		return false
	}
	return true
}

// nextLink gives the link to the page after the last, "" where there is none.
// said reports that the page says so by itself.
func nextLink(w *walk) (link, about string, said bool) {
	x := w.last()
	body := itempool.Body(x)
	for _, f := range w.list.List.Fields {
		if f.Role == resource.Next && f.Link {
			value, ok := resource.Get(body, f.Path)
			link, _ = value.(string)
			return link, "body." + joined(f.Path), ok && value == nil && f.Null
		}
	}
	return relation(x, "next"), "header.Link", false
}

// target gives the path and the query of a link in an answer; "" where it leads
// to another backend, or where that cannot be told.
func (t *tester) target(x *checks.Exchange, link string) (path, query string) {
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

// divides gives a filter and a value by which it chooses some items of a list,
// several but not all; nil where there is none.
func (t *tester) divides(whole *walk) (*resource.Param, any) {
	for i, p := range whole.list.List.Params {
		if p.Role != resource.Filter || p.Compare != resource.Equal || p.Member != "" {
			continue
		}
		counts := map[string]int{}
		for _, listed := range whole.items {
			value, _ := resource.Get(listed, p.Property)
			text := itempool.Text(value)
			counts[text]++
			if n := counts[text]; text != "" && n > 1 && n < len(whole.items) && len(counts) > 1 && t.Builder(whole.list.Operation).Takes(p.Parameter.Name, value) {
				return &whole.list.List.Params[i], value
			}
		}
	}
	return nil, nil
}

// endsInNull reports whether the document says in words that a cursor is null on
// the last page.
func endsInNull(o *spec.Operation, f resource.Field) bool {
	for sentence := range strings.SplitSeq(o.Summary+". "+o.Description, ".") {
		_, said, named := strings.Cut(sentence, f.Path[len(f.Path)-1])
		if named && strings.Contains(said, "null on the last page") {
			return true
		}
	}
	return false
}
