package resources

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// defaultPageSize is how many items a page has if the document cuts lists into
// pages and does not say how many.
const defaultPageSize = 20

func list(q *Request) error {
	op := q.op
	if !q.lists() {
		return errNotHandled
	}
	if len(op.kinds) > 0 {
		return listKinds(q)
	}
	if op.listsAllParents() {
		q.collection = ""
	}
	view, first, wanted := q.view(), initial(q), wantedOf(q)
	untouched := !q.set.options.RefuseUnknown && !wasKept(q, view) && !q.Base.Known(q.collection) && !q.isBelowCreated()
	if untouched && (len(first.items) == 0 || first.examples || prefersOtherItems(q)) {
		isCounted := q.Preferences.Has(prefer.Count)
		if isCounted && !wanted.FilterSent { // defaults leave out nothing of what is asked for
			wanted.Filters, wanted.Search = nil, ""
		}
		if isCounted || wanted.FilterSent || wanted.PageSent || wanted.OrderSent {
			q.asks = wanted
		}
		return errNotHandled
	}
	if q.Account != nil {
		q.Account.generated = untouched
	}
	links := pageLinks(q)
	all := newListView(view, q.collection, first, wanted.NewestFirst)
	p, items := page(q, all, wanted, links, op.pageSize)
	if p.Total == 0 && wanted.Loosen() {
		p, items = page(q, all, wanted, links, op.pageSize)
	}
	if untouched && p.Total == 0 && !wanted.FilterSent { // a default or a search leaves no untouched list empty
		wanted.Filters, wanted.Search = nil, ""
		p, items = page(q, all, wanted, links, op.pageSize)
	}
	key := respond.KeptKey{
		Of: keptPage{op, q.media, q.collection}, Status: q.answer.Status, As: q.as, Origin: q.origin(),
		Text: q.Path + "?" + q.Query,
	}
	made := madePage{p, encodedOf(items)}
	isKept := links.ByKey == nil && q.IsRepeatable() && len(op.List.Facets) == 0
	if kept := q.set.responder.Kept(key); isKept && kept != nil && made.is(kept.Of.(madePage)) {
		setPageHeaders(q, p, links)
		q.answer.SetKept(kept)
		return nil
	}
	body, ok := writtenList(q, items, wanted.Fields, p, links)
	isKept = isKept && ok
	if !ok {
		body, ok = listBody(q, decoded(q, items), wanted.Fields, p, links)
	}
	if !ok {
		return errNotHandled // minItems and the like
	}
	if op.inclusion() != nil {
		body = q.withIncluded(body, q.flatItems(body))
	}
	if len(op.List.Facets) > 0 {
		body = q.withFacets(body, all, wanted)
	}
	setPageHeaders(q, p, links)
	q.answer.SetConforming(q.media, q.as, body)
	if isKept {
		q.set.responder.Keep(q.Request, q.answer, key, made, made.bytes())
	}
	return nil
}

// lists reports whether the answer is a list of kept items, in a media type that the document has a schema for.
func (q *Request) lists() bool {
	return q.op.List != nil && q.op.Media != nil && q.Documented == q.op.Success && q.media != nil && q.media.Schema != nil
}

// prefersOtherItems reports whether a request asks for other items than the initial ones.
func prefersOtherItems(q *Request) bool {
	return q.Dynamic || q.Preferences.Has(prefer.Seed) || q.Preferences.Has(prefer.Count)
}

// wantedOf reads what a request asks for of a list: by its query, by the body of a
// search, and by the parents that the path names if it lists the items of all parents.
func wantedOf(q *Request) *query.Query {
	list, values := q.op.List, q.Values.Query
	if body, isObject := q.Values.Body().(map[string]any); isObject && len(list.Body) > 0 {
		search := *list
		search.Params = slices.Concat(list.Params, list.Body)
		list, values = &search, maps.Clone(values)
		if values == nil {
			values = map[string]any{}
		}
		maps.Copy(values, body)
	}
	wanted := query.Read(list, values)
	if flag := q.op.List.Flag; flag != "" {
		wanted.Filters = append(wanted.Filters, query.Filter{Property: []string{flag}, Values: []any{true}})
	}
	for _, v := range q.op.extra {
		if q.collection == "" && v.Property != nil { // else see conditionOf
			values := []any{q.Values.Path[v.Name]}
			wanted.Filters = append(wanted.Filters, query.Filter{Property: ParentProperty(v), Values: values})
		}
	}
	return wanted
}

func pageLinks(q *Request) *query.Links {
	return &query.Links{Address: q.origin() + q.Path, Query: q.Query, Params: q.op.List.Params}
}

// listBody returns the body of a page, without what the fields leave out if the document allows that, and reports
// whether it allows the body.
func listBody(q *Request, items []Item, fields []string, p query.Page, links *query.Links) (any, bool) {
	shown := make([]any, len(items))
	for i, item := range items {
		if q.Work.Over() {
			return nil, false
		}
		shown[i] = showFields(q, item, fields)
	}
	body := pageBody(q.op, q.op.around, shown, p, links, q.media.Conforms)
	if ok := q.media.Conforms(body); ok || len(fields) == 0 || q.Work.Over() {
		return body, ok
	}
	return listBody(q, items, nil, p, links)
}

// pageBody returns a page around items. fits reports whether a body conforms.
func pageBody(
	op *Operation, around func() any, shown []any, p query.Page, links *query.Links, fits func(any) bool,
) any {
	if len(op.List.Items.Path) == 0 {
		return op.List.Items.PutItems(nil, shown)
	}
	body := op.List.Items.PutItems(around(), shown)
	if object, ok := body.(map[string]any); ok && len(op.List.Items.Path) == 1 {
		body = op.sums(object)
	}
	return links.Describe(body, p, op.List.Fields, fits)
}

// showFields returns an item with the fields that a request names, and if the list demands it, with what it requires;
// else as the list shows it.
func showFields(q *Request, item Item, fields []string) any {
	if len(fields) > 0 {
		if some, ok := q.op.elements.some(WithoutHidden(item.Value), fields); ok {
			return some
		}
	}
	return showElement(q, q.op.elements, item)
}

// some returns the named members of an item, with those that the view requires if it has to have them. It reports false
// if these do not conform.
func (v *itemView) some(item map[string]any, names []string) (map[string]any, bool) {
	some := map[string]any{}
	for name, value := range v.project(item) {
		if slices.Contains(names, name) {
			some[name] = value
		}
	}
	if v.conforms(some) {
		return some, true
	}
	for name := range schema.Required(v.of) {
		if value, has := item[name]; has {
			some[name] = value
		}
	}
	return some, v.conforms(some)
}

// wasKept reports whether anything was ever created in the request's collection.
func wasKept(q *Request, view *state.View) bool {
	if q.collection != "" {
		return view.Known(q.collection)
	}
	for range kept(q.op.runtime, view, "") {
		return true
	}
	return false
}

// kept goes over the items of a collection, oldest first; "" means the items of all parents.
func kept(k *Runtime, view *state.View, collection string) iter.Seq[*state.Item] {
	if collection != "" {
		return view.Items(collection, 0)
	}
	first, last := "/"+k.parentName(k.named, 0)+"/", "/"+k.Name
	depth := 1 + strings.Count(k.Name, "/")
	for i := range k.named.Scope {
		depth += 2 + strings.Count(k.parentName(k.named, i), "/")
	}
	return func(yield func(*state.Item) bool) {
		for item := range view.All() {
			in := item.Collection
			isBelow := strings.HasPrefix(in, first) && strings.HasSuffix(in, last) && strings.Count(in, "/") == depth
			if (in == last || isBelow) && !yield(item) {
				return
			}
		}
	}
}

// keyCursorNames are parameters whose cursors are keys of items.
var keyCursorNames = words.RoleOf("key-cursor-name")

func isKeyCursor(p resource.Param) bool {
	isCursor := p.Role == resource.Cursor || p.Role == resource.CursorBefore
	return isCursor && keyCursorNames.Has(naming.Fold(p.Parameter.Name))
}

// pageSize is how many items a page has if the request does not say; 0 for all.
func pageSize(b *resource.Binding) int {
	size, _ := sizeOfPages(slices.Concat(b.List.Params, b.List.Body))
	if list := schema.At(b.Media.Schema.Keywords, b.List.Items.Path); list != nil && list.MaxItems != nil {
		size = min(size, *list.MaxItems)
	}
	return size
}

// sizeOfPages also reports whether the document says how many.
func sizeOfPages(params []resource.Param) (size int, isDocumented bool) {
	for _, p := range params {
		switch p.Role {
		case resource.Limit:
			given, _ := p.Documented().(json.Number)
			if n, err := strconv.Atoi(string(given)); err == nil && n > 0 {
				return n, true
			}
			size = defaultPageSize
		case resource.PageNumber, resource.Skip, resource.Cursor:
			size = defaultPageSize
		}
	}
	return size, false
}

var noItems = state.New(state.Limits{}).View()

// excerpt returns what a request asks for of a list that was not made of items, a documented example or a
// generated value. Where the document demands more items than that, all stay.
func excerpt(q *Request, body any) any {
	op, wanted, size := q.op, q.asks, 0
	elements, ok := op.List.Items.Items(body)
	isCounted := ok && q.Preferences.Has(prefer.Count) && len(elements) == q.Preferences.Count
	if isCounted {
		body = q.asRead(body)
		elements, _ = op.List.Items.Items(body)
	}
	all := &listView{view: noItems, collection: "/"}
	for _, element := range elements {
		object, isObject := element.(map[string]any)
		all.first = append(all.first, Item{Key: op.runtime.keyOf(object), Value: object, encoded: encoded(object)})
		ok = ok && isObject
	}
	if !ok {
		return body
	}
	if wanted.PageSent {
		size = op.pageSize
	}
	if !wanted.OrderSent {
		wanted.Sort, wanted.NewestFirst = nil, false
	}
	links := pageLinks(q)
	p, items := page(q, all, wanted, links, size)
	if p.Total == len(elements) && !isCounted && !wanted.PageSent && !wanted.OrderSent {
		return body
	}
	shown := make([]any, len(items))
	for i, item := range items {
		shown[i] = item.Value
	}
	less := pageBody(op, func() any { return body }, shown, p, links, op.Media.Conforms)
	if !op.Media.Conforms(less) {
		return body
	}
	setPageHeaders(q, p, links)
	return less
}

func setPageHeaders(q *Request, p query.Page, links *query.Links) {
	for _, h := range q.op.List.Header {
		at := slices.IndexFunc(q.op.Success.Headers, func(d *spec.Parameter) bool { return d.Name == h.Name })
		declared := q.op.Success.Headers[at]
		switch text := links.Header(p, h); {
		case text != "" && allowsText(declared, text):
			q.answer.Header.Set(h.Name, text)
		case text == "" && !declared.Required:
			q.answer.Header.Del(h.Name)
		}
	}
}
