package mock

import (
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// usualPage is how many items a page has where the document cuts lists into
// pages and does not say how many.
const usualPage = 20

// list answers with the generated items and those that are kept.
func (x *visit) list(status int, documented *spec.Response) outcome {
	b, k := x.operation.binding, x.operation.keeps
	if b.List == nil || b.Media == nil || documented != b.Success {
		return passed
	}
	if media := x.negotiate(documented.Content); media != b.Media {
		return passed
	}
	collection := x.collection()
	view := x.session.State.View()
	if x.everywhere() {
		collection = ""
	}
	o := x.opening(collection)
	untouched := !x.closed() && !x.wasKept(view, collection) && !x.sessions.Base().Known(collection)
	q := query.Read(b.List.Params, x.values.Query, k.names())
	x.searched(q)
	if untouched && (len(o.items) == 0 || o.examples || x.asksOtherwise()) {
		if q.Asked || q.Cuts || q.Orders {
			x.asks = q
		}
		return passed
	}
	for _, v := range k.extra[b] {
		if collection == "" && v.Property != nil { // else see within
			q.Filters = append(q.Filters, query.Filter{Property: scopeProperty(v), Values: []any{x.values.Path[v.Name]}})
		}
	}
	links := &query.Links{Address: x.origin() + x.request.Path, Query: x.request.Query, Params: b.List.Params}
	shelf := newShelf(view, collection, o)
	p, items, keys := x.page(shelf, q, links)
	if untouched && p.Total == 0 && !q.Asked { // a default or a search leaves no list empty that nobody has touched
		q.Filters, q.Search = nil, ""
		p, items, keys = x.page(shelf, q, links)
	}
	shown := make([]any, len(items))
	for i, item := range items {
		shown[i] = x.listed(collection, keys[i], withoutHidden(item.(map[string]any)), q.Fields)
	}
	body := any(shown)
	if len(b.List.Items.Path) > 0 {
		body = links.Describe(b.List.Items.PutItems(k.bases[b](), shown), p, b.List.Fields, b.Media.Conforms)
	}
	if !b.Media.Conforms(body) {
		if len(q.Fields) > 0 {
			for i, item := range items {
				shown[i] = x.listed(collection, keys[i], withoutHidden(item.(map[string]any)), nil)
			}
			body = shown
			if len(b.List.Items.Path) > 0 {
				body = links.Describe(b.List.Items.PutItems(k.bases[b](), shown), p, b.List.Fields, b.Media.Conforms)
			}
		}
		if !b.Media.Conforms(body) {
			return passed // minItems and the like
		}
	}
	x.pageHeaders(p, links)
	x.body(b.Media, body)
	return answered
}

// everywhere reports whether a list shows items of all parents: its path names
// fewer than an item's does.
func (x *visit) everywhere() bool {
	b, k := x.operation.binding, x.operation.keeps
	return k.Scoped && k.named != nil && len(k.named.Scope) > 0 && k.homes[b] == nil
}

// wasKept reports whether anything was ever made in a collection; "" are those of
// all parents.
func (x *visit) wasKept(view *state.View, collection string) bool {
	if collection != "" {
		return view.Known(collection)
	}
	for range x.kept(view, collection) {
		return true
	}
	return false
}

// kept goes over the items of a collection, oldest first; "" are those of all
// parents.
func (x *visit) kept(view *state.View, collection string) iter.Seq[*state.Item] {
	if collection != "" {
		return view.Items(collection, 0)
	}
	k := x.operation.keeps
	first, last := "/"+k.segment(k.named, 0)+"/", "/"+k.Name
	depth := 0
	for i := range k.named.Scope {
		depth += 2 + strings.Count(k.segment(k.named, i), "/")
	}
	depth += 1 + strings.Count(k.Name, "/")
	return func(yield func(*state.Item) bool) {
		for item := range view.All() {
			in := item.Collection
			if strings.HasSuffix(in, last) && (strings.HasPrefix(in, first) || in == last) && (in == last || strings.Count(in, "/") == depth) && !yield(item) {
				return
			}
		}
	}
}

// asksOtherwise reports whether the request asks for other generated values than
// those that lists open with.
func (x *visit) asksOtherwise() bool {
	return x.preferences.Has(prefer.Seed) || x.preferences.Has(prefer.Count) || x.dynamic()
}

// keyCursor reports whether cursors are keys of items, as in starting_after.
func keyCursor(params []resource.Param) bool {
	return slices.ContainsFunc(params, func(p resource.Param) bool {
		if p.Role != resource.Cursor && p.Role != resource.CursorBefore {
			return false
		}
		switch plainWord(p.Parameter.Name) {
		case "startingafter", "endingbefore", "sinceid", "afterid", "beforeid", "untilid", "lastkey", "exclusivestartkey":
			return true
		}
		return false
	})
}

// pageSize is how many items a page has where the request does not say; 0 for
// all.
func pageSize(params []resource.Param) int {
	paged := false
	for _, p := range params {
		switch p.Role {
		case resource.Limit:
			if n, ok := defaultOf(p.Parameter); ok {
				return n
			}
			paged = true
		case resource.PageNumber, resource.Skip, resource.Cursor:
			paged = true
		}
	}
	if paged {
		return usualPage
	}
	return 0
}

// defaultOf gives the number that the document says is meant where the
// parameter is not sent.
func defaultOf(p *spec.Parameter) (int, bool) {
	if p.Schema == nil {
		return 0, false
	}
	given, _ := p.Schema.Default(p.Schema.Keywords).(json.Number)
	n, err := strconv.Atoi(string(given))
	return n, err == nil && n > 0
}

// listed gives an item as a list shows it.
func (x *visit) listed(collection, key string, item map[string]any, fields []string) any {
	b, k := x.operation.binding, x.operation.keeps
	as := b.List.Items.Value
	shown := k.project(item, as)
	if len(fields) > 0 {
		fewer := map[string]any{}
		for _, name := range fields {
			if value, ok := shown[name]; ok {
				fewer[name] = value
			}
		}
		if as == nil || spec.Conforms(as, fewer) {
			return fewer
		}
	}
	if as == nil || spec.Conforms(as, shown) {
		return shown
	}
	if filled, ok := k.fill(x.itemKey(k, collection, key), item, as); ok {
		return filled
	}
	return shown
}

// names gives the names of an item's properties.
func (k *keeping) names() []string {
	names := make([]string, len(k.Properties))
	for i, p := range k.Properties {
		names[i] = p.Name
	}
	return names
}
