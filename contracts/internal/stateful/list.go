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
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
)

// listing is what a walk over the pages of a list met.
type listing struct {
	t        *tester
	by       *resource.Binding
	asked    map[string]any // parameters, besides the limit and the place of a page
	pages    exchanges
	sizes    []int     // items of each page
	items    []any     // of all pages
	behind   exchanges // the page behind the end, if it repeated items
	complete bool      // the walk came to the end
	endless  bool      // the walk went on if nothing more could come
}

const (
	maxPages = 40  // of one walk
	maxEmpty = 3   // pages in a row without items, after which a walk is endless
	longPage = 100 // items that are asked for if the full list is wanted
)

// list reads the complete list with the given parameters; nil if none,
// or the walk does not come to its end.
func (t *tester) list(scope map[string]string, values map[string]any, title string) *listing {
	if l := t.walk(scope, values, title); l != nil && l.complete {
		return l
	}
	return nil
}

// walk reads the pages of a list with the given parameters; nil if there is no
// list, it is below a parent that the scope does not name, or the backend refuses.
func (t *tester) walk(scope map[string]string, values map[string]any, title string) *listing {
	b := t.operation(resource.List)
	if b == nil || len(itempool.ScopeFor(b, scope)) < len(b.Scope) {
		return nil
	}
	next := map[string]any{}
	maps.Copy(next, values)
	if limit := paramOf(b, resource.Limit); limit != nil && next[limit.Parameter.Name] == nil {
		for _, n := range []int{longPage, 50, 20, 10} {
			if t.takes(b, limit, integer(n)) {
				next[limit.Parameter.Name] = integer(n)
				break
			}
		}
	}
	l := &listing{t: t, by: b, asked: values}
	for len(l.pages) < maxPages {
		x := t.send(b, request{scope: scope, values: next, title: title})
		if !x.Succeeded() && len(l.pages) > 0 {
			isPastEnd := slices.Contains([]int{400, 404, 410, 416, 422}, x.Status())
			l.complete = isPastEnd && l.lastSize() < l.limitIn(next) && !l.mayBeCut()
			return l
		}
		if !l.add(x) {
			return nil
		}
		if l.countsPages() && l.repeats() {
			l.behind, l.complete = exchanges{l.last()}, true
			l.pages, l.items, l.sizes = l.pages[:len(l.pages)-1], l.items[:len(l.items)-l.lastSize()], l.sizes[:len(l.sizes)-1]
			return l
		}
		if l.endless = l.goesRound(); l.endless {
			return l
		}
		following, end := l.nextPage(next)
		if following == nil {
			l.complete = end && !l.mayBeCut()
			return l
		}
		next = following
	}
	return l
}

func (l *listing) add(x *checks.Exchange) bool {
	if !x.Succeeded() {
		return false
	}
	items, ok := l.by.List.Items.Items(itempool.Body(x))
	if ok {
		l.pages, l.items, l.sizes = append(l.pages, x), append(l.items, items...), append(l.sizes, len(items))
	}
	return ok
}

func (l *listing) last() *checks.Exchange { return l.pages[len(l.pages)-1] }

func (l *listing) lastSize() int { return l.sizes[len(l.sizes)-1] }

// keys returns the keys of the items, in their order; false if one shows none.
func (l *listing) keys() ([]string, bool) {
	if l.t.key() == nil {
		return nil, false
	}
	keys := make([]string, len(l.items))
	for i, item := range l.items {
		key, ok := jsonvalue.Property(item, l.t.key())
		if !ok {
			return nil, false
		}
		keys[i] = itempool.Text(key)
	}
	return keys, true
}

// knownKeys returns the keys of the items, none if one shows none.
func (l *listing) knownKeys() []string {
	keys, _ := l.keys()
	return keys
}

// keysRepeat reports whether a list shows items of several parents, so that several may have one key.
func (l *listing) keysRepeat() bool {
	return l.t.resource.Scoped && slices.ContainsFunc(l.t.resource.Bindings, func(b *resource.Binding) bool {
		return len(b.Scope) > len(l.by.Scope)
	})
}

func wasAsked(pages exchanges, path, query string) bool {
	return slices.ContainsFunc(pages, func(x *checks.Exchange) bool {
		return x.Request.Path == path && x.Request.Query == query
	})
}

// goesRound reports whether a walk has no end: page after page is empty, shows what
// was shown, or is asked for again.
func (l *listing) goesRound() bool {
	n, last := len(l.pages), l.last().Request
	hasItems := func(size int) bool { return size > 0 }
	if n >= maxEmpty && !slices.ContainsFunc(l.sizes[n-maxEmpty:], hasItems) ||
		wasAsked(l.pages[:n-1], last.Path, last.Query) {
		return true
	}
	return n >= 3 && l.repeats()
}

// countsPages reports whether a list has pages by an offset or a number. Which page follows the last one is nowhere
// defined: one that repeats items may be the end.
func (l *listing) countsPages() bool {
	return paramOf(l.by, resource.Skip) != nil || paramOf(l.by, resource.PageNumber) != nil
}

// repeats reports whether the last page has items, all of which the pages before it have shown.
func (l *listing) repeats() bool {
	before := len(l.items) - l.lastSize()
	keys, ok := l.keys()
	if !ok || before == len(keys) || l.keysRepeat() {
		return false
	}
	for i := before; i < len(keys); i++ {
		if at := slices.Index(keys[:before], keys[i]); at < 0 || !jsonvalue.Equals(l.items[at], l.items[i]) {
			return false
		}
	}
	return true
}

// nextPage returns the parameters of the page after the last; nil if none is
// known. end says that the last page was the end of the list.
func (l *listing) nextPage(values map[string]any) (next map[string]any, end bool) {
	limit := l.limitIn(values)
	isLast := !l.hasMore() && (limit == 0 || l.lastSize() < limit)
	if cursor := paramOf(l.by, resource.Cursor); cursor != nil {
		return l.nextCursor(cursor, values, isLast)
	}
	isLast = isLast && !l.mayBeShort()
	skip, number := paramOf(l.by, resource.Skip), paramOf(l.by, resource.PageNumber)
	next = maps.Clone(values)
	switch {
	case l.lastSize() == 0, skip == nil && number == nil, limit > 0 && isLast:
		return nil, true
	case skip != nil:
		next[skip.Parameter.Name] = integer(len(l.items))
	case number.Zero:
		next[number.Parameter.Name] = integer(len(l.pages))
	default:
		next[number.Parameter.Name] = integer(len(l.pages) + 1)
	}
	return next, false
}

// nextCursor is nextPage by a cursor. isLast says what it means that the page does not name the next one.
func (l *listing) nextCursor(cursor *resource.Param, values map[string]any, isLast bool,
) (next map[string]any, end bool) {
	link, to, known := l.next()
	switch name := cursor.Parameter.Name; {
	case link != nil:
		return l.linkedPage(link, values)
	case known && (to == nil || to == "" || to == false || to == values[name]), !known && isLast:
		return nil, true
	case !known || !l.t.takes(l.by, cursor, to):
		return nil, false
	default:
		return jsonvalue.WithMember(values, name, to), false
	}
}

// linkedPage returns the documented parameters of the page that a link leads to.
func (l *listing) linkedPage(link url.Values, values map[string]any) (next map[string]any, end bool) {
	next = maps.Clone(values)
	named, changed := false, false
	for i := range l.by.List.Params {
		p := &l.by.List.Params[i]
		name := p.Parameter.Name
		if !link.Has(name) || p.Member != "" {
			continue
		}
		value := any(link.Get(name))
		if !l.t.takes(l.by, p, value) {
			if value = json.Number(link.Get(name)); !l.t.takes(l.by, p, value) {
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

// limitIn returns the number of items of a page that parameters ask for, 0 if they do not.
func (l *listing) limitIn(values map[string]any) int {
	n := 0
	if p := paramOf(l.by, resource.Limit); p != nil {
		n, _ = integerOf(values[p.Parameter.Name])
	}
	return n
}

// mayBeShort reports whether a page that has fewer items than were asked for may not be the last: its size is one
// that backends cut pages to, or more items are counted.
func (l *listing) mayBeShort() bool {
	n := l.lastSize()
	isCount := func(f resource.Field) bool {
		total, ok := integerOf(valueAt(itempool.Body(l.last()), f.Path))
		return f.Role == resource.Total && ok && total > len(l.items)
	}
	return n > 0 && (n%5 == 0 || slices.ContainsFunc(l.by.List.Fields, isCount))
}

// mayBeCut reports whether a list that has no pages may have more items than it shows.
func (l *listing) mayBeCut() bool {
	limit := paramOf(l.by, resource.Limit)
	if l.advances() {
		return false
	}
	if limit == nil { // backends without pages cut lists to round numbers
		return l.lastSize() >= 10 && l.lastSize()%10 == 0 || l.lastSize() == 25
	}
	query, name := l.last().Case.Request.Query, limit.Parameter.Name
	return l.lastSize() >= longPage || !strings.Contains(query, name) ||
		strings.Contains(query, name+"="+strconv.Itoa(l.lastSize()))
}

// advances reports whether a list has pages: by an offset, a page's number or a cursor.
func (l *listing) advances() bool {
	return slices.ContainsFunc([]resource.ParamRole{resource.Skip, resource.PageNumber, resource.Cursor},
		func(role resource.ParamRole) bool { return paramOf(l.by, role) != nil })
}

// field returns the first field of a role that the pages have beside the items, nil if none.
func (l *listing) field(role resource.FieldRole, isLink bool) *resource.Field {
	for i, f := range l.by.List.Fields {
		if f.Role == role && (f.Link || !isLink) {
			return &l.by.List.Fields[i]
		}
	}
	return nil
}

func (l *listing) hasMore() bool {
	f := l.field(resource.HasMore, false)
	return f != nil && valueAt(itempool.Body(l.last()), f.Path) == true
}

// next returns what the last page says of the next, in its body or in Link: the query of
// a link, or a cursor. known reports that it says so; with neither, there is none.
func (l *listing) next() (link url.Values, cursor any, known bool) {
	target := nextTarget(l.last())
	if f := l.field(resource.Next, false); f != nil {
		value := valueAt(itempool.Body(l.last()), f.Path)
		text, _ := value.(string)
		if !f.Link || text == "" {
			return nil, value, true
		}
		target = text
	}
	if target == "" {
		isNext := func(h resource.HeaderField) bool { return h.Role == resource.Next }
		return nil, nil, len(l.last().Response.Header.Values("Link")) > 0 || slices.ContainsFunc(l.by.List.Header, isNext)
	}
	u, err := url.Parse(target)
	if err != nil {
		return nil, nil, false
	}
	return u.Query(), nil, true
}

// nextTarget returns the target of the relation next in Link (RFC 8288), "" if none.
func nextTarget(x *checks.Exchange) string {
	for _, field := range x.Response.Header.Values("Link") {
		for link := range strings.SplitSeq(field, ",") {
			target, params, _ := strings.Cut(strings.TrimSpace(link), ";")
			if strings.Contains(params, `rel="next"`) || strings.Contains(params, "rel=next") {
				return strings.Trim(strings.TrimSpace(target), "<>")
			}
		}
	}
	return ""
}

// takes reports whether a parameter of a list takes a value.
func (t *tester) takes(list *resource.Binding, p *resource.Param, value any) bool {
	return t.Builder(list.Operation).Takes(p.Parameter.Name, value)
}

func paramOf(b *resource.Binding, role resource.ParamRole) *resource.Param {
	for i, p := range b.List.Params {
		if p.Role == role && p.Member == "" {
			return &b.List.Params[i]
		}
	}
	return nil
}

func integer(n int) json.Number { return json.Number(strconv.Itoa(n)) }

func integerOf(value any) (int, bool) {
	n, _ := value.(json.Number)
	i, err := strconv.Atoi(n.String())
	return i, err == nil
}
