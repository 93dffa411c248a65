package stateful

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
)

// walk is a walk over the pages of a list.
type walk struct {
	list  *resource.Binding
	pages []*checks.Exchange
	items []any // of all pages
	sizes []int // items of each page
	whole bool  // it came to the end
	// endless says that it went on where nothing more could come.
	endless bool
	targets []string // of the requests for the pages
}

// maxPages bounds a walk.
const maxPages = 40

// longPage is how many items are asked for where the whole list is wanted.
const longPage = 100

func (w *walk) last() *checks.Exchange { return w.pages[len(w.pages)-1] }

// has reports whether an item is among those that the walk met; nil where items
// do not show their keys.
func (w *walk) has(t *tester, i *item) *bool {
	property := keyProperty(t.resource)
	if property == nil {
		return nil
	}
	found := false
	for _, listed := range w.items {
		key, ok := resource.Get(listed, property)
		if !ok {
			return nil
		}
		found = found || itempool.Text(key) == i.Key
	}
	return &found
}

// keys gives the keys of the items, in their order; false where one shows none.
func (w *walk) keys(t *tester) ([]string, bool) {
	property := keyProperty(t.resource)
	if property == nil {
		return nil, false
	}
	keys := make([]string, len(w.items))
	for i, listed := range w.items {
		key, ok := resource.Get(listed, property)
		if !ok {
			return nil, false
		}
		keys[i] = itempool.Text(key)
	}
	return keys, true
}

// walk reads the whole list with the given parameters; nil where there is none
// to read, or the backend refuses.
func (t *tester) walk(scope map[string]string, values map[string]any, title string) *walk {
	b := t.binding(resource.List)
	if b == nil || b.List == nil {
		return nil
	}
	if scope == nil {
		if scope = t.scope(b, ""); scope == nil {
			return nil
		}
	}
	all := map[string]any{}
	for name, value := range values {
		all[name] = value
	}
	if limit := paramOf(b, resource.Limit); limit != nil && all[limit.Parameter.Name] == nil {
		for _, n := range []string{strconv.Itoa(longPage), "50", "20", "10"} {
			if t.Builder(b.Operation).Takes(limit.Parameter.Name, json.Number(n)) {
				all[limit.Parameter.Name] = json.Number(n)
				break
			}
		}
	}
	w := &walk{list: b}
	for len(w.pages) < maxPages {
		x := t.send(b, request{scope: scope, values: all, title: title})
		if x == nil || !x.Succeeded() {
			if len(w.pages) == 0 {
				return nil
			}
			return w
		}
		items, ok := b.List.Items.Items(itempool.Body(x))
		if !ok {
			return nil
		}
		w.pages, w.items, w.sizes = append(w.pages, x), append(w.items, items...), append(w.sizes, len(items))
		w.targets = append(w.targets, x.Request.Path+"?"+x.Request.Query)
		if w.endless = w.turns(t); w.endless {
			return w
		}
		next, end := t.next(w, all)
		if next == nil {
			w.whole = end && !t.cut(w)
			return w
		}
		all = next
	}
	return w
}

// maxEmpty is after how many pages in a row without items a walk is endless.
const maxEmpty = 3

// turns reports whether a walk goes round: page after page is empty, shows what
// was shown, or is asked for again.
func (w *walk) turns(t *tester) bool {
	empty := 0
	for i := len(w.sizes) - 1; i >= 0 && w.sizes[i] == 0; i-- {
		empty++
	}
	if empty >= maxEmpty {
		return true
	}
	if last := len(w.targets) - 1; slices.Contains(w.targets[:last], w.targets[last]) {
		return true
	}
	before := len(w.items) - w.sizes[len(w.sizes)-1]
	keys, ok := w.keys(t)
	if !ok || before == len(keys) || len(w.pages) < 3 || t.mixed(w.list) {
		return false
	}
	for i := before; i < len(keys); i++ {
		if at := slices.Index(keys[:before], keys[i]); at < 0 || !equal(w.items[at], w.items[i]) {
			return false
		}
	}
	return true
}

// mixed reports whether a list shows items of several parents below which their
// keys are counted, so that several may have one key.
func (t *tester) mixed(list *resource.Binding) bool {
	return t.resource.Scoped && slices.ContainsFunc(t.resource.Bindings, func(b *resource.Binding) bool {
		return len(b.Scope) > len(list.Scope)
	})
}

// next gives the parameters of the page after the last; nil where there is none
// that is known of. end says that the last page was the list's last.
func (t *tester) next(w *walk, values map[string]any) (next map[string]any, end bool) {
	b := w.list
	size := w.sizes[len(w.sizes)-1]
	next = maps.Clone(values)
	limit, _ := number(values[nameOf(paramOf(b, resource.Limit))])
	if cursor := paramOf(b, resource.Cursor); cursor != nil {
		led := leads(w)
		if led.link != nil {
			return t.linked(b, led.link, values)
		}
		switch {
		case led.known && (led.value == nil || led.value == "" || led.value == false || led.value == values[cursor.Parameter.Name]):
			return nil, true
		case !led.known && !t.more(w) && (limit == 0 || size < limit):
			return nil, true
		case !led.known || !t.Builder(b.Operation).Takes(cursor.Parameter.Name, led.value):
			return nil, false
		}
		next[cursor.Parameter.Name] = led.value
		return next, false
	}
	if size == 0 {
		return nil, true
	}
	if skip := paramOf(b, resource.Skip); skip != nil {
		next[skip.Parameter.Name] = json.Number(strconv.Itoa(len(w.items)))
		if limit > 0 && size < limit && !t.more(w) {
			return nil, true
		}
		return next, false
	}
	if page := paramOf(b, resource.PageNumber); page != nil {
		first := 1
		if page.Zero {
			first = 0
		}
		next[page.Parameter.Name] = json.Number(strconv.Itoa(first + len(w.pages)))
		if limit > 0 && size < limit && !t.more(w) {
			return nil, true
		}
		return next, false
	}
	return nil, true
}

// linked gives the parameters of the page that a link leads to, as far as the
// document has them.
func (t *tester) linked(b *resource.Binding, link url.Values, values map[string]any) (next map[string]any, end bool) {
	next = maps.Clone(values)
	named, changed := false, false
	for _, p := range b.List.Params {
		name := p.Parameter.Name
		if !link.Has(name) || p.Member != "" {
			continue
		}
		value := any(link.Get(name))
		if !t.Builder(b.Operation).Takes(name, value) {
			if value = json.Number(link.Get(name)); !t.Builder(b.Operation).Takes(name, value) {
				return nil, false
			}
		}
		named = true
		changed = changed || itempool.Text(value) != itempool.Text(values[name])
		next[name] = value
	}
	if !changed {
		return nil, named
	}
	return next, false
}

// cut reports whether a list that cannot be walked may have more than was shown.
func (t *tester) cut(w *walk) bool {
	if advances(w) {
		return false
	}
	limit := paramOf(w.list, resource.Limit)
	if limit == nil {
		return false
	}
	values := w.last().Case.Request.Query
	return w.sizes[len(w.sizes)-1] >= longPage || !strings.Contains(values, limit.Parameter.Name) || strings.Contains(values, limit.Parameter.Name+"="+strconv.Itoa(w.sizes[len(w.sizes)-1]))
}

// more reports whether a page says by itself that another follows.
func (t *tester) more(w *walk) bool {
	body := itempool.Body(w.last())
	for _, f := range w.list.List.Fields {
		if f.Role == resource.HasMore {
			value, _ := resource.Get(body, f.Path)
			return value == true
		}
	}
	return false
}

// lead is what a page says of the next one.
type lead struct {
	known bool       // it says something: without a value and a link, that there is none
	value any        // the cursor
	link  url.Values // the query of a link
}

// leads gives what the last page says of the next, in its body or a Link field.
func leads(w *walk) lead {
	x := w.last()
	body := itempool.Body(x)
	for _, f := range w.list.List.Fields {
		if f.Role != resource.Next {
			continue
		}
		value, _ := resource.Get(body, f.Path)
		if text, is := value.(string); is && f.Link && text != "" {
			return linkTo(text)
		}
		return lead{known: true, value: value}
	}
	if link := relation(x, "next"); link != "" {
		return linkTo(link)
	}
	return lead{known: len(x.Response.Header.Values("Link")) > 0 || slices.ContainsFunc(w.list.List.Header, func(h resource.HeaderField) bool { return h.Role == resource.Next })}
}

func linkTo(link string) lead {
	u, err := url.Parse(link)
	if err != nil {
		return lead{}
	}
	return lead{known: true, link: u.Query()}
}

// relation gives the target of a Link field's relation (RFC 8288), "" where
// there is none.
func relation(x *checks.Exchange, name string) string {
	for _, field := range x.Response.Header.Values("Link") {
		for link := range strings.SplitSeq(field, ",") {
			target, params, _ := strings.Cut(strings.TrimSpace(link), ";")
			if strings.Contains(params, `rel="`+name+`"`) || strings.Contains(params, "rel="+name) {
				return strings.Trim(strings.TrimSpace(target), "<>")
			}
		}
	}
	return ""
}

func paramOf(b *resource.Binding, role resource.ParamRole) *resource.Param {
	for i, p := range b.List.Params {
		if p.Role == role && p.Member == "" {
			return &b.List.Params[i]
		}
	}
	return nil
}

func nameOf(p *resource.Param) string {
	if p == nil {
		return ""
	}
	return p.Parameter.Name
}

func number(value any) (int, bool) {
	n, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.Atoi(n.String())
	return i, err == nil
}
