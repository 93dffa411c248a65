package resources

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Merged is a response of the upstream with what clients changed here.
type Merged struct {
	Body                    any
	Header                  exchange.Header // fields with other values
	Added, Changed, Removed int             // items, compared with what the upstream shows
	media                   *spec.MediaType
}

// Conforms reports whether the document allows the body.
func (m *Merged) Conforms() bool { return m.media.Conforms(m.Body) }

// String returns what was merged.
func (m *Merged) String() string {
	var parts []string
	for _, part := range []struct {
		count int
		what  string
	}{{m.Added, "added"}, {m.Changed, "changed"}, {m.Removed, "removed"}} {
		if part.count > 0 {
			parts = append(parts, strconv.Itoa(part.count)+" "+part.what)
		}
	}
	if parts == nil {
		return "totals"
	}
	return strings.Join(parts, ", ")
}

// Merge returns a response of the upstream, whose items were adopted, with what clients changed here; nil if they
// changed nothing that it shows. body is the decoded body of a media type.
func (s *Set) Merge(q *Request, h exchange.Header, media *spec.MediaType, body any) *Merged {
	if !q.bind(s) {
		return nil
	}
	var m *Merged
	switch q.op.Role {
	case resource.Read:
		m = q.mergeRead(media, body)
	case resource.List:
		if media == q.op.Media {
			m = q.mergeList(h, body)
		}
	}
	if m != nil {
		m.media = media
	}
	return m
}

func (q *Request) mergeRead(media *spec.MediaType, body any) *Merged {
	in, item := q.op.responses[media], q.namedItem()
	if in == nil || item == nil || item.Deleted() || !item.IsLocal() {
		return nil
	}
	value, _ := in.Item(body)
	shown, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	merged := mergedItem(shown, item, in.view, query.Fields(q.Values.Query[q.op.Fields]))
	if jsonvalue.Equals(merged, shown) {
		return nil
	}
	return &Merged{Body: in.Put(body, merged), Changed: 1}
}

// mergedItem returns what a response shows of an item of the upstream, with what clients changed here. only are the
// properties that the request asks for; nil for all.
func mergedItem(shown map[string]any, item *state.Item, view *itemView, only []string) map[string]any {
	known, here, merged := upstreamOf(item), WithoutHidden(DecodeItem(item)), maps.Clone(shown)
	for name, value := range view.listed(here) {
		was, has := known[name]
		if (!has || !jsonvalue.Equals(was, value)) && (len(only) == 0 || slices.Contains(only, name)) {
			merged[name] = value
		}
	}
	for name := range known {
		if _, has := here[name]; !has && !IsHidden(name) {
			delete(merged, name)
		}
	}
	return merged
}

// listedItem is an item in a list.
type listedItem struct {
	element any
	keys    []any // by which the list is sorted
}

// place is where an item is kept.
type place struct{ collection, key string }

// listMerge is a list of the upstream on its way to the client.
type listMerge struct {
	*Merged
	q      *Request
	wanted *query.Query
	meets  *condition
	page   []listedItem
	local  []listedItem // items that are to be added, in the order of the list
	change int          // of the number of all items
}

func (q *Request) mergeList(h exchange.Header, body any) *Merged {
	list := q.op.List
	value, _ := jsonvalue.Property(body, list.Items.Path)
	elements, ok := value.([]any)
	if !ok {
		return nil
	}
	l := &listMerge{Merged: &Merged{}, q: q, wanted: wantedOf(q)}
	l.meets = conditionOf(q, &listView{collection: q.collection}, l.wanted)
	here := l.mergeElements(elements)
	l.findLocal(here)
	p := l.pageOf(h, body, len(elements))
	l.insert(&p)
	isSame := l.Added+l.Changed+l.Removed == 0
	if isSame && l.change == 0 {
		return nil
	}
	shown := make([]any, len(l.page))
	for i, item := range l.page {
		shown[i] = item.element
	}
	isDescribed := l.describe(&p, h, jsonvalue.WithProperty(body, list.Items.Path, shown), body)
	if isSame && !isDescribed {
		return nil
	}
	return l.Merged
}

// mergeElements keeps the elements of the upstream's page that are not deleted here, as changed here. It returns the
// items that were changed here and stay on the page.
func (l *listMerge) mergeElements(elements []any) (here map[place]bool) {
	q, nesting := l.q, l.q.op.List.Items.Nesting
	here = map[place]bool{}
	for _, element := range elements {
		shown, isItem := nesting.Flat(element).(map[string]any)
		var item *state.Item
		if key := q.op.runtime.keyOf(shown); isItem && key != "" {
			item = q.Session.Peek(collectionOfNew(q, withParents(q, shown)), key)
		}
		switch {
		case item == nil || !item.IsLocal():
			l.page = append(l.page, listedItem{element, l.keysOf(shown)})
		case item.Deleted() || l.isListed(item) && !l.stays(item):
			l.Removed++
			if item.Deleted() && item.Collection != q.collection { // else see findLocal
				l.change--
			}
		default:
			merged := mergedItem(shown, item, q.op.elements, l.wanted.Fields)
			if !jsonvalue.Equals(merged, shown) {
				element = nesting.Nest(merged)
				l.Changed++
			}
			here[place{item.Collection, item.Key}] = true
			l.page = append(l.page, listedItem{element, l.keysOf(merged)})
		}
	}
	return here
}

func (l *listMerge) keysOf(item map[string]any) []any {
	if len(l.wanted.Sort) == 0 {
		return nil
	}
	return l.keysOfText(encoded(item))
}

func (l *listMerge) keysOfText(item *state.Item) []any {
	return l.wanted.AppendKeys(nil, query.Text{JSON: item.JSON, Members: &item.Members})
}

// inUpstream returns an item as the upstream has it.
func inUpstream(item *state.Item) *state.Item {
	return &state.Item{Key: item.Key, Collection: item.Collection, Version: item.Version, JSON: item.Upstream}
}

// isListed reports whether the upstream lists an item, as far as the filters are understood.
func (l *listMerge) isListed(item *state.Item) bool {
	return item.Upstream != nil && l.meets.meets(unread(inUpstream(item)))
}

// stays reports whether an item that was changed here stays at the place at which the upstream lists it.
func (l *listMerge) stays(item *state.Item) bool {
	return l.meets.meets(unread(item)) &&
		l.wanted.OrderKeys(l.keysOfText(item), l.keysOfText(inUpstream(item))) == 0
}

// findLocal finds the items that the upstream lists elsewhere or not at all, and counts those that it lists wrongly.
func (l *listMerge) findLocal(here map[place]bool) {
	q, view := l.q, l.q.view()
	for item := range view.Tombstones(q.collection) {
		if item.IsLocal() && l.isListed(item) {
			l.change--
		}
	}
	isSubset := q.op.Subset && q.op.List.Flag == ""
	for item := range kept(q.op.runtime, view, q.collection) {
		if !item.IsLocal() || here[place{item.Collection, item.Key}] || q.Work.Step() {
			continue
		}
		meets, listed := l.meets.meets(unread(item)), l.isListed(item)
		if listed && !meets {
			l.change--
		}
		if !meets || listed && l.stays(item) || isSubset {
			continue
		}
		if !listed {
			l.change++
		}
		shown := q.op.List.Items.Nesting.Nest(showFields(q, itemOf(item), l.wanted.Fields))
		var keys []any
		if len(l.wanted.Sort) > 0 {
			keys = l.keysOfText(item)
		}
		l.local = append(l.local, listedItem{shown, keys})
	}
	if l.wanted.NewestFirst {
		slices.Reverse(l.local)
	}
	slices.SortStableFunc(l.local, func(a, b listedItem) int { return l.wanted.OrderKeys(a.keys, b.keys) })
}

// upstreamPage is what is known of a page of the upstream.
type upstreamPage struct {
	query.Page
	hasTotal    bool
	hasOffset   bool // otherwise the page has a cursor
	first, last bool
	rest        int // items of the session that come on later pages, if this is the last of the upstream
}

func (l *listMerge) pageOf(h exchange.Header, body any, count int) upstreamPage {
	list, wanted := l.q.op.List, l.wanted
	p := upstreamPage{Page: query.Page{Count: count}, hasOffset: wanted.After == "" && wanted.Before == ""}
	total, hasTotal := numberOf(list, resource.Total, h, body)
	p.Total, p.hasTotal = total, hasTotal
	if p.Limit = wanted.Limit; p.Limit < 0 {
		p.Limit = l.pageSize(h, body, &p)
	}
	if p.hasOffset {
		p.Offset = wanted.PageOf(1<<40, p.Limit).Offset
	}
	p.first = p.hasOffset && p.Offset == 0
	more, isKnown := hasMore(list, h, body)
	switch {
	case hasTotal && p.hasOffset:
		p.last = p.Offset+count >= total
	case isKnown:
		p.last = !more
	default:
		p.last = p.Limit <= 0 || count < p.Limit
	}
	switch {
	case hasTotal || !p.hasOffset:
	case p.last && (count > 0 || p.first):
		p.Total = p.Offset + count
	default:
		p.Total = min(p.Offset, l.countUpstream())
	}
	return p
}

// pageSize returns the size of the pages of a request that names none; 0 if all items are on one page.
func (l *listMerge) pageSize(h exchange.Header, body any, p *upstreamPage) int {
	list := l.q.op.List
	said, isSaid := numberOf(list, resource.PageSize, h, body)
	usual, isDocumented := sizeOfPages(list.Params)
	isFirst := l.wanted.Page == 0 && l.wanted.Offset == 0
	switch {
	case isSaid:
		return said
	case isFirst && p.hasTotal && p.Count > 0 && p.Count < p.Total:
		return p.Count
	case isDocumented, l.wanted.PageSent:
		return usual
	}
	return 0
}

// countUpstream counts the items of the upstream that were seen and that it lists.
func (l *listMerge) countUpstream() (count int) {
	for item := range kept(l.q.op.runtime, l.q.view(), l.q.collection) {
		if l.isListed(item) {
			count++
		}
	}
	return count
}

// insert puts the session's items on the page: at their place in a sorted list, otherwise before or after the items of
// the upstream.
func (l *listMerge) insert(p *upstreamPage) {
	switch {
	case l.wanted.Limit == 0:
	case len(l.wanted.Sort) > 0:
		upstream := slices.Clone(l.page)
		for _, item := range l.local {
			at, _ := slices.BinarySearchFunc(l.page, item, func(a, b listedItem) int {
				if c := l.wanted.OrderKeys(a.keys, b.keys); c != 0 {
					return c
				}
				return -1 // behind its equals
			})
			if at == len(l.page) && !p.last || at == 0 && !p.first && !l.leads(item, upstream, p) {
				continue
			}
			l.page = slices.Insert(l.page, at, item)
			l.Added++
		}
	case l.wanted.NewestFirst:
		if p.first {
			l.page = append(slices.Clip(l.local), l.page...)
			l.Added += len(l.local)
		}
	case p.last:
		added := l.local
		if p.hasOffset && p.Limit > 0 {
			from := min(max(0, p.Offset-p.Total), len(added))
			to := min(max(from, p.Offset+p.Limit-p.Total), len(added))
			added, p.rest = added[from:to], len(added)-to
		}
		l.page = append(l.page, added...)
		l.Added += len(added)
	}
}

// leads reports whether an item that comes before a page, other than the first, is not on an earlier one: the upstream
// was seen to have nothing between them. An empty page is one behind the last, if that was full.
func (l *listMerge) leads(item listedItem, page []listedItem, p *upstreamPage) bool {
	if len(page) == 0 && p.Total < p.Offset {
		return false
	}
	for other := range kept(l.q.op.runtime, l.q.view(), l.q.collection) {
		if !l.isListed(other) {
			continue
		}
		keys := l.keysOfText(inUpstream(other))
		isBehind := l.wanted.OrderKeys(item.keys, keys) < 0
		if isBehind && (len(page) == 0 || l.wanted.OrderKeys(keys, page[0].keys) < 0) {
			return false
		}
	}
	return true
}

// describe corrects what the upstream says of the page, and reports whether it says anything of it.
func (l *listMerge) describe(p *upstreamPage, h exchange.Header, body, upstream any) (isDescribed bool) {
	list, links := l.q.op.List, pageLinks(l.q)
	counted := query.Page{Total: max(0, p.Total+l.change), Offset: p.Offset, Limit: p.Limit, Count: len(l.page)}
	pages := query.Page{Total: p.Total + len(l.local), Offset: p.Offset, Limit: p.Limit, Count: p.Limit}
	isBehind := len(l.wanted.Sort) == 0 && !l.wanted.NewestFirst // the session's items come on pages of their own
	pageFor := func(f resource.Field, isSent bool) *query.Page {
		switch role := f.Role; {
		case role == resource.Next && p.rest > 0, role == resource.Relations && p.rest > 0,
			isSent && p.rest > 0 && (role == resource.HasMore || role == resource.IsLast || role == resource.Last),
			isSent && p.hasTotal && p.Limit > 0 && role == resource.Pages && isBehind:
			return &pages
		case isSent && p.hasTotal && (role == resource.Total || f.Alone),
			isSent && !f.Alone && (role == resource.Count || role == resource.IsEmpty || role == resource.LastItem):
			return &counted
		}
		return nil
	}
	for _, f := range list.Fields {
		_, isSent := jsonvalue.Property(upstream, f.Path)
		if page := pageFor(f, isSent); page != nil {
			isDescribed = true
			body = links.Describe(body, *page, []resource.Field{f}, l.q.op.Media.Conforms)
		}
	}
	for _, f := range list.Header {
		_, isSent := h.Get(f.Name)
		if page := pageFor(resource.Field{Role: f.Role}, isSent); page != nil {
			isDescribed = true
			l.Header.Set(f.Name, links.Header(*page, f))
		}
	}
	l.Body = body
	return isDescribed
}

// numberOf returns a number that a response says of its page.
func numberOf(list *resource.Listing, role resource.FieldRole, h exchange.Header, body any) (number int, ok bool) {
	var value any
	for _, f := range list.Fields {
		if f.Role == role || f.Alone && role == resource.Total {
			value, ok = jsonvalue.Property(body, f.Path)
			break
		}
	}
	for _, f := range list.Header {
		if !ok && f.Role == role {
			value, ok = h.Get(f.Name)
		}
	}
	text, _ := jsonvalue.Text(value)
	number, err := strconv.Atoi(text)
	return number, ok && err == nil && number >= 0 && number < 1<<40
}

// hasMore returns whether a response says that pages follow, and whether it says anything about that.
func hasMore(list *resource.Listing, h exchange.Header, body any) (more, isKnown bool) {
	for _, f := range list.Fields {
		value, _ := jsonvalue.Property(body, f.Path)
		flag, isFlag := value.(bool)
		switch {
		case f.Role == resource.HasMore && isFlag:
			return flag, true
		case f.Role == resource.IsLast && isFlag:
			return !flag, true
		case f.Role == resource.Next:
			return value != nil && value != "", true
		}
	}
	for _, f := range list.Header {
		switch value, _ := h.Get(f.Name); f.Role {
		case resource.Relations:
			return strings.Contains(value, `rel="next"`) || strings.Contains(value, "rel=next"), true
		case resource.Next:
			return value != "", true
		}
	}
	return false, false
}
