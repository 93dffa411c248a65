package mock

import (
	"slices"

	"github.com/coldframe/coldframe/internal/jsonvalue"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/query"
)

// excerpt gives what a request asks for of a list that was not made of items, a
// documented example or a generated value: what its filters choose, in the order
// that it names, and of that the page. Where the document wants more items than are left, all stay.
func (x *visit) excerpt(media *spec.MediaType, body any) any {
	b := x.operation.binding
	if x.asks == nil || media != b.Media {
		return body
	}
	items, ok := b.List.Items.Items(body)
	if !ok {
		return body
	}
	fit := make([]any, 0, len(items))
	for _, item := range items {
		if x.asks.Shows(item) {
			fit = append(fit, item)
		}
	}
	if len(fit) == len(items) && !x.asks.Cuts && !x.asks.Orders {
		return body
	}
	if x.asks.Orders {
		if x.asks.Newest {
			slices.Reverse(fit)
		}
		slices.SortStableFunc(fit, x.asks.Order)
	}
	links := &query.Links{Address: x.origin() + x.request.Path, Query: x.request.Query, Params: b.List.Params}
	p := x.excerptPage(fit, links)
	less := b.List.Items.PutItems(body, fit[p.Offset:p.Offset+p.Count])
	if len(b.List.Items.Path) > 0 {
		less = links.Describe(less, p, b.List.Fields, media.Conforms)
	}
	if !media.Conforms(less) {
		return body
	}
	x.pageHeaders(p, links)
	return less
}

// excerptPage says which of the chosen items stand on the page.
func (x *visit) excerptPage(chosen []any, links *query.Links) query.Page {
	b, k := x.operation.binding, x.operation.keeps
	size := 0
	if x.asks.Cuts {
		size = k.pages[b]
	}
	var index func(key string) int
	if k.Key != nil && k.Key.Property != nil && keyCursor(b.List.Params) {
		key := func(item any) string {
			value, _ := resource.Get(item, k.Key.Property)
			text, _ := jsonvalue.Text(value)
			return text
		}
		links.ByKey = func(i int) string { return key(chosen[i]) }
		index = func(wanted string) int {
			return slices.IndexFunc(chosen, func(item any) bool { return key(item) == wanted })
		}
	}
	return x.cut(x.asks, x.asks.PageOf(len(chosen), size), index)
}

// pageHeaders sets the documented fields that say something of the page.
func (x *visit) pageHeaders(p query.Page, links *query.Links) {
	b := x.operation.binding
	for _, h := range b.List.Header {
		text := links.Header(p, h)
		at := slices.IndexFunc(b.Success.Headers, func(d *spec.Parameter) bool { return d.Name == h.Name })
		switch {
		case text != "" && at >= 0 && conformsTo(b.Success.Headers[at], text):
			x.response.Header.Set(h.Name, text)
		case text == "" && at >= 0 && !b.Success.Headers[at].Required:
			x.response.Header = slices.DeleteFunc(x.response.Header, func(f exchange.Field) bool { return f.Name == h.Name })
		}
	}
}
